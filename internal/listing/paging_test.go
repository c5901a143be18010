package listing_test

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	"colophon/exports"
	"colophon/internal/assert"
	"colophon/internal/catalog"
	"colophon/internal/catalog/catalogtest"
	"colophon/internal/demo/corpus"
	"colophon/internal/indexbuild"
	"colophon/internal/listing"
	"colophon/internal/paging"
	"colophon/internal/staticindex"
	"colophon/internal/wire"
)

var must = assert.NoError

// page returns a part of a list: the ids of its records, and how it continues.
type page func(staticindex.Ask) (ids []string, p exports.Page, err error)

// walk pages through a list by cursor, beginning at a cursor; it calls between
// before each further page.
func walk(t rapid.TB, ask page, from string, limit int, between func()) []string {
	var out []string
	for cursor := from; ; {
		ids, p, err := ask(staticindex.Ask{Cursor: cursor, Limit: strconv.Itoa(limit)})
		if err != nil {
			t.Fatalf("cursor %q: %v", cursor, err)
		}
		out = append(out, ids...)
		if cursor = p.NextCursor; cursor == "" {
			return out
		}
		between()
	}
}

func feedOf(c *catalog.Reader, lines bool) page {
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

// feedOrder returns the feed's expected order.
func feedOrder(c *corpus.Generator) []string {
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

// idsOf returns the ids of the records of a list.
func idsOf[T any, P interface {
	*T
	wire.Record
}](l *exports.List[T, P], err error, id func(*T) string) ([]string, exports.Page, error) {
	if err != nil {
		return nil, exports.Page{}, err
	}
	var ids []string
	for i := range l.Data {
		ids = append(ids, id(&l.Data[i]))
	}
	return ids, l.Page, nil
}

func searchOf(c *catalog.Reader, q string) page {
	return func(a staticindex.Ask) ([]string, exports.Page, error) {
		a.Q = q
		r, err := c.SearchCatalog(context.Background(), a)
		return idsOf(r, err, func(h *exports.SearchHit) string { return h.EntryID })
	}
}

// listsOf returns the lists of a catalog that have a fixed order.
func listsOf(c *catalog.Reader, site string) map[string]page {
	ctx := context.Background()
	return map[string]page{
		"feed":  feedOf(c, false),
		"lines": feedOf(c, true),
		"inventory": func(a staticindex.Ask) ([]string, exports.Page, error) {
			r, err := c.Inventory(ctx, site, a)
			return idsOf(r, err, func(e *exports.InventoryItem) string { return e.EntryID })
		},
		"publishers": func(a staticindex.Ask) ([]string, exports.Page, error) {
			r, err := c.PartnerCatalog(ctx, a, listing.PublisherFilter{})
			return idsOf(r, err, func(p *exports.PublisherHit) string { return p.SiteID })
		},
		"verified publishers": func(a staticindex.Ask) ([]string, exports.Page, error) {
			r, err := c.PartnerCatalog(ctx, a, listing.PublisherFilter{Verified: "1"})
			return idsOf(r, err, func(p *exports.PublisherHit) string { return p.SiteID })
		},
		"map": func(a staticindex.Ask) ([]string, exports.Page, error) {
			r, err := c.RightsMap(ctx, a, nil, nil)
			return idsOf(r, err, func(m *exports.MapRecord) string { return m.SiteID })
		},
		"offers": func(a staticindex.Ask) ([]string, exports.Page, error) {
			r, err := c.LicenseCatalog(ctx, a, listing.OfferFilter{})
			return idsOf(r, err, func(o *exports.Offer) string { return o.LicenseID })
		},
		"demand": func(a staticindex.Ask) ([]string, exports.Page, error) {
			r, err := c.Demand(ctx, a)
			return idsOf(r, err, func(d *exports.Demand) string { return d.DemandID })
		},
	}
}

// TestWalksGoOn walks each list that has an order while one release after
// another is published, whose files replace the former ones. After a page come
// exactly the records that are listed then and sort after the last record
// shown, none twice and none left out.
func TestWalksGoOn(t *testing.T) {
	from := corpus.New(corpus.Options{Publishers: 12, Pages: 200, Seed: 1})
	site := from.Page(0).SiteID
	names := slices.Sorted(maps.Keys(listsOf(nil, site)))
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(names).Draw(t, "list")
		limit := rapid.IntRange(1, 40).Draw(t, "limit")
		if name != "feed" && name != "lines" && name != "inventory" {
			limit = min(limit, 5)
		}
		rnd := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		now := time.Unix(0, 0)
		published := catalogtest.Files{}
		c := catalog.New(published, func() time.Time { return now })
		everything := func() []string {
			return walk(t, listsOf(catalog.New(published, time.Now), site)[name], "*", 40, func() {})
		}
		releases := 0
		publish := func() {
			if rnd.IntN(3) == 0 {
				return
			}
			clear(published)
			catalogtest.Build(t, published, thinned(from, rnd, releases))
			releases++
			now = now.Add(time.Duration(rnd.IntN(2)) * time.Hour) // the reader notices the new release, or not yet
		}
		for releases == 0 {
			publish()
		}
		ask := listsOf(c, site)[name]
		var got, want []string
		shown := everything()
		for cursor := "*"; ; {
			ids, p, err := ask(staticindex.Ask{Cursor: cursor, Limit: strconv.Itoa(limit)})
			must(t, err)
			got = append(got, ids...)
			want = append(want, shown[:min(len(shown), limit)]...)
			if !slices.Equal(got, want) {
				t.Fatalf("after %d releases: %d records, want %d", releases, len(got), len(want))
			}
			if cursor = p.NextCursor; cursor == "" {
				break
			}
			last, place := ids[len(ids)-1], placesOf(published, site, name)
			at := place[last]
			publish()
			place = placesOf(published, site, name)
			shown = slices.DeleteFunc(everything(), func(id string) bool { return place[id] <= at })
		}
	})
}

// placesOf returns the places of a list's records by id, as the published
// records state them.
func placesOf(published catalogtest.Files, site, name string) map[string]string {
	out := map[string]string{}
	ctx, c := context.Background(), catalog.New(published, time.Now)
	for offset := 0; ; offset += 50 {
		a := staticindex.Ask{Limit: "50", Offset: strconv.Itoa(offset)}
		before := len(out)
		switch name {
		case "feed", "lines":
			r, _ := c.Feed(ctx, a, false)
			for i := range r.Data {
				out[r.Data[i].EntryID] = paging.PlaceByTime(r.Data[i].RegisteredAt, r.Data[i].EntryID)
			}
		case "inventory":
			r, err := c.Inventory(ctx, site, a)
			if err != nil {
				return out
			}
			for i := range r.Data {
				out[r.Data[i].EntryID] = paging.PlaceByTime(r.Data[i].RegisteredAt, r.Data[i].EntryID)
			}
		case "publishers", "verified publishers":
			r, _ := c.PartnerCatalog(ctx, a, listing.PublisherFilter{})
			for i := range r.Data {
				out[r.Data[i].SiteID] = paging.PlaceByNumber(r.Data[i].RegisteredPages, r.Data[i].SiteID)
			}
		case "map":
			r, _ := c.RightsMap(ctx, a, nil, nil)
			for i := range r.Data {
				out[r.Data[i].SiteID] = r.Data[i].SiteID
			}
		case "offers":
			r, _ := c.LicenseCatalog(ctx, a, listing.OfferFilter{})
			for i := range r.Data {
				out[r.Data[i].LicenseID] = paging.PlaceByTime(r.Data[i].ValidFrom, r.Data[i].LicenseID)
			}
		case "demand":
			r, _ := c.Demand(ctx, a)
			for i := range r.Data {
				out[r.Data[i].DemandID] = paging.PlaceByTime(r.Data[i].OptedInAt, r.Data[i].DemandID)
			}
		}
		if len(out) == before {
			return out
		}
	}
}

// TestSearchesGoOn pages through a search: it continues after a new release
// that keeps the rank of the last hit, and is otherwise refused with the
// address to begin again.
func TestSearchesGoOn(t *testing.T) {
	w := catalogtest.NewWorld(t, 12, 700, 1)
	whole := walk(t, searchOf(w.Reader, "news"), "*", 20, func() {})
	if len(whole) < 60 {
		t.Fatalf("only %d hits", len(whole))
	}
	now := time.Unix(0, 0)
	c := catalog.New(w.Files, func() time.Time { return now })
	ask := func(cursor string) ([]string, exports.Page, error) {
		return searchOf(c, "news")(staticindex.Ask{Cursor: cursor, Limit: "20", Path: "/search"})
	}
	_, first, err := ask("*")
	must(t, err)
	for _, step := range []struct {
		name string
		gone map[string]bool
		want string
	}{
		{"the last hits are gone", map[string]bool{whole[len(whole)-1]: true}, ""},
		{"the best hit is gone", map[string]bool{whole[0]: true}, "cursor_expired"},
		{"the last hit that was shown is gone", map[string]bool{whole[19]: true}, "cursor_expired"},
		{"nothing is left", hits(whole), "cursor_expired"},
	} {
		now = now.Add(time.Hour)
		clear(w.Files)
		catalogtest.Build(t, w.Files, without(w.Corpus, "2026-01-03.1", step.gone))
		ids, _, err := ask(first.NextCursor)
		var e *staticindex.Error
		switch {
		case step.want == "" && (err != nil || !slices.Equal(ids, whole[20:40])):
			t.Errorf("%s: %v, %v", step.name, ids, err)
		case step.want != "" && (!errors.As(err, &e) || e.Code != step.want || e.Start != "/search?limit=20&cursor=*"):
			t.Errorf("%s: %v, %v, want %s and where to start", step.name, ids, err, step.want)
		}
	}
}

// TestHitsOfCursors pages through a search by cursor: each hit has the same
// match as when the same part is requested by offset.
func TestHitsOfCursors(t *testing.T) {
	w := catalogtest.NewWorld(t, 12, 700, 1)
	ctx, cursor, different := t.Context(), "*", map[int64]bool{}
	q := w.Corpus.Page(0).Title + " news"
	for offset := 0; offset < 60; offset += 7 {
		walked, err := w.SearchCatalog(ctx, staticindex.Ask{Q: q, Either: true, Limit: "7", Cursor: cursor})
		must(t, err)
		listed, err := w.SearchCatalog(ctx, staticindex.Ask{Q: q, Either: true, Limit: "7", Offset: strconv.Itoa(offset)})
		must(t, err)
		if !reflect.DeepEqual(walked.Data, listed.Data) {
			t.Fatalf("from %d on: %+v, want %+v", offset, walked.Data, listed.Data)
		}
		for i := range listed.Data {
			different[listed.Data[i].Match.Score] = true
		}
		if cursor = walked.Page.NextCursor; cursor == "" {
			break
		}
	}
	if len(different) < 3 {
		t.Errorf("all hits have one of %d scores", len(different))
	}
}

func hits(ids []string) map[string]bool {
	set := map[string]bool{}
	for _, id := range ids {
		set[id] = true
	}
	return set
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

// TestLicensesOfHits checks that a searched feed has the same licences as a
// listed one.
func TestLicensesOfHits(t *testing.T) {
	w := catalogtest.NewWorld(t, 5, 130, 1)
	listed, err := w.Feed(context.Background(), staticindex.Ask{Limit: "250"}, true)
	must(t, err)
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

// without returns a source of all pages of a corpus except some, as another
// release.
func without(c *corpus.Generator, release string, hidden map[string]bool) corpus.Source {
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

// thinned returns a source of a corpus without some of its pages and
// publishers.
func thinned(c *corpus.Generator, rnd *rand.Rand, release int) corpus.Source {
	hidden := map[string]bool{}
	for i := range c.Pages {
		if rnd.IntN(4) == 0 {
			hidden[c.Page(i).EntryID] = true
		}
	}
	src := without(c, fmt.Sprintf("2026-01-02.%d", release+1), hidden)
	src.Publishers = someOf(src.Publishers, rnd)
	src.Map = someOf(src.Map, rnd)
	src.Offers = someOf(src.Offers, rnd)
	src.Demand = someOf(src.Demand, rnd)
	return src
}

// someOf leaves out a quarter of a list.
func someOf[T any](list []T, rnd *rand.Rand) []T {
	return slices.DeleteFunc(slices.Clone(list), func(T) bool { return rnd.IntN(4) == 0 })
}

// TestCursorsReadNoMore continues within the same release: that must read as
// many files as the same part by offset, except where the previous page ends
// with a block.
func TestCursorsReadNoMore(t *testing.T) {
	w := catalogtest.NewWorld(t, 2, 900, 4)
	site, more := w.Corpus.Page(899).SiteID, 0
	for limit := 1; limit <= 100; limit++ {
		size := strconv.Itoa(limit)
		first, err := w.Inventory(t.Context(), site, staticindex.Ask{Limit: size})
		must(t, err)
		reads := func(a staticindex.Ask) int {
			seen := catalogtest.Touched{Files: w.Files, Keys: map[string]bool{}}
			must(t, assert.Err(catalog.New(seen, time.Now).Inventory(t.Context(), site, a)))
			return len(seen.Keys)
		}
		more += reads(staticindex.Ask{Limit: size, Cursor: first.Page.NextCursor}) - reads(staticindex.Ask{Limit: size, Offset: size})
	}
	if more > 2 {
		t.Errorf("%d files more", more)
	}
}

// TestForgedCursors checks that a cursor which names a record that is not in
// the list continues where that record would be, and is refused by a search.
func TestForgedCursors(t *testing.T) {
	w := catalogtest.NewWorld(t, 3, 300, 1)
	forge := func(pos int, after string, mark ...string) string {
		return paging.Cursor{Mark: paging.Mark(mark...), Pos: pos, After: after}.String()
	}
	feed := feedOf(w.Reader, false)
	for _, pos := range []int{1, 20, 300, 1 << 28} {
		for after, want := range map[string]int{"\x00": 100, "~": 0} {
			ids, _, err := feed(staticindex.Ask{Limit: "100", Cursor: forge(pos, after, "feed", "")})
			if err != nil || len(ids) != want {
				t.Errorf("after %q at %d: %d records, %v", after, pos, len(ids), err)
			}
		}
		_, _, err := searchOf(w.Reader, "news")(staticindex.Ask{Cursor: forge(pos, "x", "search", "news")})
		assert.Equal(t, catalogtest.CodeOf(err), "cursor_expired", "a search at %d: %v", pos, err)
	}
	if _, _, err := feed(staticindex.Ask{Cursor: forge(20, "x", "search", "news")}); catalogtest.CodeOf(err) != "invalid_parameter" {
		t.Errorf("a cursor of a search in the feed: %v", err)
	}
	former := base64.RawURLEncoding.EncodeToString([]byte(`{"k":"20.` + paging.Mark("feed", "") + `","r":"0123456789abcdef","v":1}`))
	if _, _, err := feed(staticindex.Ask{Cursor: former}); catalogtest.CodeOf(err) != "cursor_expired" {
		t.Errorf("a cursor of the earlier form: %v", err)
	}
}
