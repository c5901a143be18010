// Package origintest opens a fresh origin for the tests of originsql: SQLite
// in a temporary folder, or with COLOPHON_ORIGIN_SQL the D1 database behind
// the worker of worker/edgelab at that address. The same tests so hold for
// both; see make test-edge.
package origintest

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"testing"

	_ "modernc.org/sqlite"

	"colophon/internal/originsql"
)

// Variable names the environment variable with the address of the lab.
const Variable = "COLOPHON_ORIGIN_SQL"

// Open returns an empty store with the current schema, and whatever runs
// single statements on its database.
func Open(t testing.TB) (*originsql.Store, func(statement string) error) {
	t.Helper()
	if address := os.Getenv(Variable); address != "" {
		c := Remote(address)
		if err := renew(c); err != nil {
			t.Fatal(err)
		}
		return originsql.Over(c), func(s string) error { return c.run(s, nil) }
	}
	db, err := sql.Open("sqlite", "file:"+filepath.Join(t.TempDir(), "origin.db")+"?_pragma=foreign_keys(1)&_pragma=busy_timeout(5000)")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	for _, when := range []string{"first", "second"} { // a second time changes nothing
		if err := originsql.Migrate(context.Background(), db); err != nil {
			t.Fatalf("%s migration: %v", when, err)
		}
	}
	return originsql.New(db), func(s string) error {
		_, err := db.Exec(s)
		return err
	}
}

// renew drops whatever the database holds and applies the migrations.
func renew(c Remote) error {
	for _, kind := range []string{"trigger", "table"} {
		if err := c.dropAll(kind); err != nil {
			return err
		}
	}
	files, err := originsql.Migrations.ReadDir("migrations")
	if err != nil {
		return err
	}
	sort.Slice(files, func(i, j int) bool { return files[i].Name() < files[j].Name() })
	for _, f := range files {
		text, err := originsql.Migrations.ReadFile("migrations/" + f.Name())
		if err != nil {
			return err
		}
		for _, s := range Statements(string(text)) {
			if err := c.run(s, nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// dropAll goes over the list until nothing is left: a table that another
// refers to has to wait for it.
func (c Remote) dropAll(kind string) error {
	for range 20 {
		rows, err := c.ask("SELECT name FROM sqlite_master WHERE type = ?1 AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE '\\_cf\\_%' ESCAPE '\\' AND name NOT LIKE 'd1\\_%' ESCAPE '\\' AND name <> 'lab'", []any{kind}, false)
		if err != nil || len(rows) == 0 {
			return err
		}
		for _, r := range rows {
			if name, ok := r[0].(string); ok {
				_ = c.run("DROP "+kind+" \""+name+"\"", nil) // tried again in the next turn
			}
		}
	}
	return errLeft
}

var comment = regexp.MustCompile(`(?m)\s*--[^\n]*$`)

// Statements splits a migration: a statement ends with the line that ends in a
// semicolon.
func Statements(text string) []string {
	var out []string
	for _, s := range strings.SplitAfter(comment.ReplaceAllString(text, "")+"\n", ";\n") {
		if s = strings.TrimSpace(s); s != "" {
			out = append(out, strings.TrimSuffix(s, ";"))
		}
	}
	return out
}
