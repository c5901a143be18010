//go:build edge

package edgelab_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"colophon/exports"
	provrecord "colophon/internal/record"
	"colophon/internal/rights"
	"colophon/internal/wire"
	"colophon/worker/access"
	"colophon/worker/edge"
	"colophon/worker/edgelab/labhost"
)

const (
	registry = "http://registry.example"
	person   = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"
)

// harbor returns a policy that licenses grounding, refuses training and allows
// search.
func harbor() *rights.RightsDocument {
	return &rights.RightsDocument{
		SiteID: "harbor", Name: "Harbor Ledger", SiteURL: "https://harbor.example/", HumanPage: "https://harbor.example/licensing/", AsksAllowed: true,
		Preferences: []exports.Preference{
			stated("rag", "welcome", "disallow"), stated("training", "not_offered", "disallow"), stated("search_indexing", "unstated", "allow"),
		},
		Policy: &exports.PolicyRef{PolicyID: "pol_harbor", Version: 7, Digest: "sha-256:x", EffectiveFrom: "2026-09-01T00:00:00Z"},
		AsOf:   "2026-11-01T00:00:00Z",
	}
}

func stated(use, inquiry, declared string) exports.Preference {
	return exports.Preference{Use: use, Inquiry: inquiry, Declared: declared, Source: "publisher"}
}

// open returns a policy that allows everybody to ground answers.
func open() *rights.RightsDocument {
	s := harbor()
	s.Preferences = []exports.Preference{stated("rag", "unstated", "allow"), stated("training", "unstated", "allow")}
	return s
}

// outside is the registry, and the directory of one signer.
type outside struct {
	doc     *rights.RightsDocument // nil: the registry fails
	keys    string
	fetched sync.Map // path -> *atomic.Int64
}

func (o *outside) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n, _ := o.fetched.LoadOrStore(r.Host+r.URL.Path, new(atomic.Int64))
	n.(*atomic.Int64).Add(1)
	switch {
	case r.Host == "registry.example" && r.URL.Path == "/"+string(exports.RightsDocumentKey("harbor")) && o.doc != nil:
		w.Write(wire.Append(nil, o.doc))
	case r.Host == "registry.example":
		http.Error(w, "away", 503)
	case r.Host == "chatgpt.com" && r.URL.Path == access.DirectoryPath:
		io.WriteString(w, o.keys)
	case r.Host == "endless.example":
		for range 1000 {
			if _, err := w.Write(bytes.Repeat([]byte(" "), 4096)); err != nil {
				return
			}
		}
	case r.Host == "moved.example":
		http.Redirect(w, r, "https://chatgpt.com"+access.DirectoryPath, 302)
	default:
		http.NotFound(w, r)
	}
}

// site is the publisher's own server. It reports what reached it.
type site struct {
	seen   atomic.Int64
	turned chan struct{}
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.seen.Add(1)
	switch r.URL.Path {
	case "/stream": // the second half is sent only when the first has arrived
		io.WriteString(w, "first\n")
		w.(http.Flusher).Flush()
		select {
		case <-s.turned:
		case <-r.Context().Done():
		}
		io.WriteString(w, "second\n")
	case "/upload": // answers while the body is still arriving
		_ = http.NewResponseController(w).EnableFullDuplex()
		head := make([]byte, 6)
		_, err := io.ReadFull(r.Body, head)
		w.Header().Set("Content-Type", "text/plain")
		fmt.Fprintf(w, "%s %v\n", head, err)
		w.(http.Flusher).Flush()
		rest, _ := io.Copy(io.Discard, r.Body)
		fmt.Fprintln(w, rest)
	case "/moved":
		w.Header().Set("Location", "/elsewhere")
		w.WriteHeader(302)
	case "/zip":
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		io.WriteString(z, "compressed by the site")
		z.Close()
	default:
		body, _ := io.ReadAll(r.Body)
		w.Header().Add("Set-Cookie", "a=1")
		w.Header().Add("Set-Cookie", "b=2")
		w.Header().Set("ETag", `"own"`)
		w.Header().Set("Cache-Control", "max-age=7")
		w.WriteHeader(418)
		fmt.Fprintf(w, "%s %s%s %q %q", r.Method, r.Host, r.RequestURI, r.Header.Get("X-Own"), body)
	}
}

func startGuard(t *testing.T, o *outside, settings ...string) (host, *site) {
	t.Helper()
	s := &site{turned: make(chan struct{})}
	w, stop, err := labhost.Guard{Site: s, Outside: o, Env: append([]string{"BASE_URL=" + registry, "GUARD_SITE=harbor"}, settings...)}.Start(t.Context(), t.TempDir())
	must(t, err)
	t.Cleanup(func() {
		stop()
		if t.Failed() {
			log, _ := os.ReadFile(w.Log)
			t.Logf("workerd printed:\n%.4000s", log)
		}
	})
	s.seen.Store(0)
	return host{url: w.URL}, s
}

// TestGuardPassesUntouched checks that people and search crawlers reach the
// site as if nothing were in front of it.
func TestGuardPassesUntouched(t *testing.T) {
	h, s := startGuard(t, &outside{doc: harbor()})
	for _, ua := range []string{person, "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", "OAI-SearchBot/1.0", ""} {
		got := h.call(t, "POST", "/a%2Fb/../c?x=%20&y", strings.NewReader("words"), "User-Agent", ua, "X-Own", "kept")
		want := fmt.Sprintf(`POST %s/a%%2Fb/../c?x=%%20&y "kept" "words"`, strings.TrimPrefix(h.url, "http://"))
		if !strings.Contains(want, "/a%2Fb/../c") || got.status != 418 || got.body != want && got.body != strings.Replace(want, "/a%2Fb/../c", "/c", 1) {
			t.Errorf("%q: %d %s, want %s", ua, got.status, got.body, want)
		}
		if got.header.Get("Etag") != `"own"` || got.header.Get("Cache-Control") != "max-age=7" || len(got.header.Values("Set-Cookie")) != 2 || got.header.Get("Request-Id") != "" {
			t.Errorf("%q: header %v", ua, got.header)
		}
	}
	if got := h.call(t, "GET", "/moved", nil, "User-Agent", person); got.status != 302 || got.header.Get("Location") != "/elsewhere" {
		t.Errorf("a redirect became %d %v", got.status, got.header)
	}
	zipped := h.call(t, "GET", "/zip", nil, "User-Agent", person, "Accept-Encoding", "gzip")
	if z, err := gzip.NewReader(strings.NewReader(zipped.body)); err != nil || zipped.header.Get("Content-Encoding") != "gzip" {
		t.Errorf("a compressed answer: %v %v", zipped.header, err)
	} else if text, err := io.ReadAll(z); string(text) != "compressed by the site" {
		t.Errorf("a compressed answer: %q %v", text, err)
	}
	if got := h.call(t, "HEAD", "/x", nil, "User-Agent", person); got.status != 418 || got.body != "" {
		t.Errorf("HEAD: %d %q", got.status, got.body)
	}
	if s.seen.Load() != 7 {
		t.Errorf("the site saw %d requests", s.seen.Load())
	}
}

// TestGuardStreams checks that bodies stream both ways, for people and for
// agents that may pass.
func TestGuardStreams(t *testing.T) {
	h, s := startGuard(t, &outside{doc: open()})
	for _, ua := range []string{person, "GPTBot/1.2"} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		req, _ := http.NewRequestWithContext(ctx, "GET", h.url+"/stream", nil)
		req.Header.Set("User-Agent", ua)
		res, err := http.DefaultTransport.RoundTrip(req)
		must(t, err)
		in := bufio.NewReader(res.Body)
		first, _ := in.ReadString('\n')
		s.turned <- struct{}{} // nothing would have arrived if the guard waited for the end
		second, _ := in.ReadString('\n')
		res.Body.Close()
		if first != "first\n" || second != "second\n" {
			t.Errorf("%q: %q, %q", ua, first, second)
		}

		body, upload := io.Pipe()
		req, _ = http.NewRequestWithContext(ctx, "POST", h.url+"/upload", body)
		req.Header.Set("User-Agent", ua)
		go upload.Write([]byte("begins"))
		if res, err = http.DefaultTransport.RoundTrip(req); err != nil {
			t.Fatal(err)
		}
		in = bufio.NewReader(res.Body)
		if first, _ = in.ReadString('\n'); first != "begins <nil>\n" {
			t.Errorf("%q: %q", ua, first)
		}
		upload.Write(make([]byte, 2<<20))
		upload.Close()
		if second, _ = in.ReadString('\n'); second != fmt.Sprintln(2<<20) {
			t.Errorf("%q: %q bytes", ua, second)
		}
		res.Body.Close()
	}
}

// TestGuardDecidesAsNative checks that script and Wasm together decide as
// native Go does.
func TestGuardDecidesAsNative(t *testing.T) {
	h, s := startGuard(t, &outside{doc: harbor()})
	native := access.Guard{Base: registry, Now: time.Now, Document: func(context.Context) (*rights.RightsDocument, error) { return harbor(), nil }}
	paths := []string{"/", "/shipping/tides?a=b", "/robots.txt", "/robots.txt?x", "/robots.txtx", "/sitemap-news.xml", "/.well-known/tdmrep.json", "/.well-known/%2e%2e/x", "/v1/public/x", "/license.xml", "/a%5cb", "/ROBOTS.TXT", "/problems/"}
	n := 0
	ask := func(method, ua, path string, more ...string) {
		t.Helper()
		p, q, _ := strings.Cut(path, "?")
		r := &edge.Request{Method: method, Path: p, Query: q, ID: "rid_1", Header: edge.Header{{Name: "user-agent", Value: ua}, {Name: "host", Value: "harbor.example"}}}
		for i := 0; i < len(more); i += 2 {
			r.Header = append(r.Header, edge.Field{Name: strings.ToLower(more[i]), Value: more[i+1]})
		}
		want, seen := native.Check(t.Context(), r), s.seen.Load()
		got := h.call(t, method, path, nil, append([]string{"User-Agent", ua}, more...)...)
		n++
		if passed := s.seen.Load() == seen+1; passed != (want == nil) {
			t.Errorf("%s %s by %q: passed %v, natively %v", method, path, ua, passed, want == nil)
		} else if want != nil && (got.status != want.Status || got.header.Get("Service-Access") != want.Header.Get("service-access") || got.header.Get("Content-Type") != want.Header.Get("content-type")) {
			t.Errorf("%s %s by %q: %d %v, natively %d %v", method, path, ua, got.status, got.header, want.Status, want.Header)
		}
	}
	for _, ua := range []string{
		person, "GPTBot", "gptbot/1.2 x", "notgptbot", "GPTBots", "notgptbot GPTBot/1", "PerplexityBot GPTBot", "GPTBot PerplexityBot", "ChatGPT-User/1.0", "Claude-User",
		"OAI-SearchBot/1.0", "Kangaroo Bot", "kangaroobot", "Mozilla (compatible; CCBot/2.0)", "İİİ GPTBot", "ÄÖÜ CCBot", "Colophon-Check-training/1.0", "Colophon-Check-search/1.0", "_GPTBot", "GPTBot_", "x;GPTBot;",
	} {
		for _, path := range paths {
			ask("GET", ua, path)
		}
	}
	for _, token := range access.ProductTokens() {
		for _, ua := range []string{token, strings.ToUpper(token) + "/9.1", "Mozilla/5.0 (compatible; " + token + "/1.0; +https://x.example/" + token + ")", "a" + token, token + "-x"} {
			ask("GET", ua, "/page")
		}
	}
	for _, accept := range []string{"text/html", "application/rsl+xml", "application/json", "image/png", "text/html;q=0.1, application/problem+json", ""} {
		ask("GET", "GPTBot", "/page", "Accept", accept)
		ask("POST", "ChatGPT-User", "/page", "Accept", accept, "Service-Requested-Use", "training")
	}
	ask("OPTIONS", "GPTBot", "/page")
	ask("HEAD", "GPTBot", "/page")
	t.Logf("%d requests", n)
}

// TestGuardDenies checks that a denial shows the ways to a licence, and the
// same as the native guard.
func TestGuardDenies(t *testing.T) {
	o := &outside{doc: harbor()}
	h, s := startGuard(t, o)
	for range 3 {
		got := h.call(t, "GET", "/shipping/tides", nil, "User-Agent", "ChatGPT-User/1.0")
		doc, err := wire.Parse([]byte(got.body), wire.Limits{Bytes: 1 << 20, Depth: 16, Members: 256, Floats: true})
		if err != nil || got.status != 402 || got.header.Get("Cache-Control") != "no-store" || !ridForm.MatchString(got.header.Get("Request-Id")) {
			t.Fatalf("%d %v %s: %v", got.status, got.header, got.body, err)
		}
		if routes := doc.Get("access_response").Get("routes"); routes == nil || len(routes.Items) < 5 || !strings.Contains(strings.Join(got.header.Values("Link"), ","), `rel="license"`) {
			t.Errorf("%v %s", got.header, got.body)
		}
	}
	if s.seen.Load() != 0 {
		t.Errorf("the site saw %d denied requests", s.seen.Load())
	}
	if n, ok := o.fetched.Load("registry.example/" + string(exports.RightsDocumentKey("harbor"))); !ok || n.(*atomic.Int64).Load() != 1 {
		t.Error("the policy was fetched for every denial")
	}
}

// TestGuardWithoutRegistry checks that agents pass while the policy cannot be
// read, unless the publisher sets otherwise, and that free paths always pass.
func TestGuardWithoutRegistry(t *testing.T) {
	for _, c := range []struct {
		settings []string
		page     int
	}{{nil, 418}, {[]string{"GUARD_FAIL_CLOSED=1"}, 503}, {[]string{"GUARD_FAIL_CLOSED=1", "GUARD_SITE="}, 503}} {
		h, _ := startGuard(t, &outside{}, c.settings...)
		for path, want := range map[string]int{"/page": c.page, "/robots.txt": 418, "/.well-known/x": 418} {
			if got := h.call(t, "GET", path, nil, "User-Agent", "GPTBot"); got.status != want {
				t.Errorf("%v: %s answered %d, want %d: %s", c.settings, path, got.status, want, got.body)
			}
		}
		if got := h.call(t, "GET", "/page", nil, "User-Agent", person); got.status != 418 {
			t.Errorf("%v: a person got %d", c.settings, got.status)
		}
	}
}

// TestGuardWebBotAuth checks that signatures are verified with the keys that
// the signer publishes.
func TestGuardWebBotAuth(t *testing.T) {
	private := ed25519.NewKeyFromSeed(bytes.Repeat([]byte("k"), 32))
	public := private.Public().(ed25519.PublicKey)
	o := &outside{doc: open(), keys: `{"keys":[{"kty":"OKP","crv":"Ed25519","x":"` + base64.RawURLEncoding.EncodeToString(public) + `"}]}`}
	h, _ := startGuard(t, o, "GUARD_REQUIRE_SIGNATURE=1")
	sign := func(agent, path string, created time.Time) []string {
		params := fmt.Sprintf(`("@authority" "@path" "signature-agent");created=%d;expires=%d;keyid="%s";alg="ed25519";tag="web-bot-auth"`, created.Unix(), created.Unix()+300, provrecord.Thumbprint([32]byte(public)))
		base := fmt.Sprintf("\"@authority\": %s\n\"@path\": %s\n\"signature-agent\": \"%s\"\n\"@signature-params\": %s", strings.TrimPrefix(h.url, "http://"), path, agent, params)
		return []string{"Signature-Agent", `"` + agent + `"`, "Signature-Input", "s=" + params, "Signature", "s=:" + base64.StdEncoding.EncodeToString(ed25519.Sign(private, []byte(base))) + ":"}
	}
	now := time.Now()
	for name, c := range map[string]struct {
		ua     string
		header []string
		want   int
	}{
		"signed by an agent":           {"ChatGPT-User/1.0", sign("https://chatgpt.com", "/page", now), 418},
		"signed, a person's name":      {person, sign("https://chatgpt.com", "/page", now), 418},
		"not signed":                   {"ChatGPT-User/1.0", nil, 403},
		"signature of another path":    {"ChatGPT-User/1.0", sign("https://chatgpt.com", "/other", now), 403},
		"an old signature":             {"ChatGPT-User/1.0", sign("https://chatgpt.com", "/page", now.Add(-time.Hour)), 403},
		"a signer without keys":        {"ChatGPT-User/1.0", sign("https://nobody.example", "/page", now), 403},
		"a directory without end":      {"ChatGPT-User/1.0", sign("https://endless.example", "/page", now), 403},
		"a directory that is moved":    {"ChatGPT-User/1.0", sign("https://moved.example", "/page", now), 403},
		"nonsense, by a person":        {person, []string{"Signature-Input", "(((", "Signature", ":::", "Signature-Agent", `"`}, 418},
		"nonsense, by an agent":        {"GPTBot", []string{"Signature-Input", "(((", "Signature", ":::", "Signature-Agent", `"`}, 403},
		"a signer on the same machine": {"GPTBot", sign("https://localhost", "/page", now), 403},
	} {
		if got := h.call(t, "GET", "/page", nil, append([]string{"User-Agent", c.ua}, c.header...)...); got.status != c.want {
			t.Errorf("%s: %d %s, want %d", name, got.status, got.body, c.want)
		}
	}
	o.fetched.Range(func(key, _ any) bool {
		if strings.Contains(key.(string), "localhost") {
			t.Errorf("%v was fetched", key)
		}
		return true
	})

	// An agent is known by its signature, whatever it calls itself.
	h, _ = startGuard(t, &outside{doc: harbor(), keys: o.keys})
	if got := h.call(t, "GET", "/page", nil, append([]string{"User-Agent", person}, sign("https://chatgpt.com", "/page", now)...)...); got.status != 402 || !strings.Contains(got.body, `"identity":"verified"`) {
		t.Errorf("a signed agent in disguise: %d %s", got.status, got.body)
	}
}

// nonceSigner signs for chatgpt.com.
type nonceSigner struct {
	key  ed25519.PrivateKey
	host string // of the guard
}

func (s nonceSigner) directory() string {
	return `{"keys":[{"kty":"OKP","crv":"Ed25519","x":"` + base64.RawURLEncoding.EncodeToString(s.key.Public().(ed25519.PublicKey)) + `"}]}`
}

// sign returns the fields of a request with a nonce.
func (s nonceSigner) sign(nonce string, created time.Time) []string {
	const agent = "https://chatgpt.com"
	id := provrecord.Thumbprint([32]byte(s.key.Public().(ed25519.PublicKey)))
	params := fmt.Sprintf(`("@authority" "signature-agent");created=%d;expires=%d;keyid="%s";nonce="%s";tag="web-bot-auth"`, created.Unix(), created.Unix()+300, id, nonce)
	base := fmt.Sprintf("\"@authority\": %s\n\"signature-agent\": \"%s\"\n\"@signature-params\": %s", s.host, agent, params)
	signature := base64.StdEncoding.EncodeToString(ed25519.Sign(s.key, []byte(base)))
	return []string{"User-Agent", "ChatGPT-User/1.0", "Signature-Agent", `"` + agent + `"`, "Signature-Input", "s=" + params, "Signature", "s=:" + signature + ":"}
}

// TestGuardNonces checks that a nonce counts once: among many concurrent
// requests, and after a restart of the runtime if the guard's objects remember
// it.
func TestGuardNonces(t *testing.T) {
	signer := nonceSigner{ed25519.NewKeyFromSeed(bytes.Repeat([]byte("n"), 32)), "harbor.example"}
	start := func(t *testing.T, alone bool, dir string) (host, func()) {
		g := labhost.Guard{
			Alone: alone, Site: &site{}, Outside: &outside{doc: open(), keys: signer.directory()},
			Env: []string{"BASE_URL=" + registry, "GUARD_SITE=harbor", "GUARD_REQUIRE_SIGNATURE=1"},
		}
		w, stop, err := g.Start(t.Context(), dir)
		must(t, err)
		return host{url: w.URL}, stop
	}
	passed := func(t *testing.T, h host, fields []string) bool {
		t.Helper()
		req, _ := http.NewRequestWithContext(t.Context(), "GET", h.url+"/page", nil)
		req.Host = signer.host
		for i := 0; i < len(fields); i += 2 {
			req.Header.Set(fields[i], fields[i+1])
		}
		res, err := http.DefaultTransport.RoundTrip(req)
		if err != nil {
			t.Error(err)
			return false
		}
		defer res.Body.Close()
		if res.StatusCode != 418 && res.StatusCode != 403 {
			t.Errorf("answered %d", res.StatusCode)
		}
		return res.StatusCode == 418
	}

	for _, alone := range []bool{false, true} {
		t.Run(fmt.Sprintf("alone %v", alone), func(t *testing.T) {
			dir := t.TempDir()
			h, stop := start(t, alone, dir)
			now := time.Now()
			var fresh atomic.Int64
			var all sync.WaitGroup
			for range 20 {
				all.Go(func() {
					if passed(t, h, signer.sign("one", now)) {
						fresh.Add(1)
					}
				})
			}
			all.Wait()
			if fresh.Load() != 1 {
				t.Errorf("of 20 requests with one nonce %d were taken for new", fresh.Load())
			}
			if !passed(t, h, signer.sign("two", now)) {
				t.Error("another nonce was refused")
			}
			stop()
			if alone {
				return
			}

			h, stop = start(t, alone, dir)
			defer stop()
			if passed(t, h, signer.sign("one", now)) || passed(t, h, signer.sign("two", now)) {
				t.Error("a nonce was forgotten over a restart")
			}
			if !passed(t, h, signer.sign("three", now)) {
				t.Error("a new nonce was refused after a restart")
			}
		})
	}
}
