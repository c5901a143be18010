package intake

import (
	"context"
	"strings"

	"colophon/internal/origin"
)

// Stale says which registered pages of a site no import has read as this version
// reads pages: earlier ones registered drafts and copies, took facts from other
// articles, and lost sight of pages that were gone.
type Stale struct {
	Pages   int      // active
	Fetched []string // addresses of those that were fetched, in the order of their entries
	Brought int      // pages whose text a source brought along, which it may have taken back since
	Sources []string // that were imported, by name
}

// FindStale looks through what the importer remembers of a site.
func FindStale(ctx context.Context, store Store, siteID string) (Stale, error) {
	found, remembered := Stale{}, map[string]bool{}
	err := eachFetch(ctx, store, siteID, func(f *origin.Fetch) error {
		if source, ok := strings.CutPrefix(f.URL, "import "+siteID+" "); ok {
			found.Sources = append(found.Sources, source)
		}
		if f.EntryID != "" && f.Source != "" {
			remembered[f.EntryID] = true
		}
		return nil
	})
	if err != nil {
		return found, err
	}
	for after := ""; ; {
		pages, err := store.PagesOf(ctx, siteID, after, missBatch)
		if err != nil {
			return found, err
		}
		for i := range pages {
			p := &pages[i]
			after = p.EntryID
			if p.State != "active" {
				continue
			}
			found.Pages++
			switch {
			case remembered[p.EntryID]:
			case p.Extraction == extractionSupplied || p.Extraction == extractionHTML:
				found.Brought++
			default:
				found.Fetched = append(found.Fetched, p.CanonicalURL)
			}
		}
		if len(pages) < missBatch {
			return found, nil
		}
	}
}

// eachFetch calls do for all that is remembered of a site, by address, until it returns
// an error.
func eachFetch(ctx context.Context, store Store, siteID string, do func(*origin.Fetch) error) error {
	for after := ""; ; {
		list, err := store.FetchesOf(ctx, siteID, after, missBatch)
		if err != nil {
			return err
		}
		for i := range list {
			if err := do(&list[i]); err != nil {
				return err
			}
			after = list[i].URL
		}
		if len(list) < missBatch {
			return nil
		}
	}
}
