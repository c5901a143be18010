package web

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"colophon/exports"
	"colophon/internal/prose"
	"colophon/internal/staticindex"
	"colophon/templates/content"
	"colophon/worker/edge"
	"colophon/worker/page"
	"colophon/worker/request"
)

// LedgerPage answers the search form of the ledger's page with the leaves that
// match, the last one first.
func (s *Service) LedgerPage(ctx context.Context, c *request.Call) (*edge.Response, error) {
	asked, err := request.ParseQuestion(c.Query, "q", "offset")
	if err != nil {
		return nil, err
	}
	q := strings.TrimSpace(asked.Get("q"))
	if q == "" {
		return s.Pages.Files.Serve(ctx, c.Request, nil)
	}
	rows, err := s.Catalog.LedgerSearch(ctx, staticindex.Ask{Q: q, Limit: strconv.Itoa(hitsOnPage), Offset: asked.Get("offset")})
	if err != nil {
		return nil, err
	}
	escaped := exports.EscapeQuery(q, "*")
	v := page.LedgerPage{
		Path: exports.PathLedgerLog, Query: q, Leaves: leafRows(rows.Data), JSON: exports.PathLedgerSearch + "?q=" + escaped,
		Pager: pagerOf(exports.PathLedgerLog, &rows.Page, request.Values{{"q", q}}),
	}
	if rows.Page.Total > 0 {
		v.Matches = prose.Counted(rows.Page.Total, "leaf matches", "leaves match")
	}
	resp := s.Pages.Respond(ctx, 200, "Search of the ledger", page.Ledger(v))
	resp.Header.Set("cache-control", c.Endpoint.Cache)
	return request.AddValidators(c.Request, resp, request.EntityTag(resp.Body)), nil
}

// leafRows returns leaves as a page shows them, each with a link to the page of
// what was recorded, or to its publisher.
func leafRows(rows []exports.LedgerRow) []page.Leaf {
	view := make([]page.Leaf, len(rows))
	for i := range rows {
		r := &rows[i]
		view[i] = page.Leaf{
			Index: prose.Count(r.Index), Event: prose.EventWord(r.Event, r.Reason), What: cmp.Or(prose.Clean(r.Publisher, 120), r.SiteID, "the log itself"),
			At: r.At, Day: prose.Day(r.At),
		}
		if r.EntryID != "" && r.Title != "" {
			view[i].CitationPath, view[i].What = exports.CitationPage(r.EntryID), prose.Clean(r.Title, 300)
		}
	}
	return view
}

// pagerOf returns links to the pages before and after this one; asked are the
// fields of the question, without the offset.
func pagerOf(path string, p *exports.Page, asked request.Values) content.Pager {
	if p.Offset == 0 && p.NextOffset < 0 {
		return content.Pager{}
	}
	link := func(offset int64) string {
		return append(slices.Clip(asked), [2]string{"offset", strconv.FormatInt(offset, 10)}).Append(path)
	}
	last := min(p.Offset+p.Limit, p.Total)
	pager := content.Pager{Range: prose.Count(p.Offset+1) + " to " + prose.Count(last) + " of " + prose.Count(p.Total)}
	if p.Offset > 0 {
		pager.Previous = link(max(0, p.Offset-p.Limit))
	}
	if p.NextOffset >= 0 {
		pager.Next = link(p.NextOffset)
	}
	return pager
}
