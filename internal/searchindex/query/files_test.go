package query_test

import (
	"cmp"
	"context"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"colophon/exports"
	"colophon/internal/catalog"
	"colophon/internal/catalog/catalogtest"
	"colophon/internal/searchindex"
	"colophon/internal/staticindex"
)

// isWord reports whether people take a word of the index as a word: not in a
// script without spaces, where words of the index are overlapping pairs.
func isWord(word string) bool {
	r, _ := utf8.DecodeRuneInString(word)
	return r < '\u2e80'
}

// TestFewFiles checks that ten hits of one word are read from at most 12 files,
// however far apart they are, and hits of two words from at most 14.
func TestFewFiles(t *testing.T) {
	w := catalogtest.NewWorld(t, 200, 20_000, 1)
	counts, together, pages := map[string]int{}, map[[2]string]int{}, map[string]exports.Entry{}
	for _, d := range w.Numbered(t) {
		words := searchindex.Words(strings.Join(append([]string{d.Title, d.Section, d.Publisher}, d.Terms...), " "))
		pages[d.EntryID] = d.Entry
		slices.Sort(words)
		words = slices.Compact(words)
		for i, a := range words {
			counts[a]++
			for _, b := range words[i+1:] {
				if isWord(a) && isWord(b) {
					together[[2]string{a, b}]++
				}
			}
		}
	}
	maps.DeleteFunc(together, func(p [2]string, n int) bool {
		return n < pageOfHits-2 || min(counts[p[0]], counts[p[1]]) < manyPages
	})
	var few []string
	for word, n := range counts {
		if n >= pageOfHits && n < manyPages && isWord(word) {
			few = append(few, word)
		}
	}
	slices.Sort(few)
	// ask returns how many files were read for a query that has total hits.
	ask := func(q string, total, most int) int {
		seen := catalogtest.Touched{Files: w.Files, Keys: map[string]bool{}}
		c := catalog.New(seen, time.Now)
		if _, err := c.SearchCatalog(context.Background(), staticindex.Ask{Q: "zz", Limit: "0"}); err != nil {
			t.Fatal(err)
		}
		clear(seen.Keys)
		a, err := c.SearchCatalog(context.Background(), staticindex.Ask{Q: q, Limit: strconv.Itoa(pageOfHits)})
		if err != nil || int(a.Page.Total) != total {
			t.Fatalf("%s: %d pages, %v, want %d", q, a.Page.Total, err, total)
		}
		for _, h := range a.Data {
			want := pages[h.EntryID]
			want.RightsAsOf = a.Catalog.GeneratedAt // the vector was computed for the release
			if !reflect.DeepEqual(h.Entry, want) {
				t.Errorf("%s: %+v, want %+v", q, h.Entry, want)
			}
		}
		if len(seen.Keys) > most {
			t.Errorf("%s, %d pages: %d files %v", q, total, len(seen.Keys), slices.Sorted(maps.Keys(seen.Keys)))
		}
		return len(seen.Keys)
	}
	questions := 1000
	if testing.Short() {
		questions = 300
	}
	alone, far := 0, 0
	for i := 0; i < len(few); i += 1 + len(few)/questions {
		if ask(few[i], counts[few[i]], 12) > 6 {
			alone++
		}
	}
	pairs := slices.SortedFunc(maps.Keys(together), func(a, b [2]string) int {
		return cmp.Or(cmp.Compare(together[a], together[b]), slices.Compare(a[:], b[:]))
	})
	for i := 0; i < len(pairs); i += 1 + len(pairs)/questions {
		if ask(pairs[i][0]+" "+pairs[i][1], together[pairs[i]], 14) > 6 {
			far++
		}
	}
	if alone < questions/10 || far < questions/10 {
		t.Errorf("the hits of only %d of %d words lie far apart, and of %d of %d pairs", alone, len(few), far, len(pairs))
	}
}

const (
	pageOfHits = 10
	manyPages  = 128
)
