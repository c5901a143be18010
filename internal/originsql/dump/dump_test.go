package dump_test

import (
	"bytes"
	"context"
	"database/sql"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite"

	"colophon/internal/assert"
	"colophon/internal/demo"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/originsql/dump"
	"colophon/internal/originsql/schematest"
)

var must = assert.NoError

func open(t *testing.T) *sql.DB {
	t.Helper()
	path := filepath.Join(t.TempDir(), "origin.db")
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=foreign_keys(1)&_pragma=synchronous(0)")
	must(t, err)
	t.Cleanup(func() { db.Close() })
	must(t, schematest.Write(path))
	return db
}

func dumped(t *testing.T, db *sql.DB) string {
	t.Helper()
	var b bytes.Buffer
	must(t, dump.Write(context.Background(), &b, db, nil))
	return b.String()
}

// statements splits a dump at lines that end in a semicolon, as a loader may.
func statements(text string) []string {
	return strings.SplitAfter(strings.TrimSuffix(text, "\n"), ";\n")
}

// load runs each statement separately, as D1 does.
func load(t *testing.T, db *sql.DB, text string) {
	t.Helper()
	for _, s := range statements(text) {
		if len(s) > 100_000 {
			t.Errorf("a statement of %d bytes", len(s))
		}
		if _, err := db.Exec(s); err != nil {
			t.Fatalf("%v in %.200s", err, s)
		}
	}
}

// TestDemoComesOverWhole dumps and loads the whole demo, twice, and checks that
// its triggers work afterwards.
func TestDemoComesOverWhole(t *testing.T) {
	ctx, from, to := context.Background(), open(t), open(t)
	store := originsql.New(from)
	_, err := demo.Seed(ctx, store)
	must(t, err)
	odd := "a'b\"; --\r\nc\x00d é𝄞 " + strings.Repeat("long é; ", 40_000)
	must(t, store.PutDemand(ctx, origin.Demand{DemandID: "dem_odd", Headline: odd, PrivateNotes: odd, Uses: []string{"it's"}, ChangedAt: "2026-01-01T00:00:00Z"}))
	text := dumped(t, from)
	for range 2 {
		load(t, to, text)
		if again := dumped(t, to); again != text {
			t.Fatalf("what came over differs: %d bytes, not %d", len(again), len(text))
		}
	}
	before, _, err := originsql.New(to).Changes(ctx)
	must(t, err)
	must(t, originsql.New(to).PutCategory(ctx, origin.Category{Slug: "x", Label: "X", ChangedAt: "2026-01-01T00:00:00Z"}))
	if after, _, _ := originsql.New(to).Changes(ctx); after != before+1 {
		t.Errorf("triggers are gone: %d changes, then %d", before, after)
	}
}

func TestForeignKeysHold(t *testing.T) {
	db := open(t)
	load(t, db, dumped(t, db)) // an empty store can be dumped too
	assert.Fails(t, assert.Err(db.Exec("INSERT INTO sites (site_id, publisher_id, name, site_url, created_at, changed_at) VALUES ('a', 'none', '', '', '', '')")), "a site without a publisher")
}

// TestTextsAreSplitOff checks that every text becomes an object of its edition
// and none is in the SQL; versions and digests stay the same, also after
// loading.
func TestTextsAreSplitOff(t *testing.T) {
	ctx, from, to := context.Background(), open(t), open(t)
	store := originsql.New(from)
	_, err := demo.Seed(ctx, store)
	must(t, err)
	var id string
	must(t, from.QueryRow("SELECT entry_id FROM bodies ORDER BY entry_id LIMIT 1").Scan(&id))
	page, err := store.Page(ctx, id)
	must(t, err)
	must(t, store.PutPage(ctx, page, &origin.Body{Text: "Second edition.", Markdown: "# Second edition.", ChangedAt: page.ChangedAt}))
	objects := map[string]string{}
	var b bytes.Buffer
	must(t, dump.Write(ctx, &b, from, func(key, text string) error { objects[key] = text; return nil }))
	if objects[id+"/2.markdown"] != "# Second edition." || objects[id+"/2.text"] != "Second edition." || objects[id+"/2.html"] != "" {
		t.Errorf("the second edition of %s went %q", id, objects[id+"/2.markdown"])
	}
	load(t, to, b.String())
	for _, sql := range []string{
		"SELECT count(*) || ' ' || coalesce(sum(version), 0) || ' ' || coalesce(group_concat(digest), '') FROM (SELECT * FROM editions ORDER BY entry_id)",
		"SELECT count(*) || ' ' || coalesce(group_concat(digest), '') FROM (SELECT * FROM bodies ORDER BY entry_id)",
	} {
		var before, after string
		must(t, from.QueryRow(sql).Scan(&before))
		must(t, to.QueryRow(sql).Scan(&after))
		if before != after || strings.HasPrefix(before, "0 ") {
			t.Errorf("%s: %.60s, then %.60s", sql, before, after)
		}
	}
	var left int
	must(t, to.QueryRow("SELECT count(*) FROM bodies WHERE text || markdown || html <> ''").Scan(&left))
	assert.Equal(t, left, 0, "texts are in the SQL")
}
