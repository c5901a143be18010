package acceptance_test

import (
	"bytes"
	"context"
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
// of question: one if the facts of the site were read before, one more if not,
// and one more to look up the other name of an unregistered host. Answers are the
// same either way.
func TestRightsCheckTakesOneStatement(t *testing.T) {
	w := newRightsWorld(t)
	database, store := w.countStatements()
	deps := w.deps
	deps.Origin = store

	for query, statements := range map[string][2]int{
		"entry_id=" + w.entry:                                {2, 1},
		"url=" + pageURL + "&territory=NL":                   {2, 1},
		"fingerprint=" + w.digest:                            {2, 1},
		"site_id=harbor-ledger":                              {2, 1},
		"site_id=nobody":                                     {1, 1},
		"url=https://harbor-ledger.example/elsewhere":        {2, 1},
		"url=https://nobody.example/":                        {2, 2},
		"entry_id=" + w.entry + "&at=2026-10-01T00:00:00Z":   {2, 2},
		"entry_id=" + w.entry + "&explain=full&agent=gptbot": {2, 1},
	} {
		edgeLike := worker.New(deps)
		request := edge.Request{Method: "GET", Path: exports.PathRightsCheck, Query: query, ID: "rid_x"}
		want := w.handle(context.Background(), &request)
		for i, statements := range statements {
			database.Statements = 0
			got := edgeLike(context.Background(), &request)
			if got.Status != 200 || database.Statements != statements {
				t.Errorf("%s, round %d: %d after %d statements, not %d", query, i+1, got.Status, database.Statements, statements)
			}
			if !bytes.Equal(got.Body, want.Body) {
				t.Errorf("%s, round %d: %s\nwant %s", query, i+1, got.Body, want.Body)
			}
		}
	}
}
