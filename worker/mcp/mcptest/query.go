package mcptest

import (
	"context"
	"strconv"
	"strings"

	"colophon/exports"
	"colophon/worker/problem"
)

// Scan answers queries by reading every page of the catalog.
type Scan struct{}

// SearchCatalog finds pages that have q in their title or terms.
func (Scan) SearchCatalog(_ context.Context, q string, limit int64, cursor string) (*exports.SearchList, error) {
	offset := int64(0)
	if cursor != "" {
		n, err := strconv.ParseInt(strings.TrimPrefix(cursor, "c"), 10, 64)
		if err != nil || n < 0 {
			return nil, &problem.Failure{Code: "cursor_expired", Detail: "Start again without cursor."}
		}
		offset = n
	}
	var hits []exports.SearchHit
	for _, e := range find(append(pages(Harbor, HarborPages), pages(Orchard, 3)...), q) {
		hits = append(hits, exports.SearchHit{Entry: e, Publisher: exports.PublisherRef{SiteID: e.SiteID, Name: "Harbor Ledger"}, Match: exports.Match{Score: 875, Fields: []string{"title"}, Terms: []string{q}}})
	}
	l := &exports.SearchList{Catalog: release, Links: exports.PageLinks{Self: exports.PathSearch}}
	l.Data, l.Page = cut(hits, limit, offset)
	return l, nil
}

// Inventory lists the pages of a site that have q.
func (Scan) Inventory(_ context.Context, siteID, q string, limit, offset int64) (*exports.InventoryList, error) {
	n := map[string]int64{Harbor: HarborPages, Orchard: 3, Quiet: 1}[siteID]
	if n == 0 {
		return nil, &problem.Failure{Code: "site_not_found"}
	}
	return inventory(siteID, find(pages(siteID, n), q), limit, offset, n), nil
}

func find(all []exports.Entry, q string) []exports.Entry {
	var out []exports.Entry
	for _, e := range all {
		if strings.Contains(strings.ToLower(e.Title+" "+strings.Join(e.Terms, " ")), strings.ToLower(strings.TrimSpace(q))) {
			out = append(out, e)
		}
	}
	return out
}
