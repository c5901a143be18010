package worker_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"colophon/exports"
	"colophon/internal/origin"
	"colophon/internal/originsql/d1test"
	"colophon/worker"
)

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
			database, store, err := d1test.NewCounted(m.store.DB())
			must(t, err)
			t.Cleanup(func() { database.Close() })
			deps := m.deps
			deps.Origin = store
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
				id := m.snapshot(credential) // this also updates the feed
				if strings.HasSuffix(target, "snapshot=") {
					target += id
				}
			}
			database.Statements = 0

			resp := edgeLike(context.Background(), newRequest(credential, target))
			var out strings.Builder
			must(t, resp.Stream(&out))

			if n := strings.Count(out.String(), `"content":`); n != 20 && !strings.Contains(tc.name, "metadata") {
				t.Fatalf("%d items: %s", n, out.String())
			}
			if n := strings.Count(out.String(), `"item_id":`); n != 20 {
				t.Fatalf("%d items: %s", n, out.String())
			}
			if database.Statements != tc.want {
				t.Errorf("%d statements, want %d", database.Statements, tc.want)
			}
		})
	}
}
