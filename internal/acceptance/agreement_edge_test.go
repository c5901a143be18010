//go:build edge

package acceptance_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"colophon/internal/originsql/d1test"
	"colophon/worker/edge"
	"colophon/worker/edgelab/labhost"
	"colophon/worker/limit"
)

// TestSurfacesAgreeUnderWorkerd is TestSurfacesAgree with the worker that is
// deployed in place of the handler that asks the origin: over the same
// store and the same published files, at the same instant. What it answers is
// compared with what the native handler answers from published files alone, with
// prepare under workerd, the guard, and everything that is published.
// AGREE_SITES and AGREE_PAGES say how much.
func TestSurfacesAgreeUnderWorkerd(t *testing.T) {
	sites, pages := number("AGREE_SITES", 10), number("AGREE_PAGES", 4)
	store := openStore(t, filepath.Join(t.TempDir(), "origin.db"))
	chance := rand.New(rand.NewPCG(11, uint64(sites)))
	for i := range sites {
		drawSite(t, store, chance, "site-"+strconv.Itoa(i), pages)
	}
	a := newAgreement(t, store)
	a.every = number("AGREE_EVERY", 1)
	origin := httptest.NewServer(d1test.NewBinding(store.DB()))
	defer origin.Close()
	a.live = underWorkerd(t, string(a.dist), origin.Listener.Addr().String(), a.now)

	compared := a.compare()

	if compared != sites*pages {
		t.Errorf("compared %d pages, want %d", compared, sites*pages)
	}
	t.Logf("%d pages, %d questions", compared, len(a.asked))
}

// underWorkerd starts the product under workerd with a fixed clock and returns
// it as a handler.
func underWorkerd(t *testing.T, dist, origin string, now time.Time) edge.Handler {
	t.Helper()
	address, err := labhost.FreeAddress()
	must(t, err)
	host, err := labhost.Workerd{
		File: "worker/edgelab/clocked.capnp", Config: "config", Ready: "/-shift/0",
		Listen: map[string]string{"http": address}, Remote: map[string]string{"origin": origin}, Files: map[string]string{"dist": dist},
		Env: []string{"BASE_URL=" + testBase, "SERVICE_SECRET=" + base64.RawURLEncoding.EncodeToString(make([]byte, 32)), "RATE_LIMITS=" + wideWords()},
	}.Start(context.WithoutCancel(t.Context()), t.TempDir())
	must(t, err)
	t.Cleanup(func() { _ = host.Stop() })
	ask := func(method, target string, header edge.Header, body []byte) (int, []byte, error) {
		request, err := http.NewRequest(method, host.URL+target, bytes.NewReader(body))
		if err != nil {
			return 0, nil, err
		}
		for _, f := range header {
			request.Header.Add(f.Name, f.Value)
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			return 0, nil, err
		}
		defer response.Body.Close()
		text, err := io.ReadAll(response.Body)
		return response.StatusCode, text, err
	}
	_, told, err := ask("GET", fmt.Sprint("/-stop/", now.UnixMilli()), nil, nil)
	must(t, err)
	if at, err := time.Parse(time.RFC3339, string(told)); err != nil || !at.Equal(now) {
		t.Fatalf("the clock of the worker is at %s, not %s: %v", told, now, err)
	}
	return func(_ context.Context, r *edge.Request) *edge.Response {
		target := r.Path
		if r.Query != "" {
			target += "?" + r.Query
		}
		status, body, err := ask(r.Method, target, r.Header, r.Body)
		must(t, err)
		return &edge.Response{Status: status, Body: body}
	}
}

// wideWords returns limits that no test reaches, in the form of RATE_LIMITS.
func wideWords() string {
	var words []string
	for _, p := range limit.DefaultPolicies() {
		for _, q := range p.Quotas {
			words = append(words, q.Name+"=1000000000")
		}
	}
	return strings.Join(words, " ")
}
