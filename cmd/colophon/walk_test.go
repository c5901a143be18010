package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"colophon/exports"
	"colophon/internal/assert"
	"colophon/internal/demo/guests"
	"colophon/internal/openapi"
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

// listPage has the members that all lists share.
type listPage struct {
	Data  []json.RawMessage
	Page  *struct{ Total *int }
	Links struct{ Next string }
}

// walkLists follows every public list to its end: a list that is cut must say
// so and continue until everything that its total counts has been returned.
func walkLists(t *testing.T, f guests.Facts) {
	walked, cut := 0, 0
	for _, e := range exports.Surface {
		if e.Method != "GET" || e.Auth != exports.Open || e.Media != exports.MediaJSON {
			continue
		}
		target := concrete(e.Path, f)
		if e.ID == "search_content_catalog" {
			target += "?q=harbor"
		}
		if len(e.Query) > 0 && e.Made == exports.Computed && e.ID != "search_content_catalog" && e.ID != "ledger_search" {
			continue // it answers about a single thing
		}
		got, total, pages := 0, 0, 0
		for next := target; next != "" && pages < 200; pages++ {
			var l listPage
			if err := json.Unmarshal(sendRequest(t, "GET", f.BaseURL+next).body, &l); err != nil {
				t.Fatalf("%s: %v", next, err)
			}
			if l.Page == nil || l.Page.Total == nil {
				break // it is not a list
			}
			got, total, next = got+len(l.Data), *l.Page.Total, l.Links.Next
			if u, err := url.Parse(next); err != nil || next != "" && u.Path != concrete(e.Path, f) {
				t.Errorf("%s leads on to %q", target, next)
			}
		}
		if pages == 0 {
			continue
		}
		walked++
		if pages > 1 {
			cut++
		}
		if got != total {
			t.Errorf("%s: %d records in %d pages, of %d", target, got, pages, total)
		}
	}
	if walked < 10 || cut < 4 {
		t.Errorf("%d lists were walked, %d of them in parts", walked, cut)
	}
}

// mcpTool is a tool as tools/list describes it.
type mcpTool struct {
	Name                      string
	InputSchema, OutputSchema map[string]any
}

// mcpAsk sends one JSON-RPC request and returns its result.
func mcpAsk(t *testing.T, url, bearer, method string, params, result any) {
	t.Helper()
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	must(t, err)
	req, err := http.NewRequestWithContext(t.Context(), "POST", url, bytes.NewReader(body))
	must(t, err)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	if bearer != "" {
		req.Header.Set("Authorization", "Bearer "+bearer)
	}
	resp, err := http.DefaultClient.Do(req)
	must(t, err)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	must(t, err)
	var got struct{ Result json.RawMessage }
	if err := json.Unmarshal(text, &got); err != nil || got.Result == nil {
		t.Fatalf("%s %s: %s %s", url, method, resp.Status, text)
	}
	must(t, json.Unmarshal(got.Result, result))
}

// toolResult is the result of a tool.
type toolResult struct {
	IsError           bool
	Content           []struct{ Text string }
	StructuredContent map[string]any
}

// walkedTools returns calls of every tool that the demo can answer. A URI is
// filled in once a search has found one.
func walkedTools(f guests.Facts) map[string]map[string][]map[string]any {
	public := map[string][]map[string]any{
		"search_content_catalog":      {{"q": "tide"}, {"q": "harbor", "limit": 3}, {"q": "tide", "limit": 0}, {"q": "nothing-has-this-word"}},
		"list_marketplace_categories": {{}},
		"get_marketplace_category":    {{"category_slug": f.Category}},
		"list_marketplace_publishers": {{}, {"category": f.Category}, {"limit": 2, "offset": 1}, {"limit": 50, "offset": 10000}},
		"get_publisher":               {{"site_id": f.SiteID}},
		"get_publisher_inventory":     {{"site_id": f.SiteID}, {"site_id": f.SiteID, "q": "tide", "limit": 3}, {"site_id": f.SiteID, "limit": 50, "offset": 5}},
		"get_network_stats":           {{}},
		"check_rights": {
			{"url": f.URL}, {"entry_id": f.EntryID, "uses": []string{"training"}, "territory": "DE", "user_type": "commercial"}, {"fingerprint": f.Fingerprint, "agent": "gptbot"}, {"url": "https://nobody.example/"},
		},
	}
	scoped := map[string][]map[string]any{
		"get_publisher":           {{}},
		"get_publisher_inventory": {{}, {"q": "tide"}, {"offset": 20}},
		"check_rights":            {{}, {"url": f.URL}, {"uses": []string{"rag", "training"}}},
	}
	licensed := map[string][]map[string]any{
		"rights_overview":         {{}},
		"list_licensed_sources":   {{}, {"type": "direct"}, {"type": "enterprise", "limit": 1}},
		"search_licensed_content": {{"q": "tide"}, {"q": "tide", "limit": 1}, {"q": "tide", "use": "rag", "source_ids": []string{f.SiteID}}},
		"read_licensed_content":   {{"uri": ""}, {"uri": "", "format": "text"}, {"uri": "", "format": "html"}},
	}
	return map[string]map[string][]map[string]any{"/mcp": public, "/mcp/publisher/" + f.SiteID: scoped, "/mcp/gateway": licensed}
}

// walkTools checks that each tool's results match its output schema, and that
// this schema is the description's for the operation of the same name.
func walkTools(t *testing.T, f guests.Facts) {
	bearer := f.BuyerCredentials["granted"]
	for path, calls := range walkedTools(f) {
		url := f.BaseURL + path
		var listed struct{ Tools []mcpTool }
		mcpAsk(t, url, "", "tools/list", map[string]any{}, &listed)
		if len(listed.Tools) != len(calls) {
			t.Errorf("%s: %d tools, %d are called", path, len(listed.Tools), len(calls))
		}
		uri := ""
		for _, tool := range listed.Tools {
			sharesSchema(t, f.BaseURL, &tool)
			in, out := strictSchema(t, tool.InputSchema), strictSchema(t, tool.OutputSchema)
			for _, arguments := range calls[tool.Name] {
				if _, wanted := arguments["uri"]; wanted {
					arguments["uri"] = uri
				}
				text, err := json.Marshal(arguments)
				must(t, err)
				name := path + " " + tool.Name + " " + string(text)
				if err := validJSON(in, text); err != nil {
					t.Errorf("%s: the arguments are not as the input schema says: %v", name, err)
				}
				var got toolResult
				mcpAsk(t, url, bearer, "tools/call", map[string]any{"name": tool.Name, "arguments": arguments}, &got)
				if got.IsError || got.StructuredContent == nil || len(got.Content) != 2 {
					t.Fatalf("%s: %+v", name, got)
				}
				if err := validJSON(out, []byte(got.Content[1].Text)); err != nil {
					t.Errorf("%s: the answer is not as the output schema says: %v", name, err)
				}
				var mirror map[string]any
				if err := json.Unmarshal([]byte(got.Content[1].Text), &mirror); err != nil || !reflect.DeepEqual(mirror, got.StructuredContent) {
					t.Errorf("%s: text and structured content differ", name)
				}
				if tool.Name == "search_licensed_content" {
					uri = got.StructuredContent["data"].([]any)[0].(map[string]any)["uri"].(string)
				}
			}
		}
	}
}

// componentOfTool returns the component of the description that a tool answers
// with, "" for tools without such an operation.
func componentOfTool(name string) string {
	switch name {
	case "search_licensed_content":
		return "item_list"
	case "read_licensed_content":
		return "item"
	case "check_rights":
		return openapi.Answers()["rights_check"]
	}
	return openapi.Answers()[name]
}

// sharesSchema compares a tool's output schema with the operation's published
// one.
func sharesSchema(t *testing.T, base string, tool *mcpTool) {
	t.Helper()
	component := componentOfTool(tool.Name)
	if component == "" {
		if tool.Name != "rights_overview" && tool.Name != "list_licensed_sources" {
			t.Errorf("%s answers like no operation", tool.Name)
		}
		return
	}
	var document map[string]any
	must(t, json.Unmarshal(sendRequest(t, "GET", base+"/openapi.json").body, &document))
	schemas := document["components"].(map[string]any)["schemas"].(map[string]any)
	want := resolved(schemas, schemas[component])
	if tool.Name == "check_rights" { // only the description says what a receipt signs
		receipt := want.(map[string]any)["properties"].(map[string]any)["receipt"].(map[string]any)["anyOf"].([]any)[0]
		receipt.(map[string]any)["properties"].(map[string]any)["payload"] = map[string]any{}
	}
	if !reflect.DeepEqual(want, any(tool.OutputSchema)) {
		t.Errorf("%s: the output schema is not that of %s", tool.Name, component)
	}
}

// resolved replaces references by the components.
func resolved(schemas map[string]any, v any) any {
	switch x := v.(type) {
	case map[string]any:
		if ref, ok := x["$ref"].(string); ok {
			return resolved(schemas, schemas[strings.TrimPrefix(ref, "#/components/schemas/")])
		}
		out := map[string]any{}
		for name, inner := range x {
			out[name] = resolved(schemas, inner)
		}
		return out
	case []any:
		out := make([]any, len(x))
		for i := range x {
			out[i] = resolved(schemas, x[i])
		}
		return out
	}
	return v
}

// strictSchema compiles a schema and forbids members that it does not define.
func strictSchema(t *testing.T, schema map[string]any) *jsonschema.Schema {
	t.Helper()
	text, err := json.Marshal(schema)
	must(t, err)
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	must(t, err)
	openapitest.CloseObjects(v)
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	must(t, compiler.AddResource("urn:tool", v))
	compiled, err := compiler.Compile("urn:tool")
	must(t, err)
	return compiled
}

func validJSON(schema *jsonschema.Schema, text []byte) error {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return err
	}
	return schema.Validate(v)
}
