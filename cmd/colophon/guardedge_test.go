//go:build edge

package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"colophon/worker/edgelab/labhost"
)

// TestVerifyEdgeUnderWorkerd builds a publisher, puts the guard under workerd
// in front of its site, with the build as the registry, and checks what it
// declares.
func TestVerifyEdgeUnderWorkerd(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "reg")
	for _, args := range [][]string{
		{"init", "--dir", dir, "--base-url", "http://registry.example", "--contact", "desk@registry.example"},
		{"publisher", "add", "harbor-ledger", "--dir", dir, "--name", "Harbor Ledger", "--site-url", "https://harbor-ledger.example",
			"--use", "rag=welcome:disallow", "--use", "training=not_offered:disallow", "--use", "search=unstated:allow"},
		{"publisher", "approve", "harbor-ledger", "--dir", dir}, {"build", "--dir", dir},
	} {
		if out, code := colophonRun(t, args...); code != 0 {
			t.Fatalf("%v: %s", args, out)
		}
	}
	registry := http.FileServerFS(os.DirFS(filepath.Join(dir, "dist")))
	site := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "the page") })
	w, stop, err := labhost.Guard{Site: site, Outside: registry, Env: []string{"BASE_URL=http://registry.example", "GUARD_SITE=harbor-ledger"}}.Start(t.Context(), t.TempDir())
	must(t, err)
	defer stop()
	verify := func(of string) (string, int) {
		return colophonRun(t, "verify-edge", of, "--dir", dir, "--http", "--connect-to", "harbor-ledger.example:80="+w.Address())
	}
	out, code := verify("harbor-ledger")
	if code != 0 || !strings.Contains(out, "3 samples, 0 mismatches") || strings.Count(out, "match ") < 3 || !strings.Contains(out, "answered 402") || !strings.Contains(out, "answered 403") {
		t.Errorf("verify-edge: %d\n%s", code, out)
	}

	// The policy changes while the guard still applies the previous one, which
	// must be noticed.
	for _, args := range [][]string{
		{"publisher", "set", "harbor-ledger", "--dir", dir, "--use", "training=unstated:allow"}, {"build", "--dir", dir},
	} {
		if out, code := colophonRun(t, args...); code != 0 {
			t.Fatalf("%v: %s", args, out)
		}
	}
	if out, code = verify("harbor-ledger"); code != 1 || !strings.Contains(out, "declared open, answered 403") {
		t.Errorf("verify-edge after a change that the edge does not know yet: %d\n%s", code, out)
	}
}
