//go:build edge

package edgelab_test

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"colophon/internal/originsql/d1http"
	"colophon/worker/edgelab/labhost"
)

// The configuration in tools/selfhost starts and serves the product's worker
// over published files.
func TestSelfHosting(t *testing.T) {
	dir := t.TempDir()
	db, err := labhost.OpenOrigin(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	origin := httptest.NewServer(d1http.New(db))
	defer origin.Close()
	dist, bodies := filepath.Join(dir, "dist"), filepath.Join(dir, "bodies")
	for path, text := range map[string]string{
		"v1/public/network-stats.json": `{"publishers":3}`,
		"publishers/a/index.html":      "<!doctype html><title>A</title>",
		".well-known/x.json":           `{}`,
	} {
		file := filepath.Join(dist, path)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(bodies, 0o755); err != nil {
		t.Fatal(err)
	}
	address, err := labhost.FreeAddress()
	if err != nil {
		t.Fatal(err)
	}
	w, err := labhost.Workerd{
		File: "tools/selfhost/colophon.capnp", Config: "config",
		Listen: map[string]string{"http": address},
		Remote: map[string]string{"origin": origin.Listener.Addr().String()},
		Files:  map[string]string{"dist": dist, "bodies": bodies},
		Env:    []string{"BASE_URL=http://" + address},
		Ready:  "/v1/public/network-stats",
	}.Start(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Stop()
	h := host{url: w.URL}
	for _, c := range []struct {
		target, contentType string
		status              int
	}{
		{"/v1/public/network-stats", "application/json; charset=utf-8", 200},
		{"/publishers/a/", "text/html; charset=utf-8", 200},
		{"/.well-known/x.json", "application/json; charset=utf-8", 200},
		{"/v1/public/none", "application/problem+json; charset=utf-8", 404},
		{"/none", "application/problem+json; charset=utf-8", 404},
	} {
		got := h.get(t, c.target)
		if got.status != c.status || got.header.Get("content-type") != c.contentType || !ridForm.MatchString(got.header.Get("request-id")) {
			t.Errorf("%s: %d %v %.200s", c.target, got.status, got.header, got.body)
		}
	}
}
