package listing_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"colophon/exports"
	"colophon/internal/catalog/catalogtest"
	"colophon/internal/listing"
	"colophon/internal/searchindex"
	"colophon/internal/staticindex"
)

// some returns a random filter: no, one or two occurrences, each a comma list.
func some(rng *rand.Rand, words []string) []string {
	var out []string
	for range max(0, rng.IntN(5)-2) {
		one := []string{words[rng.IntN(len(words))]}
		for rng.IntN(3) == 0 {
			one = append(one, words[rng.IntN(len(words))])
		}
		out = append(out, strings.Join(one, ","))
	}
	return out
}

// meets reports whether every occurrence has a word that is in have.
func meets(filter []string, have ...string) bool {
	for _, one := range filter {
		ok := false
		for _, w := range strings.Split(one, ",") {
			ok = ok || slices.Contains(have, w)
		}
		if !ok {
			return false
		}
	}
	return true
}

func TestPartnerCatalogEqualsScan(t *testing.T) {
	w := catalogtest.NewWorld(t, 300, 3000, 5)
	all := w.Corpus.Source().Publishers
	slices.SortFunc(all, func(a, b exports.Publisher) int {
		if a.RegisteredPages != b.RegisteredPages {
			return int(b.RegisteredPages - a.RegisteredPages)
		}
		return strings.Compare(a.SiteID, b.SiteID)
	})
	text := make([][]string, len(all))
	counts := map[string]int{}
	for i := range all {
		p := &all[i]
		text[i] = searchindex.Words(strings.Join([]string{p.Name, p.Summary, p.SiteID, p.SiteURL, strings.Join(p.Categories, " ")}, " "))
		for _, x := range text[i] {
			counts[x]++
		}
	}
	rng := rand.New(rand.NewPCG(7, 7))
	found := 0
	for k := range 600 {
		f := listing.PublisherFilter{Category: some(rng, []string{"energy", "health", "agriculture", "arts", "no-such"}), PreferredUse: some(rng, exports.UseWords()),
			ContentFormat: some(rng, exports.ContentFormats), Audience: some(rng, exports.Audiences), TechnicalDepth: some(rng, exports.TechnicalDepths)}
		if rng.IntN(3) == 0 {
			f.RAGSuitability = exports.RAGSuitabilities[rng.IntN(4)]
		}
		if rng.IntN(3) == 0 {
			f.Verified = []string{"1", "0", "true", "false"}[rng.IntN(4)]
		}
		if rng.IntN(3) == 0 {
			f.MinRegisteredPages = strconv.Itoa(rng.IntN(60))
		}
		var q string
		if rng.IntN(3) == 0 {
			q = searchindex.Words(all[rng.IntN(len(all))].Summary)[0]
		}
		scan := func(any ...string) (want []string) {
			for i := range all {
				if fits(&all[i], &f) && (q == "" || slices.ContainsFunc(any, func(w string) bool { return slices.Contains(text[i], w) })) {
					want = append(want, all[i].SiteID)
				}
			}
			return want
		}
		want := scan(q)
		if q != "" && len(want) < 10 && len(q) > 2 {
			want = scan(append(catalogtest.Endings(counts, w.Root(t, searchindex.Publishers), q, 0), q)...)
		}
		if q != "" && len(want) == 0 {
			continue // searches guess at misspelt words
		}
		got, err := w.PartnerCatalog(context.Background(), staticindex.Ask{Q: q, Limit: "100"}, f)
		must(t, err)
		var ids []string
		for i := range got.Data {
			ids = append(ids, got.Data[i].SiteID)
			if (got.Data[i].Match != nil) != (q != "") {
				t.Fatalf("match of %q with q %q", got.Data[i].SiteID, q)
			}
		}
		found += len(want)
		if q != "" {
			slices.Sort(ids)
			slices.Sort(want)
		}
		if int(got.Page.Total) != len(want) || !slices.Equal(ids, want[:min(100, len(want))]) && len(want) <= 100 {
			t.Fatalf("case %d, %q %+v: total %d, want %d\n%v\n%v", k, q, f, got.Page.Total, len(want), ids, want)
		}
	}
	if found < 5000 {
		t.Errorf("only %d publishers found: the filters are too narrow to show anything", found)
	}
}

func fits(p *exports.Publisher, f *listing.PublisherFilter) bool {
	var welcome []string
	for _, u := range exports.Uses {
		if exports.WelcomesInquiry(p.Preferences, u) {
			welcome = append(welcome, string(u))
		}
	}
	level := slices.Index(exports.RAGSuitabilities, p.RAGSuitability)
	least := slices.Index(exports.RAGSuitabilities, f.RAGSuitability)
	pages, _ := strconv.ParseInt(f.MinRegisteredPages, 10, 64)
	return meets(f.Category, p.Categories...) && meets(f.PreferredUse, welcome...) && meets(f.ContentFormat, p.ContentFormats...) &&
		meets(f.Audience, p.Audience) && meets(f.TechnicalDepth, p.TechnicalDepth) &&
		(f.RAGSuitability == "" || level == least || level > least && level < 3) &&
		(f.Verified == "" || p.Verified == (f.Verified == "1" || f.Verified == "true")) && p.RegisteredPages >= pages
}

func TestLicenseCatalogEqualsScan(t *testing.T) {
	w := catalogtest.NewWorld(t, 200, 800, 9)
	categories := map[string][]string{}
	for _, p := range w.Corpus.Source().Publishers {
		categories[p.SiteID] = p.Categories
	}
	all := w.Corpus.Source().Offers
	rng := rand.New(rand.NewPCG(3, 9))
	found := 0
	for range 500 {
		f := listing.OfferFilter{Use: some(rng, exports.UseWords()), Payment: some(rng, exports.PaymentModels), UserType: some(rng, exports.UserTypes), Status: some(rng, exports.OfferStatuses)}
		if rng.IntN(2) == 0 {
			f.Territory = []string{"NL", "FR", "US", "EU", "JP", "nl"}[rng.IntN(6)]
		}
		if rng.IntN(4) == 0 {
			f.Category = []string{"energy", "arts"}[rng.IntN(2)]
		}
		if rng.IntN(8) == 0 {
			f.SiteID = all[rng.IntN(len(all))].SiteID
		}
		want := 0
		for i := range all {
			if offered(&all[i], categories[all[i].SiteID], f) {
				want++
			}
		}
		got, err := w.LicenseCatalog(context.Background(), staticindex.Ask{Limit: "200"}, f)
		must(t, err)
		found += want
		if int(got.Page.Total) != want || len(got.Data) != min(200, want) {
			t.Fatalf("%+v: total %d, want %d", f, got.Page.Total, want)
		}
		for i := range got.Data {
			if !offered(&got.Data[i], categories[got.Data[i].SiteID], f) {
				t.Fatalf("%+v gives %+v", f, got.Data[i])
			}
			if i > 0 && got.Data[i].ValidFrom > got.Data[i-1].ValidFrom {
				t.Fatal("not the newest first")
			}
		}
	}
	if found < 1000 {
		t.Errorf("only %d offers found", found)
	}
}

func offered(o *exports.Offer, categories []string, f listing.OfferFilter) bool {
	users := o.UserTypes
	if len(users) == 0 {
		users = exports.UserTypes
	}
	status := f.Status
	if status == nil {
		status = []string{"offered"}
	}
	t := strings.ToUpper(f.Territory)
	within := func(list []string) bool {
		return slices.Contains(list, t) || slices.Contains([]string{"NL", "FR"}, t) && slices.Contains(list, "EU")
	}
	return meets(f.Use, o.Permits...) && meets(f.Payment, o.Payment.Model) && meets(f.UserType, users...) && meets(status, o.Status) &&
		(t == "" || (len(o.Territories) == 0 || within(o.Territories)) && !within(o.NotIn)) &&
		(f.SiteID == "" || o.SiteID == f.SiteID) && (f.Category == "" || slices.Contains(categories, f.Category))
}

func TestRightsMapFilters(t *testing.T) {
	w := catalogtest.NewWorld(t, 100, 400, 11)
	for _, c := range []struct{ category, readiness []string }{
		{nil, nil}, {[]string{"energy"}, nil}, {nil, []string{"listed,declared"}}, {nil, []string{"min:declared"}}, {[]string{"arts,health"}, []string{"min:none"}}, {nil, []string{"min:enforced"}},
	} {
		want := []string{}
		for _, r := range w.Corpus.Source().Map {
			levels := c.readiness
			if len(levels) > 0 && strings.HasPrefix(levels[0], "min:") {
				levels = []string{strings.Join(exports.ReadinessLevels[slices.Index(exports.ReadinessLevels, levels[0][4:]):], ",")}
			}
			if meets(c.category, r.Categories...) && meets(levels, r.Readiness) {
				want = append(want, r.SiteID)
			}
		}
		slices.Sort(want)
		got, err := w.RightsMap(context.Background(), staticindex.Ask{Limit: "200"}, c.category, c.readiness)
		must(t, err)
		ids := []string{}
		for i := range got.Data {
			ids = append(ids, got.Data[i].SiteID)
		}
		if !slices.Equal(ids, want) || len(want) == 0 {
			t.Errorf("%+v: %v, want %v", c, ids, want)
		}
	}
}
