package originsql_test

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	_ "modernc.org/sqlite"

	"colophon/internal/assert"
	"colophon/internal/originsql"
)

// loadFixture returns a database with the content of a file of
// testdata/schemas.
func loadFixture(t *testing.T, name string) *sql.DB {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "schemas", name))
	must(t, err)
	db, err := sql.Open("sqlite", "file:"+filepath.Join(t.TempDir(), "origin.db")+"?_pragma=foreign_keys(1)")
	must(t, err)
	t.Cleanup(func() { db.Close() })
	db.SetMaxOpenConns(1)
	if _, err := db.Exec(string(text)); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if _, err := db.Exec("PRAGMA foreign_keys = 1"); err != nil { // a dump turns it off
		t.Fatal(err)
	}
	return db
}

// schemaOf returns the statements that made a database, sorted by name, without
// comments and spaces.
func schemaOf(t *testing.T, db *sql.DB) []string {
	t.Helper()
	rows, err := db.Query("SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM sqlite_master")
	must(t, err)
	defer rows.Close()
	var out []string
	for rows.Next() {
		var s string
		must(t, rows.Scan(&s))
		lines := strings.Split(s, "\n")
		for i, line := range lines {
			lines[i], _, _ = strings.Cut(line, " --")
		}
		out = append(out, strings.Join(strings.Fields(strings.Join(lines, " ")), " "))
	}
	must(t, rows.Err())
	slices.Sort(out)
	return out
}

// contents returns the given columns of a table's rows.
func contents(t *testing.T, db *sql.DB, table string, columns []string) []string {
	t.Helper()
	parts := make([]string, len(columns))
	for i, c := range columns {
		parts[i] = "quote(" + c + ")"
	}
	rows, err := db.Query("SELECT " + strings.Join(parts, " || ',' || ") + " FROM " + table)
	must(t, err)
	defer rows.Close()
	var out []string
	for rows.Next() {
		var s string
		must(t, rows.Scan(&s))
		out = append(out, s)
	}
	must(t, rows.Err())
	slices.Sort(out)
	return out
}

func list(t *testing.T, db *sql.DB, query string) []string {
	t.Helper()
	rows, err := db.Query(query)
	must(t, err)
	defer rows.Close()
	var out []string
	for rows.Next() {
		var s string
		must(t, rows.Scan(&s))
		out = append(out, s)
	}
	must(t, rows.Err())
	return out
}

// releasedSchemas are the schemas that a release had. Each has a stored store:
// add one with each release ("make fixture" writes it).
var releasedSchemas = []int{1, 2, 3, 4, 5, 10}

// TestUpgrade migrates the store of every schema to the newest one: it must
// then have the schema of a new store and everything that was in it, undamaged.
func TestUpgrade(t *testing.T) {
	latest := originsql.LatestSchema()
	fresh := loadEmpty(t)
	for _, n := range releasedSchemas {
		if _, err := os.Stat(fixture(n)); err != nil {
			t.Errorf("there is no store of schema %d: %v (make fixture)", n, err)
		}
	}
	names, err := filepath.Glob(filepath.Join("testdata", "schemas", "schema-*.sql"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no stores: %v", err)
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			db := loadFixture(t, filepath.Base(name))
			before := map[string][]string{}
			columns := map[string][]string{}
			for _, table := range list(t, db, "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT IN ('meta', 'ledger_proofs', 'webhook_health')") {
				columns[table] = list(t, db, "SELECT name FROM pragma_table_info('"+table+"') WHERE '"+table+".' || name NOT IN ('sites.domain_control', 'websites.method', 'ledger_checkpoints.note', 'outbox.webhook_id', 'requests.private_notes')")
				before[table] = contents(t, db, table, columns[table])
			}
			if len(before["pages"]) < 4 || len(before["bodies"]) < 4 {
				t.Fatalf("the store holds %d pages", len(before["pages"]))
			}
			must(t, originsql.Migrate(context.Background(), db))
			if version, err := originsql.SchemaVersion(context.Background(), db); err != nil || version != latest {
				t.Errorf("schema %d, not %d: %v", version, latest, err)
			}
			for table, rows := range before {
				compareRows(t, table, rows, contents(t, db, table, columns[table]))
			}
			if got, want := schemaOf(t, db), schemaOf(t, fresh); !slices.Equal(got, want) {
				t.Errorf("the schema differs from that of a new store:\n%s", difference(got, want))
			}
			for _, check := range []string{"PRAGMA integrity_check", "SELECT 'broken reference of ' || \"table\" FROM pragma_foreign_key_check"} {
				if got := list(t, db, check); len(got) > 1 || len(got) == 1 && got[0] != "ok" {
					t.Errorf("%s: %v", check, got)
				}
			}
			checkDerived(t, db)
		})
	}
}

func fixture(n int) string {
	return filepath.Join("testdata", "schemas", fmt.Sprintf("schema-%d.sql", n))
}

func loadEmpty(t *testing.T) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(t.TempDir(), "fresh.db"))
	must(t, err)
	t.Cleanup(func() { db.Close() })
	must(t, originsql.Migrate(context.Background(), db))
	return db
}

// compareRows requires the earlier rows to be among the later ones: a migration
// may add rows but must not lose any. checkDerived compares the columns that
// migrations fill.
func compareRows(t *testing.T, table string, before, after []string) {
	t.Helper()
	have := map[string]int{}
	for _, row := range after {
		have[row]++
	}
	for _, row := range before {
		if have[row] == 0 {
			t.Errorf("table %s lost or changed a row: %.200s", table, row)
			return
		}
		have[row]--
	}
}

// checkDerived checks what migrations compute from existing rows.
func checkDerived(t *testing.T, db *sql.DB) {
	t.Helper()
	for what, query := range map[string]string{
		"bodies without a digest":            "SELECT entry_id FROM bodies WHERE length(digest) <> 64",
		"bodies without an edition":          "SELECT entry_id FROM bodies WHERE entry_id NOT IN (SELECT entry_id FROM editions)",
		"editions of another digest":         "SELECT e.entry_id FROM editions e JOIN bodies b USING (entry_id) WHERE e.digest <> b.digest OR e.bytes = 0",
		"records that are never logged":      "SELECT entry_id FROM records r WHERE NOT EXISTS (SELECT 1 FROM ledger_waiting w WHERE w.entry_id = r.entry_id AND w.version = r.version) AND NOT EXISTS (SELECT 1 FROM ledger_events e WHERE e.entry_id = r.entry_id AND e.version = r.version)",
		"events of no receiver":              "SELECT event_id FROM outbox WHERE receiver_kind <> 'webhook' OR receiver_id NOT IN (SELECT webhook_id FROM webhooks)",
		"requests without a first move":      "SELECT request_id FROM requests WHERE request_id NOT IN (SELECT request_id FROM request_history)",
		"control of a domain that was typed": "SELECT site_id FROM sites WHERE domain_control NOT IN ('operator', 'none') AND site_id NOT IN (SELECT site_id FROM host_proofs) UNION SELECT site_id FROM websites WHERE method NOT IN ('operator', 'none') AND site_id NOT IN (SELECT site_id FROM host_proofs)",
		"a counter of changes that is 0":     "SELECT name FROM meta WHERE name = 'changes' AND value = 0",
		"counters that a new store lacks":    "SELECT name FROM meta WHERE name NOT IN ('changes', 'editions', 'sequence')",
	} {
		if got := list(t, db, query); len(got) > 0 {
			t.Errorf("%s: %v", what, got)
		}
	}
}

func difference(got, want []string) string {
	var out strings.Builder
	for _, s := range got {
		if !slices.Contains(want, s) {
			out.WriteString("only upgraded: " + s + "\n")
		}
	}
	for _, s := range want {
		if !slices.Contains(got, s) {
			out.WriteString("only new: " + s + "\n")
		}
	}
	return out.String()
}

// TestOutboxUpgrade checks that the notifications and letters of the two former
// queues become those of one, with the state of their receivers.
func TestOutboxUpgrade(t *testing.T) {
	db := loadFixture(t, "schema-5.sql")
	entries, err := originsql.Migrations.ReadDir("migrations")
	must(t, err)
	for n := 5; entries[n].Name() < "0023"; n++ {
		text, err := originsql.Migrations.ReadFile("migrations/" + entries[n].Name())
		must(t, err)
		execute(t, db, string(text)+";PRAGMA user_version = "+strconv.Itoa(n+1))
	}
	execute(t, db, `DELETE FROM webhook_health; DELETE FROM outbox;
		INSERT INTO webhooks (webhook_id, url, secret, state, created_at, changed_at) VALUES ('whk_1', '', '', 'active', '', '');
		INSERT INTO webhook_health (webhook_id, asked_at, failures) VALUES ('whk_1', 'a', 1);
		INSERT INTO outbox (seq, webhook_id, event_id, kind, site_id, request_id, status, at, due_at, attempts) VALUES (7, 'whk_1', 'evt_1', 'k', 's', 'r', 'x', 't', 'd', 3);
		INSERT INTO letters (seq, request_id, event_id, kind, site_id, status, at, due_at, state, last_error) SELECT 2, min(request_id), 'evt_1', 'k', 's', 'x', 't', 'd', 'failed', 'e' FROM requests;
		INSERT INTO letter_health (request_id, asked_at, failures) SELECT min(request_id), 'b', 2 FROM requests`)
	must(t, originsql.Migrate(context.Background(), db))
	request := list(t, db, "SELECT min(request_id) FROM requests")[0]
	got := list(t, db, "SELECT concat_ws(' ', seq, receiver_kind, receiver_id, event_id, request_id, state, attempts, last_error) FROM outbox ORDER BY seq")
	if want := []string{"7 webhook whk_1 evt_1 r waiting 3 ", "9 asker " + request + " evt_1 " + request + " failed 0 e"}; !slices.Equal(got, want) {
		t.Errorf("the outbox has %q, want %q", got, want)
	}
	got = list(t, db, "SELECT concat_ws(' ', receiver_id, asked_at, failures) FROM receiver_health ORDER BY asked_at")
	if want := []string{"whk_1 a 1", request + " b 2"}; !slices.Equal(got, want) {
		t.Errorf("receivers did %q, want %q", got, want)
	}
}

func execute(t *testing.T, db *sql.DB, text string) {
	t.Helper()
	if _, err := db.Exec(text); err != nil {
		t.Fatalf("%.100s: %v", text, err)
	}
}

// TestUpgradeTwice checks that a migrated store stays unchanged, and that a
// newer store is refused.
func TestUpgradeTwice(t *testing.T) {
	db := loadFixture(t, "schema-1.sql")
	ctx := context.Background()
	for range 2 {
		must(t, originsql.Migrate(ctx, db))
	}
	must(t, assert.Err(db.Exec(fmt.Sprintf("PRAGMA user_version = %d", originsql.LatestSchema()+1))))
	assert.ErrorContains(t, originsql.Migrate(ctx, db), "a newer store", "newer than this program")
}

// TestMigrationsAreNumbered checks that no two migrations have the same number,
// as after a merge of two branches.
func TestMigrationsAreNumbered(t *testing.T) {
	entries, err := originsql.Migrations.ReadDir("migrations")
	must(t, err)
	last := ""
	for _, e := range entries {
		number, _, _ := strings.Cut(e.Name(), "_")
		if len(number) != 4 || number <= last {
			t.Errorf("%s comes after %s_", e.Name(), last)
		}
		last = number
	}
}

// columnsWithoutComment returns the columns of CREATE TABLE statements that
// have no comment on their purpose.
func columnsWithoutComment(sql string) []string {
	var bad []string
	inside := false
	for _, line := range strings.Split(sql, "\n") {
		trimmed := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(trimmed, "CREATE TABLE"):
			inside = true
		case strings.HasPrefix(trimmed, ")"):
			inside = false
		case inside && trimmed != "" && !strings.HasPrefix(trimmed, "PRIMARY KEY") && !strings.HasPrefix(trimmed, "UNIQUE") && !strings.Contains(trimmed, "-- "):
			bad = append(bad, trimmed)
		}
	}
	return bad
}

func TestColumnsWithoutCommentSeesOne(t *testing.T) {
	got := columnsWithoutComment("CREATE TABLE x (\n  a TEXT, -- named\n  b TEXT\n) STRICT;\n")
	if len(got) != 1 || got[0] != "b TEXT" {
		t.Fatalf("got %q", got)
	}
}
