package originsql_test

import (
	"slices"
	"testing"

	"colophon/internal/origin"
)

func TestUseReports(t *testing.T) {
	ctx, s := withSite(t, "a-site")
	must(t, s.PutSite(ctx, origin.Site{SiteID: "b-site", PublisherID: "pub_x", Name: "b", SiteURL: "https://b-site.example/", State: origin.Approved, Visibility: "hidden"}))
	must(t, s.PutSite(ctx, origin.Site{SiteID: "c-site", PublisherID: "pub_x", Name: "c", SiteURL: "https://c-site.example/", State: origin.Suspended, Visibility: "public"}))
	for _, p := range []origin.Page{
		{EntryID: "ent_1", SiteID: "a-site", CanonicalURL: "https://a-site.example/x", State: "active"},
		{EntryID: "ent_4", SiteID: "c-site", CanonicalURL: "https://a-site.example/x", State: "active"},
		{EntryID: "ent_2", SiteID: "a-site", CanonicalURL: "https://a-site.example/y", State: "withdrawn"},
		{EntryID: "ent_3", SiteID: "b-site", CanonicalURL: "https://a-site.example/x", State: "active"},
	} {
		must(t, s.PutPage(ctx, p, nil))
	}
	pages, err := s.ReportedPages(ctx, []string{"https://a-site.example/x", "https://nobody.example/"}, []string{"ent_2", "ent_3", "ent_4"})
	same(t, "pages, of public sites alone", pages, []origin.ReportedPage{{EntryID: "ent_1", SiteID: "a-site", URL: "https://a-site.example/x"}, {EntryID: "ent_2", SiteID: "a-site", URL: "https://a-site.example/y"}}, err)

	must(t, s.PutPartner(ctx, origin.Partner{OrgID: "org_1", Name: "One", State: "active", CreatedAt: "2026-01-01T00:00:00Z", ChangedAt: "2026-01-01T00:00:00Z"}))
	must(t, s.PutPartner(ctx, origin.Partner{OrgID: "org_2", Name: "Two", State: "active", CreatedAt: "2026-01-01T00:00:00Z", ChangedAt: "2026-01-01T00:00:00Z"}))
	for id, name := range map[string]string{"org_1": "Buyer One", "org_2": "Buyer Two"} {
		must(t, s.PutBuyer(ctx, origin.Buyer{BuyerID: id, Name: name, State: "active", CreatedAt: "2026-01-01T00:00:00Z", ChangedAt: "2026-01-01T00:00:00Z"}))
	}
	before, at, err := s.Changes(ctx)
	must(t, err)
	report := func(kind, key, entry, event, occurred, reported string) origin.UseReport {
		return origin.UseReport{ReporterKind: kind, ReporterID: "org_1", EventKey: key, EntryID: entry, SiteID: "a-site", Event: event, Agent: "bot", OccurredAt: occurred, ReportedAt: reported}
	}
	list := []origin.UseReport{
		report("partner", "k1", "ent_1", "cited", "2026-10-31T10:00:00Z", "2026-11-01T00:00:00Z"),
		report("partner", "k2", "ent_1", "cited", "2026-10-30T10:00:00Z", "2026-11-02T00:00:00Z"),
		report("partner", "k2", "ent_2", "cited", "2026-11-30T10:00:00Z", "2026-11-02T00:00:00Z"), // one event of two entries
		report("buyer", "k1", "ent_gone", "grounded", "2026-11-01T10:00:00Z", "2026-11-03T00:00:00Z"),
	}
	keys, err := s.AddUseReports(ctx, list)
	slices.Sort(keys)
	same(t, "new", keys, []string{"k1", "k1", "k2", "k2"}, err)
	list[0].Event = "engaged" // the first report of an event stays
	keys, err = s.AddUseReports(ctx, append(list, report("partner", "k3", "ent_1", "cited", "2026-11-01T10:00:00Z", "2026-11-04T00:00:00Z")))
	same(t, "new the second time", keys, []string{"k3"}, err)
	keys, err = s.AddUseReports(ctx, nil)
	same(t, "of nothing", len(keys), 0, err)
	if n, latest, _ := s.Changes(ctx); n != before || latest != at {
		t.Error("reports count as a change of what is published")
	}

	row := func(month, event, kind, name, entry, url string, n int64) origin.UseReportCount {
		return origin.UseReportCount{Month: month, Event: event, ReporterKind: kind, ReporterID: "org_1", Reporter: name, Agent: "bot", EntryID: entry, URL: url, Count: n}
	}
	want := []origin.UseReportCount{
		row("2026-11", "grounded", "buyer", "Buyer One", "ent_gone", "", 1),
		row("2026-11", "cited", "partner", "One", "ent_1", "https://a-site.example/x", 1),
		row("2026-11", "cited", "partner", "One", "ent_2", "https://a-site.example/y", 1),
		row("2026-10", "cited", "partner", "One", "ent_1", "https://a-site.example/x", 2),
	}
	counts, err := s.UseReportCounts(ctx, origin.UseReportFilter{SiteID: "a-site", Limit: 10})
	same(t, "counts of a site", counts, want, err)
	counts, err = s.UseReportCounts(ctx, origin.UseReportFilter{PublisherID: "pub_x", Limit: 2})
	same(t, "counts of a group, cut", counts, want[:2], err)
	counts, err = s.UseReportCounts(ctx, origin.UseReportFilter{SiteID: "b-site", Limit: 10})
	same(t, "counts of another site", len(counts), 0, err)

	n, err := s.EraseUseReports(ctx, "2026-11-02T00:00:00Z", 10)
	same(t, "erased", n, int64(3), err)
	n, err = s.EraseUseReports(ctx, "2026-12-01T00:00:00Z", 1)
	same(t, "erased, of one event", n, int64(1), err)
	counts, err = s.UseReportCounts(ctx, origin.UseReportFilter{SiteID: "a-site", Limit: 10})
	same(t, "counts that are left", len(counts), 1, err)
}
