package demo_test

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"time"

	_ "modernc.org/sqlite"

	"colophon/internal/assert"
	"colophon/internal/demo"
	"colophon/internal/enrol"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/originsql/schematest"
	"colophon/internal/rights"
)

var must = assert.NoError

// open returns an empty origin store.
func open(t *testing.T) (*originsql.Store, *sql.DB) {
	t.Helper()
	db, err := openAt(filepath.Join(t.TempDir(), "origin.db"))
	must(t, err)
	t.Cleanup(func() { db.Close() })
	return originsql.New(db), db
}

func openAt(path string) (*sql.DB, error) {
	db, err := sql.Open("sqlite", "file:"+path+
		"?_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)&_pragma=foreign_keys(1)&_pragma=busy_timeout(5000)")
	if err != nil {
		return nil, err
	}
	return db, schematest.Write(path)
}

// filled is the store that tests share if they only read.
var filled struct {
	db      *sql.DB
	example demo.Example
}

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "demo")
	if err == nil {
		filled.db, err = openAt(filepath.Join(dir, "origin.db"))
	}
	if err == nil {
		filled.example, err = seedAtOnce(originsql.New(filled.db))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "the demo cannot be seeded:", err)
		os.Exit(1)
	}
	code := m.Run()
	filled.db.Close()
	os.RemoveAll(dir)
	os.Exit(code)
}

// seedAtOnce fills a store as "colophon demo" does.
func seedAtOnce(store *originsql.Store) (example demo.Example, err error) {
	err = store.Bulk(context.Background(), func(s *originsql.Store) error {
		var seedErr error
		example, seedErr = demo.Seed(context.Background(), s)
		return seedErr
	})
	return example, err
}

// seeded returns a store that Seed has filled, for reading only.
func seeded(*testing.T) (*originsql.Store, *sql.DB, demo.Example) {
	return originsql.New(filled.db), filled.db, filled.example
}

// tables returns the names of the tables that have rows.
func tables(t *testing.T, db *sql.DB) []string {
	t.Helper()
	var out []string
	for _, name := range column(t, db, "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name") {
		if column(t, db, "SELECT count(*) FROM "+name)[0] != "0" {
			out = append(out, name)
		}
	}
	return out
}

// column returns the first column of a query's rows as text.
func column(t *testing.T, db *sql.DB, query string, args ...any) []string {
	t.Helper()
	rows, err := db.Query(query, args...)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var v string
		if err := rows.Scan(&v); err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		out = append(out, v)
	}
	must(t, rows.Err())
	return out
}

// dump returns every row of every table, sorted. It leaves out migrations,
// which are dated by their own clock, and versions of facts, which are random.
func dump(t *testing.T, db *sql.DB) string {
	t.Helper()
	var lines []string
	for _, name := range tables(t, db) {
		if name == "migrations" || name == "schema_migrations" || name == "rights_versions" {
			continue
		}
		rows, err := db.Query("SELECT * FROM " + name)
		must(t, err)
		cols, _ := rows.Columns()
		for rows.Next() {
			values, into := make([]any, len(cols)), make([]any, len(cols))
			for i := range values {
				into[i] = &values[i]
			}
			must(t, rows.Scan(into...))
			lines = append(lines, fmt.Sprintf("%s %q", name, values))
		}
		must(t, rows.Err())
		rows.Close()
	}
	sort.Strings(lines)
	return strings.Join(lines, "\n")
}

func TestSeedIsTheSameEverywhereAndTwice(t *testing.T) {
	store, db := open(t)
	start := time.Now()
	first, err := seedAtOnce(store)
	must(t, err)
	took := time.Since(start)
	t.Logf("seeded in %v", took)
	if took > 5*time.Minute { // it takes a second or two, and minutes only if the work has grown out of proportion
		t.Errorf("seeding took %v", took)
	}
	_, other, second := seeded(t)
	if first != second {
		t.Errorf("examples differ: %+v and %+v", first, second)
	}
	before := dump(t, db)
	if len(before) < 500_000 {
		t.Fatalf("the dump has only %d bytes", len(before))
	}
	assert.Equal(t, before, dump(t, other), "two stores differ")
	again, err := demo.Seed(context.Background(), store)
	must(t, err)
	if again != first || dump(t, db) != before {
		t.Error("a second seed changed the store")
	}
}

func TestSeedCompletesWhatWasCutShort(t *testing.T) {
	_, whole, _ := seeded(t)
	want := strings.Join(withoutMeta(dump(t, whole)), "\n")
	cuts := []int{0, 30, 70, 300, 10_000}
	if testing.Short() {
		cuts = []int{30, 300}
	}
	for _, after := range cuts {
		store, db := open(t)
		ctx, cancel := context.WithCancel(context.Background())
		if _, err := demo.Seed(ctx, &cut{Store: store, left: after, cancel: cancel}); err == nil {
			t.Fatalf("cut after %d writes: no error", after)
		}
		if _, err := demo.Seed(context.Background(), store); err != nil {
			t.Fatalf("cut after %d writes: %v", after, err)
		}
		assert.Equal(t, strings.Join(withoutMeta(dump(t, db)), "\n"), want, "cut after %d writes: the completed store differs", after)
	}
}

// withoutMeta leaves out the row that counts the writes.
func withoutMeta(dump string) []string {
	var out []string
	for _, line := range strings.Split(dump, "\n") {
		if !strings.HasPrefix(line, "meta ") && !strings.HasPrefix(line, "page_changes ") {
			out = append(out, line)
		}
	}
	return out
}

// cut is a real store that fails after a number of writes.
type cut struct {
	enrol.Store
	left   int
	cancel func()
}

func (c *cut) count() {
	if c.left--; c.left < 0 {
		c.cancel()
	}
}

func (c *cut) PutCategory(ctx context.Context, x origin.Category) error {
	c.count()
	return c.Store.PutCategory(ctx, x)
}

func (c *cut) PutPage(ctx context.Context, x origin.Page, b *origin.Body) error {
	c.count()
	return c.Store.PutPage(ctx, x, b)
}

func (c *cut) AddPassport(ctx context.Context, x origin.Passport) error {
	c.count()
	return c.Store.AddPassport(ctx, x)
}

func (c *cut) PutHostProof(ctx context.Context, x origin.HostProof) error {
	c.count()
	return c.Store.PutHostProof(ctx, x)
}

func (c *cut) PutDemand(ctx context.Context, x origin.Demand) error {
	c.left = min(c.left, 0)
	c.count()
	return c.Store.PutDemand(ctx, x)
}

func TestExampleIsPublic(t *testing.T) {
	store, _, ex := seeded(t)
	ctx := context.Background()
	p, err := store.Page(ctx, ex.EntryID)
	must(t, err)
	site, err := store.Site(ctx, ex.SiteID)
	must(t, err)
	if p.SiteID != ex.SiteID || p.CanonicalURL != ex.URL || p.Portable != ex.Fingerprint || p.Title != "Tide tables 2026" || p.State != "active" {
		t.Errorf("the example %+v is not the page %+v", ex, p)
	}
	if !rights.Public(site) || !strings.Contains(strings.Join(site.Categories, " "), ex.Category) {
		t.Errorf("the site of the example is not public or not of its category: %+v", site)
	}
}

func TestHiddenSitesHaveContentAndStayHidden(t *testing.T) {
	store, _, _ := seeded(t)
	ctx, sites := context.Background(), sitesOf(t, store)
	var hidden, why []string
	for _, s := range sites {
		if rights.Public(s) {
			continue
		}
		hidden = append(hidden, s.SiteID)
		why = append(why, string(s.State)+" "+s.Visibility)
		pages, err := store.PagesOf(ctx, s.SiteID, "", 10)
		if err != nil || len(pages) == 0 {
			t.Errorf("%s has no pages that could leak (%v)", s.SiteID, err)
		}
	}
	assert.Equal(t, fmt.Sprint(hidden), fmt.Sprint(demo.HiddenSites), "hidden are %v, HiddenSites says %v", hidden, demo.HiddenSites)
	assert.Equal(t, fmt.Sprint(why), "[pending public suspended public approved private]", "reasons are %v", why)
}
