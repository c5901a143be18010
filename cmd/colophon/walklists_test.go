package main

import (
	"encoding/json"
	"net/url"
	"testing"

	"colophon/exports"
	"colophon/internal/demo/guests"
)

// listPage has the members that all lists share.
type listPage struct {
	Data  []json.RawMessage
	Page  *struct{ Total *int }
	Links struct{ Next string }
}

// walkLists follows every public list to its end: a list that is cut must say
// so and continue until everything that its total counts has been returned.
func walkLists(t *testing.T, f guests.Facts) {
	walked, cut := 0, 0
	for _, e := range exports.Surface {
		if e.Method != "GET" || e.Auth != exports.Open || e.Media != exports.MediaJSON {
			continue
		}
		target := concrete(e.Path, f)
		if e.ID == "search_content_catalog" {
			target += "?q=harbor"
		}
		if len(e.Query) > 0 && e.Made == exports.Computed && e.ID != "search_content_catalog" && e.ID != "ledger_search" {
			continue // it answers about a single thing
		}
		got, total, pages := 0, 0, 0
		for next := target; next != "" && pages < 200; pages++ {
			var l listPage
			if err := json.Unmarshal(sendRequest(t, "GET", f.BaseURL+next).body, &l); err != nil {
				t.Fatalf("%s: %v", next, err)
			}
			if l.Page == nil || l.Page.Total == nil {
				break // it is not a list
			}
			got, total, next = got+len(l.Data), *l.Page.Total, l.Links.Next
			if u, err := url.Parse(next); err != nil || next != "" && u.Path != concrete(e.Path, f) {
				t.Errorf("%s leads on to %q", target, next)
			}
		}
		if pages == 0 {
			continue
		}
		walked++
		if pages > 1 {
			cut++
		}
		if got != total {
			t.Errorf("%s: %d records in %d pages, of %d", target, got, pages, total)
		}
	}
	if walked < 10 || cut < 4 {
		t.Errorf("%d lists were walked, %d of them in parts", walked, cut)
	}
}
