package intake

import (
	"context"
	"strings"
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
	for f, err := range Fetches(ctx, store, siteID) {
		if err != nil {
			return found, err
		}
		if source, ok := strings.CutPrefix(f.URL, "import "+siteID+" "); ok {
			found.Sources = append(found.Sources, source)
		}
		if f.EntryID != "" && f.Source != "" {
			remembered[f.EntryID] = true
		}
	}
	for p, err := range Pages(ctx, store, siteID) {
		switch {
		case err != nil:
			return found, err
		case p.State != "active":
			continue
		case remembered[p.EntryID]:
		case p.Extraction == extractionSupplied || p.Extraction == extractionHTML:
			found.Brought++
		default:
			found.Fetched = append(found.Fetched, p.CanonicalURL)
		}
		found.Pages++
	}
	return found, nil
}
