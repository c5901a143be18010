package generator

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"testing"

	_ "modernc.org/sqlite"

	"colophon/generator/verify"
	"colophon/internal/assert"
	"colophon/internal/canonicaltext"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/originsql/schematest"
	"colophon/internal/record"
	"colophon/internal/urlkey"
)

var must = assert.NoError

const testBase = "https://registry.example"

// newStore returns an empty origin in a temporary folder.
func newStore(tb testing.TB) *originsql.Store {
	tb.Helper()
	return openStore(tb, filepath.Join(tb.TempDir(), "origin.db"))
}

// newRegistry returns an empty origin and the folder of its releases.
func newRegistry(tb testing.TB) (store *originsql.Store, dir string) {
	tb.Helper()
	return newStore(tb), filepath.Join(tb.TempDir(), "dist")
}

// populated returns a registry that populate has filled.
func populated(tb testing.TB, pages int) (store *originsql.Store, dir string) {
	tb.Helper()
	store, dir = newRegistry(tb)
	populate(tb, store, pages)
	return store, dir
}

// verified reports what is wrong with a release.
func verified(t *testing.T, dir string) verify.Audit {
	t.Helper()
	a, err := verify.Release(dir)
	must(t, err)
	for _, f := range a.Findings {
		t.Error(f)
	}
	return a
}

func openStore(tb testing.TB, path string) *originsql.Store {
	tb.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=journal_mode(WAL)&_pragma=synchronous(OFF)&_pragma=busy_timeout(10000)")
	must(tb, err)
	tb.Cleanup(func() { db.Close() })
	must(tb, schematest.Write(path))
	return originsql.New(db)
}

// addSite adds an approved publisher with a website, a preference, a passport and
// an offer.
func addSite(tb testing.TB, store origin.Catalog, id string, change ...func(*origin.Site)) {
	tb.Helper()
	ctx := context.Background()
	const at = "2026-01-02T00:00:00Z"
	must(tb, store.PutPublisher(ctx, origin.Publisher{PublisherID: "pub_" + id, LegalName: id + " B.V.", ContactEmail: "private-" + id + "@x.example", PrivateNotes: "PRIVATE-notes", CreatedAt: at}))
	s := origin.Site{
		SiteID: id, PublisherID: "pub_" + id, Name: "Site " + id, SiteURL: "https://" + id + ".example/", Summary: "About " + id + ".",
		Categories: []string{"trade"}, Languages: []string{"en"}, State: origin.Approved, Visibility: "public", ApprovedAt: at, AcceptsInquiries: true,
		RAGSuitability: "high", DomainControl: "dns_txt", ControlChecked: at, CreatedAt: at, ChangedAt: at, PrivateNotes: "PRIVATE-site", StateReason: "PRIVATE-reason",
	}
	for _, c := range change {
		c(&s)
	}
	must(tb, store.PutSite(ctx, s))
	must(tb, store.PutWebsite(ctx, origin.Website{SiteID: id, Host: id + ".example", Associated: true, Method: "dns_txt", CheckedAt: at, ChangedAt: at}))
	must(tb, store.PutCategory(ctx, origin.Category{Slug: "trade", Label: "Trade", ChangedAt: at}))
	must(tb, store.PutPreference(ctx, origin.Preference{SiteID: id, Use: "rag", Inquiry: "welcome", Declared: "disallow", Since: at, Source: "publisher", ChangedAt: at}))
	must(tb, store.AddPassport(ctx, origin.Passport{SiteID: id, Version: 1, PassportID: "rp_" + id, HolderName: id + " B.V.", HolderBasis: "stated_by_publisher", EffectiveFrom: at, ChangedAt: at, PrivateNotes: "PRIVATE-passport"}))
	must(tb, store.PutOffer(ctx, origin.Offer{LicenseID: "lic_" + id, SiteID: id, Slug: "all", Kind: "custom", Status: "offered", Title: "Everything", ScopeType: "site",
		Paths: []string{"/*"}, Permits: []string{"rag"}, PaymentModel: "use", ValidFrom: at, ChangedAt: at, PrivateNotes: "PRIVATE-floor"}))
}

// addPage registers page n of a site, with a body.
func addPage(tb testing.TB, store origin.Catalog, site string, n int, change ...func(*origin.Page)) origin.Page {
	tb.Helper()
	url := fmt.Sprintf("https://%s.example/section-%d/page-%d", site, n%7, n)
	text := fmt.Sprintf("Page %d of %s tells about tides, tariffs and berths, and is long enough to have a fingerprint of its own: %d.", n, site, n*7919)
	canonical, err := canonicaltext.CanonicalText(text)
	must(tb, err)
	at := fmt.Sprintf("2026-0%d-%02dT00:00:00Z", 1+n%6, 1+n%28)
	p := origin.Page{
		EntryID: urlkey.EntryID(site, url), SiteID: site, CanonicalURL: url, Title: fmt.Sprintf("Page %d <of> %s", n, site), Byline: []string{"Data desk"},
		Section: fmt.Sprintf("section-%d", n%7), Terms: []string{"tides", "tariffs"}, Language: "en", ContentFormat: "html", WordCount: 20,
		PublishedAt: at, RegisteredAt: at, ChangedAt: at, State: "active", Extraction: "publisher-supplied-text",
		Portable: canonicaltext.PortableDigest([]byte(canonical)),
	}
	p.Registry = urlkey.RegistryDigest(site, p.EntryID, url, p.Portable)
	for _, c := range change {
		c(&p)
	}
	must(tb, store.PutPage(context.Background(), p, &origin.Body{EntryID: p.EntryID, Text: "PRIVATE-body " + text, SHA256: "x", ChangedAt: at}))
	return p
}

// testKey returns a fixed signing key.
func testKey(tb testing.TB) (*record.SeedSigner, record.KeySet) {
	tb.Helper()
	var seed [32]byte
	copy(seed[:], "a fixed seed for tests only ....")
	k, err := record.NewKeyFile(seed, 1704067200, 1893456000, record.KeyActive)
	must(tb, err)
	public, err := k.Key()
	must(tb, err)
	set, err := record.NewKeySet(public)
	must(tb, err)
	signer, err := k.Signer()
	must(tb, err)
	return signer, set
}

func testOptions(tb testing.TB, workers int) Options {
	signer, set := testKey(tb)
	return Options{BaseURL: testBase, Name: "Colophon", Signer: signer, Keys: set, Workers: workers, Ledger: testLedger(tb)}
}

// testLedger returns the options of a ledger with a fixed key.
func testLedger(tb testing.TB) *LedgerOptions {
	tb.Helper()
	key, signer := logKey(tb, "a fixed seed for the log only ..", 1704067200)
	return &LedgerOptions{Signer: signer, Keys: []record.Key{key}}
}

func logKey(tb testing.TB, text string, from int64) (record.Key, *record.SeedSigner) {
	tb.Helper()
	var seed [32]byte
	copy(seed[:], text)
	k, err := record.NewKeyFile(seed, from, 1893456000, record.KeyActive)
	must(tb, err)
	public, err := k.Key()
	must(tb, err)
	signer, err := k.Signer()
	must(tb, err)
	return public, signer
}

// populate fills an origin with a few publishers, pages and demands, of which
// some are public and some must not be published.
func populate(tb testing.TB, store origin.Catalog, pages int) {
	tb.Helper()
	for i, id := range []string{"alpha", "beta", "gamma"} {
		addSite(tb, store, id)
		for n := range pages {
			addPage(tb, store, id, n*3+i)
		}
	}
	addSite(tb, store, "hidden", func(s *origin.Site) { s.Visibility = "private" })
	addSite(tb, store, "waiting", func(s *origin.Site) { s.State = origin.Pending })
	addSite(tb, store, "stopped", func(s *origin.Site) { s.State = origin.Suspended })
	for _, id := range []string{"hidden", "waiting", "stopped"} {
		addPage(tb, store, id, 1)
	}
	addPage(tb, store, "alpha", 9001, func(p *origin.Page) { p.State = "withdrawn" })
	must(tb, store.PutDemand(context.Background(), origin.Demand{DemandID: "dem_1", Headline: "Wanted", Uses: []string{"rag"}, OptedIn: true, OptedInAt: "2026-01-01T00:00:00Z",
		BuyerName: "PRIVATE-buyer", BuyerEmail: "private-b@x.example", SavedSearch: "PRIVATE-search", PipelineStage: "PRIVATE-stage", PrivateNotes: "PRIVATE-demand", ChangedAt: "2026-01-01T00:00:00Z"}))
	must(tb, store.PutDemand(context.Background(), origin.Demand{DemandID: "dem_2", Headline: "PRIVATE-headline of a need that was not opted in", ChangedAt: "2026-01-01T00:00:00Z"}))
}

// erasePage deletes a page and its records.
func erasePage(tb testing.TB, path, entryID string) {
	tb.Helper()
	for _, table := range []string{"records", "pages"} {
		execOrigin(tb, path, "DELETE FROM "+table+" WHERE entry_id = ?", entryID)
	}
}

func execOrigin(tb testing.TB, path, statement string, args ...any) {
	tb.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=busy_timeout(10000)")
	must(tb, err)
	defer db.Close()
	_, err = db.Exec(statement, args...)
	must(tb, err)
}
