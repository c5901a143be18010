package main

import (
	"cmp"
	"context"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"colophon/exports"
	"colophon/worker/query"
)

// TestFewFiles: ten hits of two words that many pages have are never read from
// more than ManyFiles files, however far apart they lie, and what is kept
// again for that is what the blocks have.
func TestFewFiles(t *testing.T) {
	w := newWorld(t, 200, 20_000, 1)
	counts, together, pages := map[string]int{}, map[[2]string]int{}, map[string]exports.Entry{}
	for _, d := range w.numbered(t) {
		words := exports.Words(strings.Join(append([]string{d.Title, d.Section, d.Publisher}, d.Terms...), " "))
		pages[d.EntryID] = d.Entry
		slices.Sort(words)
		words = slices.Compact(words)
		for i, a := range words {
			counts[a]++
			for _, b := range words[i+1:] {
				if !exports.IsPair(a) && !exports.IsPair(b) {
					together[[2]string{a, b}]++
				}
			}
		}
	}
	maps.DeleteFunc(together, func(p [2]string, n int) bool {
		return n < exports.ManyFiles || min(counts[p[0]], counts[p[1]]) < exports.ExtraFrom
	})
	pairs := slices.SortedFunc(maps.Keys(together), func(a, b [2]string) int {
		return cmp.Or(cmp.Compare(together[a], together[b]), slices.Compare(a[:], b[:]))
	})
	used := 0
	for i := 0; i < len(pairs); i += 1 + len(pairs)/1000 {
		p := pairs[i]
		seen := touched{w.files, map[string]bool{}}
		c := query.New(seen, time.Now)
		if _, err := c.SearchCatalog(context.Background(), query.Ask{Q: "zz", Limit: "0"}); err != nil {
			t.Fatal(err)
		}
		clear(seen.keys)
		a, err := c.SearchCatalog(context.Background(), query.Ask{Q: p[0] + " " + p[1], Limit: "10"})
		if err != nil || int(a.Page.Total) != together[p] {
			t.Fatalf("%v: %d pages, %v, want %d", p, a.Page.Total, err, together[p])
		}
		for _, h := range a.Data {
			if !reflect.DeepEqual(h.Entry, pages[h.EntryID]) {
				t.Errorf("%v: %+v, want %+v", p, h.Entry, pages[h.EntryID])
			}
		}
		if len(seen.keys) > exports.ManyFiles {
			t.Errorf("%v, %d pages: %d files %v", p, a.Page.Total, len(seen.keys), slices.Sorted(maps.Keys(seen.keys)))
		}
		if slices.ContainsFunc(slices.Collect(maps.Keys(seen.keys)), func(k string) bool { return strings.Contains(k, "/e/x/") }) {
			used++
		}
	}
	if used < 100 {
		t.Errorf("extras were read for %d of %d pairs only", used, len(pairs))
	}
}
