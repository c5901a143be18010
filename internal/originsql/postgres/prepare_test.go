package postgres_test

import (
	"context"
	"reflect"
	"testing"

	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/originsql/postgres"
)

// recorder is a Backend that finds nothing, and keeps what it is asked.
type recorder struct{ statements map[string]string } // → method

func (r *recorder) Run(_ context.Context, s originsql.Statement) (originsql.Rows, error) {
	if r.statements[s.Text] == "" {
		r.statements[s.Text] = "?"
	}
	return originsql.NewRows(nil), nil
}

// TestEveryStatementPrepares calls each method of the store, and has Postgres
// prepare all that they ask.
func TestEveryStatementPrepares(t *testing.T) {
	ctx := context.Background()
	_, conn := newStore(t, "")
	statements := recordStatements(ctx)
	delete(statements, "SELECT name FROM d1_migrations ORDER BY name") // of wrangler, on D1 alone
	for text, method := range statements {
		if _, err := conn.Prepare(ctx, "", postgres.Translate(text)); err != nil {
			t.Errorf("%s: %v\n%s", method, err, postgres.Translate(text))
		}
	}
	if len(statements) < 120 {
		t.Errorf("only %d statements", len(statements))
	}
	t.Logf("%d statements", len(statements))
}

// recordStatements calls all methods of the store that take values.
func recordStatements(ctx context.Context) map[string]string {
	r := &recorder{map[string]string{}}
	store := reflect.ValueOf(originsql.OverBackend(r))
	for i := range store.NumMethod() {
		method := store.Method(i)
		args, ok := argumentsOf(ctx, method.Type())
		if !ok {
			continue
		}
		method.Call(args)
		for text, of := range r.statements {
			if of == "?" {
				r.statements[text] = store.Type().Method(i).Name
			}
		}
	}
	return r.statements
}

// argumentsOf makes arguments: lists of one element, and texts that are not "".
func argumentsOf(ctx context.Context, method reflect.Type) (args []reflect.Value, ok bool) {
	for i := range method.NumIn() {
		in := method.In(i)
		v := reflect.New(in).Elem()
		switch in.Kind() {
		case reflect.Func:
			return nil, false
		case reflect.Interface:
			v = reflect.ValueOf(ctx)
		case reflect.Slice:
			v = reflect.MakeSlice(in, 1, 1)
		case reflect.Pointer:
			v = reflect.New(in.Elem())
		case reflect.Struct:
			fillTexts(v)
		}
		args = append(args, v)
	}
	return args, method.NumIn() > 0
}

func fillTexts(v reflect.Value) {
	for i := range v.NumField() {
		switch f := v.Field(i); f.Kind() {
		case reflect.String:
			f.SetString("x")
		case reflect.Slice:
			f.Set(reflect.MakeSlice(f.Type(), 1, 1))
		}
	}
}

// TestEveryLookupOfRightsRuns asks for the facts of rights by each key: the
// statement depends on it.
func TestEveryLookupOfRightsRuns(t *testing.T) {
	ctx := context.Background()
	db, err := postgres.Open(ctx, cluster.NewDatabase(t))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.Migrate(ctx); err != nil {
		t.Fatal(err)
	}
	store := db.Store()
	must(t, store.PutPublisher(ctx, origin.Publisher{PublisherID: "pub_a", LegalName: "A"}))
	must(t, store.PutSite(ctx, origin.Site{SiteID: "a-site", PublisherID: "pub_a", Name: "A", SiteURL: "https://a.example/", State: origin.Approved, Visibility: "public"}))
	must(t, store.PutWebsite(ctx, origin.Website{SiteID: "a-site", Host: "a.example", Associated: true}))
	must(t, store.PutPreference(ctx, origin.Preference{SiteID: "a-site", Use: "rag", Inquiry: "welcome", Declared: "allow", Conditions: []string{"attribution"}, Source: "publisher"}))
	must(t, store.PutPage(ctx, origin.Page{EntryID: "ent_1", SiteID: "a-site", CanonicalURL: "https://a.example/x", State: "active", Portable: "p1"}, nil))

	for _, c := range []struct {
		lookup origin.RightsLookup
		pages  int
	}{
		{origin.RightsLookup{SiteID: "a-site"}, 0},
		{origin.RightsLookup{EntryID: "ent_1"}, 1},
		{origin.RightsLookup{Fingerprint: "p1"}, 1},
		{origin.RightsLookup{URL: "https://a.example/x", Host: "a.example"}, 1},
		{origin.RightsLookup{URL: "https://a.example/none", Host: "a.example"}, 0},
		{origin.RightsLookup{Host: "a.example", Past: true, At: "2026-01-01T00:00:00Z"}, 0},
	} {
		l, pages := c.lookup, c.pages
		found, err := store.RightsFacts(ctx, l)
		if err != nil {
			t.Fatalf("%+v: %v", l, err)
		}
		if len(found.Pages) != pages || len(found.Sites) != 1 || len(found.Sites[0].Preferences) != 1 || found.Sites[0].Preferences[0].Conditions[0] != "attribution" {
			t.Errorf("%+v: %+v", l, found)
		}
	}
	batch, err := store.RightsPages(ctx, origin.RightsKeys{URLs: []string{"https://a.example/x"}, EntryIDs: []string{"ent_1"}, Fingerprints: []string{"p1"}, Hosts: []string{"a.example"}})
	if err != nil || len(batch.Pages) != 1 || len(batch.Hosts) != 1 {
		t.Errorf("a batch: %+v, %v", batch, err)
	}
	sites, err := store.RightsOfSites(ctx, []string{"a-site"}, "2026-01-01T00:00:00Z")
	if err != nil || len(sites) != 1 || len(sites[0].Preferences) != 1 {
		t.Errorf("the rights of sites: %+v, %v", sites, err)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
