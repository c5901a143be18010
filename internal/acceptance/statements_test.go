package acceptance_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"colophon/exports"
	"colophon/internal/originsql"
	"colophon/internal/originsql/d1test"
	"colophon/worker"
	"colophon/worker/edge"
)

// countStatements opens the world's database a second time and counts its
// statements.
func (w *rightsWorld) countStatements() (*d1test.Counted, *originsql.Store) {
	w.t.Helper()
	database, store, err := d1test.NewCounted(w.store.DB())
	must(w.t, err)
	w.t.Cleanup(func() { database.Close() })
	return database, store
}

// TestRightsCheckTakesOneStatement counts the database statements of each kind
// of question: one, and one more to look up the other name of an unregistered
// host.
func TestRightsCheckTakesOneStatement(t *testing.T) {
	w := newRightsWorld(t)
	database, store := w.countStatements()
	deps := w.deps
	deps.Rights = store
	edgeLike := worker.New(deps)

	for _, query := range []string{
		"entry_id=" + w.entry, "url=" + pageURL + "&territory=NL", "fingerprint=" + w.digest, "site_id=harbor-ledger", "site_id=nobody",
		"url=https://harbor-ledger.example/elsewhere", "url=https://nobody.example/", "entry_id=" + w.entry + "&at=2026-10-01T00:00:00Z",
	} {
		request := edge.Request{Method: "GET", Path: exports.PathRightsCheck, Query: query, ID: "rid_x"}
		want := w.handle(context.Background(), &request)
		database.Statements = 0
		got := edgeLike(context.Background(), &request)
		statements := 1
		if strings.Contains(query, "nobody.example") {
			statements = 2
		}
		if got.Status != 200 || database.Statements != statements {
			t.Errorf("%s: %d after %d statements", query, got.Status, database.Statements)
		}
		if !bytes.Equal(got.Body, want.Body) {
			t.Errorf("%s: %s\nwant %s", query, got.Body, want.Body)
		}
	}
}
