package query

import (
	"context"

	"colophon/internal/searchindex"
	"colophon/internal/staticindex"
	"colophon/internal/withdrawn"
)

// mostSites is how many sites a search is narrowed to; a question about more sites
// searches all, and its caller picks.
const mostSites = 40

// SiteHit is one registered page that a topic was found in.
type SiteHit struct{ SiteID, EntryID string }

// SearchSites searches the registered pages of some sites, the best first. It
// returns at most 100 pages and the cursor with which to continue, "" at the end. It
// says nothing about rights.
func (c *Searcher) SearchSites(ctx context.Context, a staticindex.Ask, sites []string) ([]SiteHit, string, error) {
	next := ""
	hits, err := staticindex.AskAgain(ctx, c.files, func() (hits []SiteHit, err error) {
		hits, next, err = c.searchSites(ctx, a, sites)
		return hits, err
	})
	return hits, next, err
}

func (c *Searcher) searchSites(ctx context.Context, a staticindex.Ask, sites []string) ([]SiteHit, string, error) {
	q, err := ParseTopic(a.Q)
	if err != nil {
		return nil, "", err
	}
	if q == "" {
		return nil, "", staticindex.InvalidParam("q", "is required")
	}
	if len(sites) > mostSites {
		sites = nil
	}
	w, err := c.files.PagingWindow(ctx, &a, 20, 100, "licensed", append([]string{q}, sites...)...)
	if err != nil {
		return nil, "", err
	}
	var filters []Filter
	if len(sites) > 0 {
		var f Filter
		for _, id := range sites {
			f.Any = append(f.Any, searchindex.FacetWord("site", id))
		}
		filters = append(filters, f)
	}
	total, hits, err := c.MatchPages(ctx, w, q, filters, false)
	if err != nil {
		return nil, "", err
	}
	gone, err := withdrawn.Read(ctx, c.files)
	if err != nil {
		return nil, "", err
	}
	out := make([]SiteHit, 0, len(hits))
	for i := range hits {
		if d := &hits[i].Doc; !gone.HasEntry(d.EntryID) {
			out = append(out, SiteHit{d.SiteID, d.EntryID})
		}
	}
	p, _ := w.PageOf(total, LastPlace(hits))
	return out, p.NextCursor, nil
}
