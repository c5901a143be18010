package postgres_test

import (
	"context"
	"testing"

	"colophon/internal/assert"
	"colophon/internal/origin"
	"colophon/internal/originsql/origintest"
	"colophon/internal/originsql/postgres"
)

var must = assert.NoError

// TestEveryStatementPrepares makes Postgres prepare every statement of the
// store.
func TestEveryStatementPrepares(t *testing.T) {
	ctx := context.Background()
	_, conn := newStore(t, "")
	for _, s := range origintest.AllStatements(ctx) {
		if _, err := conn.Prepare(ctx, "", postgres.Translate(s.Text)); err != nil {
			t.Errorf("%s: %v\n%s", s.Name, err, postgres.Translate(s.Text))
		}
	}
}

// TestEveryLookupOfRightsRuns looks up the facts of rights by each key, because
// the statement depends on the key.
func TestEveryLookupOfRightsRuns(t *testing.T) {
	ctx := context.Background()
	db, err := postgres.Open(ctx, cluster.NewDatabase(t))
	must(t, err)
	defer db.Close()
	must(t, db.Migrate(ctx))
	store := db.Store()
	must(t, store.PutPublisher(ctx, origin.Publisher{PublisherID: "pub_a", LegalName: "A"}))
	must(t, store.PutSite(ctx, origin.Site{SiteID: "a-site", PublisherID: "pub_a", Name: "A", SiteURL: "https://a.example/", State: origin.Approved, Visibility: "public"}))
	must(t, store.PutWebsite(ctx, origin.Website{SiteID: "a-site", Host: "a.example", Associated: true}))
	must(t, store.PutPreference(ctx, origin.Preference{SiteID: "a-site", Use: "rag", Inquiry: "welcome", Declared: "allow", Conditions: []string{"attribution"}, Source: "publisher"}))
	must(t, store.PutPage(ctx, origin.Page{EntryID: "ent_1", SiteID: "a-site", CanonicalURL: "https://a.example/x", State: "active", Portable: "p1"}, nil))

	must(t, store.PutReservation(ctx, origin.Reservation{ReservationID: "rsv_1", SiteID: "a-site", Code: "ISCC:X", Uses: []string{"rag"}}))
	for _, c := range []struct {
		lookup origin.RightsLookup
		pages  int
	}{
		{origin.RightsLookup{SiteID: "a-site"}, 0},
		{origin.RightsLookup{EntryID: "ent_1"}, 1},
		{origin.RightsLookup{Fingerprint: "p1"}, 1},
		{origin.RightsLookup{URL: "https://a.example/x", Host: "a.example"}, 1},
		{origin.RightsLookup{URL: "https://a.example/none", Host: "a.example"}, 0},
		{origin.RightsLookup{Host: "a.example"}, 0},
	} {
		l, pages := c.lookup, c.pages
		found, err := store.FindRights(ctx, l)
		if err != nil {
			t.Fatalf("%+v: %v", l, err)
		}
		if len(found.Pages) != pages || len(found.Sites) != 1 || found.Sites[0].Version == "" {
			t.Errorf("%+v: %+v", l, found)
		}
	}
	batch, err := store.RightsPages(ctx, origin.RightsKeys{URLs: []string{"https://a.example/x"}, EntryIDs: []string{"ent_1"}, Fingerprints: []string{"p1"}, Hosts: []string{"a.example"}})
	if err != nil || len(batch.Pages) != 1 || len(batch.Hosts) != 1 {
		t.Errorf("a batch: %+v, %v", batch, err)
	}
	for _, past := range []bool{false, true} {
		reserved, err := store.ReservationsByCode(ctx, []string{"p1", "ISCC:X"}, past)
		if err != nil || len(reserved) != 1 || reserved[0].Site.SiteID != "a-site" || reserved[0].Uses[0] != "rag" {
			t.Errorf("reservations: %+v, %v", reserved, err)
		}
	}
	sites, err := store.RightsOfSites(ctx, []string{"a-site"}, "2026-01-01T00:00:00Z", true)
	if err != nil || len(sites) != 1 || len(sites[0].Preferences) != 1 || sites[0].Preferences[0].Conditions[0] != "attribution" || sites[0].Version != batch.Versions[0].Version {
		t.Errorf("the rights of sites: %+v, %v", sites, err)
	}
}
