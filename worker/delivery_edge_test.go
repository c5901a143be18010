//go:build edge

package worker_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"colophon/internal/mirror"
	"colophon/internal/originsql/d1http"
	"colophon/worker/edgelab/labhost"
)

// atTheEdge starts workerd over a market's store, in real time.
func atTheEdge(t *testing.T) (*market, string) {
	t.Helper()
	m := newMarket(t)
	m.real = true
	origin := httptest.NewServer(d1http.New(m.store.DB()))
	t.Cleanup(origin.Close)
	dir := t.TempDir()
	dist, bodies := filepath.Join(dir, "dist"), filepath.Join(dir, "bodies")
	must(t, os.MkdirAll(filepath.Join(dist, "v1/public"), 0o755))
	must(t, os.WriteFile(filepath.Join(dist, "v1/public/network-stats.json"), []byte("{}"), 0o644))
	must(t, os.MkdirAll(bodies, 0o755))
	address, err := labhost.FreeAddress()
	must(t, err)
	w, err := labhost.Workerd{
		File: "tools/selfhost/colophon.capnp", Config: "config", Listen: map[string]string{"http": address},
		Remote: map[string]string{"origin": origin.Listener.Addr().String()}, Files: map[string]string{"dist": dist, "bodies": bodies},
		Env: []string{"BASE_URL=http://" + address, "RATE_LIMITS=content=1000000 gateway=1000000"}, Ready: "/v1/public/network-stats",
	}.Start(t.Context(), dir)
	must(t, err)
	t.Cleanup(func() { w.Stop() })
	return m, w.URL
}

// The mirror under workerd, with an origin that speaks D1's protocol. Needs
// build/edge: make test-delivery-edge.
func TestMirrorAtTheEdge(t *testing.T) {
	m, base := atTheEdge(t)
	rapid.Check(t, func(r *rapid.T) {
		m.wipe()
		heard := &strings.Builder{}
		drive(r, m, base, t.TempDir(), &http.Client{Transport: seen{http.DefaultTransport, heard}}, heard)
	})
}

// More items than one answer, or one instance's memory, can hold.
func TestManyItemsAtTheEdge(t *testing.T) {
	m, base := atTheEdge(t)
	n, _ := strconv.Atoi(os.Getenv("COLOPHON_DELIVERY_ITEMS"))
	if n == 0 {
		n = 6000
	}
	credential := m.stock(n, 3000)
	consumer := &mirror.Mirror{Dir: t.TempDir(), Base: base, Credential: credential, Client: http.DefaultClient}
	for _, step := range []struct {
		what string
		do   func()
		left int64
	}{
		{"first pull", func() {}, int64(n)},
		{"nothing changed", func() {}, int64(n)},
		{"one page withdrawn", func() { m.page("site-a", "ent_000007", "/p/ent_000007", "withdrawn", 1) }, int64(n) - 1},
		{"grant revoked", func() { m.state("grt_1", "revoked") }, 0},
	} {
		step.do()
		start := time.Now()
		report, err := consumer.Pull(t.Context())
		if err != nil || report.Items != step.left || report.Resumed > 0 || report.Resyncs > 0 || !report.Verified && n <= 10_000 {
			t.Fatalf("%s: %+v %v", step.what, report, err)
		}
		t.Logf("%s: %d items, %d written, %d deleted in %v", step.what, report.Items, report.Upserts, report.Deleted, time.Since(start).Round(time.Millisecond))
	}
}

// wipe empties the tables of the delivery and the pages it is about.
func (m *market) wipe() {
	m.Helper()
	for _, table := range []string{"snapshot_items", "snapshots", "holdings", "feeds", "grant_sites", "grants", "buyer_credentials", "buyers", "editions", "bodies", "pages", "sites", "publishers"} {
		_, err := m.store.DB().ExecContext(context.Background(), "DELETE FROM "+table)
		must(m, err)
	}
}
