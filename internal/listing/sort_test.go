package listing_test

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"colophon/exports"
	"colophon/internal/catalog"
	"colophon/internal/catalog/catalogtest"
	"colophon/internal/listing"
	"colophon/internal/searchindex"
	"colophon/internal/searchindex/query"
	"colophon/internal/staticindex"
)

// walkSorted requests all pages and returns their ids.
func walkSorted(t *testing.T, ask func(staticindex.Ask) ([]string, exports.Page, error), a staticindex.Ask) []string {
	t.Helper()
	var all []string
	for {
		a.Offset = strconv.Itoa(len(all))
		ids, page, err := ask(a)
		must(t, err)
		all = append(all, ids...)
		if page.NextOffset < 0 {
			if len(all) != int(page.Total) {
				t.Errorf("%d records of %d", len(all), page.Total)
			}
			return all
		}
	}
}

// TestSortedListsAreWhole checks that an order covers the whole list, page
// after page, with words, with filters and with neither; and that it finds the
// same records as without an order.
func TestSortedListsAreWhole(t *testing.T) {
	w := catalogtest.NewWorld(t, 120, 3000, 5)
	ctx := context.Background()
	publishers := map[string]exports.Publisher{}
	for _, p := range w.Corpus.Source().Publishers {
		publishers[p.SiteID] = p
	}
	pages := map[string]searchindex.Doc{}
	for _, d := range w.Numbered(t) {
		pages[d.EntryID] = d
	}
	price := map[string]exports.Payment{}
	for _, o := range w.Corpus.Source().Offers {
		price[o.LicenseID] = o.Payment
	}
	askPublishers := func(a staticindex.Ask) (ids []string, page exports.Page, err error) {
		got, err := w.PartnerCatalog(ctx, a, listing.PublisherFilter{Verified: "1"})
		if err != nil {
			return nil, page, err
		}
		for i := range got.Data {
			ids = append(ids, got.Data[i].SiteID)
		}
		return ids, got.Page, nil
	}
	askMap := func(a staticindex.Ask) (ids []string, page exports.Page, err error) {
		got, err := w.RightsMap(ctx, a, nil, nil)
		if err != nil {
			return nil, page, err
		}
		for i := range got.Data {
			ids = append(ids, got.Data[i].SiteID)
		}
		return ids, got.Page, nil
	}
	askPages := func(a staticindex.Ask) (ids []string, page exports.Page, err error) {
		got, err := w.SearchPages(ctx, a, query.PageFilter{})
		if err != nil {
			return nil, page, err
		}
		for i := range got.Data {
			ids = append(ids, got.Data[i].EntryID)
			if (a.Q != "") != (len(got.Data[i].Match.Terms) > 0) {
				t.Fatalf("%q: terms %v", a.Q, got.Data[i].Match.Terms)
			}
		}
		return ids, got.Page, nil
	}
	askOffers := func(a staticindex.Ask) (ids []string, page exports.Page, err error) {
		got, err := w.LicenseCatalog(ctx, a, listing.OfferFilter{})
		if err != nil {
			return nil, page, err
		}
		for i := range got.Data {
			ids = append(ids, got.Data[i].LicenseID)
		}
		return ids, got.Page, nil
	}
	byPages := func(a, b string) int {
		return cmp.Compare(publishers[b].RegisteredPages, publishers[a].RegisteredPages)
	}
	byName := func(a, b string) int {
		return strings.Compare(strings.ToLower(publishers[a].Name), strings.ToLower(publishers[b].Name))
	}
	title := ""
	for _, d := range pages {
		title = max(title, searchindex.Words(d.Title)[0])
	}
	for _, x := range []struct {
		ask     func(staticindex.Ask) ([]string, exports.Page, error)
		a       staticindex.Ask
		compare func(a, b string) int
		least   int
	}{
		{askPublishers, staticindex.Ask{Sort: "pages", Limit: "7"}, byPages, 20},
		{askPublishers, staticindex.Ask{Sort: "name", Limit: "7"}, byName, 20},
		{askMap, staticindex.Ask{Sort: "pages", Limit: "50"}, byPages, 120},
		{askMap, staticindex.Ask{Sort: "name", Limit: "50"}, byName, 120},
		{askPages, staticindex.Ask{Sort: "newest", Limit: "100"}, func(a, b string) int { return strings.Compare(pages[b].PublishedAt, pages[a].PublishedAt) }, 3000},
		{askPages, staticindex.Ask{Q: title, Sort: "newest", Limit: "20"}, func(a, b string) int { return strings.Compare(pages[b].PublishedAt, pages[a].PublishedAt) }, 2},
		{askOffers, staticindex.Ask{Sort: "price", Limit: "50"}, func(a, b string) int {
			x, y := price[a], price[b]
			if (x.Amount == "") != (y.Amount == "") {
				return strings.Compare(y.Amount, x.Amount)
			}
			amount := func(p exports.Payment) float64 { f, _ := strconv.ParseFloat(p.Amount, 64); return f }
			return cmp.Or(strings.Compare(x.Currency, y.Currency), strings.Compare(x.Model, y.Model), strings.Compare(x.Unit, y.Unit), cmp.Compare(amount(x), amount(y)))
		}, 20},
	} {
		got := walkSorted(t, x.ask, x.a)
		if !slices.IsSortedFunc(got, x.compare) {
			t.Errorf("%+v: not in order", x.a)
		}
		x.a.Sort = ""
		if x.a.Q != "" || len(got) < 1000 { // without a query, the pages are those of the feed
			plain := walkSorted(t, x.ask, x.a)
			slices.Sort(plain)
			slices.Sort(got)
			if !slices.Equal(plain, got) {
				t.Errorf("%+v: another order has other records", x.a)
			}
		}
		if len(got) < x.least {
			t.Errorf("%+v: only %d records", x.a, len(got))
		}
	}
	for _, name := range []string{"none-such", "../e/root", "NAME", "price"} {
		if _, _, err := askMap(staticindex.Ask{Sort: name}); catalogtest.CodeOf(err) != "invalid_parameter" {
			t.Errorf("order %q: %v", name, err)
		}
	}
}

// TestOrdersDamaged checks that a damaged order is an outage.
func TestOrdersDamaged(t *testing.T) {
	w := catalogtest.NewWorld(t, 20, 40, 1)
	key := string(searchindex.OrderKey(w.Index.Current.Gen, searchindex.RightsMap, "name", 0))
	whole := w.Files[key]
	for _, b := range [][]byte{whole[:len(whole)-1], append(slices.Clone(whole), 0), append(slices.Clone(whole[:len(whole)-1]), whole[len(whole)-2]), []byte("CSO2")} {
		damaged := maps.Clone(w.Files)
		damaged[key] = b
		if _, err := catalog.New(damaged, time.Now).RightsMap(context.Background(), staticindex.Ask{Sort: "name"}, nil, nil); catalogtest.CodeOf(err) != "index_unavailable" {
			t.Errorf("%x: %v", b, err)
		}
	}
}

// TestOrdersNameTheGeneration checks that a change of order makes another
// generation even if no record changes, since the files of a generation never
// change.
func TestOrdersNameTheGeneration(t *testing.T) {
	w := catalogtest.NewWorld(t, 20, 40, 1)
	src := w.Corpus.Source()
	for _, p := range src.Publishers {
		src.Listed = map[string]string{p.SiteID: "2026-01-01T00:00:00Z"} // only the last publisher's
	}
	again := catalogtest.Build(t, catalogtest.Files{}, src)
	if again.Current.Gen == w.Index.Current.Gen {
		t.Error("another order has the same generation")
	}
}
