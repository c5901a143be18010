package originsql_test

import (
	"context"
	"strconv"
	"testing"

	"colophon/internal/origin"
	"colophon/internal/originsql"
)

// fillSite writes n rows of each kind of fact for a site, in reverse order.
func fillSite(t *testing.T, s *originsql.Store, id string, n int) {
	t.Helper()
	ctx := context.Background()
	must(t, s.PutPublisher(ctx, origin.Publisher{PublisherID: "pub_" + id}))
	must(t, s.PutSite(ctx, origin.Site{SiteID: id, PublisherID: "pub_" + id}))
	for i := n; i > 0; i-- {
		key := strconv.Itoa(i)
		must(t, s.PutWebsite(ctx, fill(t, origin.Website{SiteID: id, Host: key}, "SiteID", "Host")))
		must(t, s.PutPreference(ctx, fill(t, origin.Preference{SiteID: id, Use: key}, "SiteID", "Use")))
		must(t, s.AddPassport(ctx, fill(t, origin.Passport{SiteID: id, Version: int64(i)}, "SiteID", "Version")))
		must(t, s.PutSignal(ctx, fill(t, origin.Signal{SiteID: id, Signal: key}, "SiteID", "Signal")))
		must(t, s.PutOffer(ctx, fill(t, origin.Offer{SiteID: id, LicenseID: "lic_" + id + key, Slug: key}, "SiteID", "LicenseID", "Slug")))
		must(t, s.PutEvidence(ctx, fill(t, origin.Evidence{SiteID: id, Channel: key}, "SiteID", "Channel")))
		must(t, s.AddPolicy(ctx, fill(t, origin.PolicyVersion{SiteID: id, Version: int64(i)}, "SiteID", "Version")))
		must(t, s.PutObservation(ctx, fill(t, origin.Observation{SiteID: id, Channel: key}, "SiteID", "Channel")))
	}
}

// factsOneByOne reads the facts of a site with the statements for a single
// site.
func factsOneByOne(t *testing.T, s *originsql.Store, id string) origin.SiteFacts {
	t.Helper()
	return origin.SiteFacts{
		SiteID:      id,
		Websites:    listOf(t, id, s.Websites),
		Preferences: listOf(t, id, s.Preferences),
		Passports:   listOf(t, id, s.Passports),
		Signals:     listOf(t, id, s.Signals),
		Offers:      listOf(t, id, s.OffersOf),
		Evidence:    listOf(t, id, s.EvidenceOf),
		Policies:    listOf(t, id, s.Policies),
	}
}

// listOf returns the facts of one kind of a site.
func listOf[T any](t *testing.T, siteID string, read func(ctx context.Context, siteID string) ([]T, error)) []T {
	t.Helper()
	list, err := read(context.Background(), siteID)
	must(t, err)
	return list
}

// TestFactsOfManySites reads sites together, in another order than theirs, and
// requires for each what is read for it alone.
func TestFactsOfManySites(t *testing.T) {
	ctx, s := context.Background(), open(t)
	for i, id := range []string{"a-site", "b-site", "c-site", "d-site"} {
		fillSite(t, s, id, []int{3, 1, 2, 0}[i])
	}
	asked := []string{"c-site", "none", "a-site", "d-site", "it's \"odd\""} // not b-site
	var want []origin.SiteFacts
	wantSeen := map[string][]origin.Observation{}
	for _, id := range asked {
		want = append(want, factsOneByOne(t, s, id))
		seen, err := s.Observations(ctx, id)
		must(t, err)
		if len(seen) > 0 {
			wantSeen[id] = seen
		}
	}
	if len(want[0].Policies) != 2 || len(want[2].Offers) != 3 || len(wantSeen["a-site"]) != 3 {
		t.Fatalf("the sites are not filled: %+v", want)
	}

	facts, err := s.FactsOfSites(ctx, asked)
	same(t, "facts", facts, want, err)
	seen, err := s.ObservationsOfSites(ctx, asked)
	same(t, "observations", seen, wantSeen, err)

	var rights []origin.SiteRights // of those that exist, by id
	for _, id := range []string{"a-site", "c-site", "d-site"} {
		x := factsOneByOne(t, s, id)
		site, err := s.Site(ctx, id)
		must(t, err)
		found, err := s.FindRights(ctx, origin.RightsLookup{SiteID: id})
		must(t, err)
		rights = append(rights, origin.SiteRights{
			Version: found.Sites[0].Version, Site: site, Preferences: x.Preferences, Passports: x.Passports, Offers: x.Offers, Evidence: x.Evidence, Policies: x.Policies,
		})
	}
	read, err := s.RightsOfSites(ctx, asked, "", true)
	same(t, "rights", read, rights, err)

	facts, err = s.FactsOfSites(ctx, nil)
	same(t, "facts of no site", facts, []origin.SiteFacts{}, err)
	seen, err = s.ObservationsOfSites(ctx, nil)
	same(t, "observations of no site", seen, map[string][]origin.Observation{}, err)
}
