//go:build edge

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"colophon/exports"
	"colophon/internal/demo/guests"
	"colophon/internal/registrydir"
	"colophon/internal/withdrawn"
)

// TestSameAnswers sends the demo under workerd (tools/edge/with-served.sh) and
// the native server over the same folder the same requests, and requires the
// same answers: status, headers and bytes, except what necessarily differs.
// With -short it sends only some of the requests that differ only in the entry,
// and calls each endpoint in a third of the ways, a different third for the
// next endpoint.
func TestSameAnswers(t *testing.T) {
	base, dir := os.Getenv("BASE"), os.Getenv("DIR")
	if base == "" || dir == "" {
		t.Fatal("BASE and DIR are not set: run through tools/edge/with-served.sh")
	}
	f := readDemo(t, filepath.Join(dir, registrydir.DemoFile))
	p := &pair{edge: base, native: nativeTwin(t, dir)}
	for name, list := range map[string][]asked{
		"files":     everyFile(t, filepath.Join(dir, "dist")),
		"endpoints": everyEndpoint(f),
		"reads":     originReads(f),
		"errors":    wrongAddresses(),
	} {
		t.Run(name, func(t *testing.T) {
			if len(list) < 20 {
				t.Fatalf("only %d questions", len(list))
			}
			p.compareAll(t, list)
		})
	}
}

// TestWithdrawnOnBothHosts requests entries that were withdrawn after the demo
// was built ("make gate-edge"), whose files still exist: neither host may send
// them.
func TestWithdrawnOnBothHosts(t *testing.T) {
	base, dir := os.Getenv("BASE"), os.Getenv("DIR")
	data, err := os.ReadFile(filepath.Join(dir, "dist", filepath.FromSlash(withdrawn.Key)))
	must(t, err)
	var list struct{ Entries []string }
	if err := json.Unmarshal(data, &list); err != nil || len(list.Entries) == 0 {
		t.Fatalf("%v in %s", err, data)
	}
	p := &pair{edge: base, native: nativeTwin(t, dir)}
	for _, entry := range list.Entries {
		for _, path := range []string{exports.CitationPage(entry), exports.CitationPath(entry), exports.RecordPath(entry)} {
			if _, err := os.Stat(filepath.Join(dir, "dist", filepath.FromSlash(string(exports.KeyOf(path))))); err != nil {
				t.Errorf("%s would be missing anyhow: %v", path, err)
			}
			native, edge, differ, err := p.both(asked{method: "GET", target: path})
			if err != nil || native.status != http.StatusNotFound || len(differ) != 0 {
				t.Errorf("%s: %v, native %d, edge %d, %q", path, err, native.status, edge.status, differ)
			}
		}
	}
}

// nativeTwin serves a copy of the demo's origin and its published files.
func nativeTwin(t *testing.T, dir string) string {
	t.Helper()
	twin := t.TempDir()
	entries, err := os.ReadDir(dir)
	must(t, err)
	for _, e := range entries {
		from, to := filepath.Join(dir, e.Name()), filepath.Join(twin, e.Name())
		switch {
		case e.Name() == "workers":
			continue
		case e.IsDir():
			err = os.CopyFS(to, os.DirFS(from))
		default:
			var data []byte
			if data, err = os.ReadFile(from); err == nil {
				err = os.WriteFile(to, data, 0o600)
			}
		}
		must(t, err)
	}
	return startServer(t, "serve", "--dir", twin).base
}

// asked is one request, sent to both hosts.
type asked struct {
	method, target string
	header         []string // names and values
	body           string
	once           bool // not repeated with If-None-Match
}

func (a asked) String() string {
	return fmt.Sprint(a.method, " ", a.target, " ", a.header, " ", a.body)
}

type answered struct {
	status int
	header http.Header
	body   []byte
}

type pair struct{ edge, native string }

var twinClient = http.Client{
	Transport:     &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 8},
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	Timeout:       30 * time.Second,
}

// askOnce sends a request; the target is sent exactly as written.
func askOnce(base string, a asked, more ...string) (answered, error) {
	u, err := url.Parse(base)
	if err != nil {
		return answered{}, err
	}
	path, query, _ := strings.Cut(a.target, "?")
	u.Opaque, u.RawQuery = "//"+u.Host+path, query
	req, err := http.NewRequest(a.method, base, strings.NewReader(a.body))
	if err != nil {
		return answered{}, err
	}
	if a.body == "" {
		req.Body = nil
	}
	req.URL = u
	req.Header.Set("User-Agent", "twins")
	for h := append(slices.Clone(a.header), more...); len(h) > 1; h = h[2:] {
		req.Header.Add(h[0], h[1])
	}
	resp, err := twinClient.Do(req)
	if err != nil {
		return answered{}, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return answered{resp.StatusCode, resp.Header, body}, err
}

// compareAll compares requests, four at a time.
func (p *pair) compareAll(t *testing.T, list []asked) {
	next := make(chan asked)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for a := range next {
				p.compare(t, a)
			}
		})
	}
	for _, a := range list {
		next <- a
	}
	close(next)
	group.Wait()
	t.Logf("%d questions", len(list))
}

// both sends a request to both hosts. An answer about the present contains the
// second in which it was made, so two that differ are requested again if a
// second began in between.
func (p *pair) both(a asked) (native, edge answered, differ []string, err error) {
	for range 10 {
		began := time.Now().Unix()
		if native, err = askOnce(p.native, a); err != nil {
			return native, edge, nil, fmt.Errorf("native: %w", err)
		}
		if edge, err = askOnce(p.edge, a); err != nil {
			return native, edge, nil, fmt.Errorf("edge: %w", err)
		}
		if differ = differences(native, edge, assetServer(a)); len(differ) == 0 || time.Now().Unix() == began {
			break
		}
	}
	return native, edge, differ, nil
}

func (p *pair) compare(t *testing.T, a asked) {
	native, edge, differ, err := p.both(a)
	if err != nil {
		t.Errorf("%s: %v", a, err)
		return
	}
	for _, d := range differ {
		t.Errorf("%s: %s", a, d)
	}
	tag := edge.header.Get("Etag")
	if tag == "" || edge.status != 200 || a.method != "GET" || a.once {
		return
	}
	known, err := askOnce(p.edge, a, "If-None-Match", tag)
	if err != nil || known.status != 304 || len(known.body) > 0 || known.header.Get("Etag") != tag {
		t.Errorf("%s with If-None-Match %s: %v %d, ETag %s", a, tag, err, known.status, known.header.Get("Etag"))
		return
	}
	twin, err := askOnce(p.native, a, "If-None-Match", native.header.Get("Etag"))
	if err != nil {
		t.Errorf("%s: native: %v", a, err)
		return
	}
	for _, d := range differences(twin, known, assetServer(a)) {
		t.Errorf("%s, known: %s", a, d)
	}
}

// volatileHeaders necessarily differ. Whoever sends a file makes its entity
// tag, and the asset server has its own. Length and coding belong to the
// connection. The platform counts limits without saying what is left.
var volatileHeaders = []string{"Date", "Etag", "Connection", "Keep-Alive", "Transfer-Encoding", "Content-Length", "Cf-Cache-Status", "Ratelimit"}

var volatileText = regexp.MustCompile(`rid_[0-9a-z]{26}`)

var limitsLeft = regexp.MustCompile(`"r":\d+,"t":\d+,`)

// assetServer reports whether Workers answer without the script: they do for
// files that never change under their name. These answers have no request id,
// and a type only if that server knows one.
func assetServer(a asked) bool {
	path, _, _ := strings.Cut(a.target, "?")
	return strings.HasPrefix(path, "/assets/") || strings.HasPrefix(path, "/_ix/") || strings.HasPrefix(path, "/_packs/")
}

var byAssetServer = []string{"Request-Id", "Vary", "Content-Type", "Content-Security-Policy"}

// differences describes how two answers differ.
func differences(native, edge answered, direct bool) (out []string) {
	if native.status != edge.status {
		return []string{fmt.Sprintf("native %d, edge %d: %.300q", native.status, edge.status, edge.body)}
	}
	clean := func(text string) string {
		return volatileText.ReplaceAllString(limitsLeft.ReplaceAllString(text, ""), "rid")
	}
	names := map[string]bool{}
	for name := range native.header {
		names[name] = true
	}
	for name := range edge.header {
		names[name] = true
	}
	for name := range names {
		if slices.Contains(volatileHeaders, name) || direct && native.status < 400 && slices.Contains(byAssetServer, name) && (native.header.Get(name) == "" || edge.header.Get(name) == "") {
			continue
		}
		if n, e := clean(strings.Join(native.header.Values(name), ", ")), clean(strings.Join(edge.header.Values(name), ", ")); n != e {
			out = append(out, fmt.Sprintf("%s: native %q, edge %q", name, n, e))
		}
	}
	if (native.header.Get("Etag") == "") != (edge.header.Get("Etag") == "") {
		out = append(out, fmt.Sprintf("ETag: native %s, edge %s", native.header.Get("Etag"), edge.header.Get("Etag")))
	}
	if n, e := native.header.Get("Content-Length"), edge.header.Get("Content-Length"); n != e && n != "" && e != "" && len(native.body)+len(edge.body) == 0 && native.status < 400 {
		out = append(out, fmt.Sprintf("Content-Length: native %s, edge %s", n, e))
	}
	if n, e := clean(string(native.body)), clean(string(edge.body)); n != e {
		at := 0
		for at < min(len(n), len(e)) && n[at] == e[at] {
			at++
		}
		out = append(out, fmt.Sprintf("bodies of %d and %d bytes differ at %d: native %.200q, edge %.200q", len(n), len(e), at, n[max(0, at-20):], e[max(0, at-20):]))
	}
	slices.Sort(out)
	return out
}

// everyFile returns requests for each published file, at each of its addresses;
// with -short, only one in sixteen of the entries' files.
func everyFile(t *testing.T, dist string) (list []asked) {
	ofEntries := 0
	err := fs.WalkDir(os.DirFS(dist), ".", func(key string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if _, ok := exports.EntryOfKey(exports.Key(key)); ok {
			if ofEntries++; testing.Short() && ofEntries%16 != 0 {
				return nil
			}
		}
		paths := []string{"/" + key}
		if folder, ok := strings.CutSuffix("/"+key, "index.html"); ok {
			paths = append(paths, folder)
		}
		if document, ok := strings.CutSuffix("/"+key, ".json"); ok {
			paths = append(paths, document)
		}
		for _, path := range paths {
			list = append(list, asked{"GET", path, nil, "", len(list)%8 > 0})
		}
		return nil
	})
	must(t, err)
	return list
}

// everyEndpoint returns requests to each endpoint in every way that needs no
// invitation; with -short, in a third of them.
func everyEndpoint(f guests.Facts) (list []asked) {
	accepts := []string{
		"image/png", "application/json", "application/json;q=0.5, text/html", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "text/*", "*/*;q=0.1",
		"application/problem+json", "application/x-bibtex", "application/vnd.citationstyles.csl+json", "text/plain", "text/csv", "application/json;q=0, */*", ";;;", "application/json, text/event-stream",
	}
	queries := []string{
		"colour=blue", "limit=2", "limit=0", "limit=abc", "limit=1000000", "offset=-1", "offset=2", "cursor=x", "q=harbor", "q=", "q=a&q=b", "%zz", "q=%ff", "&&&", "limit=2&colour=blue", "format=csv",
		"category=trade-logistics", "use=rag", "territory=DE", "readiness=ready", "url=https%3A%2F%2Fnowhere.example%2F", "entry_id=" + f.EntryID, "fingerprint=" + f.Fingerprint, "url=" + url.QueryEscape(f.URL), "site_id=" + f.SiteID,
	}
	seen := map[string]bool{}
	for _, e := range exports.Surface {
		path := strings.NewReplacer("{thread_id}", "thr_0", "{request_id}", "req_0").Replace(concrete(e.Path, f))
		if seen[path] {
			continue
		}
		seen[path] = true
		ofOthers := len(list)
		for _, method := range []string{"GET", "HEAD", "OPTIONS", "DELETE", "PUT", "PATCH", "POST"} {
			list = append(list, asked{method, path, nil, "", false})
		}
		for _, a := range accepts {
			list = append(list, asked{"GET", path, []string{"Accept", a}, "", false}, asked{"HEAD", path, []string{"Accept", a}, "", false})
		}
		for _, q := range queries {
			list = append(list, asked{"GET", path + "?" + q, nil, "", false})
		}
		for _, tags := range []string{"*", `"nothing"`, `W/"nothing", *`, `"a", "b"`, "garbage"} {
			list = append(list, asked{"GET", path, []string{"If-None-Match", tags}, "", false})
		}
		for _, body := range []string{"{}", "[]", "{", "null", `{"a":1,"a":2}`, strings.Repeat("[", 5000)} {
			list = append(list, asked{"POST", path, []string{"Content-Type", "application/json"}, body, false})
		}
		list = append(list,
			asked{"POST", path, []string{"Content-Type", "text/plain"}, "hello", false},
			asked{"GET", path + "/", nil, "", false}, asked{"GET", strings.ToUpper(path), nil, "", false}, asked{"GET", path + "?", nil, "", false},
			asked{"GET", path, []string{"Origin", "https://elsewhere.example"}, "", false},
			asked{"OPTIONS", path, []string{"Origin", "https://elsewhere.example", "Access-Control-Request-Method", "POST"}, "", false},
		)
		if testing.Short() {
			list = append(list[:ofOthers], oneInThree(list[ofOthers:], len(seen))...)
		}
	}
	return list
}

// oneInThree returns every third request; start selects the first.
func oneInThree(list []asked, start int) (part []asked) {
	for i := start % 3; i < len(list); i += 3 {
		part = append(part, list[i])
	}
	return part
}

// originReads returns requests to the index and the origin whose answers depend
// neither on the clock nor on chance.
func originReads(f guests.Facts) (list []asked) {
	get := func(target string, header ...string) { list = append(list, asked{"GET", target, header, "", false}) }
	for _, q := range []string{"harbor", "trade", "the", "wasser", "ship+container", "nothingatall", "harbr", "%E6%B8%AF", "a", "port&limit=3", "port&offset=3", "port&limit=100"} {
		get(exports.PathSearch + "?q=" + q)
		get(exports.PathCatalogPage+"?q="+q, "Accept", "text/html")
		get(exports.PathFeed + "?limit=3&q=" + q)
		get(exports.PathFeedNDJSON + "?limit=3&q=" + q)
		get(exports.PathLedgerSearch + "?q=" + q)
		get(exports.InventoryPath(f.SiteID) + "?q=" + q)
		get(exports.PathDemand + "?q=" + q)
		get(exports.PathLicenseCatalog + "?q=" + q)
		get(exports.PathMap + "?q=" + q)
	}
	for _, about := range []string{"entry_id=" + f.EntryID, "url=" + url.QueryEscape(f.URL), "site_id=" + f.SiteID, "url=" + url.QueryEscape(f.URL+"-elsewhere")} {
		for _, audience := range []string{
			"", "&user_type=education", "&user_type=commercial&territory=DE", "&territory=EU", "&territory=US&agent=GPTBot", "&agent=ClaudeBot", "&agent=nobody-names-me",
			"&user_type=personal&territory=NL&agent=CCBot&explain=full", "&at=2026-11-01T00%3A00%3A00Z&territory=DE", "&use=rag,training&agent=gptbot",
		} {
			get(exports.PathRightsCheck + "?" + about + audience)
		}
	}
	for _, key := range f.PartnerKeys {
		for _, path := range []string{
			"status", "catalog/search?verified=1", "catalog/search?q=harbor", "catalog/search?rag_suitability=high&limit=2", "catalog/categories", "catalog/publishers/" + f.SiteID, "catalog/publishers/nobody",
			"licensing/requests/req_nothing", "licensing/requests?limit=x", "licensing/requests?cursor=x",
		} {
			get("/v1/partner/"+path, "Authorization", "Bearer "+key)
			get("/v1/partner/"+path, "X-Service-Partner-Key", key)
		}
	}
	mcp := func(path, body string, header ...string) {
		list = append(list, asked{"POST", path, append([]string{"Content-Type", "application/json", "Accept", "application/json, text/event-stream"}, header...), body, false})
	}
	for _, path := range []string{"/mcp", "/mcp/gateway", "/mcp/publisher/" + f.SiteID, "/mcp/publisher/nobody"} {
		for _, body := range []string{
			`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`,
			`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`, `{"jsonrpc":"2.0","id":3,"method":"nothing"}`, `{"jsonrpc":"2.0","method":"notifications/initialized"}`,
			`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"search_content_catalog","arguments":{"q":"harbor","limit":2}}}`,
			`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"get_publisher","arguments":{"site_id":"` + f.SiteID + `"}}}`,
			`{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"nothing","arguments":{}}}`,
			`{"jsonrpc":"2.0","id":7,"method":"resources/list"}`, `[]`, `{`,
		} {
			mcp(path, body)
			for _, credential := range f.BuyerCredentials {
				mcp(path, body, "Authorization", "Bearer "+credential)
			}
		}
	}
	return list
}

// wrongAddresses returns addresses with nothing, or with something else.
func wrongAddresses() (list []asked) {
	for _, path := range []string{
		"/nothing", "/nothing/", "/v1/public/nothing", "/v1", "/v1/", "/_build/state.json", "/_build/", "/.assetsignore", "/_headers", "/_headers.json", "/..%2f..%2forigin.db", "/%2e%2e/origin.db",
		"/publishers", "/catalog", "/ledger", "/ledger/nothing", "/ledger/tile/", "/ledger/tile/0/999", "/ledger/tile/x/y/z", "/citations/ent_0/", "/openapi.json.gz", "/openapi", "/index.html", "/catalog/index.html",
		"/%69ndex.html", "/v1/public/network%2Dstats", "/v1/public/network-stats/", "/assets/nothing.css", "/_ix/nothing", "/_ix/", "/_rights/", "/_sandbox/", "/favicon.ico", "/robots.txt?x=1", "/sitemap.xml?x=1",
		"/conversation/", "/inbox/", "/inbox/nothing", "/.well-known/", "/.well-known/nothing", "/.git/config", "/v1/public/sites//contentdna-provenance", "/a\"b", "/%00",
		exports.PublisherPath("nobody"), exports.InventoryPath("nobody"), exports.MapPublisherPath("nobody"), exports.SiteRecordsPath("nobody"), exports.CategoryPath("nothing"), exports.RecordPath("ent_0"), exports.CitationPath("ent_0"),
		exports.RecordPath("ent_0") + "/v/1", exports.PublisherPath(strings.Repeat("a", 4000)), "/" + strings.Repeat("a/", 1000),
	} {
		list = append(list,
			asked{"GET", path, nil, "", false}, asked{"HEAD", path, nil, "", false}, asked{"GET", path, []string{"Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}, "", false},
			asked{"POST", path, []string{"Content-Type", "application/json"}, "{}", false}, asked{"DELETE", path, nil, "", false}, asked{"OPTIONS", path, nil, "", false},
		)
	}
	return list
}
