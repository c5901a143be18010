package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"colophon/internal/assert"
	"colophon/internal/cli"
	"colophon/internal/cli/guard"
	"colophon/internal/registrydir"
)

// signalsOf returns the readiness signals in the published map.
func (w *webWorld) signalsOf(siteID string) (level string, states map[string]string) {
	w.t.Helper()
	var r struct {
		Readiness string `json:"readiness"`
		Signals   []struct {
			Signal, State, Evidence string
			CheckedAt               string `json:"checked_at"`
		} `json:"readiness_signals"`
	}
	must(w.t, json.Unmarshal([]byte(w.published("v1/public/ai-rights-map/publishers/"+siteID+".json")), &r))
	states = map[string]string{}
	for _, s := range r.Signals {
		states[s.Signal] = s.State
		if s.State == "found" && (s.Evidence == "" || s.CheckedAt == "") {
			w.t.Errorf("%s is found without evidence and time", s.Signal)
		}
	}
	return r.Readiness, states
}

// storedSignals returns the readiness signals in the origin.
func (w *webWorld) storedSignals(siteID string) map[string]string {
	w.t.Helper()
	store, done := w.store()
	defer done()
	signals, err := store.Signals(context.Background(), siteID)
	must(w.t, err)
	states := map[string]string{}
	for _, s := range signals {
		states[s.Signal] = s.State
	}
	return states
}

// TestReadinessIsMeasured checks that a signal is unchecked until it is looked
// for, that each is found only by what is at the site, that an edge which does
// not do what it declares is not found, and that a finding becomes stale if the
// site is unreachable.
func TestReadinessIsMeasured(t *testing.T) {
	t.Parallel()
	w := newWebWorld(t)
	w.site()
	w.enrolSite()
	w.must("build")
	_, states := w.signalsOf("site-example")
	for _, name := range []string{"adapter", "urvp", "integration_hub", "edge_access_control", "signed_receipts"} {
		assert.Equal(t, states[name], "unchecked", "never looked at, %s", name)
	}
	w.must("import", "https://site.example/sitemap.xml", "--site", "site-example")
	w.must("build")
	_, states = w.signalsOf("site-example")
	for name, want := range map[string]string{"adapter": "not_found", "urvp": "unchecked", "integration_hub": "unchecked", "edge_access_control": "unchecked", "rsl": "found"} {
		if states[name] != want && !(want == "unchecked" && states[name] == "not_found" && name != "edge_access_control") {
			t.Errorf("after an import %s is %q, want %q", name, states[name], want)
		}
	}

	rules := `{"declared_posture": [` +
		`{"site_id": "site-example", "host": "site.example", "path": "/closed/*", "class": "training", "decision": "deny", "status": 403},` +
		`{"site_id": "site-example", "host": "site.example", "path": "/open/*", "class": "training", "decision": "allow", "status": 200}]}`
	const declared = "site.example/.well-known/service-access-response.json"
	w.put(declared, strings.ReplaceAll(rules, "site-example", "other-example"))
	check := func() map[string]string {
		w.must("readiness", "check", "site-example")
		return w.storedSignals("site-example")
	}
	if got := check(); got["adapter"] != "not_found" || got["edge_access_control"] != "not_found" {
		t.Errorf("the pack of another publisher counts: %v", got)
	}
	w.put(declared, rules)
	w.put("site.example/closed/", "open to all")
	w.put("site.example/", `<html><head><link rel="urvp" href="/urvp.json"><link rel="integration-hub" href="https://site.example/hub.json"></head><body><link rel="urvp" href="/guest.json"></body></html>`)
	w.put("site.example/urvp.json", "no JSON")
	w.put("site.example/hub.json", `{"hub": true}`)
	w.put("site.example/guest.json", `{}`)
	got := check()
	if got["adapter"] != "found" || got["edge_access_control"] != "not_found" || got["urvp"] != "not_found" || got["integration_hub"] != "found" {
		t.Errorf("an edge that does not deny: %v", got)
	}
	w.put("site.example/urvp.json", `{"a": 1}`)
	w.put("site.example/closed/", "! denied")
	if got := check(); got["edge_access_control"] != "found" || got["urvp"] != "found" {
		t.Errorf("an edge that denies: %v", got)
	}
	w.must("build")
	if _, states := w.signalsOf("site-example"); states["edge_access_control"] != "found" || states["urvp"] != "found" {
		t.Errorf("published are %v", states)
	}
	var report struct {
		Mismatches int
		Samples    []struct {
			Result string
		}
	}
	if err := json.Unmarshal([]byte(w.published("publishers/site-example/parity.json")), &report); err != nil || report.Mismatches != 0 || len(report.Samples) != 2 {
		t.Errorf("%v, parity.json %+v", err, report)
	}
	for of, text := range map[string]string{
		"the record on the map": w.published("v1/public/ai-rights-map/publishers/site-example.json"),
		"lint":                  w.must("lint", "https://site.example/", "--site", "site-example", "--json", "--dir", w.dir),
	} {
		if text = strings.ReplaceAll(text, " ", ""); strings.Count(text, `"edge":"match"`) == 0 || strings.Count(text, `"edge":"unchecked"`) == 0 {
			t.Errorf("%s does not say what the edge does:\n%s", of, text)
		}
	}
	if got := check(); got["signed_receipts"] != "not_found" {
		t.Errorf("a denial without a receipt: %v", got)
	}
	w.must("verify", filepath.Join(w.dir, "dist"))
	w.checkReceipts(check)

	w.put("site.example/", "! away")
	assert.Contains(t, "a site that is away", w.must("readiness", "check", "site-example", "--cheap"), "stale")
	if kept := w.storedSignals("site-example"); fmt.Sprint(kept) != "map[adapter:found edge_access_control:found integration_hub:stale signed_receipts:not_found urvp:stale]" {
		t.Errorf("kept %v", kept)
	}
	if _, err := os.Stat(filepath.Join(w.dir, "dist", "publishers", "site-example", "parity.json")); err != nil {
		t.Error(err)
	}
}

// checkReceipts puts the guard in front of a part of the site: without
// signatures, signing with the registry's key, and behind something that alters
// its answers.
func (w *webWorld) checkReceipts(check func() map[string]string) {
	t := w.t
	t.Helper()
	upstream := httptest.NewServer(http.NotFoundHandler())
	defer upstream.Close()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	guard := func(sign bool) string {
		e := &cli.Env{Dir: registrydir.Dir{Path: w.dir, Getenv: emptyEnvironment}, Sign: sign, Stdout: io.Discard, Stderr: io.Discard}
		addr, ended := make(chan string, 1), make(chan error, 1)
		go func() {
			ended <- guard.Serve(ctx, e, guard.Settings{Upstream: upstream.URL, Site: "site-example", Addr: "127.0.0.1:0"}, func(a string) { addr <- a })
		}()
		select {
		case a := <-addr:
			return a
		case err := <-ended:
			t.Fatalf("the guard did not start: %v", err)
			return ""
		}
	}
	w.put("site.example/closed/", "^ "+guard(false))
	if got := check(); got["edge_access_control"] != "found" || got["signed_receipts"] != "not_found" {
		t.Errorf("a guard that does not sign: %v", got)
	}
	signing := guard(true)
	w.put("site.example/closed/", "^ "+signing)
	if got := check(); got["edge_access_control"] != "found" || got["signed_receipts"] != "found" {
		t.Errorf("a guard that signs: %v", got)
	}
	w.must("build")
	if parity := w.published("publishers/site-example/parity.json"); strings.Count(parity, `"receipt":"valid"`) != 1 || strings.Count(parity, `"receipt":null`) != 1 {
		t.Errorf("parity.json is %s", parity)
	}
	altered := httptest.NewServer(&httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(&url.URL{Scheme: "http", Host: signing})
			r.Out.Host = r.In.Host
		},
		ModifyResponse: func(r *http.Response) error {
			body, err := io.ReadAll(r.Body)
			body = bytes.Replace(body, []byte(`"rel":"`), []byte(`"rel":"x`), 1)
			r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
			r.Header.Set("Content-Length", fmt.Sprint(len(body)))
			return err
		},
	})
	defer altered.Close()
	w.put("site.example/closed/", "^ "+altered.Listener.Addr().String())
	if got := check(); got["signed_receipts"] != "not_found" {
		t.Errorf("routes that the receipt is not about: %v", got)
	}
}
