package listing_test

import (
	"maps"
	"slices"
	"strconv"
	"testing"
	"time"

	"colophon/internal/catalog"
	"colophon/internal/catalog/catalogtest"
	"colophon/internal/demo/corpus"
	"colophon/internal/indexbuild"
	"colophon/internal/paging"
	"colophon/internal/searchindex/query"
	"colophon/internal/staticindex"
)

// TestListsLeaveGapsOut withdraws every third page, of two publishers all, and
// checks that each list of pages has all the others, in the order of registration
// or the order asked for: ordinals of withdrawn pages are no records.
func TestListsLeaveGapsOut(t *testing.T) {
	src := corpus.New(corpus.Options{Publishers: 12, Pages: 1500, Seed: 7}).Source()
	entries, n, emptied := src.Entries, 0, map[string]bool{}
	want, places := map[string][]string{}, map[string]string{} // pages by site, and the place of each in lists by registration
	var withdrawn []indexbuild.Entry
	for e, err := range entries {
		must(t, err)
		if n++; n%400 == 1 {
			emptied[e.SiteID] = true
		}
		e.RegisteredAt = e.RegisteredAt[:len("2006-01")] + "-01T00:00:00Z" // many at once
		if e.Withdrawn = n%3 == 0 || emptied[e.SiteID]; !e.Withdrawn {
			want[e.SiteID] = append(want[e.SiteID], e.EntryID)
			places[e.EntryID] = paging.PlaceByTime(e.RegisteredAt, e.EntryID)
		}
		withdrawn = append(withdrawn, e)
	}
	src.Entries = func(yield func(indexbuild.Entry, error) bool) {
		for _, e := range withdrawn {
			if !yield(e, nil) {
				return
			}
		}
	}
	files := catalogtest.Files{}
	catalogtest.Build(t, files, src)
	c := catalog.New(files, time.Now)

	all := slices.Sorted(maps.Keys(places))
	walk := func(name string, pages []string, byTime bool, ask func(a staticindex.Ask) (ids []string, total int64, err error)) {
		t.Helper()
		var got []string
		for {
			ids, total, err := ask(staticindex.Ask{Limit: "70", Offset: strconv.Itoa(len(got))})
			if err != nil || total != int64(len(pages)) {
				t.Fatalf("%s: a total of %d, not %d, %v", name, total, len(pages), err)
			}
			if len(ids) == 0 {
				break
			}
			got = append(got, ids...)
		}
		for i := 1; byTime && i < len(got); i++ {
			if places[got[i-1]] >= places[got[i]] {
				t.Fatalf("%s: %s comes after %s", name, got[i], got[i-1])
			}
		}
		slices.Sort(got)
		if sorted := slices.Sorted(slices.Values(pages)); !slices.Equal(got, sorted) {
			t.Errorf("%s has %d pages, not the %d that are public", name, len(got), len(sorted))
		}
	}
	walk("the feed", all, true, func(a staticindex.Ask) (ids []string, total int64, err error) {
		list, err := c.Feed(t.Context(), a, false)
		if err != nil {
			return nil, 0, err
		}
		for i := range list.Data {
			ids = append(ids, list.Data[i].EntryID)
		}
		return ids, list.Page.Total, nil
	})
	walk("the pages by day", all, false, func(a staticindex.Ask) (ids []string, total int64, err error) {
		a.Sort = "newest"
		list, err := c.SearchPages(t.Context(), a, query.PageFilter{})
		if err != nil {
			return nil, 0, err
		}
		for i := range list.Data {
			ids = append(ids, list.Data[i].EntryID)
		}
		return ids, list.Page.Total, nil
	})
	for _, p := range src.Publishers {
		walk(p.SiteID, want[p.SiteID], true, func(a staticindex.Ask) (ids []string, total int64, err error) {
			list, err := c.Inventory(t.Context(), p.SiteID, a)
			if err != nil {
				return nil, 0, err
			}
			for i := range list.Data {
				ids = append(ids, list.Data[i].EntryID)
			}
			return ids, list.Page.Total, nil
		})
	}
	facets, err := c.Facets(t.Context(), &staticindex.Ask{}, &query.PageFilter{})
	if err != nil || len(facets) == 0 {
		t.Fatal(err, facets)
	}
}
