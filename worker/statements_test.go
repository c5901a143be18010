package worker_test

import (
	"bytes"
	"context"
	"database/sql/driver"
	"fmt"
	"strings"
	"testing"

	"modernc.org/sqlite"

	"colophon/exports"
	"colophon/internal/origin"
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

// TestDeliveryTakesFewStatements counts what the delivery of licensed items asks
// of the database: who asks with all rights, the rows, the texts, and the
// rights once more where the texts lie elsewhere. A delta reads its events
// before the rows, a snapshot its lines; the checkpoint of a delta takes one
// statement after the texts.
func TestDeliveryTakesFewStatements(t *testing.T) {
	for _, tc := range []struct {
		name    string
		target  string
		sites   int
		objects bool
		want    int
	}{
		{"items", exports.PathDeliveryItems + "?limit=20", 1, false, 3},
		{"feed", exports.PathDeliveryFeed + "?limit=20", 1, false, 3},
		{"texts elsewhere", exports.PathDeliveryItems + "?limit=20", 1, true, 4},
		{"metadata", exports.PathDeliveryItems + "?limit=20&fields=meta", 1, false, 2},
		{"delta", exports.PathDeliveryDelta + "?limit=20&since=ZGVsdGEgMCAwIA", 1, false, 4},
		{"whole delta", exports.PathDeliveryDelta + "?since=ZGVsdGEgMjAgMCA", 1, false, 4},
		{"delta, metadata", exports.PathDeliveryDelta + "?limit=20&since=ZGVsdGEgMCAwIA&fields=meta", 1, false, 3},
		{"delta, texts elsewhere", exports.PathDeliveryDelta + "?since=ZGVsdGEgMjAgMCA", 1, true, 5},
		{"snapshot", exports.PathDeliveryFeed + "?limit=20&snapshot=", 1, false, 4},
		{"snapshot, many publishers", exports.PathDeliveryItems + "?limit=20&snapshot=", 20, false, 4},
		{"many publishers", exports.PathDeliveryItems + "?limit=20", 20, false, 3},
		{"many publishers, metadata", exports.PathDeliveryFeed + "?limit=20&fields=meta", 20, false, 2},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m := newMarket(t)
			database, store := countStatements(t, m.store)
			deps := m.deps
			deps.Buyers, deps.Delivery, deps.Bodies = store, store, store
			if tc.objects {
				deps.Objects = func(_ context.Context, key string) ([]byte, error) { return []byte("BODY-of " + key), nil }
			}
			edgeLike := worker.New(deps)
			credential := m.buyer("byr_main", "active")
			var sites []string
			for i := range tc.sites {
				sites = append(sites, fmt.Sprintf("site-%02d", i))
				m.site(sites[i], origin.Approved)
			}
			for i := range 40 {
				site := sites[i%len(sites)]
				if id := fmt.Sprintf("ent_%02d", i); tc.objects {
					m.emptyPage(site, id)
				} else {
					m.page(site, id, "/a/"+id, "active", 1)
				}
			}
			m.grant(origin.Grant{GrantID: "grt_1", BuyerID: "byr_main"}, sites...)
			target := tc.target
			if !tc.objects || strings.Contains(tc.name, "delta") {
				id := m.snapshot(credential) // also brings the feed up to date
				if strings.HasSuffix(target, "snapshot=") {
					target += id
				}
			}
			database.statements = 0

			resp := edgeLike(context.Background(), newRequest(credential, target))
			var out strings.Builder
			must(t, resp.Stream(&out))

			if n := strings.Count(out.String(), `"content":`); n != 20 && !strings.Contains(tc.name, "metadata") {
				t.Fatalf("%d items: %s", n, out.String())
			}
			if n := strings.Count(out.String(), `"item_id":`); n != 20 {
				t.Fatalf("%d items: %s", n, out.String())
			}
			if database.statements != tc.want {
				t.Errorf("%d statements, want %d", database.statements, tc.want)
			}
		})
	}
}

// TestRightsCheckTakesOneStatement counts what each kind of question asks of
// the database: one statement, and one more for the other name of a host that is nobody's.
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
		statements := 1
		if strings.Contains(query, "nobody.example") {
			statements = 2
		}
		if got.Status != 200 || database.statements != statements {
			t.Errorf("%s: %d after %d statements", query, got.Status, database.statements)
		}
		if !bytes.Equal(got.Body, want.Body) {
			t.Errorf("%s: %s\nwant %s", query, got.Body, want.Body)
		}
	}
}
