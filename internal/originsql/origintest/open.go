// Package origintest opens a fresh origin for the tests of originsql: SQLite in
// a temporary folder or, if COLOPHON_ORIGIN_SQL is set, a D1 database (behind
// the worker of worker/edgelab at that address, or behind the HTTP API of D1 at
// …/d1/database/<id>) or a new schema in a Postgres database. So the same tests
// cover all of them; see make test-edge and make test-postgres.
package origintest

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"testing"

	_ "modernc.org/sqlite"

	"colophon/internal/originsql"
	"colophon/internal/originsql/d1rest"
	"colophon/internal/originsql/postgres"
	"colophon/internal/originsql/schematest"
)

// Variable names the environment variable with the address of the lab.
const Variable = "COLOPHON_ORIGIN_SQL"

// Open returns an empty store with the current schema, and a function that runs
// single statements on its database.
func Open(t testing.TB) (*originsql.Store, func(statement string) error) {
	t.Helper()
	if address := os.Getenv(Variable); postgres.IsAddress(address) {
		return openPostgres(t, address)
	}
	if address := os.Getenv(Variable); address != "" {
		var c driver.Connector = Remote(address)
		if strings.Contains(address, "/d1/database/") {
			c = d1rest.New(address, "")
		}
		db := sql.OpenDB(c)
		t.Cleanup(func() { db.Close() })
		if err := Renew(db); err != nil {
			t.Fatal(err)
		}
		return originsql.Over(c), func(s string) error {
			_, err := db.Exec(s)
			return err
		}
	}
	path := filepath.Join(t.TempDir(), "origin.db")
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=foreign_keys(1)&_pragma=busy_timeout(5000)")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if err := schematest.Write(path); err != nil {
		t.Fatal(err)
	}
	if err := originsql.Migrate(context.Background(), db); err != nil { // a second time changes nothing
		t.Fatal(err)
	}
	return originsql.New(db), func(s string) error {
		_, err := db.Exec(s)
		return err
	}
}

// Renew drops everything in a database and applies the migrations, each in one
// call, because calls take most of the time.
func Renew(db *sql.DB) error {
	if err := dropAll(db); err != nil {
		return err
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
		if _, err := db.Exec(strings.Join(Statements(string(text)), ";\n")); err != nil {
			return fmt.Errorf("%s: %w", f.Name(), err)
		}
	}
	return nil
}

// dropAll drops the triggers, then the tables in reverse order, so that none is
// dropped while others refer to it.
func dropAll(db *sql.DB) error {
	var drop []string
	for _, kind := range []string{"trigger", "table"} {
		names, err := left(db, kind)
		if err != nil {
			return err
		}
		for _, name := range names {
			drop = append(drop, "DROP "+kind+" \""+name+"\"")
		}
	}
	if len(drop) == 0 {
		return nil
	}
	_, err := db.Exec(strings.Join(drop, ";\n"))
	return err
}

func left(db *sql.DB, kind string) (names []string, err error) {
	rows, err := db.Query("SELECT name FROM sqlite_master WHERE type = ?1 AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE '\\_cf\\_%' ESCAPE '\\' AND name NOT LIKE 'd1\\_%' ESCAPE '\\' AND name <> 'lab' ORDER BY rowid DESC", kind)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, rows.Err()
}

var comment = regexp.MustCompile(`(?m)\s*--[^\n]*$`)

// Statements splits a migration: a statement ends with the line that ends in a
// semicolon. Comments are left out: D1 refuses those that no statement follows.
func Statements(text string) []string {
	var out []string
	for _, s := range strings.SplitAfter(comment.ReplaceAllString(text, "")+"\n", ";\n") {
		if s = strings.TrimSpace(s); s != "" {
			out = append(out, strings.TrimSuffix(s, ";"))
		}
	}
	return out
}
