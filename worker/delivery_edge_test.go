//go:build edge

package worker_test

import (
	"bytes"
	"encoding/base64"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"colophon/internal/mirror"
	"colophon/internal/origin"
	"colophon/internal/originsql/d1test"
	"colophon/internal/originsql/origintest"
	"colophon/worker/edgelab/labhost"
)

// atTheEdge starts workerd over a market's store, in real time.
func atTheEdge(t *testing.T) (*market, string) {
	t.Helper()
	m := newMarket(t)
	return m, serveAtTheEdge(t, m, d1test.NewBinding(m.store.DB()))
}

// serveAtTheEdge starts workerd, which reaches the market's store through a
// handler.
func serveAtTheEdge(t *testing.T, m *market, database http.Handler) (base string) {
	t.Helper()
	m.real = true
	served := httptest.NewServer(database)
	t.Cleanup(served.Close)
	dir := t.TempDir()
	dist, bodies := filepath.Join(dir, "dist"), filepath.Join(dir, "bodies")
	must(t, os.MkdirAll(filepath.Join(dist, "v1/public"), 0o755))
	must(t, os.WriteFile(filepath.Join(dist, "robots.txt"), []byte("User-agent: *\n"), 0o644))
	must(t, os.MkdirAll(bodies, 0o755))
	address, err := labhost.FreeAddress()
	must(t, err)
	w, err := labhost.Workerd{
		File: "worker/edgelab/product.capnp", Config: "config", Listen: map[string]string{"http": address},
		Remote: map[string]string{"origin": served.Listener.Addr().String()}, Files: map[string]string{"dist": dist, "bodies": bodies},
		Env: []string{"BASE_URL=http://" + address, "RATE_LIMITS=content=1000000 gateway=1000000", "SIGNING_KEY=" + base64.RawURLEncoding.EncodeToString([]byte(checkpointSeed))}, Ready: "/robots.txt",
	}.Start(t.Context(), dir)
	must(t, err)
	t.Cleanup(func() { w.Stop() })
	return w.URL
}

// onD1 starts the worker under wrangler dev, with a D1 database that the test
// changes through the same binding, and also by single statements.
func onD1(t *testing.T) (m *market, base string, run func(statement string) error) {
	t.Helper()
	w, err := labhost.StartDoor(t.Context(), t.TempDir())
	must(t, err)
	t.Cleanup(func() { w.Stop() })
	t.Setenv(origintest.Variable, w.URL+"/door")
	store, run := origintest.Open(t)
	return &market{TB: t, service: &service{store: store}, real: true}, w.URL, run
}

// TestMirrorAtTheEdge checks that after every pull the mirror is exactly what
// the buyer may hold, with the worker under workerd on a real D1.
func TestMirrorAtTheEdge(t *testing.T) {
	m, base, run := onD1(t)
	rapid.Check(t, func(r *rapid.T) {
		m.wipe(run)
		heard := &strings.Builder{}
		drive(r, m, base, t.TempDir(), &http.Client{Transport: seen{http.DefaultTransport, heard}}, heard)
	})
}

// ask sends a request to a running server.
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

// TestRevocationRaceAtTheEdge checks that no request which begins after a right
// has ended gets content, for all ways to end it and all ways to ask: on a real
// D1, and over SQLite, which is much faster and so gives errors of the worker
// itself more chances.
func TestRevocationRaceAtTheEdge(t *testing.T) {
	m, base, _ := onD1(t)
	raceRevocations(t, m, raceRounds(3), sendTo(t, base))
}

func TestRevocationRaceUnderWorkerd(t *testing.T) {
	m, base := atTheEdge(t)
	raceRevocations(t, m, raceRounds(3), sendTo(t, base))
}

// sendTo sends requests to a running server.
func sendTo(t *testing.T, base string) raceSend {
	return func(r raceRequest, credential string, take func(string)) {
		req, err := http.NewRequest(r.method, base+r.target, strings.NewReader(r.body))
		must(t, err)
		req.Header.Set("Authorization", "Bearer "+credential)
		if r.body != "" {
			req.Header.Set("Content-Type", "application/json")
		}
		res, err := http.DefaultClient.Do(req)
		must(t, err)
		defer res.Body.Close()
		body, _ := io.ReadAll(res.Body) // the answer may be cut
		take(string(body))
	}
}

// bodyGate is a database that lets a test act before a body is opened.
type bodyGate struct {
	http.Handler
	mu     sync.Mutex
	opened int
	before func(opened int)
}

// ServeHTTP passes a statement on.
func (g *bodyGate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	statement, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	if strings.Contains(string(statement), "JOIN bodies b") {
		g.mu.Lock()
		g.opened++
		g.before(g.opened)
		g.mu.Unlock()
	}
	r.Body = io.NopCloser(bytes.NewReader(statement))
	g.Handler.ServeHTTP(w, r)
}

// watch calls a function before each body that is opened from now on.
func (g *bodyGate) watch(before func(opened int)) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.opened, g.before = 0, before
}

// TestRightEndsInAStreamAtTheEdge checks that a right which ends during a
// stream ends before the next item, in every way. If it is the caller's own
// right, the stream is cut instead of completed.
func TestRightEndsInAStreamAtTheEdge(t *testing.T) {
	m := newMarket(t)
	gate := &bodyGate{Handler: d1test.NewBinding(m.store.DB()), before: func(int) {}}
	base := serveAtTheEdge(t, m, gate)
	credential := m.buyer("byr_main", "active")
	m.longPages("site-a", 4)
	m.grant(origin.Grant{GrantID: "grt_1", BuyerID: "byr_main"}, "site-a")

	for _, end := range raceEnds {
		if end.page != "" {
			continue // one page ends, and the stream continues
		}
		for _, target := range streams {
			t.Run(end.name+" "+target, func(t *testing.T) {
				gate.watch(func(int) {})
				if whole := ask(t, base, credential, target); whole.cut != nil || !strings.Contains(whole.body, token("ent_4", 1)) {
					t.Fatalf("before the end: %d %v, %d bytes", whole.status, whole.cut, len(whole.body))
				}
				gate.watch(func(opened int) {
					if opened == 3 {
						end.end(m, credentialID(credential))
					}
				})
				got := ask(t, base, credential, target)
				end.restore(m, credentialID(credential))

				if got.status != 200 || !strings.Contains(got.body, token("ent_1", 1)) || !strings.Contains(got.body, token("ent_2", 1)) {
					t.Errorf("what was sent before is missing: %d, %d bytes", got.status, len(got.body))
				}
				if strings.Contains(got.body, token("ent_3", 1)) || strings.Contains(got.body, token("ent_4", 1)) {
					t.Error("an item was sent after the right had ended")
				}
				if ofCaller := strings.HasPrefix(end.name, "credential"); ofCaller && got.cut == nil {
					t.Error("the answer ended as if it were whole")
				}
			})
		}
	}
}

// TestFeedResumesAfterCutsAtTheEdge checks that a feed cut at random bytes
// continues without loss or duplicates.
func TestFeedResumesAfterCutsAtTheEdge(t *testing.T) {
	m, base := atTheEdge(t)
	feedAfterCuts(m, base)
}

// TestCheckpointSignatureAtTheEdge checks that the key, which stays with the
// runtime, signs as the native one does.
func TestCheckpointSignatureAtTheEdge(t *testing.T) {
	m, base := atTheEdge(t)
	checkpointSigned(t, m, func(credential, target string) answer { return ask(t, base, credential, target) })
}

// TestManyItemsAtTheEdge delivers more items than one answer, or one instance's
// memory, can hold.
func TestManyItemsAtTheEdge(t *testing.T) {
	m, base := atTheEdge(t)
	n, _ := strconv.Atoi(os.Getenv("COLOPHON_DELIVERY_ITEMS"))
	if n == 0 {
		n = 6000
	}
	credential := m.stock(n, 3000)
	consumer := &mirror.Folder{Dir: t.TempDir(), Base: base, Credential: credential, Client: http.DefaultClient}
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

// wipe empties the delivery's tables, and the pages that it is about.
func (m *market) wipe(run func(statement string) error) {
	m.Helper()
	for _, table := range []string{"snapshot_items", "snapshots", "holdings", "feeds", "grant_sites", "grants", "buyer_credentials", "buyers", "editions", "bodies", "pages", "sites", "publishers"} {
		must(m, run("DELETE FROM "+table))
	}
}
