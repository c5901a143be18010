package rights_test

import (
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"testing"

	"colophon/exports"
	"colophon/internal/origin"
	"colophon/internal/processcost"
	"colophon/internal/rights"
)

// BenchmarkQuestions asks about pages of many publishers, each with robots.txt,
// an RSL file, statements and an offer: BENCH_SITES of them (default 1,000,
// 100,000 in make bench-rights). A question is about all eight uses of one page.
// "unnamed" is what is published of pages: pages to which the same statements
// apply share an evaluation, which was made before the clock starts. "named"
// evaluates a question for a user type, a
// territory and an agent each time.
func BenchmarkQuestions(b *testing.B) {
	sites := 1000
	if n, err := strconv.Atoi(os.Getenv("BENCH_SITES")); err == nil {
		sites = n
	}
	at, _ := exports.ParseInstant("2026-11-21T00:00:00Z")
	snapshots := make([]*rights.SiteSnapshot, sites)
	documents := make([]*rights.RightsDocument, sites)
	shared := []*rights.SiteSnapshot{
		pierNews(threeSections, simpleRobots), pierNews(byUserClass, usageRobots), pierNews(withPolicy, robots("User-agent: *", "Content-Signal: search=yes, ai-train=no", "", "User-agent: GPTBot", "Disallow: /")),
	}
	for i := range snapshots {
		f := *shared[i%len(shared)]
		f.Preferences = []origin.Preference{{SiteID: "pier-news", Use: "rag", Inquiry: "welcome", Declared: "disallow", Since: since, Source: "publisher", ChangedAt: since}}
		f.Offers = []origin.Offer{{LicenseID: "lic_" + strconv.Itoa(i), SiteID: "pier-news", Kind: "custom", Status: "offered", ScopeType: "site", Permits: []string{"rag"}, Territories: []string{"EU"}, PaymentModel: "use", ValidFrom: since, ChangedAt: since}}
		must(b, f.Precompute("2026-11-21T00:00:00Z"))
		doc, _, err := rights.RightsDocumentAt(&f, "2026-11-21T00:00:00Z")
		must(b, err)
		snapshots[i], documents[i] = &f, doc
	}
	pages := []string{"/back-issues/1", "/members/3", "/news/4"}
	b.Run("unnamed", func(b *testing.B) {
		ask := func(site, page int) {
			p := origin.Page{SiteID: "pier-news", State: "active", ContentFormat: "html", CanonicalURL: home + pages[page]}
			if v := snapshots[site].VectorFor(&p); len(v) != 8 {
				b.Fatal(v)
			}
		}
		for site := range sites {
			for page := range pages {
				ask(site, page)
			}
		}
		runtime.GC() // garbage of the evaluations must not count as the questions' cost
		chance, began := rand.New(rand.NewPCG(1, 2)), processcost.CPU()
		for b.Loop() {
			ask(chance.IntN(sites), chance.IntN(len(pages)))
		}
		b.ReportMetric(float64(b.N)/(processcost.CPU()-began).Seconds(), "questions/cpu-s")
	})
	b.Run("named", func(b *testing.B) {
		chance, began := rand.New(rand.NewPCG(1, 2)), processcost.CPU()
		q := rights.Question{UserType: "commercial", Territory: "DE", Agent: "GPTBot", At: at.Unix()}
		for b.Loop() {
			about := rights.Resource{URL: home + pages[chance.IntN(len(pages))], ContentFormat: "html"}
			if j := documents[chance.IntN(sites)].Evaluate(about, q, nil, false); len(j.Vector) != 8 {
				b.Fatal(j.Vector)
			}
		}
		b.ReportMetric(float64(b.N)/(processcost.CPU()-began).Seconds(), "questions/cpu-s")
	})
}
