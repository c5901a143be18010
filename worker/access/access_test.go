package access_test

import (
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"colophon/exports"
	"colophon/internal/assert"
	"colophon/internal/channel"
	"colophon/internal/channel/statements"
	"colophon/internal/record"
	"colophon/internal/rights"
	"colophon/worker/access"
	"colophon/worker/edge"
)

var must = assert.NoError

var now = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

// TestDenialsAreKnown checks that each denial has a problem of its status and a
// reason of the vocabulary.
func TestDenialsAreKnown(t *testing.T) {
	agent := func(ua string, change func(*access.Guard)) *edge.Response {
		return guard(policy(), change).Check(context.Background(), visit("/shipping/tides", ua))
	}
	proven := func(g *access.Guard) { g.ProveIdentity = true }
	open := func(*access.Guard) {}
	gone := func(g *access.Guard) {
		g.FailClosed = true
		g.Document = func(context.Context) (*rights.RightsDocument, error) { return nil, errors.New("away") }
	}
	for _, c := range []struct {
		name, agent string
		change      func(*access.Guard)
		status      int
		reason      string
		code        string
	}{
		{"no licence, a route exists", "ChatGPT-User", open, 402, "no_license", "license_required"},
		{"the use is not offered", "GPTBot", open, 403, "use_not_offered", "use_not_offered"},
		{"an identity is demanded before all", "ChatGPT-User", proven, 403, "agent_not_identified", "agent_not_identified"},
		{"the policy cannot be read", "GPTBot", gone, 503, "license_server_unreachable", "license_server_unreachable"},
	} {
		resp := agent(c.agent, c.change)
		if resp == nil || resp.Status != c.status || !strings.Contains(resp.Header.Get("service-access"), "reason="+c.reason+";") || !strings.Contains(string(resp.Body), `"code":"`+c.code+`"`) {
			t.Errorf("%s: %+v", c.name, resp)
		}
		if exports.KindOf(c.code).Status != c.status || !slices.Contains(exports.DenialReasons, c.reason) {
			t.Errorf("%s: %s is not of status %d, or %s is unknown", c.name, c.code, c.status, c.reason)
		}
	}
}

func TestAgentOf(t *testing.T) {
	for ua, want := range map[string]string{
		"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)": "GPTBot training",
		"Mozilla/5.0 (compatible; chatgpt-user/1.0)":                                                             "chatgpt-user inference",
		"Mozilla/5.0 (compatible; OAI-SearchBot/1.0)":                                                            "OAI-SearchBot search",
		"Kangaroo Bot/1.0": "Kangaroo Bot training",
		"Colophon-Check-training/1.0 (+mailto:desk@x.example)":                     "Colophon-Check-training training",
		"Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0":   " unknown",
		"Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)": "Googlebot search",
		"Google-Extended": " unknown", "notgptbot/1.0": " unknown", "GPTBots": " unknown", "": " unknown", "bot": " unknown",
	} {
		a := access.AgentOf(ua)
		assert.Equal(t, a.Token+" "+a.Class, want, "%q", ua)
		if !slices.Contains(exports.AgentClasses, a.Class) {
			t.Errorf("class %q", a.Class)
		}
	}
}

// policy returns a publisher that licenses grounding, refuses training on most
// pages, and allows search.
func policy() *rights.RightsDocument {
	rsl := channel.ParseRSL(channel.Input{URL: "https://harbor.example/license.xml", CheckedAt: now.Unix(), Body: []byte(
		`<rsl xmlns="https://rslstandard.org/rsl"><content url="/open/*"><license><permits type="usage">all</permits></license></content></rsl>`)})
	return &rights.RightsDocument{
		SiteID: "harbor", Name: "Harbor <Ledger>", SiteURL: "https://harbor.example/", HumanPage: "https://harbor.example/licensing/", AsksAllowed: true,
		Documents: []statements.Document{rsl.Document},
		Preferences: []exports.Preference{
			{Use: "rag", Inquiry: "welcome", Declared: "disallow", Retention: "P7D"}, {Use: "training", Inquiry: "not_offered", Declared: "disallow"}, {Use: "search_indexing", Declared: "allow"},
		},
		Offers: []exports.Offer{{LicenseID: "lic_1", Status: "offered", Scope: exports.OfferScope{Paths: []string{"/shipping/*"}}, Permits: []string{"rag"}, Payment: exports.Payment{Model: "use"}}},
		Policy: &exports.PolicyRef{PolicyID: "pol_harbor", Version: 7, Digest: "sha-256:x"},
	}
}

func guard(doc *rights.RightsDocument, change ...func(*access.Guard)) *access.Guard {
	g := &access.Guard{
		Base: "https://svc.example", Now: func() time.Time { return now },
		Document: func(context.Context) (*rights.RightsDocument, error) { return doc, nil },
	}
	for _, c := range change {
		c(g)
	}
	return g
}

// signers returns signers whose signatures all count as new at first.
func signers(keys access.Keys) access.Signers {
	return access.Signers{Keys: keys, Nonces: &access.NonceMemory{Now: func() time.Time { return now }}}
}

func visit(path, ua string, more ...edge.Field) *edge.Request {
	path, query, _ := strings.Cut(path, "?")
	return &edge.Request{Method: "GET", Path: path, Query: query, ID: "rid_1", Header: append(edge.Header{{Name: "user-agent", Value: ua}, {Name: "host", Value: "harbor.example"}}, more...)}
}

func TestGuard(t *testing.T) {
	g := guard(policy())
	for _, c := range []struct {
		path, ua string
		status   int
	}{
		{"/shipping/tides", "ChatGPT-User/1.0", 402}, {"/about", "ChatGPT-User/1.0", 402}, {"/shipping/tides?a=b", "GPTBot/1.0", 403},
		{"/shipping/tides", "OAI-SearchBot/1.0", 0}, {"/shipping/tides", "Mozilla/5.0 Firefox/128.0", 0}, {"/shipping/tides", "Googlebot/2.1", 0},
		{"/robots.txt", "GPTBot/1.0", 0}, {"/.well-known/tdmrep.json", "GPTBot/1.0", 0}, {"/sitemap-news.xml", "GPTBot/1.0", 0}, {"/license.xml", "CCBot", 0},
		{"/.well-known/../shipping/tides", "GPTBot/1.0", 403}, {"/.well-known/%2e%2e/shipping", "GPTBot/1.0", 403}, {"/robots.txt/x", "GPTBot/1.0", 403}, {"/ROBOTS.TXT", "GPTBot/1.0", 403},
	} {
		resp := g.Check(context.Background(), visit(c.path, c.ua))
		status := 0
		if resp != nil {
			status = resp.Status
		}
		assert.Equal(t, status, c.status, "%s for %s", c.path, c.ua)
	}
	silent := guard(&rights.RightsDocument{SiteID: "harbor", SiteURL: "https://harbor.example/"})
	if r := silent.Check(context.Background(), visit("/x", "GPTBot")); r != nil {
		t.Errorf("nothing was stated, yet %d", r.Status)
	}
	silent.DenyUnknown = true
	if r := silent.Check(context.Background(), visit("/x", "GPTBot")); r == nil || r.Status != 403 {
		t.Errorf("unknown was to be denied: %v", r)
	}
}

func TestGuardWithoutPolicy(t *testing.T) {
	broken := guard(nil, func(g *access.Guard) {
		g.Document = func(context.Context) (*rights.RightsDocument, error) { return nil, errors.New("away") }
	})
	if r := broken.Check(context.Background(), visit("/x", "GPTBot")); r != nil {
		t.Errorf("without a policy an agent got %d", r.Status)
	}
	broken.FailClosed = true
	if r := broken.Check(context.Background(), visit("/x", "GPTBot")); r == nil || r.Status != 503 || r.Header.Get("retry-after") == "" {
		t.Errorf("fail closed: %v", r)
	}
	if r := broken.Check(context.Background(), visit("/x", "Firefox")); r != nil {
		t.Errorf("a person got %d", r.Status)
	}
}

func TestDenialIsARoute(t *testing.T) {
	g := guard(policy())
	r := g.Check(context.Background(), visit("/shipping/tides", "ChatGPT-User/1.0"))
	for name, want := range map[string]string{
		"cache-control": "no-store", "content-type": exports.MediaProblem, "content-signal": "search=yes, ai-input=no, ai-train=no", "tdm-reservation": "1",
		"www-authenticate": `License error="invalid_request", error_description="No licence covers this URL for rag"`,
		"service-access":   "deny;reason=no_license;use=rag;status=402", "vary": "Accept, Authorization, User-Agent, Signature-Agent",
	} {
		assert.Equal(t, r.Header.Get(name), want, "%s", name)
	}
	links := strings.Join(r.Header.Values("link"), ", ")
	assert.Contains(t, "links", links, `<https://harbor.example/license.xml>; rel="license"; type="application/rsl+xml"`, `rel="https://svc.example/rels/prepare-intent"`, `rel="describedby"`)
	for _, f := range r.Header {
		if !f.Valid() {
			t.Errorf("%s: %q cannot be sent", f.Name, f.Value)
		}
	}
	var doc struct {
		Code   string
		Grants bool `json:"grants_rights"`
		Access struct {
			Reason string `json:"reason_code"`
			Uses   []struct{ Use, Verdict, Retention string }
			Routes []struct{ Rel, Href, Method, Auth string }
			Agent  struct{ Class, Identity string }
			Offers []string
			Use    struct{ Value, Source string } `json:"requested_use"`
		} `json:"access_response"`
	}
	must(t, json.Unmarshal(r.Body, &doc))
	if doc.Code != "license_required" || doc.Grants || doc.Access.Reason != "no_license" || len(doc.Access.Uses) != 8 || doc.Access.Uses[0].Verdict != "license_required" ||
		doc.Access.Uses[0].Retention != "P7D" || doc.Access.Uses[1].Retention != "unknown" ||
		len(doc.Access.Offers) != 1 || doc.Access.Agent.Class != "inference" || doc.Access.Use.Value != "rag" || doc.Access.Use.Source != "agent_class" {
		t.Errorf("document %s", r.Body)
	}
	var rels []string
	for _, x := range doc.Access.Routes {
		rels = append(rels, x.Rel)
		if !strings.HasPrefix(x.Href, "https://") {
			t.Errorf("%s leads to %q", x.Rel, x.Href)
		}
	}
	assert.Equal(t, strings.Join(rels, " "), strings.Join(exports.RouteRels, " "), "routes %q", rels)
}

func TestDenialForms(t *testing.T) {
	g := guard(policy())
	rsl := g.Check(context.Background(), visit("/shipping/t*des", "GPTBot", edge.Field{Name: "accept", Value: "application/rsl+xml"}))
	if rsl.Header.Get("content-type") != "application/rsl+xml; charset=utf-8" || xml.Unmarshal(rsl.Body, new(struct{})) != nil || !strings.Contains(string(rsl.Body), "<copyright") {
		t.Errorf("rsl %s", rsl.Body)
	}
	for ua, want := range map[string]statements.Effect{"GPTBot": statements.Disallow, "ChatGPT-User": statements.Priced} {
		resp := g.Check(context.Background(), visit("/shipping/tides", ua, edge.Field{Name: "accept", Value: "application/rsl+xml"}))
		parsed := channel.ParseRSL(channel.Input{URL: "https://harbor.example/shipping/tides", Body: resp.Body})
		if len(parsed.Warnings) > 0 || len(parsed.Statements) == 0 {
			t.Errorf("%s: %s %+v", ua, resp.Body, parsed.Warnings)
			continue
		}
		use := map[string]int{"GPTBot": 1, "ChatGPT-User": 0}[ua]
		if a := statements.Combine([]statements.Document{parsed.Document}, "https://harbor.example/shipping/tides", "")[use]; a.Effect != want {
			t.Errorf("%s: the fragment says %s of %s, want %s", ua, a.Effect, a.Use, want)
		}
	}
	page := g.Check(context.Background(), visit("/shipping/\"><script>alert(1)</script>", "GPTBot", edge.Field{Name: "accept", Value: "text/html"}))
	text := string(page.Body)
	if page.Header.Get("content-type") != exports.MediaHTML || strings.Contains(text, "<script>alert") || strings.Contains(text, "Harbor <Ledger>") ||
		!strings.Contains(text, "acquireLicensePage") || !strings.Contains(text, `<script type="application/problem+json">`) {
		t.Errorf("page %s", text)
	}
	if r := g.Check(context.Background(), visit("/x", "GPTBot", edge.Field{Name: "accept", Value: "image/png"})); r.Header.Get("content-type") != exports.MediaProblem {
		t.Errorf("nothing acceptable: %s", r.Header.Get("content-type"))
	}
}

// TestDenialOfClosedPublisher checks that a denial names no form that is not
// there: a publisher that takes no inquiries has only a page.
func TestDenialOfClosedPublisher(t *testing.T) {
	doc := policy()
	doc.AsksAllowed = false
	g := guard(doc)
	for _, accept := range []string{exports.MediaProblem, "application/rsl+xml", "text/html"} {
		body := string(g.Check(context.Background(), visit("/shipping/tides", "ChatGPT-User", edge.Field{Name: "accept", Value: accept})).Body)
		assert.Lacks(t, accept, body, "/request/", "Ask Harbor", exports.PathLicensingRequest)
		if accept != exports.MediaProblem && !strings.Contains(body, "/publishers/harbor/") {
			t.Errorf("%s does not name the publisher's page: %s", accept, body)
		}
	}
	g = guard(policy())
	assert.Contains(t, "the form is missing", string(g.Check(context.Background(), visit("/shipping/tides", "ChatGPT-User", edge.Field{Name: "accept", Value: "text/html"})).Body), `/publishers/harbor/request/">Ask Harbor &lt;Ledger&gt; for a licence</a>`)
}

// TestDenialReceipt checks the signature of a receipt, and that it covers what
// the denial shows.
func TestDenialReceipt(t *testing.T) {
	seed := []byte(strings.Repeat("s", 32))
	own, err := record.NewSigner(seed)
	must(t, err)
	public := ed25519.NewKeyFromSeed(seed).Public().(ed25519.PublicKey)
	g := guard(policy(), func(g *access.Guard) { g.Receipts = own })
	resp := g.Check(context.Background(), visit("/shipping/tides?a=b", "GPTBot"))
	var doc struct {
		AccessResponse struct {
			Routes  json.RawMessage
			Receipt struct {
				Kid          string
				SignatureB64 string `json:"signature_b64u"`
				Payload      map[string]string
			}
		} `json:"access_response"`
	}
	must(t, json.Unmarshal(resp.Body, &doc))
	r := doc.AccessResponse.Receipt
	sum := func(b []byte) string { return fmt.Sprintf("%x", sha256.Sum256(b)) }
	want := map[string]string{
		"at": "2026-11-20T09:00:00Z", "reason_code": "use_not_offered", "request_id": "rid_1",
		"routes_digest": "sha-256:" + sum(doc.AccessResponse.Routes), "url_sha256": sum([]byte("https://harbor.example/shipping/tides?a=b")),
	}
	if !maps.Equal(r.Payload, want) {
		t.Errorf("payload %v, want %v", r.Payload, want)
	}
	payload, _ := json.Marshal(want) // sorted and without escapes, as in canonical JSON
	signature, err := base64.RawURLEncoding.DecodeString(r.SignatureB64)
	if err != nil || r.Kid != own.KeyID() || !ed25519.Verify(public, append([]byte("service.access-denial.v1\n"), payload...), signature) {
		t.Errorf("receipt %+v does not hold", r)
	}
	unsigned := guard(policy()).Check(context.Background(), visit("/shipping/tides", "GPTBot"))
	assert.Contains(t, "without a signer", string(unsigned.Body), `"receipt":null`)
}

// signer signs requests as an agent does.
type signer struct {
	public  ed25519.PublicKey
	private ed25519.PrivateKey
	keyID   string
}

func newSigner() *signer {
	s := &signer{private: ed25519.NewKeyFromSeed([]byte(strings.Repeat("k", 32)))}
	s.public = s.private.Public().(ed25519.PublicKey)
	s.keyID = record.Thumbprint([32]byte(s.public))
	return s
}

func (s *signer) directory() []byte {
	return []byte(`{"keys":[{"kty":"OKP","crv":"Ed25519","x":"` + base64.RawURLEncoding.EncodeToString(s.public) + `"}]}`)
}

// sign returns the three fields; change may alter the parameters before they
// are signed.
func (s *signer) sign(agent, host, method, path string, change func(params string) string) []edge.Field {
	params := fmt.Sprintf(`("@authority" "@method" "@path" "signature-agent";key="sig1");created=%d;expires=%d;keyid="%s";alg="ed25519";tag="web-bot-auth"`, now.Unix()-10, now.Unix()+300, s.keyID)
	if change != nil {
		params = change(params)
	}
	base := "\"@authority\": " + host + "\n\"@method\": " + method + "\n\"@path\": " + path + "\n\"signature-agent\";key=\"sig1\": \"" + agent + "\"\n\"@signature-params\": " + params
	return []edge.Field{
		{Name: "signature-agent", Value: `sig1="` + agent + `"`}, {Name: "signature-input", Value: "sig1=" + params},
		{Name: "signature", Value: "sig1=:" + base64.StdEncoding.EncodeToString(ed25519.Sign(s.private, []byte(base))) + ":"},
	}
}

func TestWebBotAuth(t *testing.T) {
	s := newSigner()
	fetched := map[string]int{}
	clock := now
	d := &access.Directory{
		Now: func() time.Time { return clock }, Verify: record.Ed25519,
		Fetch: func(_ context.Context, url string) (int, []byte, error) {
			fetched[url]++
			if strings.Contains(url, "chatgpt.com") || strings.Contains(url, "bot.example") {
				return 200, s.directory(), nil
			}
			return 404, nil, nil
		},
	}
	g := guard(policy(), func(g *access.Guard) { g.Signers, g.ProveIdentity = signers(d.Keys()), true })
	reason := func(path, ua string, fields []edge.Field) string {
		r := g.Check(context.Background(), visit(path, ua, fields...))
		if r == nil {
			return "pass"
		}
		_, after, _ := strings.Cut(r.Header.Get("service-access"), "reason=")
		why, _, _ := strings.Cut(after, ";")
		return why
	}
	sign := func(agent string, change func(string) string) []edge.Field {
		return s.sign(agent, "harbor.example", "GET", "/shipping/tides", change)
	}
	for name, c := range map[string]struct {
		path, ua string
		fields   []edge.Field
		want     string
	}{
		"signed by a known agent":           {"/shipping/tides", "Mozilla/5.0", sign("https://chatgpt.com", nil), "no_license"},
		"signed, under a borrowed name":     {"/shipping/tides", "GPTBot", sign("https://bot.example", nil), "agent_not_identified"},
		"signed for another authority":      {"/shipping/tides", "Mozilla/5.0", s.sign("https://chatgpt.com", "other.example", "GET", "/shipping/tides", nil), "pass"},
		"signed by somebody, a person's UA": {"/shipping/tides", "Mozilla/5.0", sign("https://bot.example", nil), "pass"},
		"not signed":                        {"/shipping/tides", "GPTBot", nil, "agent_not_identified"},
		"signature of another path":         {"/shipping/other", "GPTBot", sign("https://chatgpt.com", nil), "agent_not_identified"},
		"expired":                           {"/shipping/tides", "GPTBot", sign("https://chatgpt.com", func(p string) string { return strings.Replace(p, "expires=", "expires=1;x=", 1) }), "agent_not_identified"},
		"valid for too long": {"/shipping/tides", "GPTBot", sign("https://chatgpt.com", func(p string) string {
			return strings.Replace(p, fmt.Sprint("expires=", now.Unix()+300), fmt.Sprint("expires=", now.Unix()+90000), 1)
		}), "agent_not_identified"},
		"another tag":             {"/shipping/tides", "GPTBot", sign("https://chatgpt.com", func(p string) string { return strings.Replace(p, "web-bot-auth", "other", 1) }), "agent_not_identified"},
		"another algorithm":       {"/shipping/tides", "GPTBot", sign("https://chatgpt.com", func(p string) string { return strings.Replace(p, "ed25519", "hmac-sha256", 1) }), "agent_not_identified"},
		"a signer without keys":   {"/shipping/tides", "GPTBot", sign("https://nobody.example", nil), "agent_not_identified"},
		"a signer on the machine": {"/shipping/tides", "GPTBot", sign("https://localhost", nil), "agent_not_identified"},
		"an address for a signer": {"/shipping/tides", "GPTBot", sign("https://127.0.0.1", nil), "agent_not_identified"},
		"a port for a signer":     {"/shipping/tides", "GPTBot", sign("https://bot.example:8443", nil), "agent_not_identified"},
		"a path for a signer":     {"/shipping/tides", "GPTBot", sign("https://bot.example/../x", nil), "agent_not_identified"},
		"no https":                {"/shipping/tides", "GPTBot", sign("http://bot.example", nil), "agent_not_identified"},
		"a name inside":           {"/shipping/tides", "GPTBot", sign("https://metadata.google.internal", nil), "agent_not_identified"},
	} {
		assert.Equal(t, reason(c.path, c.ua, c.fields), c.want, "%s", name)
	}
	for url := range fetched {
		if !strings.HasPrefix(url, "https://") || strings.Contains(url, "localhost") || strings.Contains(url, "127.0.0.1") || strings.Contains(url, ":8443") || strings.Contains(url, "internal") {
			t.Errorf("%s was fetched", url)
		}
	}
	before := fetched["https://nobody.example"+access.DirectoryPath]
	for range 5 {
		reason("/shipping/tides", "GPTBot", sign("https://nobody.example", nil))
	}
	if fetched["https://nobody.example"+access.DirectoryPath] != before || before != 1 || fetched["https://chatgpt.com"+access.DirectoryPath] != 1 {
		t.Errorf("fetched %v: what is not there is asked for again", fetched)
	}
	clock = now.Add(6 * time.Minute)
	reason("/shipping/tides", "GPTBot", sign("https://nobody.example", nil))
	assert.Equal(t, fetched["https://nobody.example"+access.DirectoryPath], 2, "what was not there is never asked for again")
}

// TestDirectoryWhoseKeysChange checks that a new key of a signer is accepted
// within five minutes and a removed one for at most an hour, and that made-up
// keys cost one fetch in five minutes and remove nothing while the directory
// cannot be read.
func TestDirectoryWhoseKeysChange(t *testing.T) {
	public := func(seed string) ed25519.PublicKey {
		return ed25519.NewKeyFromSeed([]byte(strings.Repeat(seed, 32))).Public().(ed25519.PublicKey)
	}
	first, second := &signer{public: public("1")}, &signer{public: public("2")}
	listed, status, fetches, clock := first, 200, 0, now
	d := &access.Directory{
		Now: func() time.Time { return clock },
		Fetch: func(context.Context, string) (int, []byte, error) {
			fetches++
			return status, listed.directory(), nil
		},
		Verify: func([]byte, []byte, []byte) bool { return true }, // the test is about which keys are known
	}
	keys := d.Keys()
	for _, step := range []struct {
		minute  int
		listed  *signer
		status  int
		asked   *signer
		holds   bool
		fetches int
	}{
		{0, first, 200, first, true, 1},
		{1, second, 200, second, false, 1}, // not fetched again yet
		{5, second, 200, second, true, 2},
		{6, second, 200, first, false, 2},   // removed
		{11, second, 503, first, false, 3},  // the directory cannot be read
		{12, second, 503, second, true, 3},  // known keys stay valid
		{16, second, 503, first, false, 4},  // a made-up key: one fetch in five minutes
		{17, second, 503, first, false, 4},  //
		{64, first, 200, second, true, 4},   // for an hour
		{65, first, 503, second, false, 5},  // and no longer
		{66, first, 200, first, false, 5},   // a key that was missing is not looked for again yet
		{70, first, 200, first, true, 6},    //
		{129, second, 200, first, true, 6},  //
		{130, second, 200, first, false, 7}, // an hour after
		{131, second, 200, second, true, 7}, //
	} {
		clock = now.Add(time.Duration(step.minute) * time.Minute)
		listed, status = step.listed, step.status
		holds := keys.Verify(context.Background(), "signer.example", record.Thumbprint([32]byte(step.asked.public)), nil, nil)
		if holds != step.holds || fetches != step.fetches {
			t.Errorf("minute %d: holds %v after %d fetches, want %v after %d", step.minute, holds, fetches, step.holds, step.fetches)
		}
	}
}

// everyDirectory returns a directory with one signer's keys at every host.
func everyDirectory(s *signer) *access.Directory {
	return &access.Directory{
		Now: func() time.Time { return now }, Verify: record.Ed25519,
		Fetch: func(context.Context, string) (int, []byte, error) { return 200, s.directory(), nil },
	}
}

// TestSignatureCoversTheAuthority checks that a signature must cover the
// authority; otherwise it could be copied from a request to any other site.
func TestSignatureCoversTheAuthority(t *testing.T) {
	s := newSigner()
	keys := everyDirectory(s).Keys()
	for _, c := range []struct {
		components string
		want       bool
	}{
		{`("@authority" "@method" "@path" "signature-agent";key="sig1")`, true},
		{`("@method" "@path" "signature-agent";key="sig1")`, false},
		{`("@authority" "@method" "@path")`, false},
	} {
		params := fmt.Sprintf(`%s;created=%d;expires=%d;keyid="%s";tag="web-bot-auth"`, c.components, now.Unix(), now.Unix()+300, s.keyID)
		var base strings.Builder
		for name, value := range map[string]string{`"@authority"`: "harbor.example"} {
			if strings.Contains(c.components, name) {
				base.WriteString(name + ": " + value + "\n")
			}
		}
		base.WriteString("\"@method\": GET\n\"@path\": /x\n")
		if strings.Contains(c.components, "signature-agent") {
			base.WriteString("\"signature-agent\";key=\"sig1\": \"https://chatgpt.com\"\n")
		}
		base.WriteString("\"@signature-params\": " + params)
		r := visit("/x", "Mozilla/5.0",
			edge.Field{Name: "signature-agent", Value: `sig1="https://chatgpt.com"`}, edge.Field{Name: "signature-input", Value: "sig1=" + params},
			edge.Field{Name: "signature", Value: "sig1=:" + base64.StdEncoding.EncodeToString(ed25519.Sign(s.private, []byte(base.String()))) + ":"})
		if _, ok := signers(keys).Identify(context.Background(), r, now); ok != c.want {
			t.Errorf("%s: holds %v, want %v", c.components, ok, c.want)
		}
	}
}

// TestNameIsNotBorrowed checks, for a publisher that allows one agent by name,
// that a signer at another host gains nothing by using that name and is known
// by its host.
func TestNameIsNotBorrowed(t *testing.T) {
	s := newSigner()
	doc := policy()
	robots := channel.ParseRobots(channel.Input{URL: "https://harbor.example/robots.txt", CheckedAt: now.Unix(), Body: []byte(
		"User-agent: *\nContent-Signal: ai-train=no\n\nUser-agent: GPTBot\nContent-Signal: ai-train=yes\n")})
	doc.Documents, doc.Preferences, doc.Offers = []statements.Document{robots.Document}, nil, nil
	g := guard(doc, func(g *access.Guard) { g.Signers = signers(everyDirectory(s).Keys()) })
	ask := func(ua, signer string) *edge.Response {
		var fields []edge.Field
		if signer != "" {
			fields = s.sign(signer, "harbor.example", "GET", "/x", nil)
		}
		return g.Check(context.Background(), visit("/x", ua, fields...))
	}
	if r := ask("GPTBot/1.0", ""); r != nil {
		t.Errorf("an agent that is let in by name: %d", r.Status)
	}
	r := ask("GPTBot/1.0", "https://bot.example")
	if r == nil || r.Status != 403 || !strings.Contains(string(r.Body), `"identity":"verified_unlisted","product_token":"bot.example"`) {
		t.Errorf("under a borrowed name: %+v", r)
	}
	closed := policy()
	robots = channel.ParseRobots(channel.Input{URL: "https://harbor.example/robots.txt", CheckedAt: now.Unix(), Body: []byte(
		"User-agent: *\nContent-Signal: ai-train=yes\n\nUser-agent: GPTBot\nContent-Signal: ai-train=no\n")})
	closed.Documents, closed.Preferences, closed.Offers = []statements.Document{robots.Document}, nil, nil
	g.Document = func(context.Context) (*rights.RightsDocument, error) { return closed, nil }
	if r := ask("GPTBot/1.0", "https://bot.example"); r == nil || r.Status != 403 {
		t.Errorf("a signature took a prohibition away: %+v", r)
	}
}

// TestSignatureDoesNotHideAPrice checks that a stranger who signs as GPTBot has
// to ask, if everybody has to ask and nothing is stated about GPTBot.
func TestSignatureDoesNotHideAPrice(t *testing.T) {
	s := newSigner()
	doc := policy()
	robots := channel.ParseRobots(channel.Input{URL: "https://harbor.example/robots.txt", CheckedAt: now.Unix(), Body: []byte(
		"User-agent: *\nContent-Signal: ai-train=no\n\nUser-agent: GPTBot\nAllow: /\n")})
	doc.Documents, doc.Offers = []statements.Document{robots.Document}, nil
	doc.Preferences = []exports.Preference{{Use: "training", Inquiry: "welcome", Declared: "unknown", Source: "publisher"}}
	g := guard(doc, func(g *access.Guard) { g.Signers = signers(everyDirectory(s).Keys()) })

	fields := s.sign("https://bot.example", "harbor.example", "GET", "/x", nil)
	if r := g.Check(context.Background(), visit("/x", "GPTBot/1.0", fields...)); r == nil || r.Status != 402 {
		t.Errorf("under a borrowed name: %+v", r)
	}
}

// TestGuardDoesNotOpenByWhatItCannotSee checks that an offer for images only
// does not count, since the guard does not see a page's format, and that the
// guard does not mention it.
func TestGuardDoesNotOpenByWhatItCannotSee(t *testing.T) {
	doc := policy()
	doc.Documents = nil
	doc.Preferences = []exports.Preference{{Use: "training", Inquiry: "unstated", Declared: "disallow", Source: "publisher"}}
	doc.Offers = []exports.Offer{{LicenseID: "lic_images", Status: "offered", Permits: []string{"training"}, Scope: exports.OfferScope{ContentFormats: []string{"image"}}}}

	if r := guard(doc).Check(context.Background(), visit("/x", "GPTBot/1.0")); r == nil || r.Status != 403 {
		t.Errorf("a page that is perhaps no image: %+v", r)
	}
}

// TestNonceCountsOnce checks that a signature with a nonce is valid for one
// request.
func TestNonceCountsOnce(t *testing.T) {
	s := newSigner()
	clock := now
	g := guard(policy(), func(g *access.Guard) {
		g.Now, g.ProveIdentity = func() time.Time { return clock }, true
		g.Signers = access.Signers{Keys: everyDirectory(s).Keys(), Nonces: &access.NonceMemory{Now: g.Now}}
	})
	ask := func(nonce string) bool {
		fields := s.sign("https://chatgpt.com", "harbor.example", "GET", "/shipping/tides", func(p string) string { return p + nonce })
		r := g.Check(context.Background(), visit("/shipping/tides", "ChatGPT-User/1.0", fields...))
		return r != nil && strings.Contains(string(r.Body), `"identity":"verified"`)
	}
	for i, c := range []struct {
		nonce string
		want  bool
	}{
		{`;nonce="a"`, true}, {`;nonce="a"`, false}, {`;nonce="b"`, true}, {"", true}, {"", true}, {`;nonce=""`, false}, {`;nonce=a`, false},
	} {
		assert.Equal(t, ask(c.nonce), c.want, "%d: %s: verified", i, c.nonce)
	}
	clock = now.Add(300*time.Second + 59*time.Second)
	if ask(`;nonce="a"`) {
		t.Error("a nonce was forgotten while its signature still holds")
	}
}

// sharedNonces is a store of nonces that several guards share. If down is set,
// it is out of reach.
type sharedNonces struct {
	seen map[string]time.Time
	down bool
}

func (n *sharedNonces) Spend(_ context.Context, host, nonce string, until time.Time) bool {
	_, known := n.seen[host+" "+nonce]
	if !known {
		n.seen[host+" "+nonce] = until
	}
	return !known && !n.down
}

// TestNoncesOfSeveralGuards checks that guards with shared nonces know what one
// of them has seen, and that a signature with a nonce proves nothing while the
// store is out of reach.
func TestNoncesOfSeveralGuards(t *testing.T) {
	s := newSigner()
	shared := &sharedNonces{seen: map[string]time.Time{}}
	newGuard := func() *access.Guard {
		return guard(policy(), func(g *access.Guard) {
			g.Signers, g.ProveIdentity = access.Signers{Keys: everyDirectory(s).Keys(), Nonces: shared}, true
		})
	}
	verified := func(g *access.Guard, nonce string) bool {
		fields := s.sign("https://chatgpt.com", "harbor.example", "GET", "/shipping/tides", func(p string) string { return p + nonce })
		r := g.Check(context.Background(), visit("/shipping/tides", "ChatGPT-User/1.0", fields...))
		return r != nil && strings.Contains(string(r.Body), `"identity":"verified"`)
	}
	one, other := newGuard(), newGuard()
	if !verified(one, `;nonce="a"`) || verified(other, `;nonce="a"`) || !verified(other, `;nonce="b"`) {
		t.Error("two guards do not share what they have seen")
	}
	if until := shared.seen["chatgpt.com a"]; !until.Equal(now.Add(300*time.Second + 60*time.Second)) {
		t.Errorf("a nonce is remembered until %v", until)
	}
	shared.down = true
	if verified(one, `;nonce="c"`) || !verified(one, "") {
		t.Error("while the store is away a nonce was taken for new, or a signature without one was refused")
	}
}

// TestGuardThatJustStarted checks that a guard which has just started does not
// know earlier signatures, and that a signer's clock may be a minute ahead.
func TestGuardThatJustStarted(t *testing.T) {
	s := newSigner()
	for _, c := range []struct {
		started time.Duration // after now; the signature was made ten seconds before
		nonce   string
		want    bool
	}{
		{-70 * time.Second, `;nonce="a"`, true}, {-69 * time.Second, `;nonce="a"`, false}, {time.Minute, `;nonce="a"`, false}, {time.Minute, "", true},
	} {
		g := guard(policy(), func(g *access.Guard) {
			g.ProveIdentity = true
			g.Signers = access.MemorySigners(everyDirectory(s).Keys(), func() time.Time { return now.Add(c.started) })
		})
		fields := s.sign("https://chatgpt.com", "harbor.example", "GET", "/shipping/tides", func(p string) string { return p + c.nonce })
		r := g.Check(context.Background(), visit("/shipping/tides", "ChatGPT-User/1.0", fields...))
		assert.Equal(t, r != nil && strings.Contains(string(r.Body), `"identity":"verified"`), c.want, "started %v from now%s: verified", c.started, c.nonce)
	}
}

// TestGuardHonoursAudiences checks that what is free for some users only is not
// free for an agent whose user is unknown.
func TestGuardHonoursAudiences(t *testing.T) {
	doc := policy()
	rsl := channel.ParseRSL(channel.Input{URL: "https://harbor.example/license.xml", CheckedAt: now.Unix(), Body: []byte(
		`<rsl xmlns="https://rslstandard.org/rsl"><content url="/"><license><permits type="usage">ai-train</permits><permits type="user">non-commercial</permits><payment type="free"/></license></content></rsl>`)})
	doc.Documents, doc.Preferences, doc.Offers = []statements.Document{rsl.Document}, nil, nil
	if r := guard(doc).Check(context.Background(), visit("/x", "GPTBot/1.0")); r == nil || r.Status != 403 {
		t.Errorf("free for non-commercial users only, and an agent got %+v", r)
	}
}

// accept accepts every signature, so that only the form of the fields matters.
type accept struct{}

func (accept) Verify(context.Context, string, string, []byte, []byte) bool { return true }

// TestSignatureFields follows RFC 9421: a component is covered once, and an
// Ed25519 signature has 64 bytes. Web Bot Auth requires the signer's address to
// be covered.
func TestSignatureFields(t *testing.T) {
	input := func(components string) string {
		return fmt.Sprintf(`(%s);created=%d;expires=%d;keyid="k";tag="web-bot-auth"`, components, now.Unix()-10, now.Unix()+300)
	}
	signature := func(n int) string { return ":" + base64.StdEncoding.EncodeToString(make([]byte, n)) + ":" }
	whole := input(`"@authority" "signature-agent"`)
	for _, c := range []struct {
		name, input, signature string
		want                   bool
	}{
		{"whole", "a=" + whole, "a=" + signature(64), true},
		{"a short signature", "a=" + whole, "a=" + signature(63), false},
		{"a long signature", "a=" + whole, "a=" + signature(65), false},
		{"a component twice", "a=" + input(`"@authority" "signature-agent" "@authority"`), "a=" + signature(64), false},
		{"without the signer", "a=" + input(`"@authority"`), "a=" + signature(64), false},
		{"the second covers the signer", "a=" + input(`"@authority"`) + ", b=" + whole, "b=" + signature(64), true},
	} {
		r := visit("/x", "GPTBot", edge.Field{Name: "signature-input", Value: c.input}, edge.Field{Name: "signature", Value: c.signature}, edge.Field{Name: "signature-agent", Value: `"https://bot.example"`})
		if _, ok := signers(accept{}).Identify(context.Background(), r, now); ok != c.want {
			t.Errorf("%s: %v", c.name, ok)
		}
	}
}

func FuzzSignatureFields(f *testing.F) {
	f.Add(`sig1=("@authority" "signature-agent";key="sig1");created=1;expires=2;keyid="k";tag="web-bot-auth"`, "sig1=:AAAA:", `sig1="https://bot.example"`)
	f.Add(`a=(((`, `":`, `"`)
	g := guard(policy(), func(g *access.Guard) { g.Signers, g.ProveIdentity = signers(refuse{}), true })
	f.Fuzz(func(t *testing.T, input, signature, agent string) {
		r := g.Check(context.Background(), visit("/x", "GPTBot", edge.Field{Name: "signature-input", Value: input}, edge.Field{Name: "signature", Value: signature}, edge.Field{Name: "signature-agent", Value: agent}))
		if r == nil || r.Status != 403 {
			t.Errorf("%q passed", input)
		}
	})
}

type refuse struct{}

func (refuse) Verify(context.Context, string, string, []byte, []byte) bool { return false }
