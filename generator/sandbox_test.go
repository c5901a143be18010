package generator

import (
	"bytes"
	"crypto/sha256"
	"flag"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"colophon/exports"
	"colophon/internal/canonicaltext"
	"colophon/internal/iscc"
	"colophon/internal/origin"
	"colophon/internal/record"
	"colophon/internal/urlkey"
)

var update = flag.Bool("update", false, "rewrite the files of the sandbox")

// sandboxReads lists patterns of the sandbox files that handlers read, apart from
// those of the static index.
var sandboxReads = []string{
	".well-known/service-provenance-keys.json",
	"v1/_index.json",
	"v1/licensing-marketplace/publishers.json",
	"v1/licensing-marketplace/publishers/*.json",
	"v1/public/contentdna-provenance/*.json",
	"v1/public/sites/*/rights.json",
}

// TestSandbox checks that the embedded files equal those of a build of the
// invented catalog. With -update it rewrites the embedded files.
func TestSandbox(t *testing.T) {
	t.Parallel()
	built := buildSandbox(t)
	if *update {
		must(t, os.RemoveAll("sandbox"))
		for name, data := range built {
			must(t, os.MkdirAll(filepath.Join("sandbox", path.Dir(name)), 0o755))
			must(t, os.WriteFile(filepath.Join("sandbox", name), data, 0o644))
		}
		return
	}
	embedded, err := fs.Sub(sandboxFiles, "sandbox")
	must(t, err)
	count := 0
	must(t, fs.WalkDir(embedded, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		count++
		data, err := fs.ReadFile(embedded, name)
		if err == nil && !bytes.Equal(data, built[name]) {
			t.Errorf("%s is not as a build writes it: run \"go generate ./generator\"", name)
		}
		return err
	}))
	if count != len(built) {
		t.Errorf("%d files are embedded, a build writes %d: run \"go generate ./generator\"", count, len(built))
	}
}

// buildSandbox builds the invented catalog and returns those of its files that
// are embedded. It signs the records with a key that everybody can compute and
// that only the sandbox lists.
func buildSandbox(t *testing.T) map[string][]byte {
	t.Helper()
	file, err := record.NewKeyFile(sha256.Sum256([]byte("service.sandbox-key.v1")), 1704067200, 4102444800, record.KeyActive) // 2024 to 2100
	must(t, err)
	key, err := file.Key()
	must(t, err)
	keys, err := record.NewKeySet(key)
	must(t, err)
	signer, err := file.Signer()
	must(t, err)
	dir := filepath.Join(t.TempDir(), "dist")
	_, err = Build(t.Context(), newSandboxOrigin(t), dir, Options{BaseURL: "https://sandbox.example", Name: "Sandbox", Signer: signer, Keys: keys, Form: FormFiles, Workers: 1})
	must(t, err)

	files := map[string][]byte{}
	must(t, filepath.WalkDir(dir, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(file) == ".gz" {
			return err
		}
		name, err := filepath.Rel(dir, file)
		if err != nil || !isSandboxRead(filepath.ToSlash(name)) {
			return err
		}
		files[filepath.ToSlash(name)], err = os.ReadFile(file)
		return err
	}))
	return files
}

func isSandboxRead(name string) bool {
	return strings.HasPrefix(name, "_ix/") || slices.ContainsFunc(sandboxReads, func(pattern string) bool {
		matches, _ := path.Match(pattern, name)
		return matches
	})
}

const sandboxDay = "2026-01-05T00:00:00Z"

// newSandboxOrigin returns an origin with two invented publishers: a gazette,
// which asks for retrieval, makes an offer and allows no training, and a
// library, which states nothing.
func newSandboxOrigin(t *testing.T) origin.Catalog {
	t.Helper()
	ctx, store := t.Context(), newStore(t)
	must(t, store.PutCategory(ctx, origin.Category{Slug: "sandbox-news", Label: "Sandbox news", ChangedAt: sandboxDay}))
	must(t, store.PutCategory(ctx, origin.Category{Slug: "sandbox-reference", Label: "Sandbox reference", ChangedAt: sandboxDay}))
	gazette := addSandboxSite(t, store, "sandbox-gazette", "Sandbox Gazette", "Invented news for trying things out.", "sandbox-news")
	library := addSandboxSite(t, store, "sandbox-library", "Sandbox Library", "Invented reference works for trying things out.", "sandbox-reference")
	for _, title := range []string{"Market square reopens after works", "Tide gauge moved to the new pier", "Council publishes its budget"} {
		addSandboxPage(t, store, gazette, title)
	}
	for _, title := range []string{exports.SandboxTitle, "A short history of pilotage"} {
		addSandboxPage(t, store, library, title)
	}
	must(t, store.PutPreference(ctx, origin.Preference{SiteID: gazette, Use: "rag", Inquiry: "welcome", Declared: "disallow", Conditions: []string{"attribution"}, Since: sandboxDay, Source: "publisher", ChangedAt: sandboxDay}))
	must(t, store.PutPreference(ctx, origin.Preference{SiteID: gazette, Use: "training", Inquiry: "not_offered", Declared: "disallow", Since: sandboxDay, Source: "publisher", ChangedAt: sandboxDay}))
	must(t, store.PutOffer(ctx, origin.Offer{
		LicenseID: "lic_sandboxgazetteretrieval", SiteID: gazette, Slug: "retrieval", Kind: "custom", Status: "offered", Title: "Retrieval, invented", ScopeType: "site",
		Paths: []string{"/*"}, Permits: []string{"rag"}, PaymentModel: "use", Amount: "0.01", Currency: "EUR", Unit: "answer", ValidFrom: sandboxDay, ChangedAt: sandboxDay,
	}))
	return store
}

// addSandboxSite adds an approved publisher with one host and one version of its
// passport, and returns its id.
func addSandboxSite(t *testing.T, store origin.Catalog, id, name, summary, category string) string {
	t.Helper()
	ctx := t.Context()
	must(t, store.PutPublisher(ctx, origin.Publisher{PublisherID: "pub_" + id, LegalName: id, CreatedAt: sandboxDay}))
	must(t, store.PutSite(ctx, origin.Site{
		SiteID: id, PublisherID: "pub_" + id, Name: name, SiteURL: "https://" + id + ".example/", Summary: summary, Categories: []string{category},
		Languages: []string{"en"}, Countries: []string{"NL"}, Audience: "general", TechnicalDepth: "introductory", RAGSuitability: "medium",
		DomainControl: "none", AcceptsInquiries: true, State: origin.Approved, Visibility: "public", ApprovedAt: sandboxDay, CreatedAt: sandboxDay, ChangedAt: sandboxDay,
	}))
	must(t, store.PutWebsite(ctx, origin.Website{SiteID: id, Host: id + ".example", Method: "none", Associated: true, ChangedAt: sandboxDay}))
	must(t, store.AddPassport(ctx, origin.Passport{SiteID: id, Version: 1, PassportID: "rp_" + id, HolderName: id, HolderBasis: "stated_by_publisher", EffectiveFrom: sandboxDay, ChangedAt: sandboxDay}))
	return id
}

func addSandboxPage(t *testing.T, store origin.Catalog, siteID, title string) {
	t.Helper()
	url := exports.SandboxURL(siteID, title)
	text, err := canonicaltext.CanonicalText(exports.SandboxText(title))
	must(t, err)
	p := origin.Page{
		EntryID: urlkey.EntryID(siteID, url), SiteID: siteID, CanonicalURL: url, Title: title, Section: "pages", Terms: []string{"sandbox"}, Language: "en",
		ContentFormat: "html", WordCount: 24, PublishedAt: sandboxDay, RegisteredAt: sandboxDay, ChangedAt: sandboxDay, State: "active",
		Portable: canonicaltext.PortableDigest([]byte(text)), Extraction: "publisher-supplied-text", ISCC: iscc.Sum(text).String(),
	}
	p.Registry = urlkey.RegistryDigest(p.SiteID, p.EntryID, url, p.Portable)
	must(t, store.PutPage(t.Context(), p, nil))
}
