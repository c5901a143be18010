package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"colophon/exports"
	"colophon/internal/assert"
	"colophon/internal/demo/guests"
	"colophon/internal/openapi/openapitest"
	"colophon/internal/registrydir"
	"colophon/internal/wire"
)

// demoServer starts the demo as an operator would, in a separate process, and
// returns its examples. With COLOPHON_BASE and COLOPHON_DEMO set it uses a
// running server.
func demoServer(t *testing.T) guests.Facts {
	t.Helper()
	if base := os.Getenv("COLOPHON_BASE"); base != "" {
		f := readDemo(t, os.Getenv("COLOPHON_DEMO"))
		f.BaseURL = base
		return f
	}
	dir := t.TempDir()
	startServer(t, "demo", "--dir", dir)
	return readDemo(t, filepath.Join(dir, registrydir.DemoFile))
}

func readDemo(t *testing.T, path string) (f guests.Facts) {
	t.Helper()
	data, err := os.ReadFile(path)
	must(t, err)
	must(t, json.Unmarshal(data, &f))
	return f
}

type reply struct {
	*http.Response
	body []byte
}

func sendRequest(t *testing.T, method, url string, header ...string) reply {
	t.Helper()
	req, err := http.NewRequestWithContext(context.Background(), method, url, nil)
	must(t, err)
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	transport := &http.Transport{DisableCompression: true, DisableKeepAlives: false}
	defer transport.CloseIdleConnections()
	client := http.Client{
		Transport:     openapitest.Through(transport),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	resp, err := client.Do(req)
	must(t, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	must(t, err)
	return reply{resp, body}
}

// concrete puts the demo's examples into an endpoint's path.
func concrete(path string, f guests.Facts) string {
	return strings.NewReplacer("{site_id}", f.SiteID, "{entry_id}", f.EntryID, "{category_slug}", f.Category).Replace(path)
}

// isPublished reports whether an endpoint without parameters is answered from a
// file.
func isPublished(e exports.Endpoint) bool {
	return e.Method == "GET" && (e.Made == exports.FromFile || e.Made == exports.Listed)
}

// TestWalk requests every published path of the service as a client would,
// follows its lists, calls its tools and audits its log.
func TestWalk(t *testing.T) {
	t.Parallel()
	f := demoServer(t)
	walked := 0
	for _, e := range exports.Surface {
		if !isPublished(e) {
			continue
		}
		walked++
		t.Run(e.ID, func(t *testing.T) { walk(t, e, f) })
	}
	if walked < 29 {
		t.Errorf("only %d endpoints were walked", walked)
	}
	t.Run("pages", func(t *testing.T) { walkPages(t, f) })
	t.Run("partners", func(t *testing.T) { walkPartners(t, f) })
	t.Run("sandbox", func(t *testing.T) { walkSandbox(t, f.BaseURL) })
	t.Run("unknown", func(t *testing.T) { walkUnknown(t, f.BaseURL) })
	t.Run("lists", func(t *testing.T) { walkLists(t, f) })
	t.Run("tools", func(t *testing.T) { walkTools(t, f) })
	t.Run("ledger", func(t *testing.T) { walkLedger(t, f) })
	t.Run("readiness", func(t *testing.T) { // every level is listed
		for _, level := range exports.ReadinessLevels {
			got := sendRequest(t, "GET", f.BaseURL+exports.PathMap+"?readiness="+level)
			if !strings.Contains(string(got.body), `"readiness":"`+level+`"`) {
				t.Errorf("no publisher is %s: %s", level, got.body)
			}
		}
	})
}

func walk(t *testing.T, e exports.Endpoint, f guests.Facts) {
	url := f.BaseURL + concrete(e.Path, f)
	got := sendRequest(t, "GET", url)
	if got.StatusCode != 200 {
		t.Fatalf("GET %s: %s: %s", url, got.Status, got.body)
	}
	assert.Equal(t, got.Header.Get("Content-Type"), e.Media, "content type")
	for name, want := range map[string]string{
		"Access-Control-Allow-Origin": "*", "X-Content-Type-Options": "nosniff", "Service-Version": exports.Version, "Referrer-Policy": "no-referrer",
	} {
		assert.Equal(t, got.Header.Get(name), want, "%s", name)
	}
	if !strings.HasPrefix(got.Header.Get("Cache-Control"), "public, max-age=") || !strings.HasPrefix(got.Header.Get("Request-Id"), "rid_") {
		t.Errorf("headers: %v", got.Header)
	}
	tag := got.Header.Get("Etag")
	if r := sendRequest(t, "GET", url, "If-None-Match", tag); tag == "" || r.StatusCode != 304 || len(r.body) != 0 {
		t.Errorf("with If-None-Match %s: %s", tag, r.Status)
	}
	if r := sendRequest(t, "HEAD", url); r.StatusCode != 200 || len(r.body) != 0 || r.Header.Get("Etag") != tag || r.ContentLength != int64(len(got.body)) && r.ContentLength != -1 {
		t.Errorf("HEAD: %s, %d bytes, ETag %s, length %d of %d", r.Status, len(r.body), r.Header.Get("Etag"), r.ContentLength, len(got.body))
	}
	if r := sendRequest(t, "OPTIONS", url); r.StatusCode != 204 || !strings.Contains(r.Header.Get("Allow"), "GET") || r.Header.Get("Access-Control-Allow-Methods") == "" {
		t.Errorf("OPTIONS: %s %v", r.Status, r.Header)
	}
	problem(t, sendRequest(t, "DELETE", url), 405, "method_not_allowed")
	problem(t, sendRequest(t, "GET", url+"?colour=blue"), 400, "unknown_parameter")
	problem(t, sendRequest(t, "GET", url, "Accept", "image/png"), 406, "not_acceptable")
	if r := sendRequest(t, "GET", url, "Accept-Encoding", "gzip"); r.Header.Get("Content-Encoding") == "gzip" && r.Header.Get("Etag") == tag {
		t.Error("two representations share an ETag")
	}
	if e.Media == exports.MediaJSON {
		document(t, got.body, e)
	}
}

// document checks what every JSON answer must have.
func document(t *testing.T, body []byte, e exports.Endpoint) {
	t.Helper()
	v, err := wire.Parse(body, wire.Limits{Bytes: 1 << 26, Depth: 32, Members: 1 << 16, Floats: true})
	must(t, err)
	assert.Equal(t, string(v.Append(nil)), string(body), "not canonical JSON")
	if e.ID == "get_record" { // its passport says so, since the record itself has a fixed form
		v = *v.Get("rights_passport")
	}
	if g := v.Get("grants_rights"); g == nil || g.Kind != wire.KindBool || g.Bool {
		t.Error("it does not say that it grants no rights")
	}
}

// problem checks an error answer.
func problem(t *testing.T, r reply, status int, code string) {
	t.Helper()
	var p struct {
		Code, Type, Title, Instance string
		Status                      int
		RequestID                   string `json:"request_id"`
		Grants                      *bool  `json:"grants_rights"`
	}
	if err := json.Unmarshal(r.body, &p); err != nil {
		t.Errorf("%s: %v: %s", code, err, r.body)
		return
	}
	if r.StatusCode != status || p.Status != status || p.Code != code || r.Header.Get("Content-Type") != exports.MediaProblem || p.Grants == nil || *p.Grants {
		t.Errorf("want %d %s, got %s: %s", status, code, r.Status, r.body)
	}
	if p.RequestID != r.Header.Get("Request-Id") || p.Instance != "urn:rid:"+p.RequestID || p.Title == "" {
		t.Errorf("%s: %s", code, r.body)
	}
	if status == 405 && r.Header.Get("Allow") == "" {
		t.Error("405 without Allow")
	}
}

// walkPages requests the pages for people and follows every link of the home
// page. editorPolicy is what one page may do beyond all others: compile Wasm.
var editorPolicy = map[string]string{"/editor/": "'wasm-unsafe-eval'"}

func walkPages(t *testing.T, f guests.Facts) {
	for _, path := range []string{
		"/", "/catalog/", "/categories/", "/publishers/", "/rights-map/", "/ledger/", "/demand/", "/verify/", "/editor/", "/developers/", "/developers/reference/", "/problems/",
		exports.PublisherPage(f.SiteID), exports.CategoryPage(f.Category), exports.CitationPage(f.EntryID), exports.MapPage(f.SiteID), exports.ProblemPath("no_match"),
	} {
		r := sendRequest(t, "GET", f.BaseURL+path, "Accept", "text/html")
		if r.StatusCode != 200 || r.Header.Get("Content-Type") != exports.MediaHTML || !strings.Contains(string(r.body), "</html>") {
			t.Errorf("%s: %s", path, r.Status)
		}
		if csp := r.Header.Get("Content-Security-Policy"); strings.Contains(strings.Replace(csp, editorPolicy[path], "", 1), "unsafe") || !strings.Contains(csp, "default-src 'none'") {
			t.Errorf("%s: content security policy %q", path, csp)
		}
		for _, link := range pageLinks(string(r.body)) {
			if l := sendRequest(t, "GET", f.BaseURL+link); l.StatusCode >= 400 && l.StatusCode != 501 {
				t.Errorf("%s links to %s: %s", path, link, l.Status)
			}
		}
	}
	if r := sendRequest(t, "GET", f.BaseURL+"/publishers"); r.StatusCode != 308 || r.Header.Get("Location") != "/publishers/" {
		t.Errorf("a page without its slash: %s to %q", r.Status, r.Header.Get("Location"))
	}
	for path, media := range map[string]string{
		"/robots.txt": exports.MediaText, "/sitemap.xml": exports.MediaXML, "/openapi.json": exports.MediaJSON, "/llms.txt": exports.MediaText,
		"/favicon.svg": "image/svg+xml", "/feeds/publishers.rss": "application/rss+xml; charset=utf-8",
	} {
		if r := sendRequest(t, "GET", f.BaseURL+path); r.StatusCode != 200 || r.Header.Get("Content-Type") != media {
			t.Errorf("%s: %s %s", path, r.Status, r.Header.Get("Content-Type"))
		}
	}
}

// pageLinks returns the local addresses that a page refers to.
func pageLinks(html string) []string {
	var out []string
	seen := map[string]bool{}
	for _, attr := range []string{`href="/`, `src="/`} {
		for rest := html; ; {
			i := strings.Index(rest, attr)
			if i < 0 {
				break
			}
			rest = rest[i+len(attr)-1:]
			link, _, _ := strings.Cut(rest, `"`)
			link, _, _ = strings.Cut(link, "#")
			link = strings.ReplaceAll(link, "&amp;", "&")
			if !seen[link] {
				seen[link] = true
				out = append(out, link)
			}
		}
	}
	return out
}

func walkUnknown(t *testing.T, base string) {
	for path, code := range map[string]string{
		exports.PublisherPath("nobody"): "site_not_found", exports.InventoryPath("nobody"): "site_not_found", exports.MapPublisherPath("nobody"): "site_not_found",
		exports.SiteRecordsPath("nobody"): "site_not_found", exports.CategoryPath("nothing"): "category_not_found", exports.RecordPath("ent_0"): "entry_not_found",
		exports.CitationPath("ent_0"): "entry_not_found", "/v1/public/nothing": "not_found", "/nothing": "not_found", "/_build/state.json": "not_found", "/.assetsignore": "not_found",
		"/..%2f..%2forigin.db": "not_found", "/v1/public/../../../origin.db": "not_found", "/%2e%2e/origin.db": "not_found",
	} {
		problem(t, sendRequest(t, "GET", base+path), 404, code)
	}
	for i := range 50 { // garbage must never crash it
		r := sendRequest(t, "GET", fmt.Sprintf("%s/v1/public/licensing-feed?%%%d=%%ff&&&limit=%d", base, i, -i))
		if r.StatusCode >= 500 {
			t.Errorf("garbage %d: %s", i, r.Status)
		}
	}
}

// walkSandbox runs every example, and one that does not exist.
func walkSandbox(t *testing.T, base string) {
	run := func(body string) reply {
		t.Helper()
		resp, err := http.Post(base+"/v1/public/developer/sandbox/run", "application/json", strings.NewReader(body))
		must(t, err)
		defer resp.Body.Close()
		text, err := io.ReadAll(resp.Body)
		must(t, err)
		return reply{resp, text}
	}
	for _, example := range exports.SandboxExamples {
		r := run(`{"example":"` + example + `"}`)
		var got struct {
			Sandbox, Transactional bool
			Response               struct {
				Status int
				Body   json.RawMessage
			}
		}
		if err := json.Unmarshal(r.body, &got); err != nil || r.StatusCode != 200 || !got.Sandbox || got.Transactional {
			t.Errorf("%s: %s %v: %s", example, r.Status, err, r.body)
			continue
		}
		if want := 200; got.Response.Status != want && example != "rights_check" || !strings.Contains(string(got.Response.Body), "sandbox-") && example != "provenance_verify" && example != "rights_check" {
			t.Errorf("%s answered %d: %s", example, got.Response.Status, got.Response.Body)
		}
		if example == "provenance_verify" && !strings.Contains(string(got.Response.Body), `"valid":true`) {
			t.Errorf("the sandbox record does not verify: %s", got.Response.Body)
		}
	}
	problem(t, run(`{"example":"steal_everything"}`), 422, "validation_failed")
	problem(t, run(`{"example":`), 400, "malformed_json")
}

// walkPartners tries the keys of the demo.
func walkPartners(t *testing.T, f guests.Facts) {
	status, search := f.BaseURL+"/v1/partner/status", f.BaseURL+"/v1/partner/catalog/search?verified=1"
	for name, want := range map[string][2]int{"full": {200, 200}, "status_only": {200, 403}, "suspended": {403, 403}} {
		key := f.PartnerKeys[name]
		if r := sendRequest(t, "GET", status, "Authorization", "Bearer "+key); key == "" || r.StatusCode != want[0] {
			t.Errorf("%s: status %s: %s", name, r.Status, r.body)
		}
		if r := sendRequest(t, "GET", search, "X-Service-Partner-Key", key); r.StatusCode != want[1] {
			t.Errorf("%s: search %s: %s", name, r.Status, r.body)
		}
	}
	problem(t, sendRequest(t, "GET", status), 401, "credential_missing")
	problem(t, sendRequest(t, "GET", status, "Authorization", "Bearer ptk_test_nonsense"), 401, "credential_invalid")
}
