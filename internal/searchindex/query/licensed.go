package query

import (
	"context"

	"colophon/internal/searchindex"
)

// mostSites is how many sites a search is narrowed to; a question about more
// goes to all, and whoever asks picks.
const mostSites = 40

// SiteHit is one registered page that a topic was found in.
type SiteHit struct{ SiteID, EntryID string }

// SearchSites searches the registered pages of some sites, the best first. It
// returns at most 100 pages and the cursor to go on with, "" at the end. It
// says nothing about rights.
func (c *Catalog) SearchSites(ctx context.Context, a Ask, sites []string) ([]SiteHit, string, error) {
	q, err := parseTopic(a.Q)
	if err != nil {
		return nil, "", err
	}
	if q == "" {
		return nil, "", invalidParam("q", "is required")
	}
	if len(sites) > mostSites {
		sites = nil
	}
	w, err := c.pagingWindow(ctx, &a, 20, 100, "licensed", append([]string{q}, sites...)...)
	if err != nil {
		return nil, "", err
	}
	var filters []filter
	if len(sites) > 0 {
		var f filter
		for _, id := range sites {
			f.any = append(f.any, searchindex.FacetWord("site", id))
		}
		filters = append(filters, f)
	}
	total, hits, err := c.matchPages(ctx, w, q, filters)
	if err != nil {
		return nil, "", err
	}
	out := make([]SiteHit, len(hits))
	for i := range hits {
		out[i] = SiteHit{hits[i].doc.SiteID, hits[i].doc.EntryID}
	}
	p, _, err := w.pageOf(total)
	return out, p.NextCursor, err
}
