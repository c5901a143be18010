package replica

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite"

	"colophon/internal/assert"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/originsql/d1rest"
	"colophon/internal/originsql/d1test"
	"colophon/internal/originsql/local"
	"colophon/internal/originsql/schematest"
)

type fixture struct {
	*testing.T
	db     *sql.DB // the database that stands for D1
	store  *originsql.Store
	server *d1test.Server
	remote *d1rest.Database
}

func newFixture(t *testing.T) *fixture {
	path := filepath.Join(t.TempDir(), "d1.db")
	db, err := sql.Open("sqlite", local.Address(path))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if err := schematest.Write(path); err != nil {
		t.Fatal(err)
	}
	server := d1test.NewServer(db)
	t.Cleanup(server.Close)
	return &fixture{t, db, originsql.New(db), server, d1rest.New(server.URL+d1test.Path, d1test.Token)}
}

func (f *fixture) must(err error) {
	f.Helper()
	if err != nil {
		f.Fatal(err)
	}
}

// addSites adds sites with a page each, enough to be read in several pages.
func (f *fixture) addSites(n int) {
	f.Helper()
	ctx := context.Background()
	f.must(f.store.Bulk(ctx, func(s *originsql.Store) error {
		f.must(s.PutPublisher(ctx, origin.Publisher{PublisherID: "pub", LegalName: "P", CreatedAt: "t"}))
		for i := range n {
			id := fmt.Sprintf("site-%03d", i)
			f.must(s.PutSite(ctx, origin.Site{SiteID: id, PublisherID: "pub", Name: "é\"'\n", State: "approved", ChangedAt: "t"}))
			f.must(s.PutPage(ctx, origin.Page{EntryID: "e-" + id, SiteID: id, CanonicalURL: "https://" + id, ChangedAt: "t"}, &origin.Body{Text: "secret"}))
		}
		return nil
	}))
}

func (f *fixture) open() *Copy {
	f.Helper()
	r, err := Open(context.Background(), f.remote)
	f.must(err)
	f.Cleanup(func() { r.Close(context.Background()) })
	return r
}

func TestReads(t *testing.T) {
	f, ctx := newFixture(t), context.Background()
	f.addSites(230)
	r := f.open()
	requests, _ := f.server.Counts()
	got, err := r.Store().Sites(ctx)
	f.must(err)
	want, err := f.store.Sites(ctx)
	f.must(err)
	if fmt.Sprint(got) != fmt.Sprint(want) || len(got) != 230 {
		t.Errorf("%d sites are read, not %d", len(got), len(want))
	}
	if requests > 3 {
		t.Errorf("%d requests for 230 sites and pages", requests)
	}
	assert.ErrorContains(t, assert.Err(r.Store().OpenBodies(ctx, []origin.BodyAsk{{EntryID: "e-site-001"}})), "a body is in the working copy", "no such table")
	if after, _ := f.server.Counts(); after != 0 {
		t.Errorf("reads took %d requests", after)
	}
}

func TestWritesGoToBoth(t *testing.T) {
	f, ctx := newFixture(t), context.Background()
	f.addSites(2)
	r := f.open()
	s := r.Store()
	record := func(n int64) origin.Record {
		return origin.Record{EntryID: "e-site-000", Version: n, SHA256: "s", Facts: "f", Created: "t", JSON: "{}"}
	}

	f.must(s.AddRecords(ctx, []origin.Record{record(1)}))
	if list, err := s.Versions(ctx, "e-site-000"); err != nil || len(list) != 1 {
		t.Errorf("the record is not in the working copy: %v %v", list, err)
	}
	if list, err := f.store.Versions(ctx, "e-site-000"); err != nil || len(list) != 0 {
		t.Errorf("a lazy write did not wait: %v %v", list, err)
	}

	// A statement that cannot be queued first sends those that are.
	f.must(s.AppendLedger(ctx, []origin.LedgerEvent{{Kind: "record", EntryID: "e-site-000", Version: 1, At: "t", Leaf: "{}"}}))
	if list, err := f.store.Versions(ctx, "e-site-000"); err != nil || len(list) != 1 {
		t.Errorf("the ledger was written before the record: %v %v", list, err)
	}
	if left, err := f.store.RecordsToLog(ctx, 10); err != nil || len(left) != 0 {
		t.Errorf("the record waits for the ledger in D1: %v %v", left, err)
	}
	if left, err := s.RecordsToLog(ctx, 10); err != nil || len(left) != 0 {
		t.Errorf("the record waits for the ledger in the working copy: %v %v", left, err)
	}

	f.must(s.AddRecords(ctx, []origin.Record{record(2)}))
	f.must(r.Close(ctx))
	if list, err := f.store.Versions(ctx, "e-site-000"); err != nil || len(list) != 2 {
		t.Errorf("the end lost a lazy write: %v %v", list, err)
	}
}

func TestConflicts(t *testing.T) {
	f, ctx := newFixture(t), context.Background()
	f.addSites(1)
	r := f.open()
	event := []origin.LedgerEvent{{Kind: "key", At: "t", Leaf: "{}"}}
	f.must(f.store.AppendLedger(ctx, event)) // as another build would
	assert.ErrorIs(t, r.Store().AppendLedger(ctx, event), origin.ErrConflict, "two builds append the same leaf")
	if n, err := r.Store().LedgerSize(ctx); err != nil || n != 0 {
		t.Errorf("a write that D1 refused is in the working copy: %d %v", n, err)
	}
}

func TestOriginThatChanges(t *testing.T) {
	f, ctx := newFixture(t), context.Background()
	f.addSites(230)
	change := func() {
		_, err := f.db.Exec("UPDATE sites SET name = name || '+' WHERE site_id = 'site-000'")
		f.must(err)
	}
	f.server.Before = func(n int) {
		if n == 2 {
			change()
		}
	}
	r := f.open()
	site, err := r.Store().Site(ctx, "site-000")
	f.must(err)
	if !strings.HasSuffix(site.Name, "+") {
		t.Error("the working copy is of two moments")
	}

	f.server.Before = func(int) { change() }
	assert.ErrorIs(t, assert.Err(Open(ctx, f.remote)), ErrUnsettled, "an origin that never rests")
}
