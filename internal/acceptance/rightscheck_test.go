package acceptance_test

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"colophon/exports"
	"colophon/generator"
	"colophon/internal/assert"
	"colophon/internal/canonicaltext"
	"colophon/internal/credential"
	"colophon/internal/iscc"
	"colophon/internal/openapi/openapitest"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	provrecord "colophon/internal/record"
	"colophon/internal/urlkey"
	"colophon/worker"
	"colophon/worker/edge"
)

// dir is a folder of published files.
type dir string

func (d dir) Read(_ context.Context, key string) ([]byte, error) {
	return os.ReadFile(filepath.Join(string(d), filepath.FromSlash(key)))
}

// rightsWorld is a built and served registry with one publisher, and its
// origin.
type rightsWorld struct {
	t      testing.TB
	store  *originsql.Store
	deps   worker.Deps
	handle edge.Handler
	entry  string
	digest string
}

const (
	rightsStart = "2026-09-01T00:00:00Z"
	rightsNow   = "2026-11-20T09:00:00Z"
	pageURL     = "https://harbor-ledger.example/shipping/tide-tables-2026"
)

func newRightsWorld(t testing.TB) *rightsWorld {
	t.Helper()
	ctx := context.Background()
	w := &rightsWorld{t: t, store: openStore(t, filepath.Join(t.TempDir(), "origin.db"))}
	must(t, w.store.PutPublisher(ctx, origin.Publisher{PublisherID: "pub_harbor-ledger", LegalName: "Harbor Ledger B.V.", CreatedAt: rightsStart}))
	must(t, w.store.PutSite(ctx, origin.Site{
		SiteID: "harbor-ledger", PublisherID: "pub_harbor-ledger", Name: "Harbor Ledger", SiteURL: "https://harbor-ledger.example/", State: origin.Approved, Visibility: "public",
		ApprovedAt: rightsStart, AcceptsInquiries: true, RAGSuitability: "high", DomainControl: "dns_txt", CreatedAt: rightsStart, ChangedAt: rightsStart,
	}))
	must(t, w.store.PutWebsite(ctx, origin.Website{SiteID: "harbor-ledger", Host: "harbor-ledger.example", Associated: true, Method: "dns_txt", CheckedAt: rightsStart, ChangedAt: rightsStart}))
	must(t, w.store.AddPassport(ctx, origin.Passport{SiteID: "harbor-ledger", Version: 1, PassportID: "rp_1", HolderName: "Harbor Ledger B.V.", HolderBasis: "stated_by_publisher", EffectiveFrom: rightsStart, ChangedAt: rightsStart}))
	w.prefer("rag", "welcome", "disallow", rightsStart)
	w.prefer("training", "not_offered", "disallow", rightsStart)
	w.offer("offered", nil)
	w.observe("rsl", "/license.xml", `<?xml version="1.0"?><rsl xmlns="https://rslstandard.org/rsl"><content url="/shipping/*"><license><permits type="usage">search</permits><payment type="attribution"/></license></content></rsl>`)
	w.observe("robots", "/robots.txt", "User-agent: *\nAllow: /\nContent-Signal: search=no\n\nUser-agent: examplebot\nDisallow: /\n")
	w.register(pageURL)
	w.register("https://harbor-ledger.example/plain")
	signer, keys := rightsKey(t)
	built := filepath.Join(t.TempDir(), "dist")
	_, err := generator.Build(ctx, w.store, built, generator.Options{BaseURL: testBase, Name: "Colophon", Signer: signer, Keys: keys, Workers: 2})
	must(t, err)
	now, _ := exports.ParseInstant(rightsNow)
	w.deps = worker.Deps{BaseURL: testBase, Assets: dir(built), Now: func() time.Time { return now }, Origin: w.store}
	w.handle = openapitest.Handler(t, worker.New(w.deps))
	return w
}

func rightsKey(t testing.TB) (*provrecord.SeedSigner, provrecord.KeySet) {
	t.Helper()
	seed, err := hex.DecodeString("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60") // RFC 8032, section 7.1, test 1
	must(t, err)
	k, err := provrecord.NewKeyFile([32]byte(seed), 1704067200, 1893456000, provrecord.KeyActive)
	must(t, err)
	public, err := k.Key()
	must(t, err)
	set, err := provrecord.NewKeySet(public)
	must(t, err)
	signer, err := k.Signer()
	must(t, err)
	return signer, set
}

func (w *rightsWorld) prefer(use, inquiry, declared, at string) {
	must(w.t, w.store.PutPreference(context.Background(), origin.Preference{
		SiteID: "harbor-ledger", Use: use, Inquiry: inquiry, Declared: declared, Conditions: []string{"attribution"}, Since: at, Source: "publisher", ChangedAt: at,
	}))
}

func (w *rightsWorld) offer(status string, userTypes []string) {
	must(w.t, w.store.PutOffer(context.Background(), origin.Offer{
		LicenseID: "lic_1", SiteID: "harbor-ledger", Slug: "grounding", Kind: "custom", Status: status, Title: "Grounding", ScopeType: "section", Paths: []string{"/shipping/*"},
		Permits: []string{"rag"}, UserTypes: userTypes, Territories: []string{"EU"}, PaymentModel: "use", Attribution: "link", ValidFrom: rightsStart, ValidUntil: "2026-11-23T00:00:00Z", ChangedAt: rightsStart,
	}))
}

func (w *rightsWorld) observe(channel, path, raw string) {
	must(w.t, w.store.PutObservation(context.Background(), origin.Observation{
		SiteID: "harbor-ledger", Channel: channel, URL: "https://harbor-ledger.example" + path, Status: 200, Raw: raw, SHA256: hex.EncodeToString([]byte(path)), FetchedAt: "2026-11-20T05:40:00Z", ValidUntil: "2026-11-27T00:00:00Z",
	}))
}

func (w *rightsWorld) register(url string) {
	text, err := canonicaltext.CanonicalText("High water at Pier 4 is at four in the morning, and the harbour master writes it down: " + url)
	must(w.t, err)
	p := origin.Page{
		EntryID: urlkey.EntryID("harbor-ledger", url), SiteID: "harbor-ledger", CanonicalURL: url, Title: "Tide tables", Language: "en", ContentFormat: "html",
		PublishedAt: rightsStart, RegisteredAt: rightsStart, ChangedAt: rightsStart, State: "active", Extraction: "publisher-supplied-text", Portable: canonicaltext.PortableDigest([]byte(text)), ISCC: iscc.Sum(text).String(),
	}
	p.Registry = urlkey.RegistryDigest("harbor-ledger", p.EntryID, url, p.Portable)
	must(w.t, w.store.PutPage(context.Background(), p, nil))
	if url == pageURL {
		w.entry, w.digest = p.EntryID, p.Portable
	}
}

// shareHost adds a publisher that proves control of the same host.
func (w *rightsWorld) shareHost(id string) {
	must(w.t, w.store.PutSite(context.Background(), origin.Site{
		SiteID: id, PublisherID: "pub_harbor-ledger", Name: id, SiteURL: "https://harbor-ledger.example/", State: origin.Approved, Visibility: "public",
		ApprovedAt: rightsStart, AcceptsInquiries: true, DomainControl: "dns_txt", CreatedAt: rightsStart, ChangedAt: rightsStart,
	}))
	must(w.t, w.store.PutWebsite(context.Background(), origin.Website{SiteID: id, Host: "harbor-ledger.example", Associated: true, Method: "dns_txt", CheckedAt: rightsStart, ChangedAt: rightsStart}))
}

// raw sends a rights check and returns the bytes of the answer.
func (w *rightsWorld) raw(query string) []byte {
	w.t.Helper()
	r := w.handle(context.Background(), &edge.Request{Method: "GET", Path: exports.PathRightsCheck, Query: query, ID: "rid_x"})
	if r.Status != 200 {
		w.t.Fatalf("%s: %d %s", query, r.Status, r.Body)
	}
	return r.Body
}

// check sends a rights check and returns its status and document.
func (w *rightsWorld) check(query string, header ...edge.Field) (int, map[string]any) {
	w.t.Helper()
	r := w.handle(context.Background(), &edge.Request{Method: "GET", Path: exports.PathRightsCheck, Query: query, Header: header, ID: "rid_x"})
	var doc map[string]any
	if err := json.Unmarshal(r.Body, &doc); err != nil {
		w.t.Fatalf("%s: %v in %s", query, err, r.Body)
	}
	assert.Equal(w.t, doc["grants_rights"], false, "%s: grants_rights", query)
	if r.Status == 200 && !strings.Contains(r.Header.Get("cache-control"), "no-store") {
		w.t.Errorf("%s: a live answer may be cached: %q", query, r.Header.Get("cache-control"))
	}
	return r.Status, doc
}

// get returns a member of a document by path: "candidates.0.uses.1.verdict".
func get(doc any, path string) any {
	for _, step := range strings.Split(path, ".") {
		switch x := doc.(type) {
		case map[string]any:
			doc = x[step]
		case []any:
			i := int(step[0] - '0')
			if i >= len(x) {
				return nil
			}
			doc = x[i]
		default:
			return nil
		}
	}
	return doc
}

// want compares members of a document by path.
func want(t *testing.T, doc any, pairs ...any) {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		if got := get(doc, pairs[i].(string)); got != pairs[i+1] {
			t.Errorf("%s is %v, want %v", pairs[i], got, pairs[i+1])
		}
	}
}

func TestRightsCheck(t *testing.T) {
	w := newRightsWorld(t)
	_, doc := w.check("url=https://Harbor-Ledger.example:443/shipping/./tide-tables-2026%23top&use=rag,train&use=search&territory=NL&user_type=commercial")
	want(t, doc,
		"match.status", "single", "match.basis", "canonical_url", "answered_by", "origin", "evaluated_at", rightsNow, "receipt", nil,
		"query.normalized", pageURL, "query.normalized_from.0.given", "train", "candidates.0.entry_id", w.entry, "candidates.0.rights_vector", "LDDdDDUD",
		"candidates.0.uses.0.use", "rag", "candidates.0.uses.0.verdict", "license_required", "candidates.0.uses.0.reason", "offer_exists",
		"candidates.0.uses.0.license_ids.0", "lic_1", "candidates.0.uses.0.next.body.resource", pageURL,
		"candidates.0.uses.1.use", "training", "candidates.0.uses.1.verdict", "declined", "candidates.0.uses.1.reason", "use_not_offered", "candidates.0.uses.1.next.action", "none",
		"candidates.0.uses.2.use", "search_indexing", "candidates.0.uses.2.verdict", "declined", "candidates.0.uses.2.signals_agree", false,
		"candidates.0.conflicts.0.use", "search_indexing", "candidates.0.conflicts.0.taken", "disallow", "candidates.0.conflicts.0.between.0", "rsl",
		"policy.policy_id", "pol_harbor-ledger", "policy.version", 1.0, "valid_until", "2026-11-21T05:40:00Z",
	)
	if uses := get(doc, "candidates.0.uses").([]any); len(uses) != 3 {
		t.Errorf("%d uses, want 3", len(uses))
	}
	ids := map[any]bool{}
	for _, e := range get(doc, "candidates.0.evidence").([]any) {
		ids[get(e, "id")] = true
	}
	for _, u := range get(doc, "candidates.0.uses").([]any) {
		for _, id := range get(u, "basis").([]any) {
			if !ids[id] {
				t.Errorf("%v is not listed", id)
			}
		}
	}
}

func TestRightsCheckByEveryKey(t *testing.T) {
	w := newRightsWorld(t)
	page, err := w.store.Page(context.Background(), w.entry)
	must(t, err)
	for query, basis := range map[string]string{
		"entry_id=" + w.entry: "entry_id", "fingerprint=" + strings.ToUpper(w.digest): "portable_fingerprint", "fingerprint=" + page.Registry: "registry_fingerprint",
	} {
		_, doc := w.check(query + "&territory=EU")
		want(t, doc, "match.status", "single", "match.basis", basis, "candidates.0.rights_vector", "LDDdDDUD", "candidates.0.canonical_url", pageURL)
	}
	_, doc := w.check("site_id=harbor-ledger&territory=EU")
	want(t, doc, "match.status", "single", "candidates.0.entry_id", nil, "candidates.0.canonical_url", "https://harbor-ledger.example/", "candidates.0.uses.0.verdict", "license_required")
	_, doc = w.check("url=https://harbor-ledger.example/shipping/not-registered&territory=EU")
	want(t, doc, "match.status", "none", "match.basis", "website", "website.rights_vector", "LDDdDDUD", "uses.0.verdict", "license_required", "website.entry_id", nil)
	for _, nobody := range []string{"url=https://nobody.example/x", "fingerprint=" + strings.Repeat("0", 64), "site_id=nobody", "entry_id=" + urlkey.EntryID("x", "https://x.example/")} {
		status, doc := w.check(nobody)
		want(t, doc, "match.status", "none", "match.basis", "none", "uses.0.verdict", "unknown", "uses.7.verdict", "unknown", "website", nil, "policy", nil)
		assert.Equal(t, status, 200, "%s", nobody)
	}
}

func TestRightsCheckRefuses(t *testing.T) {
	w := newRightsWorld(t)
	for query, code := range map[string]string{
		"": "lookup_key_required", "use=rag": "lookup_key_required", "url=https://a.example/&site_id=b-site": "lookup_key_required",
		"url=not+an+address": "invalid_parameter", "url=ftp://a.example/": "invalid_parameter", "entry_id=a.b": "invalid_parameter", "fingerprint=abc": "invalid_parameter",
		"site_id=A": "invalid_parameter", "site_id=harbor-ledger&use=dancing": "unsupported_use", "site_id=harbor-ledger&user_type=robot": "invalid_parameter",
		"site_id=harbor-ledger&territory=nl": "invalid_parameter", "site_id=harbor-ledger&territory=Europe": "invalid_parameter", "site_id=harbor-ledger&agent=a%2Fb": "invalid_parameter",
		"site_id=harbor-ledger&at=2026-11-20T09:00:01Z": "invalid_parameter", "site_id=harbor-ledger&at=yesterday": "invalid_parameter", "site_id=harbor-ledger&explain=all": "invalid_parameter",
		"site_id=harbor-ledger&site_id=other": "invalid_parameter", "site_id=harbor-ledger&colour=red": "unknown_parameter",
	} {
		status, doc := w.check(query)
		if get(doc, "code") != code || status != exports.KindOf(code).Status {
			t.Errorf("%s: %d %v, want %s", query, status, get(doc, "code"), code)
		}
	}
}

// TestRightsCheckIsLive changes the origin and asks again, without a build.
func TestRightsCheckIsLive(t *testing.T) {
	w, ctx := newRightsWorld(t), context.Background()
	ask := func(what string, pairs ...any) {
		t.Helper()
		_, doc := w.check("entry_id=" + w.entry + "&use=rag&territory=NL")
		t.Log(what)
		want(t, doc, pairs...)
	}
	ask("as built", "candidates.0.uses.0.verdict", "license_required", "policy.version", 1.0)
	w.offer("paused", nil)
	ask("offer paused", "candidates.0.uses.0.reason", "signal_disallows", "policy.version", 2.0)
	w.prefer("rag", "not_offered", "disallow", rightsStart)
	ask("preference changed", "candidates.0.uses.0.verdict", "declined", "candidates.0.uses.0.reason", "use_not_offered")
	w.prefer("rag", "unstated", "allow", "2026-12-01T00:00:00Z")
	ask("a preference of the future", "candidates.0.uses.0.verdict", "declined")
	w.offer("offered", []string{"education"})
	ask("limited to some users", "candidates.0.uses.0.verdict", "license_required", "candidates.0.uses.0.reason", "offer_exists", "candidates.0.uses.0.depends_on.0", "user_type",
		"candidates.0.uses.0.audiences.0.verdict", "declined", "candidates.0.uses.0.audiences.1.user_types.0", "education", "candidates.0.uses.0.audiences.1.license_ids.0", "lic_1")
	page, err := w.store.Page(ctx, w.entry)
	must(t, err)
	page.State = "withdrawn"
	must(t, w.store.PutPage(ctx, page, nil))
	ask("withdrawn", "candidates.0.uses.0.verdict", "withdrawn", "candidates.0.rights_vector", "WWWWWWWW", "candidates.0.uses.0.reason", "entry_withdrawn")
	page.State = "active"
	must(t, w.store.PutPage(ctx, page, nil))
	s, err := w.store.Site(ctx, "harbor-ledger")
	must(t, err)
	s.State = origin.Suspended
	must(t, w.store.PutSite(ctx, s))
	ask("suspended", "candidates.0.uses.0.verdict", "withdrawn", "candidates.0.uses.0.reason", "publisher_inactive", "policy", nil)
	s.State, s.Visibility = origin.Approved, "private"
	must(t, w.store.PutSite(ctx, s))
	ask("private", "match.status", "none", "uses.0.verdict", "unknown")
}

func TestRightsCheckByAgentTerritoryAndTime(t *testing.T) {
	w := newRightsWorld(t)
	must(t, nil)
	for _, c := range []struct {
		query string
		pairs []any
	}{
		{"&use=research", []any{"candidates.0.uses.0.verdict", "declined", "candidates.0.uses.0.depends_on.0", "agent", "candidates.0.uses.0.next.action", "prepare_intent",
			"candidates.0.uses.0.audiences.0.agents.0", "other", "candidates.0.uses.0.audiences.0.verdict", "unknown", "candidates.0.uses.0.audiences.1.agents.0", "examplebot"}},
		{"&use=research&agent=ExampleBot", []any{"candidates.0.uses.0.verdict", "declined", "candidates.0.uses.0.reason", "signal_disallows"}},
		{"&use=research&agent=otherbot", []any{"candidates.0.uses.0.verdict", "unknown"}},
		{"&use=rag", []any{"candidates.0.uses.0.verdict", "license_required", "candidates.0.uses.0.reason", "offer_exists", "candidates.0.uses.0.depends_on.0", "territory"}},
		{"&use=rag&territory=US", []any{"candidates.0.uses.0.verdict", "declined", "candidates.0.uses.0.reason", "territory_excluded", "candidates.0.uses.0.next.action", "prepare_intent"}},
		{"&use=rag&territory=EU", []any{"candidates.0.uses.0.verdict", "license_required"}},
		{"&use=rag&territory=FR", []any{"candidates.0.uses.0.verdict", "license_required"}},
		{"&use=rag&territory=FR&at=2026-08-01T00:00:00Z", []any{"candidates.0.uses.0.verdict", "unknown", "candidates.0.uses.0.reason", "no_statement_yet", "policy", nil, "valid_until", rightsNow}},
		{"&use=search&at=2026-10-01T00:00:00Z", []any{"candidates.0.uses.0.verdict", "unknown", "query.at", "2026-10-01T00:00:00Z"}},
		{"&use=search&at=2026-10-01T02:00:00%2B02:00", []any{"candidates.0.uses.0.verdict", "unknown", "query.at", "2026-10-01T00:00:00Z"}},
		{"&use=search&at=2026-10-01T02:00:00+02:00", []any{"query.at", "2026-10-01T00:00:00Z"}},
		{"&use=search&at=2026-09-30T20:00:00.250-04:00", []any{"query.at", "2026-10-01T00:00:00Z"}},
		{"&use=search&at=2026-10-01t00:00:00.999z", []any{"query.at", "2026-10-01T00:00:00Z"}},
	} {
		_, doc := w.check("entry_id=" + w.entry + c.query)
		t.Log(c.query)
		want(t, doc, c.pairs...)
	}
	_, brief := w.check("entry_id=" + w.entry)
	_, full := w.check("entry_id=" + w.entry + "&explain=full")
	if a, b := len(get(brief, "candidates.0.evidence").([]any)), len(get(full, "candidates.0.evidence").([]any)); a == 0 || b <= a {
		t.Errorf("evidence: %d brief, %d full", a, b)
	}
}

// away is an origin that is out of reach.
type away struct{ worker.Origin }

var errAway = errors.Join(errors.New("no connection"), origin.ErrUnavailable)

func (away) FindRights(context.Context, origin.RightsLookup) (origin.RightsFound, error) {
	return origin.RightsFound{}, errAway
}

// TestRightsCheckWithoutOrigin compares the answers from published files with
// those from the origin.
func TestRightsCheckWithoutOrigin(t *testing.T) {
	w := newRightsWorld(t)
	queries := []string{
		"entry_id=" + w.entry, "url=" + pageURL + "&territory=NL", "fingerprint=" + w.digest + "&agent=examplebot", "site_id=harbor-ledger&user_type=personal",
		"url=https://harbor-ledger.example/elsewhere", "url=https://nobody.example/", "site_id=nobody",
	}
	var live []map[string]any
	for _, q := range queries {
		_, doc := w.check(q)
		live = append(live, doc)
	}
	for name, r := range map[string]worker.Origin{"none": nil, "away": away{w.store}} {
		deps := w.deps
		deps.Origin = r
		w.handle = openapitest.Handler(t, worker.New(deps))
		for i, q := range queries {
			status, doc := w.check(q)
			if status != 200 || doc["answered_by"] != "static" {
				t.Errorf("%s: %s: %d by %v", name, q, status, doc["answered_by"])
			}
			doc["answered_by"] = "origin"
			got, _ := json.Marshal(doc)
			expect, _ := json.Marshal(live[i])
			if string(got) != string(expect) {
				t.Errorf("%s: %s:\n%s\nwant\n%s", name, q, got, expect)
			}
		}
		if status, doc := w.check("site_id=harbor-ledger&at=2026-10-01T00:00:00Z"); status != 503 || doc["code"] != "origin_unavailable" {
			t.Errorf("%s: an earlier time: %d %v", name, status, doc["code"])
		}
	}
}

// buyers knows one buyer.
type buyers struct{ worker.Origin }

func (buyers) AccessByLookup(context.Context, string) ([]origin.Access, error) {
	hash := credential.Digest("byr_test_1")
	return []origin.Access{{
		Credential: origin.BuyerCredential{BuyerID: "byr_1", Credential: origin.Credential{Lookup: credential.LookupOf(hash), Hash: hash, State: "active"}},
		Buyer:      origin.Buyer{BuyerID: "byr_1", State: "active"},
		Grants:     []origin.Grant{{GrantID: "grt_1", BuyerID: "byr_1", Uses: []string{"rag"}, Paths: []string{"/shipping/*"}, State: "active", Sites: []string{"harbor-ledger"}}},
	}}, nil
}

func TestRightsCheckForABuyer(t *testing.T) {
	w := newRightsWorld(t)
	deps := w.deps
	deps.Origin = buyers{w.store}
	w.handle = openapitest.Handler(t, worker.New(deps))
	_, doc := w.check("entry_id="+w.entry+"&use=rag,training", edge.Field{Name: "authorization", Value: "Bearer byr_test_1"})
	want(t, doc, "candidates.0.uses.0.verdict", "licensed", "candidates.0.uses.0.grant", "grant_active", "candidates.0.uses.0.next.action", "read",
		"candidates.0.uses.1.verdict", "declined", "candidates.0.uses.1.grant", "grant_scope_mismatch", "candidates.0.rights_vector", "LDDdDDUD")
	status, doc := w.check("entry_id="+w.entry, edge.Field{Name: "authorization", Value: "Bearer byr_test_2"})
	if status != 401 || doc["code"] != "credential_invalid" {
		t.Errorf("a stranger: %d %v", status, doc["code"])
	}
}
