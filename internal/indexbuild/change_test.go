package indexbuild_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"colophon/exports"
	"colophon/internal/assert"
	"colophon/internal/catalog/catalogtest"
	"colophon/internal/demo/corpus"
	"colophon/internal/indexbuild"
	"colophon/internal/staticindex"
)

var must = assert.NoError

// filesOf builds an index and returns its files by the names that packs use.
func filesOf(t *testing.T, src corpus.Source) map[string][]byte {
	t.Helper()
	files, out := catalogtest.Files{}, map[string][]byte{}
	catalogtest.Build(t, files, src)
	for name, data := range files {
		packed, _, _ := staticindex.CutGeneration(name)
		out[packed] = data
	}
	return out
}

// countChanged counts the files below each folder that are new or differ.
func countChanged(before, after map[string][]byte) map[string]int {
	changed := map[string]int{}
	for name, data := range after {
		if !bytes.Equal(before[name], data) {
			parts := strings.SplitN(name, "/", 4)
			changed[strings.Join(parts[:min(3, len(parts)-1)], "/")]++
		}
	}
	return changed
}

// alter changes the entries of a source, which keeps no state.
func alter(src corpus.Source, change func(e *indexbuild.Entry) []indexbuild.Entry) corpus.Source {
	entries := src.Entries
	src.Entries = func(yield func(indexbuild.Entry, error) bool) {
		for e, err := range entries {
			for _, e := range change(&e) {
				if !yield(e, err) {
					return
				}
			}
		}
	}
	return src
}

// TestChangesStayLocal checks that a change of one page changes the files of the
// index that are about it, and hardly any others, since most of what a release in
// packs writes would otherwise be index. The lists of publishers are short.
func TestChangesStayLocal(t *testing.T) {
	source := corpus.New(corpus.Options{Publishers: 40, Pages: 4000, Seed: 5}).Source()
	before := filesOf(t, source)
	var ids []string
	for e, err := range source.Entries {
		must(t, err)
		if !e.Withdrawn {
			ids = append(ids, e.EntryID)
		}
	}
	chosen := ids[len(ids)/2]
	for name, tc := range map[string]struct {
		change func(e *indexbuild.Entry) []indexbuild.Entry
		most   map[string]int
	}{
		"another title": {func(e *indexbuild.Entry) []indexbuild.Entry {
			if e.EntryID == chosen {
				e.Title = "Harbours"
			}
			return []indexbuild.Entry{*e}
		}, map[string]int{"_ix/e/d": 1, "_ix/e/t": 16, "_ix/p/00": 2, "_ix/f/00": 0, "_ix/e/o": 0}},
		"withdrawn": {func(e *indexbuild.Entry) []indexbuild.Entry {
			if e.EntryID == chosen {
				e.Withdrawn = true
			}
			return []indexbuild.Entry{*e}
		}, map[string]int{"_ix/e/d": 1, "_ix/e/t": 20, "_ix/p/00": 2, "_ix/f/00": 2, "_ix/e/o": 3}},
		"a page more": {func(e *indexbuild.Entry) []indexbuild.Entry {
			if e.EntryID != chosen {
				return []indexbuild.Entry{*e}
			}
			more := *e
			more.EntryID, more.URL, more.RegisteredAt, more.Digest, more.Registry = "ent_added", e.URL+"-added", "2999-01-01T00:00:00Z", "", ""
			return []indexbuild.Entry{*e, more}
		}, map[string]int{"_ix/e/d": 1, "_ix/e/t": 20, "_ix/p/00": 2, "_ix/f/00": 2, "_ix/e/o": 3}},
	} {
		changed := countChanged(before, filesOf(t, alter(source, tc.change)))
		for folder, most := range tc.most {
			if n := changed[folder]; n > most {
				t.Errorf("%s: %d files below %s differ, at most %d should", name, n, folder, most)
			}
		}
		if changed["_ix/e/d"] != 1 || changed["_ix/e/t"] == 0 || changed["_ix/p/00"] == 0 || changed["_ix/l"] > 0 {
			t.Errorf("%s changes %v", name, changed)
		}
	}
}

// TestPublishersComeLast checks that a publisher who becomes public adds blocks of
// records and changes none, whatever its id.
func TestPublishersComeLast(t *testing.T) {
	source := corpus.New(corpus.Options{Publishers: 12, Pages: 1200, Seed: 5}).Source()
	first := ""
	source.Listed = map[string]string{}
	for _, p := range source.Publishers {
		if source.Listed[p.SiteID] = "2026-01-01T00:00:00Z"; first == "" || p.SiteID < first {
			first = p.SiteID
		}
	}
	source.Listed[first] = "2026-01-02T00:00:00Z"
	without := alter(source, func(e *indexbuild.Entry) []indexbuild.Entry {
		if e.SiteID == first {
			return nil
		}
		return []indexbuild.Entry{*e}
	})
	without.Publishers = slices.DeleteFunc(slices.Clone(source.Publishers), func(p exports.Publisher) bool { return p.SiteID == first })
	before, after := filesOf(t, without), filesOf(t, source)
	for name, data := range before {
		if strings.HasPrefix(name, "_ix/e/d/") && !bytes.Equal(after[name], data) {
			t.Errorf("%s differs", name)
		}
	}
	if n := countChanged(before, after)["_ix/e/d"]; n == 0 {
		t.Error("the publisher has no blocks")
	}
}
