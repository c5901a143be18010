package originsql_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"colophon/internal/origin"
	"colophon/internal/originsql/origintest"
)

// TestSequenceNumbersEveryWrite makes each kind of write that shows in a build:
// each must take a new number, and writing the same again none.
func TestSequenceNumbersEveryWrite(t *testing.T) {
	ctx, s := context.Background(), open(t)
	const at = "2026-01-01T00:00:00Z"
	must(t, s.PutPublisher(ctx, origin.Publisher{PublisherID: "pub_a", LegalName: "A", CreatedAt: at}))
	site := origin.Site{SiteID: "a", PublisherID: "pub_a", Name: "A", SiteURL: "https://a.example/", State: origin.Approved, Visibility: "public", CreatedAt: at, ChangedAt: at}
	page := origin.Page{EntryID: "ent_1", SiteID: "a", CanonicalURL: "https://a.example/1", Title: "One", ContentFormat: "html", RegisteredAt: at, ChangedAt: at, State: "active"}
	seen := origin.Observation{SiteID: "a", Channel: "robots_txt", URL: "https://a.example/robots.txt", Status: 200, SHA256: "x", FetchedAt: at}
	suspended, renamed, withdrawn, later := site, page, page, seen
	suspended.State = origin.Suspended
	renamed.Title = "Uno"
	withdrawn.State = "withdrawn"
	later.FetchedAt = "2026-01-02T00:00:00Z" // the same content, read again
	writes := []struct {
		what string
		do   func() error
	}{
		{"a site", func() error { return s.PutSite(ctx, site) }},
		{"a site suspended", func() error { return s.PutSite(ctx, suspended) }},
		{"a website", func() error {
			return s.PutWebsite(ctx, origin.Website{SiteID: "a", Host: "a.example", Method: "none", ChangedAt: at})
		}},
		{"a category", func() error { return s.PutCategory(ctx, origin.Category{Slug: "c", Label: "C", ChangedAt: at}) }},
		{"a preference", func() error {
			return s.PutPreference(ctx, origin.Preference{SiteID: "a", Use: "rag", Inquiry: "welcome", Declared: "unknown", Source: "publisher", ChangedAt: at})
		}},
		{"a passport", func() error {
			return s.AddPassport(ctx, origin.Passport{SiteID: "a", Version: 1, PassportID: "rp_a", HolderName: "A", HolderBasis: "stated_by_publisher", EffectiveFrom: at, ChangedAt: at})
		}},
		{"a signal", func() error {
			return s.PutSignal(ctx, origin.Signal{SiteID: "a", Signal: "robots_txt", State: "found", ChangedAt: at})
		}},
		{"a page", func() error { return s.PutPage(ctx, page, nil) }},
		{"a page edited", func() error { return s.PutPage(ctx, renamed, nil) }},
		{"a page withdrawn", func() error { return s.PutPage(ctx, withdrawn, nil) }},
		{"an offer", func() error {
			return s.PutOffer(ctx, origin.Offer{LicenseID: "lic_a", SiteID: "a", Slug: "all", Kind: "custom", Status: "offered", Title: "All", ScopeType: "site", PaymentModel: "use", ValidFrom: at, ChangedAt: at})
		}},
		{"a need", func() error {
			return s.PutDemand(ctx, origin.Demand{DemandID: "dem_1", Headline: "Wanted", ChangedAt: at})
		}},
		{"a reservation", func() error {
			return s.PutReservation(ctx, origin.Reservation{ReservationID: "rsv_1", SiteID: "a", Code: "c", Since: at, ChangedAt: at})
		}},
		{"a reservation withdrawn", func() error {
			return s.PutReservation(ctx, origin.Reservation{ReservationID: "rsv_1", SiteID: "a", Code: "c", Since: at, ChangedAt: at, WithdrawnAt: at})
		}},
		{"an observation", func() error { return s.PutObservation(ctx, seen) }},
		{"an observation renewed", func() error { return s.PutObservation(ctx, later) }},
	}
	for _, w := range writes {
		before, err := s.Sequence(ctx)
		must(t, err)
		must(t, w.do())
		after, err := s.Sequence(ctx)
		must(t, err)
		if after <= before {
			t.Errorf("%s took no number", w.what)
		}
		if w.what == "a passport" { // a version can be added only once
			continue
		}
		must(t, w.do())
		if again, _ := s.Sequence(ctx); again != after {
			t.Errorf("%s, written again without a difference, took a number", w.what)
		}
	}
}

func TestPagesChanged(t *testing.T) {
	ctx := context.Background()
	s, exec := origintest.Open(t)
	const at = "2026-01-01T00:00:00Z"
	must(t, s.PutPublisher(ctx, origin.Publisher{PublisherID: "pub_a", LegalName: "A", CreatedAt: at}))
	must(t, s.PutSite(ctx, origin.Site{SiteID: "a", PublisherID: "pub_a", Name: "A", SiteURL: "https://a.example/", State: origin.Approved, Visibility: "public", CreatedAt: at, ChangedAt: at}))
	put := func(n int, title string) {
		must(t, s.PutPage(ctx, origin.Page{EntryID: fmt.Sprintf("ent_%d", n), SiteID: "a", CanonicalURL: fmt.Sprintf("https://a.example/%d", n), Title: title, ContentFormat: "html", RegisteredAt: at, ChangedAt: at, State: "active"}, nil))
	}
	for n := range 6 {
		put(n, "first")
	}
	since, err := s.Sequence(ctx)
	must(t, err)
	put(4, "second")
	put(1, "second")
	put(2, "first") // no difference
	put(6, "first")
	must(t, exec("DELETE FROM pages WHERE entry_id = 'ent_0'"))

	all, err := s.PagesChanged(ctx, origin.PageChange{Sequence: since + 1}, 10)
	must(t, err)
	if want := []string{"ent_4", "ent_1", "ent_6", "ent_0"}; !slices.Equal(entryIDs(all), want) {
		t.Errorf("changed since %d: %v, want %q", since, all, want)
	}
	for i := range all {
		next, err := s.PagesChanged(ctx, all[i], 1)
		must(t, err)
		if want := all[i+1 : min(i+2, len(all))]; !slices.Equal(next, want) {
			t.Errorf("the next one after %v is %v, want %v", all[i], next, want)
		}
	}
	now, err := s.Sequence(ctx)
	must(t, err)
	if none, err := s.PagesChanged(ctx, origin.PageChange{Sequence: now + 1}, 10); err != nil || len(none) > 0 {
		t.Errorf("changed since now: %v, %v", none, err)
	}

	must(t, exec("UPDATE page_changes SET sequence = 1000"))
	var listed []string
	after := origin.PageChange{Sequence: 1000}
	for range 10 { // more changes than seven
		two, err := s.PagesChanged(ctx, after, 2)
		must(t, err)
		if len(two) == 0 {
			break
		}
		listed = append(listed, entryIDs(two)...)
		after = two[len(two)-1]
	}
	if want := []string{"ent_0", "ent_1", "ent_2", "ent_3", "ent_4", "ent_5", "ent_6"}; !slices.Equal(listed, want) {
		t.Errorf("changes of one number, two by two: %q, want %q", listed, want)
	}
}

func entryIDs(changes []origin.PageChange) []string {
	var ids []string
	for _, c := range changes {
		ids = append(ids, c.EntryID)
	}
	return ids
}

func TestBuildsAreNoted(t *testing.T) {
	ctx, s := context.Background(), open(t)
	for n := range int64(100) {
		must(t, s.PutBuild(ctx, fmt.Sprintf("token-%d", n), n))
	}
	if n, err := s.BuildSequence(ctx, "token-99"); err != nil || n != 99 {
		t.Errorf("the last build read up to %d, %v", n, err)
	}
	for _, token := range []string{"token-0", "another"} {
		if _, err := s.BuildSequence(ctx, token); !errors.Is(err, origin.ErrNotFound) {
			t.Errorf("the build %q is known: %v", token, err)
		}
	}
}
