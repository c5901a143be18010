package worker_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"database/sql"
	"encoding/base64"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/a-h/templ"
	_ "modernc.org/sqlite"

	"colophon/exports"
	"colophon/internal/assert"
	"colophon/internal/catalog/catalogtest"
	"colophon/internal/credential"
	"colophon/internal/demo/corpus"
	"colophon/internal/indexbuild"
	"colophon/internal/inquiry"
	"colophon/internal/limiter"
	"colophon/internal/openapi/openapitest"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/originsql/schematest"
	provrecord "colophon/internal/record"
	"colophon/internal/wire"
	"colophon/templates"
	"colophon/worker"
	"colophon/worker/access"
	"colophon/worker/edge"
	"colophon/worker/limit"
)

var must = assert.NoError

// service is a whole service over a SQLite store in a temporary folder.
type service struct {
	store     *originsql.Store
	handle    edge.Handler
	deps      worker.Deps
	inquiries inquiry.Service

	platform bool                      // the platform counts calls, as with limit.Platform
	moved    func(shift time.Duration) // called after the clock is moved

	began time.Time

	mu    sync.Mutex
	shift time.Duration
	lines []string
}

func (s *service) now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return time.Now().Add(s.shift)
}

// countingNow returns a clock for counting calls that only later moves: with a
// real clock, a caller on a slow machine would get calls back while a test
// still counts them.
func (s *service) countingNow() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.began.Add(s.shift)
}

// later moves the clock forward.
func (s *service) later(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.shift += d
	if s.moved != nil {
		s.moved(s.shift)
	}
}

func (s *service) log(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lines = append(s.lines, line)
}

const testBase = "https://svc.example"

var testSecret = []byte("0123456789abcdef0123456789abcdef")

func openStore(t testing.TB, path string) *originsql.Store { return openWith(t, "sqlite", path) }

func openWith(t testing.TB, driver, path string) *originsql.Store {
	t.Helper()
	store, db, err := openDatabase(driver, path)
	must(t, err)
	t.Cleanup(func() { db.Close() })
	return store
}

func openDatabase(driver, path string) (*originsql.Store, *sql.DB, error) {
	db, err := sql.Open(driver, "file:"+path+"?_pragma=foreign_keys(1)&_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)&_pragma=busy_timeout(20000)")
	if err != nil {
		return nil, nil, err
	}
	return originsql.New(db), db, schematest.Write(path)
}

// newService returns a service with the data of seed; change may modify its
// Deps.
func newService(t testing.TB, change ...func(*worker.Deps)) *service {
	t.Helper()
	s := &service{store: openStore(t, filepath.Join(t.TempDir(), "origin.db")), began: time.Now()}
	must(t, seed(context.Background(), s.store))
	s.deps = depsOf(s.store, s.now)
	s.deps.Log = s.log
	for _, f := range change {
		f(&s.deps)
	}
	if p := s.deps.Limits.Policies; p != nil {
		s.deps.Limits.Limiter = limiter.New(p, 10_000, s.countingNow)
	}
	s.handle = openapitest.Handler(t, worker.New(s.deps))
	s.inquiries = inquiry.Service{Store: s.store, Now: s.now, Rand: rand.Reader}
	return s
}

func depsOf(store *originsql.Store, now func() time.Time) worker.Deps {
	return worker.Deps{
		BaseURL: testBase, Assets: publishedFiles(), Now: now, Rand: rand.Reader, Secret: testSecret, ProofBits: 10,
		Signers: (&access.Directory{Now: now, Verify: provrecord.Ed25519, Fetch: signerDirectory}).Keys(),
		Origin:  store,
	}
}

// withLimits makes the service count by the given policies.
func withLimits(policies []limit.Policy) func(*worker.Deps) {
	return func(d *worker.Deps) { d.Limits.Policies = policies }
}

// wide returns the default policies with quotas that no script reaches.
func wide() []limit.Policy {
	list := limit.DefaultPolicies()
	for i := range list {
		for j := range list[i].Quotas {
			list[i].Quotas[j].Calls = 1_000_000_000
		}
	}
	return list
}

// Secrets of the seed. They are valid for test stores only.
var seedKeys = map[string]string{
	"key_alpha": "ptk_test_alpha-0000000000000000000000000000000000000", "key_beta": "ptk_test_beta-00000000000000000000000000000000000000",
	"key_narrow": "ptk_test_narrow-000000000000000000000000000000000000", "key_revoked": "ptk_test_revoked-00000000000000000000000000000000000",
	"key_paused": "ptk_test_paused-000000000000000000000000000000000000", "key_expired": "ptk_test_expired-00000000000000000000000000000000000",
	"key_suspended": "ptk_test_suspended-000000000000000000000000000000000", "key_part": "ptk_test_part-00000000000000000000000000000000000000",
	"key_unknown": "ptk_test_unknown-00000000000000000000000000000000000", "inbox": "ibx_harbor-00000000000000000000000000000000000000000",
	"inbox_other": "ibx_other-000000000000000000000000000000000000000000", "inbox_revoked": "ibx_revoked-0000000000000000000000000000000000000000",
	"inbox_expired": "ibx_expired-0000000000000000000000000000000000000000",
	"buyer":         "byr_test_alpha-00000000000000000000000000000000000000", "buyer_none": "byr_test_none-000000000000000000000000000000000000000",
	"buyer_expired": "byr_test_expired-000000000000000000000000000000000000", "buyer_paused": "byr_test_paused-0000000000000000000000000000000000000",
	"buyer_revoked": "byr_test_revoked-000000000000000000000000000000000000", "buyer_suspended": "byr_test_suspended-0000000000000000000000000000000000",
	"buyer_unknown": "byr_test_unknown-000000000000000000000000000000000000",
}

// Canaries are in private columns and must never appear in an answer to anyone
// else.
const (
	canaryNote  = "canary-private-note"
	canaryEmail = "canary@private.example"
)

// seed fills a store for the scripts and tests.
func seed(ctx context.Context, s *originsql.Store) error {
	const at = "2026-01-01T00:00:00Z"
	if err := s.PutPublisher(ctx, origin.Publisher{PublisherID: "pub_all", LegalName: "All", ContactEmail: canaryEmail, PrivateNotes: canaryNote, CreatedAt: at}); err != nil {
		return err
	}
	for _, x := range []origin.Site{
		{SiteID: "harbor-ledger", Name: "Harbor Ledger", State: origin.Approved, AcceptsInquiries: true, Visibility: "public", DomainControl: "dns_txt"},
		{SiteID: "quay-times", Name: "Quay Times", State: origin.Approved, AcceptsInquiries: true, Visibility: "public"},
		{SiteID: "closed-shop", Name: "Closed Shop", State: origin.Approved, Visibility: "public"},
		{SiteID: "hidden-site", Name: "Hidden", State: origin.Approved, AcceptsInquiries: true, Visibility: "private"},
		{SiteID: "pending-site", Name: "Pending", State: origin.Pending, AcceptsInquiries: true, Visibility: "public"},
	} {
		x.PublisherID, x.SiteURL, x.CreatedAt, x.ChangedAt, x.PrivateNotes = "pub_all", "https://"+x.SiteID+".example/", at, at, canaryNote
		if err := s.PutSite(ctx, x); err != nil {
			return err
		}
	}
	for _, site := range []string{"harbor-ledger", "closed-shop"} {
		if err := s.PutWebsite(ctx, origin.Website{SiteID: site, Host: site + ".example", Associated: true, Method: "dns_txt", CheckedAt: at, ChangedAt: at}); err != nil {
			return err
		}
	}
	for use, inquiry := range map[string]string{"rag": "welcome", "training": "not_offered", "search_indexing": "conditional"} {
		p := origin.Preference{SiteID: "harbor-ledger", Use: use, Inquiry: inquiry, Declared: "disallow", Since: at, Source: "publisher", ChangedAt: at}
		if use == "rag" {
			p.Retention = "P7D"
		}
		if err := s.PutPreference(ctx, p); err != nil {
			return err
		}
	}
	for org, state := range map[string]string{"org_alpha": "active", "org_beta": "active", "org_narrow": "active", "org_suspended": "suspended"} {
		p := origin.Partner{OrgID: org, Name: "Partner " + org[4:], State: state, Scopes: exports.PartnerScopes, ContactEmail: canaryEmail, PrivateNotes: canaryNote, CreatedAt: at, ChangedAt: at}
		if org == "org_narrow" {
			p.Scopes = []string{exports.ScopeCatalog}
		}
		if err := s.PutPartner(ctx, p); err != nil {
			return err
		}
	}
	for _, k := range []origin.PartnerKey{
		{KeyID: "key_alpha", OrgID: "org_alpha", Credential: origin.Credential{State: "active"}}, {KeyID: "key_beta", OrgID: "org_beta", Credential: origin.Credential{State: "active"}},
		{KeyID: "key_narrow", OrgID: "org_narrow", Credential: origin.Credential{State: "active"}}, {KeyID: "key_revoked", OrgID: "org_alpha", Credential: origin.Credential{State: "revoked"}},
		{KeyID: "key_paused", OrgID: "org_alpha", Credential: origin.Credential{State: "suspended"}}, {KeyID: "key_suspended", OrgID: "org_suspended", Credential: origin.Credential{State: "active"}},
		{KeyID: "key_expired", OrgID: "org_alpha", Credential: origin.Credential{State: "active", ExpiresAt: "2026-02-01T00:00:00Z"}},
		{KeyID: "key_part", OrgID: "org_alpha", Credential: origin.Credential{State: "active"}, Scopes: []string{exports.ScopeStatus, exports.ScopeCatalog}},
	} {
		k.Hash = credential.Digest(seedKeys[k.KeyID])
		k.Lookup, k.Environment, k.Last4, k.CreatedAt, k.ChangedAt = credential.LookupOf(k.Hash), "test", "0000", at, at
		if err := s.PutKey(ctx, k); err != nil {
			return err
		}
	}
	for _, l := range []origin.InboxLink{
		{LinkID: "inbox", SiteID: "harbor-ledger", Credential: origin.Credential{State: "active"}}, {LinkID: "inbox_other", SiteID: "quay-times", Credential: origin.Credential{State: "active"}},
		{LinkID: "inbox_revoked", SiteID: "harbor-ledger", Credential: origin.Credential{State: "revoked"}}, {LinkID: "inbox_expired", SiteID: "harbor-ledger", Credential: origin.Credential{State: "active", ExpiresAt: "2026-02-01T00:00:00Z"}},
	} {
		l.Hash = credential.Digest(seedKeys[l.LinkID])
		l.Lookup, l.Label, l.CreatedAt, l.ChangedAt = credential.LookupOf(l.Hash), canaryNote, at, at
		if l.ExpiresAt == "" {
			l.ExpiresAt = "2099-01-01T00:00:00Z"
		}
		if err := s.PutLink(ctx, l); err != nil {
			return err
		}
	}
	return seedDelivery(ctx, s)
}

// seedDelivery adds pages, buyers and grants.
func seedDelivery(ctx context.Context, s *originsql.Store) error {
	const at = "2026-01-01T00:00:00Z"
	for _, x := range [][3]string{
		{"ent_tides", "harbor-ledger", "/shipping/tides"}, {"ent_berths", "harbor-ledger", "/shipping/berths"}, {"ent_people", "harbor-ledger", "/people/pilot"},
		{"ent_quay", "quay-times", "/quay"}, {"ent_hidden", "hidden-site", "/secret"},
	} {
		text := "Text of " + x[0] + "."
		p := origin.Page{EntryID: x[0], SiteID: x[1], CanonicalURL: "https://" + x[1] + ".example" + x[2], Title: "Page " + x[0], Terms: []string{"harbour"}, Language: "en",
			ContentFormat: "html", WordCount: 3, PublishedAt: at, ModifiedAt: at, RegisteredAt: at, ChangedAt: at, State: "active"}
		if err := s.PutPage(ctx, p, &origin.Body{Text: text, Markdown: "# " + text, HTML: "<p>" + text + "</p>", SHA256: credential.Digest(text), ChangedAt: at}); err != nil {
			return err
		}
	}
	for id, state := range map[string]string{"byr_alpha": "active", "byr_none": "active", "byr_suspended": "suspended"} {
		if err := s.PutBuyer(ctx, origin.Buyer{BuyerID: id, Name: "Buyer " + id[4:], State: state, ContactEmail: canaryEmail, PrivateNotes: canaryNote, CreatedAt: at, ChangedAt: at}); err != nil {
			return err
		}
	}
	for _, c := range []origin.BuyerCredential{
		{CredentialID: "buyer", BuyerID: "byr_alpha", Credential: origin.Credential{State: "active"}}, {CredentialID: "buyer_none", BuyerID: "byr_none", Credential: origin.Credential{State: "active"}},
		{CredentialID: "buyer_expired", BuyerID: "byr_alpha", Credential: origin.Credential{State: "active", ExpiresAt: "2026-02-01T00:00:00Z"}}, {CredentialID: "buyer_paused", BuyerID: "byr_alpha", Credential: origin.Credential{State: "suspended"}},
		{CredentialID: "buyer_revoked", BuyerID: "byr_alpha", Credential: origin.Credential{State: "revoked"}}, {CredentialID: "buyer_suspended", BuyerID: "byr_suspended", Credential: origin.Credential{State: "active"}},
	} {
		c.Hash = credential.Digest(seedKeys[c.CredentialID])
		c.Lookup, c.Label, c.Environment, c.Last4, c.CreatedAt, c.ChangedAt = credential.LookupOf(c.Hash), canaryNote, "test", "0000", at, at
		if err := s.PutCredential(ctx, c); err != nil {
			return err
		}
	}
	for _, g := range []origin.Grant{
		{GrantID: "grt_alpha", BuyerID: "byr_alpha", Kind: "direct", Title: "Newsroom grounding", Uses: []string{"rag", "summarization"}, Paths: []string{"/shipping/*"}, Attribution: "link", DisplayLimit: 600, Retention: "P30D"},
		{GrantID: "grt_over", BuyerID: "byr_none", Kind: "direct", Uses: []string{"rag"}, ValidUntil: "2026-02-01T00:00:00Z"},
		{GrantID: "grt_paused", BuyerID: "byr_suspended", Kind: "enterprise", Uses: []string{"rag"}},
	} {
		g.State, g.StateAt, g.ValidFrom, g.DeleteHours, g.CreatedAt, g.ChangedAt = "active", at, at, 72, at, at
		g.Agreement, g.PrivateNotes = canaryNote, canaryNote
		if err := s.PutGrant(ctx, g); err != nil {
			return err
		}
		if err := s.SetGrantSite(ctx, g.GrantID, "harbor-ledger", true, at); err != nil {
			return err
		}
	}
	return nil
}

// files are published files in memory.
type files map[string][]byte

func (f files) Read(_ context.Context, key string) ([]byte, error) {
	if b, ok := f[key]; ok {
		return b, nil
	}
	return nil, fs.ErrNotExist
}

// index adds the static search index.
func (f files) index(release exports.Release, records []exports.Publisher) {
	page := indexbuild.Entry{LedgerIndex: -1}
	page.EntryID, page.SiteID, page.Title, page.URL = "ent_tides", "harbor-ledger", "Tide tables 2026", "https://harbor-ledger.example/registered"
	page.ContentFormat, page.RegisteredAt, page.RightsVector = "html", release.GeneratedAt, "LDDSLDUU"
	src := corpus.Source{
		Release: release,
		Entries: func(yield func(indexbuild.Entry, error) bool) { yield(page, nil) },
		Source:  indexbuild.Source{Publishers: records},
	}
	_, err := catalogtest.BuildIndex(context.Background(), src, indexbuild.Options{Put: func(key exports.Key, data []byte) error {
		f[string(key)] = data
		return nil
	}})
	if err != nil {
		panic(err)
	}
}

// publishedFiles returns the files that the inquiry bridge reads.
func publishedFiles() files {
	const at = "2026-11-18T10:00:00Z"
	f := files{}
	put := func(path string, r wire.Record) { f[string(exports.KeyOf(path))] = wire.Append(nil, r) }
	harbor := exports.PublisherSummary{SiteID: "harbor-ledger", Name: "Harbor Ledger", SiteURL: "https://harbor-ledger.example/", Summary: "Port and shipping news.",
		Categories: []string{"trade-logistics"}, RegisteredPages: 18240, ContentFormats: []string{"html", "dataset"}, Verified: true, AcceptsInquiries: true,
		RAGSuitability: "high", Readiness: "attested", RightsVector: "LDDSLDUU", UpdatedAt: at}
	quay := exports.PublisherSummary{SiteID: "quay-times", Name: "Quay Times", SiteURL: "https://quay-times.example/", Summary: "Local harbour life.",
		Categories: []string{"local-news"}, RegisteredPages: 120, ContentFormats: []string{"html"}, AcceptsInquiries: true,
		RAGSuitability: "medium", Readiness: "listed", RightsVector: "UUUUUUUU", UpdatedAt: at}
	closed := quay
	closed.SiteID, closed.Name, closed.SiteURL, closed.AcceptsInquiries, closed.RAGSuitability = "closed-shop", "Closed Shop", "https://closed-shop.example/", false, "unassessed"
	release := exports.Release{Name: "2026-11-20.3", GeneratedAt: at, Root: "sha-256:" + strings.Repeat("ca", 32)}
	list := exports.List[exports.PublisherSummary, *exports.PublisherSummary]{
		Data: []exports.PublisherSummary{harbor, quay, closed}, Page: exports.Page{Limit: 3, Total: 3, NextOffset: -1},
		Links: exports.PageLinks{Self: exports.PathPublishers}, Catalog: release,
	}
	put(exports.PathPublishers, &list)
	var records []exports.Publisher
	for _, s := range []exports.PublisherSummary{harbor, quay, closed} {
		p := exports.Publisher{PublisherSummary: s, PublisherID: "pub_" + s.SiteID, DomainControl: "none", Preferences: exports.AllPreferences(nil)}
		if s.SiteID == "harbor-ledger" {
			p.Audience, p.TechnicalDepth, p.Offers = "professional", "advanced", []string{"lic_5qixfwhozvhvdukowfdcl7dlhh"}
			p.Preferences[0].Inquiry, p.Preferences[1].Inquiry, p.Preferences[3].Inquiry = "welcome", "not_offered", "conditional"
		}
		put(exports.PublisherPath(s.SiteID), &p)
		records = append(records, p)
	}
	f.index(release, records)
	categories := []exports.Category{{Slug: "trade-logistics", Label: "Trade", Publishers: 1, RegisteredPages: 18240}}
	put(exports.PathCategories, &exports.List[exports.Category, *exports.Category]{Catalog: release, Data: categories, Page: exports.Page{NextOffset: -1}, Links: exports.PageLinks{Self: exports.PathCategories}})
	put(exports.PathStats, &exports.Stats{Publishers: 3, RegisteredPages: 18360, Catalog: release})
	for path, page := range map[string]templ.Component{
		exports.RequestPage("harbor-ledger"): templates.Request(templates.RequestPage{Publisher: harbor, Uses: exports.AllPreferences(nil)}),
		exports.PathShortlist:                templates.Shortlist(templates.ShortlistPage{}),
		exports.PathCatalogPage:              templates.Catalog(templates.CatalogPage{Total: 18360, Categories: categories}),
		exports.PathNeedPage:                 templates.Need(templates.NeedPage{}),
		exports.PathJoin:                     templates.Join(templates.JoinPage{}),
	} {
		var text bytes.Buffer
		if err := page.Render(context.Background(), &text); err != nil {
			panic(err)
		}
		f[string(exports.KeyOf(path))] = text.Bytes()
	}
	f[string(exports.KeyOf(exports.PathNotFoundPage))] = []byte(`<!doctype html><html lang="en"><body>` + exports.MainStart + `<h1>Nothing at this address</h1></main></body></html>`)
	f[string(exports.KeyOf(exports.PathShell))] = []byte(`<!doctype html><html lang="en"><head><title>%%TITLE%%</title></head><body><h1>%%TITLE%%</h1><div>%%MAIN%%</div></body></html>`)
	return f
}

// testSigner is the key of the agent at signer.example.
var testSigner = ed25519.NewKeyFromSeed([]byte(strings.Repeat("k", 32)))

func signerKeys() string {
	return `{"keys":[{"kty":"OKP","crv":"Ed25519","x":"` + base64.RawURLEncoding.EncodeToString(testSigner.Public().(ed25519.PublicKey)) + `"}]}`
}

// signerDirectory answers for the directories of signers on the internet.
func signerDirectory(_ context.Context, url string) (int, []byte, error) {
	if url == "https://signer.example"+access.DirectoryPath {
		return 200, []byte(signerKeys()), nil
	}
	return 404, nil, nil
}

// signedFields returns the fields of a request to host that an agent signed.
func signedFields(host, agent, nonce string, now time.Time) map[string]string {
	agent = `"https://` + agent + `"`
	id := provrecord.Thumbprint([32]byte(testSigner.Public().(ed25519.PublicKey)))
	params := fmt.Sprintf(`("@authority" "signature-agent";key="sig1");created=%d;expires=%d;keyid="%s";alg="ed25519";tag="web-bot-auth"`, now.Unix()-10, now.Unix()+300, id)
	if nonce != "" {
		params += `;nonce="` + nonce + `"`
	}
	base := "\"@authority\": " + host + "\n\"signature-agent\";key=\"sig1\": " + agent + "\n\"@signature-params\": " + params
	return map[string]string{
		"signature_agent": "sig1=" + agent, "signature_input": "sig1=" + params,
		"signature": "sig1=:" + base64.StdEncoding.EncodeToString(ed25519.Sign(testSigner, []byte(base))) + ":",
	}
}
