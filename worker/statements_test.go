package worker_test

import (
	"bytes"
	"context"
	"database/sql/driver"
	"testing"

	"modernc.org/sqlite"

	"colophon/exports"
	"colophon/internal/originsql"
	"colophon/worker"
	"colophon/worker/edge"
)

// countedDatabase is a database as the worker has D1: statements one after
// another, each of which is a round trip.
type countedDatabase struct {
	driver.Conn
	statements int
}

// countStatements opens the database of a store a second time.
func countStatements(t *testing.T, store *originsql.Store) (*countedDatabase, *originsql.Store) {
	t.Helper()
	var number int
	var name, path string
	must(t, store.DB().QueryRow("PRAGMA database_list").Scan(&number, &name, &path))
	conn, err := (&sqlite.Driver{}).Open("file:" + path + "?_pragma=busy_timeout(20000)&_pragma=foreign_keys(1)")
	must(t, err)
	t.Cleanup(func() { conn.Close() })
	c := &countedDatabase{Conn: conn}
	return c, originsql.Over(c)
}

func (c *countedDatabase) Driver() driver.Driver { return &sqlite.Driver{} }

func (c *countedDatabase) Connect(context.Context) (driver.Conn, error) { return c, nil }

func (c *countedDatabase) Prepare(text string) (driver.Stmt, error) {
	c.statements++
	return c.Conn.Prepare(text)
}

// TestRightsCheckTakesOneStatement counts what each kind of question asks of
// the database.
func TestRightsCheckTakesOneStatement(t *testing.T) {
	w := newRightsWorld(t)
	database, store := countStatements(t, w.store)
	deps := w.deps
	deps.Rights = store
	edgeLike := worker.New(deps)

	for _, query := range []string{
		"entry_id=" + w.entry, "url=" + pageURL + "&territory=NL", "fingerprint=" + w.digest, "site_id=harbor-ledger", "site_id=nobody",
		"url=https://harbor-ledger.example/elsewhere", "url=https://nobody.example/", "entry_id=" + w.entry + "&at=2026-10-01T00:00:00Z",
	} {
		request := edge.Request{Method: "GET", Path: exports.PathRightsCheck, Query: query, ID: "rid_x"}
		want := w.handle(context.Background(), &request)
		database.statements = 0
		got := edgeLike(context.Background(), &request)
		if got.Status != 200 || database.statements != 1 {
			t.Errorf("%s: %d after %d statements", query, got.Status, database.statements)
		}
		if !bytes.Equal(got.Body, want.Body) {
			t.Errorf("%s: %s\nwant %s", query, got.Body, want.Body)
		}
	}
}
