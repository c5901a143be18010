//go:build edge

package worker_test

import (
	"encoding/base64"
	"io"
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
	"colophon/internal/originsql/origintest"
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
		Env: []string{"BASE_URL=http://" + address, "RATE_LIMITS=content=1000000 gateway=1000000", "SIGNING_KEY=" + base64.RawURLEncoding.EncodeToString([]byte(checkpointSeed))}, Ready: "/v1/public/network-stats",
	}.Start(t.Context(), dir)
	must(t, err)
	t.Cleanup(func() { w.Stop() })
	return m, w.URL
}

// onD1 starts the worker under wrangler dev, with a D1 database that the test
// changes through the same binding, also by single statements.
func onD1(t *testing.T) (m *market, base string, run func(statement string) error) {
	t.Helper()
	w, err := labhost.StartDoor(t.Context(), t.TempDir())
	must(t, err)
	t.Cleanup(func() { w.Stop() })
	t.Setenv(origintest.Variable, w.URL+"/door")
	store, run := origintest.Open(t)
	return &market{TB: t, service: &service{store: store}, real: true}, w.URL, run
}

// After every pull the mirror is exactly what the buyer may hold: the worker
// under workerd, on a real D1.
func TestMirrorAtTheEdge(t *testing.T) {
	m, base, run := onD1(t)
	rapid.Check(t, func(r *rapid.T) {
		m.wipe(run)
		heard := &strings.Builder{}
		drive(r, m, base, t.TempDir(), &http.Client{Transport: seen{http.DefaultTransport, heard}}, heard)
	})
}

// ask sends a question to a server that runs.
func ask(t testing.TB, base, credential, target string) answer {
	t.Helper()
	req, err := http.NewRequest("GET", base+target, nil)
	must(t, err)
	req.Header.Set("Authorization", "Bearer "+credential)
	res, err := http.DefaultClient.Do(req)
	must(t, err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	return answer{status: res.StatusCode, body: string(body), cut: err}
}

// No request that begins after a right has ended gets content, for all ways in
// which it ends and all ways to ask.
func TestRevocationRaceAtTheEdge(t *testing.T) {
	m, base, _ := onD1(t)
	raceRevocations(t, m, raceRounds(3), func(r raceRequest, credential string, take func(string)) {
		req, err := http.NewRequest(r.method, base+r.target, strings.NewReader(r.body))
		must(t, err)
		req.Header.Set("Authorization", "Bearer "+credential)
		if r.body != "" {
			req.Header.Set("Content-Type", "application/json")
		}
		res, err := http.DefaultClient.Do(req)
		must(t, err)
		defer res.Body.Close()
		body, _ := io.ReadAll(res.Body) // a cut is one way to stop
		take(string(body))
	})
}

// A feed that is cut at random bytes goes on without loss or duplicate.
func TestFeedResumesAfterCutsAtTheEdge(t *testing.T) {
	m, base := atTheEdge(t)
	feedAfterCuts(m, base)
}

// The key stays with the runtime, and signs as the native one does.
func TestCheckpointSignatureAtTheEdge(t *testing.T) {
	m, base := atTheEdge(t)
	checkpointSigned(t, m, func(credential, target string) answer { return ask(t, base, credential, target) })
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
func (m *market) wipe(run func(statement string) error) {
	m.Helper()
	for _, table := range []string{"snapshot_items", "snapshots", "holdings", "feeds", "grant_sites", "grants", "buyer_credentials", "buyers", "editions", "bodies", "pages", "sites", "publishers"} {
		must(m, run("DELETE FROM "+table))
	}
}
