package originsql_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"colophon/internal/origin"
	"colophon/internal/originsql"
)

// withSite opens a store with one site whose host is shown to be its own.
func withSite(t *testing.T, id string) (context.Context, *originsql.Store) {
	t.Helper()
	ctx, s := context.Background(), open(t)
	must(t, s.PutPublisher(ctx, origin.Publisher{PublisherID: "pub_x", LegalName: "X", CreatedAt: "2026-01-01T00:00:00Z"}))
	must(t, s.PutSite(ctx, origin.Site{SiteID: id, PublisherID: "pub_x", Name: id, SiteURL: "https://" + id + ".example/", State: origin.Approved, Visibility: "public"}))
	must(t, s.PutWebsite(ctx, origin.Website{SiteID: id, Host: id + ".example", Associated: true}))
	return ctx, s
}

func TestEvidenceAndPoliciesRoundTrip(t *testing.T) {
	ctx, s := withSite(t, "a-site")
	e := fill(t, origin.Evidence{SiteID: "a-site", Since: "2026-01-02T00:00:00Z"}, "SiteID", "Since")
	later := e
	later.Since, later.Document = "2026-02-02T00:00:00Z", "{}"
	must(t, s.PutEvidence(ctx, later))
	must(t, s.PutEvidence(ctx, e))
	rows, err := s.EvidenceOf(ctx, "a-site")
	same(t, "evidence", rows, []origin.Evidence{e, later}, err)

	before, at, err := s.Changes(ctx)
	must(t, err)
	v := fill(t, origin.PolicyVersion{SiteID: "a-site", Version: 1}, "SiteID", "Version", "EffectiveUntil")
	must(t, s.AddPolicy(ctx, v))
	if err := s.AddPolicy(ctx, v); !errors.Is(err, origin.ErrConflict) {
		t.Errorf("a version added twice: %v", err)
	}
	must(t, s.EndPolicy(ctx, "a-site", 1, "2026-03-01T00:00:00Z"))
	must(t, s.EndPolicy(ctx, "a-site", 1, "2026-04-01T00:00:00Z"))
	v.EffectiveUntil = "2026-03-01T00:00:00Z"
	list, err := s.Policies(ctx, "a-site")
	same(t, "policies; an end is set once", list, []origin.PolicyVersion{v}, err)
	if n, latest, _ := s.Changes(ctx); n != before || latest != at {
		t.Error("what follows from other facts counts as a change")
	}
}

func TestLookups(t *testing.T) {
	ctx, s := withSite(t, "a-site")
	for _, p := range []origin.Page{
		{EntryID: "ent_1", SiteID: "a-site", CanonicalURL: "https://a-site.example/x", State: "active", Portable: "p1", Registry: "r1"},
		{EntryID: "ent_2", SiteID: "a-site", CanonicalURL: "https://a-site.example/y", State: "active", Portable: "p1", Registry: "r2"},
		{EntryID: "ent_3", SiteID: "a-site", CanonicalURL: "https://a-site.example/z", State: "active"},
	} {
		must(t, s.PutPage(ctx, p, nil))
	}
	ids := func(pages []origin.Page, err error) (out string) {
		must(t, err)
		for _, p := range pages {
			out += p.EntryID + " "
		}
		return out
	}
	for _, c := range [][2]string{
		{ids(s.PagesByURL(ctx, "https://a-site.example/x")), "ent_1 "}, {ids(s.PagesByURL(ctx, "https://a-site.example/none")), ""},
		{ids(s.PagesByFingerprint(ctx, "p1", 10)), "ent_1 ent_2 "}, {ids(s.PagesByFingerprint(ctx, "r2", 10)), "ent_2 "},
		{ids(s.PagesByFingerprint(ctx, "p1", 1)), "ent_1 "}, {ids(s.PagesByFingerprint(ctx, "", 10)), ""},
	} {
		if c[0] != c[1] {
			t.Errorf("found %q, want %q", c[0], c[1])
		}
	}
	sitesOf := func(host string) string {
		found, err := s.SitesOfHost(ctx, host)
		must(t, err)
		return strings.Join(found, " ")
	}
	must(t, s.PutWebsite(ctx, origin.Website{SiteID: "a-site", Host: "claimed.example"}))
	for host, want := range map[string]string{"a-site.example": "a-site", "claimed.example": "", "nobody.example": ""} {
		if got := sitesOf(host); got != want {
			t.Errorf("%s belongs to %q, want %q", host, got, want)
		}
	}
	site, err := s.Site(ctx, "a-site")
	must(t, err)
	site.State = origin.Suspended
	must(t, s.PutSite(ctx, site))
	if got := sitesOf("a-site.example"); got != "" {
		t.Errorf("a suspended site: %q", got)
	}
}
