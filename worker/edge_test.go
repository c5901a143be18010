//go:build edge

package worker_test

import (
	"context"
	"crypto/rand"
	"database/sql"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"colophon/internal/inquiry"
	"colophon/internal/openapi/openapitest"
	"colophon/internal/originsql"
	"colophon/internal/originsql/d1rest"
	"colophon/internal/originsql/origintest"
	"colophon/worker/edge"
	"colophon/worker/edgehttp"
	"colophon/worker/edgelab/labhost"
)

// TestLicensingAtTheEdge tests licensing under workerd with a real D1: it sends requests to the deployed worker over
// HTTP, and reads and changes its database through D1's API.
func TestLicensingAtTheEdge(t *testing.T) {
	wideHost, ownHost := startEdge(t, false), startEdge(t, true)
	for _, name := range scripts(t) {
		t.Run("script/"+name, func(t *testing.T) {
			text := readScript(t, name)
			h := wideHost
			if defaultLimits(text) {
				h = ownHost
			}
			replay(t, name, text, h)
		})
	}
	t.Run("race", func(t *testing.T) {
		s := edgeService(t, wideHost)
		var done atomic.Int64
		start := time.Now()
		const keys = 50
		answers := race(t, wideHost.URL, keys*callsPerKey, &done)
		t.Logf("%d calls in %v", done.Load(), time.Since(start).Round(time.Millisecond))
		checkRace(t, s.store, keys, answers)
	})
	t.Run("hostile bodies", func(t *testing.T) {
		hostile(t, edgeService(t, wideHost), 1000)
	})
}

// startEdge runs the worker, either with the limits of limit.DefaultPolicies,
// counted by the worker's own clock, or with wide ones.
func startEdge(t *testing.T, defaults bool) *labhost.Host {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "colophon-edge") // the local D1 waits for the disk after every statement
	if err != nil {
		dir = t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	p := labhost.Product{Dist: filepath.Join(dir, "dist"), Secret: testSecret, Vars: map[string]string{"BASE_URL": testBase, "PROOF_BITS": "10", "SIGNER_DIRECTORY": signerKeys()}}
	if defaults {
		p.OwnLimits = true
	} else {
		p.WideBinds = true
		p.Vars["RATE_LIMITS"] = wideWords()
	}
	for key, text := range publishedFiles() {
		file := filepath.Join(p.Dist, key)
		must(t, os.MkdirAll(filepath.Dir(file), 0o755))
		must(t, os.WriteFile(file, text, 0o644))
	}
	h, err := p.Start(context.WithoutCancel(t.Context()), dir)
	must(t, err)
	t.Cleanup(func() {
		h.Stop() //nolint:errcheck // it has ended
		if t.Failed() {
			log, _ := os.ReadFile(h.Log)
			t.Logf("the worker printed:\n%s", log[max(0, len(log)-4000):])
		}
	})
	return h
}

// wideWords returns wide limits in the form of RATE_LIMITS.
func wideWords() string {
	var words []string
	for _, p := range wide() {
		for _, q := range p.Quotas {
			words = append(words, fmt.Sprintf("%s=%d", q.Name, q.Calls))
		}
	}
	return strings.Join(words, " ")
}

// edgeService returns a service whose handler is the worker, on a new database
// with the seed.
func edgeService(t *testing.T, h *labhost.Host) *service {
	t.Helper()
	d1 := d1rest.New(h.URL+labhost.D1, "")
	db := sql.OpenDB(d1)
	defer db.Close()
	must(t, origintest.Renew(db))
	s := &service{store: originsql.Over(d1), platform: true}
	must(t, seed(context.Background(), s.store))
	s.deps = depsOf(s.store, s.now)
	s.handle = openapitest.Handler(t, over(t, h.URL))
	s.inquiries = inquiry.Service{Store: s.store, Now: s.now, Rand: rand.Reader}
	s.moved = func(shift time.Duration) {
		res, err := http.Get(fmt.Sprintf("%s/-shift/%d", h.URL, shift.Milliseconds()))
		must(t, err)
		res.Body.Close()
		if res.StatusCode != 200 {
			t.Fatalf("the clock of the worker answered %d", res.StatusCode)
		}
	}
	return s
}

// over returns a handler that sends requests to a server.
func over(t *testing.T, base string) edge.Handler {
	client := &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 8},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	t.Cleanup(client.CloseIdleConnections)
	return func(ctx context.Context, r *edge.Request) *edge.Response {
		target := base + r.Path
		if r.Query != "" {
			target += "?" + r.Query
		}
		req, err := http.NewRequestWithContext(ctx, r.Method, target, strings.NewReader(string(r.Body)))
		must(t, err)
		for _, f := range r.Header {
			if f.Name == "host" {
				req.Host = f.Value
				continue
			}
			req.Header.Add(f.Name, f.Value)
		}
		req.Header.Set(labhost.RemoteHeader, r.Remote)
		res, err := client.Do(req)
		must(t, err)
		defer res.Body.Close()
		out := &edge.Response{Status: res.StatusCode}
		out.Body, err = io.ReadAll(res.Body)
		must(t, err)
		for name, values := range res.Header {
			for _, v := range values {
				out.Header = append(out.Header, edge.Field{Name: strings.ToLower(name), Value: v})
			}
		}
		sort.SliceStable(out.Header, func(i, j int) bool { return out.Header[i].Name < out.Header[j].Name })
		return out
	}
}

// replay runs a script natively, over HTTP, and at the edge, and compares the
// answers.
func replay(t *testing.T, name, text string, h *labhost.Host) {
	native := newService(t, withLimits(limitsOf(text)))
	remote := func(r *http.Request) string { return r.Header.Get(labhost.RemoteHeader) }
	srv := httptest.NewServer(edgehttp.New(native.handle, edgehttp.Options{Remote: remote}))
	t.Cleanup(srv.Close)
	native.handle = over(t, srv.URL)
	there := edgeService(t, h)
	// Both clocks start at the beginning of a day, so that no window ends
	// meanwhile.
	now := time.Now()
	ahead := now.Truncate(24 * time.Hour).Add(24 * time.Hour).Sub(now)
	native.later(ahead)
	there.later(ahead)
	t.Cleanup(func() { there.moved(0) })

	want := runScript(t, name, text, native)
	got := runScript(t, name, text, there)
	if len(want) != len(got) || len(want) == 0 {
		t.Fatalf("%d answers, natively %d", len(got), len(want))
	}
	p := newPairs()
	for i := range want {
		p.compare(t, want[i], got[i])
	}
	t.Logf("%d answers alike", len(want))
}
