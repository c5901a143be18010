package originsql_test

import (
	"context"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"colophon/internal/assert"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/originsql/origintest"
)

var must = assert.NoError

func open(t *testing.T) *originsql.Store {
	t.Helper()
	s, _ := origintest.Open(t)
	return s
}

// fill sets every field of a record to a different value, so that a column read
// into the wrong field is noticed.
func fill[T any](t *testing.T, x T, keep ...string) T {
	t.Helper()
	fillFields(t, reflect.ValueOf(&x).Elem(), keep)
	return x
}

func fillFields(t *testing.T, v reflect.Value, keep []string) {
	t.Helper()
	kept := map[string]bool{}
	for _, k := range keep {
		kept[k] = true
	}
	for i := 0; i < v.NumField(); i++ {
		name, f := v.Type().Field(i).Name, v.Field(i)
		if kept[name] {
			continue
		}
		switch f.Kind() {
		case reflect.String:
			f.SetString("value of " + name)
		case reflect.Int64:
			f.SetInt(int64(1000 + i))
		case reflect.Bool:
			f.SetBool(true)
		case reflect.Slice:
			f.Set(reflect.ValueOf([]string{name + " one", "é\"two"}))
		case reflect.Struct:
			fillFields(t, f, keep)
		default:
			t.Fatalf("field %s has kind %s", name, f.Kind())
		}
	}
}

func same(t *testing.T, what string, got, want any, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("%s:\ngot  %+v\nwant %+v", what, got, want)
	}
}

func TestEveryFieldRoundTrips(t *testing.T) {
	ctx, s := context.Background(), open(t)
	p := fill(t, origin.Publisher{})
	must(t, s.PutPublisher(ctx, p))
	gotP, err := s.Publisher(ctx, p.PublisherID)
	same(t, "publisher", gotP, p, err)

	site := fill(t, origin.Site{SiteID: "a-site", PublisherID: p.PublisherID}, "SiteID", "PublisherID")
	must(t, s.PutSite(ctx, site))
	gotS, err := s.Site(ctx, "a-site")
	same(t, "site", gotS, site, err)
	all, err := s.Sites(ctx)
	same(t, "sites", all, []origin.Site{site}, err)

	w := fill(t, origin.Website{SiteID: "a-site"}, "SiteID")
	must(t, s.PutWebsite(ctx, w))
	ws, err := s.Websites(ctx, "a-site")
	same(t, "websites", ws, []origin.Website{w}, err)

	c := fill(t, origin.Category{})
	must(t, s.PutCategory(ctx, c))
	cs, err := s.Categories(ctx)
	same(t, "categories", cs, []origin.Category{c}, err)

	pr := fill(t, origin.Preference{SiteID: "a-site"}, "SiteID")
	must(t, s.PutPreference(ctx, pr))
	prs, err := s.Preferences(ctx, "a-site")
	same(t, "preferences", prs, []origin.Preference{pr}, err)

	pass := fill(t, origin.Passport{SiteID: "a-site"}, "SiteID")
	must(t, s.AddPassport(ctx, pass))
	assert.ErrorIs(t, s.AddPassport(ctx, pass), origin.ErrConflict, "a version added twice")
	passes, err := s.Passports(ctx, "a-site")
	same(t, "passports", passes, []origin.Passport{pass}, err)

	sig := fill(t, origin.Signal{SiteID: "a-site"}, "SiteID")
	must(t, s.PutSignal(ctx, sig))
	sigs, err := s.Signals(ctx, "a-site")
	same(t, "signals", sigs, []origin.Signal{sig}, err)

	page := fill(t, origin.Page{SiteID: "a-site", EntryID: "ent_1"}, "SiteID", "EntryID")
	body := fill(t, origin.Body{EntryID: "ent_1"}, "EntryID")
	must(t, s.PutPage(ctx, page, &body))
	gotPage, err := s.Page(ctx, "ent_1")
	same(t, "page", gotPage, page, err)
	gotBody, err := s.RawBody(ctx, "ent_1")
	same(t, "body", gotBody, body, err)
	page.Title = "another title"
	must(t, s.PutPage(ctx, page, nil))
	pages, err := s.PagesOf(ctx, "a-site", "", 10)
	same(t, "pages", pages, []origin.Page{page}, err)
	gotBody, err = s.RawBody(ctx, "ent_1")
	same(t, "body kept", gotBody, body, err)

	r1 := fill(t, origin.Record{EntryID: "ent_1", Version: 1}, "EntryID", "Version")
	r2 := r1
	r2.Version, r2.JSON = 2, "second"
	must(t, s.AddRecords(ctx, []origin.Record{r1, r2}))
	assert.ErrorIs(t, s.AddRecords(ctx, []origin.Record{r2}), origin.ErrConflict, "a record added twice")
	newest, err := s.LastRecords(ctx, []string{"ent_1"})
	same(t, "newest records", newest, []origin.Record{r2}, err)
	versions, err := s.Versions(ctx, "ent_1")
	same(t, "versions", versions, []origin.Record{r1, r2}, err)
	testManyRecords(t, s, page)
	pages, err = s.PagesByID(ctx, []string{"ent_many", "ent_0", "ent_1"})
	if err != nil || len(pages) != 2 || pages[0].EntryID != "ent_1" || pages[1].EntryID != "ent_many" {
		t.Errorf("pages by id: %+v, %v", pages, err)
	}
	newest, err = s.LastRecords(ctx, []string{"ent_many", "ent_0", "ent_1"})
	if err != nil || len(newest) != 2 || newest[0] != r2 || newest[1].EntryID != "ent_many" || newest[1].Version != 7 {
		t.Errorf("newest records by id: %+v, %v", newest, err)
	}
	versions, err = s.Versions(ctx, "ent_many", "ent_1")
	if err != nil || len(versions) != 9 || versions[0] != r1 || versions[1] != r2 || versions[8].Version != 7 {
		t.Errorf("versions of two pages: %d, %v", len(versions), err)
	}

	f := fill(t, origin.Fetch{})
	must(t, s.PutFetch(ctx, f))
	gotF, err := s.Fetch(ctx, f.URL)
	same(t, "fetch", gotF, f, err)
	ended, err := s.FetchesBecause(ctx, f.SiteID, f.Reason[1:])
	same(t, "fetches by the end of their reason", ended, []origin.Fetch{f}, err)
	for _, end := range []string{f.Reason + "x", f.Reason[:len(f.Reason)-1]} {
		if none, err := s.FetchesBecause(ctx, f.SiteID, end); err != nil || len(none) != 0 {
			t.Errorf("fetches because %q: %v, %v", end, none, err)
		}
	}

	o := fill(t, origin.Observation{SiteID: "a-site"}, "SiteID")
	must(t, s.PutObservation(ctx, o))
	os, err := s.Observations(ctx, "a-site")
	same(t, "observations", os, []origin.Observation{o}, err)

	offer := fill(t, origin.Offer{SiteID: "a-site"}, "SiteID")
	must(t, s.PutOffer(ctx, offer))
	offers, err := s.OffersOf(ctx, "a-site")
	same(t, "offers", offers, []origin.Offer{offer}, err)

	reservation := fill(t, origin.Reservation{SiteID: "a-site"}, "SiteID")
	must(t, s.PutReservation(ctx, reservation))
	reservations, err := s.ReservationsOf(ctx, "a-site")
	same(t, "reservations of a site", reservations, []origin.Reservation{reservation}, err)
	reservations, err = s.Reservations(ctx)
	same(t, "reservations", reservations, []origin.Reservation{reservation}, err)
	if none, err := s.ReservationsOf(ctx, "b-site"); err != nil || len(none) != 0 {
		t.Errorf("reservations of another site: %v, %v", none, err)
	}

	d := fill(t, origin.Demand{})
	must(t, s.PutDemand(ctx, d))
	ds, err := s.Demand(ctx)
	same(t, "demand", ds, []origin.Demand{d}, err)
}

func TestMissingIsNotFound(t *testing.T) {
	ctx, s := context.Background(), open(t)
	for what, err := range map[string]error{
		"site":  second(s.Site(ctx, "nobody")),
		"page":  second(s.Page(ctx, "ent_0")),
		"body":  second(s.RawBody(ctx, "ent_0")),
		"fetch": second(s.Fetch(ctx, "https://nowhere.example/")),
	} {
		assert.ErrorIs(t, err, origin.ErrNotFound, "%s", what)
	}
}

func second[T any](_ T, err error) error { return err }

func TestChangesCountOnlyRealChanges(t *testing.T) {
	ctx, s := context.Background(), open(t)
	c := origin.Category{Slug: "ports", Label: "Ports", ChangedAt: "2026-01-01T00:00:00Z"}
	must(t, s.PutCategory(ctx, c))
	n1, at1, err := s.Changes(ctx)
	must(t, err)
	if n1 != 1 || at1 != c.ChangedAt {
		t.Fatalf("after one write: %d changes at %q", n1, at1)
	}
	c.ChangedAt = "2026-02-01T00:00:00Z"
	must(t, s.PutCategory(ctx, c))
	if n, at, _ := s.Changes(ctx); n != n1 || at != at1 {
		t.Errorf("the same facts written again count as change: %d at %q", n, at)
	}
	c.Label = "Harbours"
	must(t, s.PutCategory(ctx, c))
	if n, at, _ := s.Changes(ctx); n != n1+1 || at != c.ChangedAt {
		t.Errorf("a change is not counted: %d at %q", n, at)
	}
}

func TestEveryColumnHasAComment(t *testing.T) {
	entries, err := originsql.Migrations.ReadDir("migrations")
	must(t, err)
	for _, e := range entries {
		text, err := originsql.Migrations.ReadFile("migrations/" + e.Name())
		must(t, err)
		for _, col := range columnsWithoutComment(string(text)) {
			t.Errorf("%s: column without a comment: %s", e.Name(), col)
		}
	}
}

// testManyRecords adds more records than one statement takes, with texts of all
// kinds, and then a batch with one record that exists already: nothing of that
// batch may be added.
func testManyRecords(t *testing.T, s origin.Catalog, page origin.Page) {
	t.Helper()
	ctx := t.Context()
	page.EntryID, page.CanonicalURL = "ent_many", "https://many.example/"
	must(t, s.PutPage(ctx, page, nil))
	many := make([]origin.Record, 7)
	for i := range many {
		text := `{"title":"«Zölle» \"&\\ \u0000","n":` + strconv.Itoa(i) + "}\n\t\u2028\U0001F30A" + strings.Repeat("ä", 100_000)
		many[i] = origin.Record{EntryID: "ent_many", Version: int64(i + 1), SHA256: strconv.Itoa(i), Facts: "facts", Created: "2026-01-01T00:00:00Z", JSON: text}
	}
	must(t, s.AddRecords(ctx, many))
	got, err := s.Versions(ctx, "ent_many")
	same(t, "many records", got, many, err)

	next := many[6]
	next.Version = 8
	assert.ErrorIs(t, s.AddRecords(ctx, []origin.Record{next, many[0]}), origin.ErrConflict, "a batch with a record that is there")
	got, err = s.Versions(ctx, "ent_many")
	same(t, "records after a refused batch", got, many, err)
	must(t, s.AddRecords(ctx, nil))
}
