package listing_test

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"colophon/exports"
	"colophon/internal/catalog"
	"colophon/internal/catalog/catalogtest"
	"colophon/internal/demo/corpus"
	"colophon/internal/indexbuild"
	"colophon/internal/staticindex"

	"pgregory.net/rapid"
)

// walk pages through a list by cursor; between is called before each page.
func walk(t rapid.TB, ask func(staticindex.Ask) (ids []string, p exports.Page, err error), limit int, between func()) []string {
	var out []string
	for cursor := "*"; ; {
		ids, p, err := ask(staticindex.Ask{Cursor: cursor, Limit: strconv.Itoa(limit)})
		if err != nil {
			t.Fatalf("cursor %q: %v", cursor, err)
		}
		out = append(out, ids...)
		if cursor = p.NextCursor; cursor == "" {
			if int(p.Total) != len(out) {
				t.Fatalf("walked %d of %d", len(out), p.Total)
			}
			return out
		}
		between()
	}
}

func feedOf(c *catalog.Catalog, lines bool) func(staticindex.Ask) ([]string, exports.Page, error) {
	return func(a staticindex.Ask) (ids []string, p exports.Page, err error) {
		r, err := c.Feed(context.Background(), a, lines)
		if err != nil {
			return nil, p, err
		}
		for i := range r.Data {
			ids = append(ids, r.Data[i].EntryID)
		}
		return ids, r.Page, nil
	}
}

// feedOrder is what the feed must be.
func feedOrder(c *corpus.Corpus) []string {
	var all []exports.Entry
	for i := range c.Pages {
		all = append(all, c.Page(i).Entry)
	}
	slices.SortFunc(all, func(a, b exports.Entry) int {
		if a.RegisteredAt != b.RegisteredAt {
			if a.RegisteredAt > b.RegisteredAt {
				return -1
			}
			return 1
		}
		if a.EntryID < b.EntryID {
			return -1
		}
		return 1
	})
	var ids []string
	for i := range all {
		ids = append(ids, all[i].EntryID)
	}
	return ids
}

// TestWalksSurviveARelease walks the feed, an inventory and a search with any
// limit, and publishes a new release in the middle.
func TestWalksSurviveARelease(t *testing.T) {
	one := catalogtest.NewWorld(t, 12, 700, 1)
	next := corpus.New(corpus.Options{Publishers: 12, Pages: 650, Seed: 2})
	feed := feedOrder(one.Corpus)
	site := one.Corpus.Page(0).SiteID
	rapid.Check(t, func(t *rapid.T) {
		published := maps.Clone(one.Files)
		now := time.Unix(0, 0)
		c := catalog.New(published, func() time.Time { return now })
		pages, after := 0, rapid.IntRange(1, 4).Draw(t, "pages before the release")
		publish := func() {
			if pages++; pages == after {
				catalogtest.Build(t, published, next.Source(), &one.Index)
				now = now.Add(time.Hour)
			}
		}
		limit := rapid.IntRange(1, 100).Draw(t, "limit")
		var got []string
		switch rapid.SampledFrom([]string{"feed", "inventory", "search"}).Draw(t, "list") {
		case "feed":
			if got = walk(t, feedOf(c, false), limit, publish); !slices.Equal(got, feed) {
				t.Fatal("the feed is not in order")
			}
		case "inventory":
			got = walk(t, func(a staticindex.Ask) (ids []string, p exports.Page, err error) {
				r, err := c.Inventory(context.Background(), site, a)
				if err != nil {
					return nil, p, err
				}
				for i := range r.Data {
					ids = append(ids, r.Data[i].EntryID)
				}
				return ids, r.Page, nil
			}, limit, publish)
			want := slices.DeleteFunc(slices.Clone(feed), func(id string) bool { return !slices.Contains(got, id) })
			if !slices.Equal(got, want) {
				t.Fatal("the inventory is not in order")
			}
		case "search":
			got = walk(t, func(a staticindex.Ask) (ids []string, p exports.Page, err error) {
				a.Q = "news"
				r, err := c.SearchCatalog(context.Background(), a)
				if err != nil {
					return nil, p, err
				}
				for i := range r.Data {
					ids = append(ids, r.Data[i].EntryID)
				}
				return ids, r.Page, nil
			}, limit, publish)
		}
		slices.Sort(got)
		if n := len(got); n == 0 || len(slices.Compact(got)) != n {
			t.Fatal("a record came twice, or none did")
		}
	})
}

// TestCursorExpires publishes a release every few hours: a cursor lives for a
// day after its release was replaced, and then is reported as gone.
func TestCursorExpires(t *testing.T) {
	w := catalogtest.NewWorld(t, 3, 300, 1)
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	c := catalog.New(w.Files, func() time.Time { return now })
	first, err := c.Feed(context.Background(), staticindex.Ask{Cursor: "*", Limit: "7"}, false)
	if err != nil {
		t.Fatal(err)
	}
	want := feedOrder(w.Corpus)
	last := w.Index
	for hours := 5; hours <= 40; hours += 5 {
		now = now.Add(5 * time.Hour)
		src := corpus.New(corpus.Options{Publishers: 3, Pages: 300, Seed: uint64(hours)}).Source()
		src.Release.GeneratedAt = now.Format(time.RFC3339)
		last = catalogtest.Build(t, w.Files, src, &last)
		prune(w.Files, &last)
		r, err := c.Feed(context.Background(), staticindex.Ask{Cursor: first.Page.NextCursor, Limit: "7", Path: "/feed"}, false)
		switch replaced := 5; {
		case hours-replaced < 24:
			if err != nil || len(r.Data) != 7 || r.Data[0].EntryID != want[7] {
				t.Errorf("after %d hours: %v", hours, err)
			}
		case hours-replaced > 24+5:
			var gone *staticindex.Error
			if !errors.As(err, &gone) || gone.Code != "cursor_expired" || gone.Start != "/feed?limit=7&cursor=*" {
				t.Errorf("after %d hours: %v, want cursor_expired and where to start", hours, err)
			}
		}
	}
}

// prune removes the files of generations that are not named.
func prune(f catalogtest.Files, x *staticindex.Index) {
	for name := range f {
		stays := !strings.HasPrefix(name, "_ix/") || strings.HasPrefix(name, staticindex.Prefix(x.Current.Gen))
		for i := range x.Earlier {
			stays = stays || strings.HasPrefix(name, staticindex.Prefix(x.Earlier[i].Gen))
		}
		if !stays {
			delete(f, name)
		}
	}
}

// TestKeptGenerations draws times of releases and of builds: whatever was in
// force at any moment of the last day stays, unless there are too many.
func TestKeptGenerations(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at, built := int64(1_700_000_000), int64(0)
		var earlier []staticindex.Generation
		type stay struct {
			gen string
			end int64 // when another took its place
		}
		var past []stay
		for i := range rapid.IntRange(1, 30).Draw(t, "releases") {
			at = max(at, built) + rapid.Int64Range(1, 50_000).Draw(t, "until the change")
			built = at + rapid.Int64Range(0, 50_000).Draw(t, "until the build")
			g := staticindex.Generation{Gen: strconv.Itoa(i), Release: exports.Release{GeneratedAt: time.Unix(at, 0).UTC().Format(time.RFC3339)}}
			if len(past) > 0 {
				past[len(past)-1].end = built
			}
			past = append(past, stay{gen: g.Gen, end: 1 << 60})
			kept := g.Kept(earlier)
			if len(kept) > staticindex.KeepAtMost {
				t.Fatalf("%d generations stay", len(kept))
			}
			for k := range kept {
				if kept[k].Gen != strconv.Itoa(i-1-k) {
					t.Fatalf("generation %s stands at %d of %d", kept[k].Gen, k, i)
				}
			}
			for k := i - 1; k >= 0 && i-k <= staticindex.KeepAtMost; k-- {
				if at-past[k].end < staticindex.KeepFor && i-k > len(kept) {
					t.Fatalf("generation %d, replaced %d s ago, is gone", k, at-past[k].end)
				}
			}
			earlier = append([]staticindex.Generation{g}, kept...)
		}
	})
}

// TestLineCursors resumes an NDJSON feed after every line.
func TestLineCursors(t *testing.T) {
	w := catalogtest.NewWorld(t, 5, 130, 1)
	want := feedOrder(w.Corpus)
	r, err := w.Feed(context.Background(), staticindex.Ask{Limit: "250"}, true)
	if err != nil || len(r.Data) != 130 {
		t.Fatal(err, len(r.Data))
	}
	for i := range r.Data {
		rest, err := w.Feed(context.Background(), staticindex.Ask{Limit: "250", Cursor: r.Data[i].Cursor}, true)
		if err != nil || len(rest.Data) != 129-i || len(rest.Data) > 0 && rest.Data[0].EntryID != want[i+1] {
			t.Fatalf("after line %d: %v, %d records", i, err, len(rest.Data))
		}
	}
}

// TestLicensesOfHits: a feed that is searched spells the same licences as one
// that is listed.
func TestLicensesOfHits(t *testing.T) {
	w := catalogtest.NewWorld(t, 5, 130, 1)
	listed, err := w.Feed(context.Background(), staticindex.Ask{Limit: "250"}, true)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{}
	some := false
	for i := range listed.Data {
		want[listed.Data[i].EntryID] = listed.Data[i].LicenseIDs
		some = some || len(listed.Data[i].LicenseIDs) > 0
	}
	hits, err := w.Feed(context.Background(), staticindex.Ask{Limit: "250", Q: "news"}, true)
	if err != nil || len(hits.Data) == 0 || !some {
		t.Fatal(err, len(hits.Data), some)
	}
	for i := range hits.Data {
		if got := hits.Data[i]; !slices.Equal(got.LicenseIDs, want[got.EntryID]) {
			t.Errorf("%s: licences %q, want %q", got.EntryID, got.LicenseIDs, want[got.EntryID])
		}
	}
}

// without is a source of all pages of a corpus but some, as another release.
func without(c *corpus.Corpus, release string, hidden map[string]bool) indexbuild.Source {
	src := c.Source()
	all := src.Entries
	src.Entries = func(yield func(indexbuild.Entry, error) bool) {
		for e, err := range all {
			if !hidden[e.EntryID] && !yield(e, err) {
				return
			}
		}
	}
	src.Release.Name = release
	return src
}

// inventoryOrder is what the inventory of the first site of a corpus must be.
func inventoryOrder(c *corpus.Corpus) (site string, order []string) {
	site = c.Page(0).SiteID
	own := map[string]bool{}
	for i := range c.Pages {
		if p := c.Page(i); p.SiteID == site {
			own[p.EntryID] = true
		}
	}
	return site, slices.DeleteFunc(feedOrder(c), func(id string) bool { return !own[id] })
}

// drawPages draws at most n of some pages.
func drawPages(rnd *rand.Rand, ids []string, n int) map[string]bool {
	drawn := map[string]bool{}
	for range rnd.IntN(n) {
		drawn[ids[rnd.IntN(len(ids))]] = true
	}
	return drawn
}

// TestFirstPagesGoOn continues from the first page of an inventory after pages were
// withdrawn and others registered: what follows is what is there then and comes
// after the last record that was shown, none twice and none left out.
func TestFirstPagesGoOn(t *testing.T) {
	c := corpus.New(corpus.Options{Publishers: 2, Pages: 1100, Seed: 4})
	site, order := inventoryOrder(c)
	if len(order) < 520 {
		t.Fatalf("only %d pages: all are in two blocks", len(order))
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	for round := range 12 {
		published := catalogtest.Files{}
		most := []int{4, 40, 400}[round%3]
		x := catalogtest.Build(t, published, without(c, "2026-01-02.1", drawPages(rnd, order, most)), nil)
		limit := strconv.Itoa(10 + rnd.IntN(91))
		now := time.Unix(0, 0)
		cat := catalog.New(published, func() time.Time { return now })
		first, err := cat.Inventory(t.Context(), site, staticindex.Ask{Limit: limit})
		if err != nil || first.Page.NextCursor == "" {
			t.Fatal(err, first)
		}

		gone := drawPages(rnd, order, most)
		catalogtest.Build(t, published, without(c, "2026-01-03.1", gone), &x)
		now = now.Add(time.Hour)
		shown := slices.Index(order, first.Data[len(first.Data)-1].EntryID)
		want := slices.DeleteFunc(slices.Clone(order[shown+1:]), func(id string) bool { return gone[id] })
		var got []string
		for cursor := first.Page.NextCursor; cursor != ""; {
			next, err := cat.Inventory(t.Context(), site, staticindex.Ask{Limit: limit, Cursor: cursor})
			if err != nil {
				t.Fatal(err)
			}
			for i := range next.Data {
				got = append(got, next.Data[i].EntryID)
			}
			cursor = next.Page.NextCursor
		}
		if !slices.Equal(got, want) {
			t.Fatalf("round %d: %d pages follow, want %d", round, len(got), len(want))
		}
	}
}

// TestFirstPagesReadNoMore continues from a first page in the same release: it reads
// as many files as going on in a walk, but for the one limit with which the page
// ends where a block does.
func TestFirstPagesReadNoMore(t *testing.T) {
	w := catalogtest.NewWorld(t, 2, 900, 4)
	site, more := w.Corpus.Page(899).SiteID, 0
	for limit := 1; limit <= 100; limit++ {
		size := strconv.Itoa(limit)
		first, err := w.Inventory(t.Context(), site, staticindex.Ask{Limit: size})
		if err != nil {
			t.Fatal(err)
		}
		walked, err := w.Inventory(t.Context(), site, staticindex.Ask{Limit: size, Cursor: "*"})
		if err != nil {
			t.Fatal(err)
		}
		if first.Page.NextCursor == walked.Page.NextCursor {
			t.Fatal("a walk goes on as a first page does")
		}
		reads := func(cursor string) int {
			seen := catalogtest.Touched{Files: w.Files, Keys: map[string]bool{}}
			if _, err := catalog.New(seen, time.Now).Inventory(t.Context(), site, staticindex.Ask{Limit: size, Cursor: cursor}); err != nil {
				t.Fatal(err)
			}
			return len(seen.Keys)
		}
		more += reads(first.Page.NextCursor) - reads(walked.Page.NextCursor)
	}
	if more > 1 {
		t.Errorf("%d files more", more)
	}
}

// TestForgedCursors: a cursor that names a record is none of a list that has no
// place for it, and none with a generation.
func TestForgedCursors(t *testing.T) {
	w := catalogtest.NewWorld(t, 3, 300, 1)
	site := w.Corpus.Page(0).SiteID
	after := exports.AfterRecord("2026-01-01T00:00:00Z", w.Corpus.Page(0).EntryID)
	for name, ask := range map[string]func() error{
		"a generation too": func() error {
			cursor := exports.Cursor{Gen: w.Index.Current.Gen, Mark: exports.CursorMark("inventory", "", site), Pos: 20, After: after}
			_, err := w.Inventory(t.Context(), site, staticindex.Ask{Cursor: cursor.String()})
			return err
		},
		"of the feed": func() error {
			_, err := w.Feed(t.Context(), staticindex.Ask{Cursor: exports.Cursor{Mark: exports.CursorMark("feed", ""), Pos: 20, After: after}.String()}, false)
			return err
		},
		"of a search": func() error {
			cursor := exports.Cursor{Mark: exports.CursorMark("inventory", "news", site), Pos: 20, After: after}
			_, err := w.Inventory(t.Context(), site, staticindex.Ask{Q: "news", Cursor: cursor.String()})
			return err
		},
	} {
		var e *staticindex.Error
		if err := ask(); !errors.As(err, &e) || e.Code != "invalid_parameter" || e.Param != "cursor" {
			t.Errorf("%s: %v", name, err)
		}
	}
}
