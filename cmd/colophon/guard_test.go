package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"colophon/internal/cli"
	"colophon/internal/cli/guard"
	"colophon/internal/registrydir"
)

// colophonRun runs a command and returns its output and exit code.
func colophonRun(t *testing.T, args ...string) (string, int) {
	t.Helper()
	var out bytes.Buffer
	code := runProgram(context.Background(), args, strings.NewReader(""), &out, &out, emptyEnvironment)
	return out.String(), code
}

// TestGuardAndVerifyEdge builds a publisher, puts the guard in front of its
// site and compares what the edge declares with what it does; then it checks
// the same site without the guard.
func TestGuardAndVerifyEdge(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "reg")
	for _, args := range [][]string{
		{"init", "--dir", dir, "--base-url", "https://registry.example", "--contact", "desk@registry.example"},
		{"publisher", "add", "harbor-ledger", "--dir", dir, "--name", "Harbor Ledger", "--site-url", "https://harbor-ledger.example",
			"--use", "rag=welcome:disallow", "--use", "training=not_offered:disallow", "--use", "search=unstated:allow"},
		{"publisher", "approve", "harbor-ledger", "--dir", dir}, {"build", "--dir", dir},
	} {
		if out, code := colophonRun(t, args...); code != 0 {
			t.Fatalf("%v: %s", args, out)
		}
	}
	var upstreamSaw []string
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		upstreamSaw = append(upstreamSaw, r.Method+" "+r.Host+r.URL.RequestURI()+" "+string(body))
		w.Header().Set("X-Own", "yes")
		fmt.Fprint(w, "the page")
	}))
	defer upstream.Close()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	e := &cli.Env{Dir: registrydir.Dir{Path: dir, Getenv: emptyEnvironment}, Stdout: io.Discard, Stderr: io.Discard}
	addr, ended := make(chan string, 1), make(chan error, 1)
	go func() {
		ended <- guard.Serve(ctx, e, guard.Settings{Upstream: upstream.URL, Site: "harbor-ledger", Addr: "127.0.0.1:0"}, func(a string) { addr <- a })
	}()
	var at string
	select {
	case at = <-addr:
	case err := <-ended:
		t.Fatal(err)
	}

	ask := func(method, path, ua, body string) (*http.Response, string) {
		t.Helper()
		req, err := http.NewRequest(method, "http://"+at+path, strings.NewReader(body))
		must(t, err)
		req.Host = "harbor-ledger.example"
		req.Header.Set("User-Agent", ua)
		resp, err := http.DefaultClient.Do(req)
		must(t, err)
		defer resp.Body.Close()
		text, _ := io.ReadAll(resp.Body)
		return resp, string(text)
	}
	resp, text := ask("POST", "/form?a=%2Fb", "Mozilla/5.0 Firefox/128.0", "a person's words")
	if resp.StatusCode != 200 || text != "the page" || resp.Header.Get("X-Own") != "yes" || upstreamSaw[0] != "POST harbor-ledger.example/form?a=%2Fb a person's words" {
		t.Errorf("a person got %d %q, the site saw %q", resp.StatusCode, text, upstreamSaw)
	}
	seen := len(upstreamSaw)
	resp, text = ask("GET", "/shipping/tides", "GPTBot/1.0", "")
	if resp.StatusCode != 403 || !strings.Contains(text, `"reason_code":"use_not_offered"`) || len(upstreamSaw) != seen {
		t.Errorf("an agent got %d %s", resp.StatusCode, text)
	}
	if resp, _ = ask("GET", "/robots.txt", "GPTBot/1.0", ""); resp.StatusCode != 200 {
		t.Errorf("robots.txt: %d", resp.StatusCode)
	}

	connect := "harbor-ledger.example:80=" + at
	out, code := colophonRun(t, "verify-edge", "harbor-ledger", "--dir", dir, "--http", "--connect-to", connect)
	if code != 0 || !strings.Contains(out, "3 samples, 0 mismatches, 0 unreachable") {
		t.Errorf("guarded: %d\n%s", code, out)
	}
	out, code = colophonRun(t, "verify-edge", "harbor-ledger", "--dir", dir, "--http", "--connect-to", "harbor-ledger.example:80="+strings.TrimPrefix(upstream.URL, "http://"), "--json")
	if code != 0 || strings.Count(out, `"result":"not_told_apart"`) != 2 || !strings.Contains(out, `"result":"match"`) {
		t.Errorf("unguarded: %d\n%s", code, out)
	}
	blocked := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.Contains(r.UserAgent(), "inference") {
			w.WriteHeader(403)
		}
	}))
	defer blocked.Close()
	out, code = colophonRun(t, "verify-edge", "harbor-ledger", "--dir", dir, "--http", "--connect-to", "harbor-ledger.example:80="+strings.TrimPrefix(blocked.URL, "http://"))
	if code != 1 || !strings.Contains(out, "declared open, answered 403") || !strings.Contains(out, "declared 402, answered 200") || !strings.Contains(out, "the denial links to no licence") {
		t.Errorf("another edge: %d\n%s", code, out)
	}
	out, code = colophonRun(t, "verify-edge", "harbor-ledger", "--dir", dir, "--http", "--connect-to", "harbor-ledger.example:80=127.0.0.1:1")
	if code != 1 || !strings.Contains(out, "none of 3 samples at harbor-ledger was answered") || !strings.Contains(out, "refused") {
		t.Errorf("no edge: %d\n%s", code, out)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestGuardRefusesBadSettings(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "reg")
	if out, code := colophonRun(t, "init", "--dir", dir, "--base-url", "https://registry.example"); code != 0 {
		t.Fatal(out)
	}
	for want, args := range map[string][]string{
		"must be http(s)": {"guard", "--dir", dir, "--upstream", "ftp://x", "--site", "a-site"},
		"not a publisher": {"guard", "--dir", dir, "--upstream", "http://127.0.0.1:1", "--site", "A/../b"},
		"has no policy":   {"guard", "--dir", dir, "--upstream", "http://127.0.0.1:1", "--site", "a-site"},
		"no contact":      {"verify-edge", "a-site", "--dir", dir},
		"has no pack":     {"verify-edge", "a-site", "--dir", dir, "--contact", "desk@x.example"},
	} {
		if out, code := colophonRun(t, args...); code == 0 || !strings.Contains(out, want) {
			t.Errorf("%v: %d %s", args, code, out)
		}
	}
}
