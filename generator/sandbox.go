package generator

import (
	"context"
	"crypto/sha256"
	"path/filepath"
	"slices"
	"sync"

	"colophon/exports"
	"colophon/internal/canonicaltext"
	"colophon/internal/iscc"
	"colophon/internal/origin"
	"colophon/internal/record"
	"colophon/internal/urlkey"
)

// publishSandbox publishes a small catalog of invented publishers below
// exports.SandboxPrefix, by the same families as the real one: the sandbox
// runs the real handlers on it. Its records are signed with a key that
// everybody can compute and that no other document lists.
func (b *build) publishSandbox(ctx context.Context) error {
	seed := sha256.Sum256([]byte("service.sandbox-key.v1"))
	file, err := record.NewKeyFile(seed, sandboxBegin, sandboxEnd, record.KeyActive)
	if err != nil {
		return err
	}
	key, err := file.Key()
	if err != nil {
		return err
	}
	keys, err := record.NewKeySet(key)
	if err != nil {
		return err
	}
	signer, err := file.Signer()
	if err != nil {
		return err
	}
	store, err := newFixture()
	if err != nil {
		return err
	}
	opt := b.opt
	opt.Signer = signer
	opt.Keys = keys
	opt.NotYet = ""
	opt.Progress = nil
	opt.Size = nil
	opt.Ledger = nil
	s := &build{store: store, opt: opt, out: b.out.subtree(exports.SandboxPrefix), machine: true, plan: newPlan()}
	if err := s.readOrigin(ctx); err != nil {
		return err
	}
	if err := s.plan.compareSites(s.sites); err != nil {
		return err
	}
	if s.spool, err = newSpool(filepath.Join(workPath(b.out.dir), "sandbox")); err != nil {
		return err
	}
	defer s.spool.close()
	return s.renderFiles(ctx)
}

// The sandbox key counts from 2024 to 2100.
const (
	sandboxBegin = 1704067200
	sandboxEnd   = 4102444800
)

const sandboxDay = "2026-01-05T00:00:00Z"

// fixture is an origin store in memory with two invented publishers. Only
// what a build asks for is there.
type fixture struct {
	origin.Catalog
	sites    []origin.Site
	pages    map[string][]origin.Page
	policies map[string][]origin.PolicyVersion

	mu      sync.Mutex
	records map[string]origin.Record // a build reads and adds at the same time
}

func newFixture() (*fixture, error) {
	f := &fixture{pages: map[string][]origin.Page{}, records: map[string]origin.Record{}, policies: map[string][]origin.PolicyVersion{}}
	f.sites = []origin.Site{
		sandboxSite("sandbox-gazette", "Sandbox Gazette", "Invented news for trying things out.", "sandbox-news"),
		sandboxSite("sandbox-library", "Sandbox Library", "Invented reference works for trying things out.", "sandbox-reference"),
	}
	titles := map[string][]string{
		"sandbox-gazette": {"Market square reopens after works", "Tide gauge moved to the new pier", "Council publishes its budget"},
		"sandbox-library": {exports.SandboxTitle, "A short history of pilotage"},
	}
	for i := range f.sites {
		s := &f.sites[i]
		for _, title := range titles[s.SiteID] {
			p, err := sandboxPage(s, title)
			if err != nil {
				return nil, err
			}
			f.pages[s.SiteID] = append(f.pages[s.SiteID], p)
		}
		slices.SortFunc(f.pages[s.SiteID], func(a, b origin.Page) int {
			if a.EntryID < b.EntryID {
				return -1
			}
			return 1
		})
	}
	return f, nil
}

func sandboxSite(id, name, summary, category string) origin.Site {
	return origin.Site{
		SiteID: id, PublisherID: "pub_" + id, Name: name, SiteURL: "https://" + id + ".example/", Summary: summary, Categories: []string{category},
		Languages: []string{"en"}, Countries: []string{"NL"}, Audience: "general", TechnicalDepth: "introductory", RAGSuitability: "medium",
		DomainControl: "none", AcceptsInquiries: true, State: origin.Approved, Visibility: "public", ApprovedAt: sandboxDay, CreatedAt: sandboxDay, ChangedAt: sandboxDay,
	}
}

func sandboxPage(s *origin.Site, title string) (origin.Page, error) {
	url := exports.SandboxURL(s.SiteID, title)
	text, err := canonicaltext.CanonicalText(exports.SandboxText(title))
	if err != nil {
		return origin.Page{}, err
	}
	p := origin.Page{
		EntryID: urlkey.EntryID(s.SiteID, url), SiteID: s.SiteID, CanonicalURL: url, Title: title, Section: "pages", Terms: []string{"sandbox"}, Language: "en",
		ContentFormat: "html", WordCount: 24, PublishedAt: sandboxDay, RegisteredAt: sandboxDay, ChangedAt: sandboxDay, State: "active",
		Portable: canonicaltext.PortableDigest([]byte(text)), Extraction: "publisher-supplied-text", ISCC: iscc.Sum(text).String(),
	}
	p.Registry = urlkey.RegistryDigest(p.SiteID, p.EntryID, url, p.Portable)
	return p, nil
}

// Sites lists the invented sites.
func (f *fixture) Sites(context.Context) ([]origin.Site, error) { return f.sites, nil }

// Groups implements origin.Sites.
func (f *fixture) Groups(context.Context) ([]origin.Publisher, error) { return nil, nil }

// FactsOfSites gives each site a host and one version of its passport, and the
// gazette what it states and offers. What this build noted of their policies is
// there too.
func (f *fixture) FactsOfSites(_ context.Context, ids []string) ([]origin.SiteFacts, error) {
	list := make([]origin.SiteFacts, len(ids))
	for i, id := range ids {
		list[i] = origin.SiteFacts{
			SiteID:    id,
			Websites:  []origin.Website{{SiteID: id, Host: id + ".example", Method: "none", Associated: true, ChangedAt: sandboxDay}},
			Passports: []origin.Passport{{SiteID: id, Version: 1, PassportID: "rp_" + id, HolderName: id, HolderBasis: "stated_by_publisher", EffectiveFrom: sandboxDay, ChangedAt: sandboxDay}},
			Policies:  f.policies[id],
		}
		if id == "sandbox-gazette" {
			list[i].Preferences = gazettePreferences(id)
			list[i].Offers = gazetteOffers(id)
		}
	}
	return list, nil
}

// gazettePreferences ask for retrieval, and allow no training.
func gazettePreferences(id string) []origin.Preference {
	p := origin.Preference{SiteID: id, Use: "rag", Inquiry: "welcome", Declared: "disallow", Conditions: []string{"attribution"}, Since: sandboxDay, Source: "publisher", ChangedAt: sandboxDay}
	q := p
	q.Use = "training"
	q.Inquiry = "not_offered"
	q.Conditions = nil
	return []origin.Preference{p, q}
}

func gazetteOffers(id string) []origin.Offer {
	return []origin.Offer{{
		LicenseID: "lic_sandboxgazetteretrieval", SiteID: id, Slug: "retrieval", Kind: "custom", Status: "offered", Title: "Retrieval, invented", ScopeType: "site",
		Paths: []string{"/*"}, Permits: []string{"rag"}, PaymentModel: "use", Amount: "0.01", Currency: "EUR", Unit: "answer", ValidFrom: sandboxDay, ChangedAt: sandboxDay,
	}}
}

// ObservationsOfSites are none.
func (f *fixture) ObservationsOfSites(context.Context, []string) (map[string][]origin.Observation, error) {
	return nil, nil
}

// Categories are two, invented.
func (f *fixture) Categories(context.Context) ([]origin.Category, error) {
	return []origin.Category{{Slug: "sandbox-news", Label: "Sandbox news", ChangedAt: sandboxDay}, {Slug: "sandbox-reference", Label: "Sandbox reference", ChangedAt: sandboxDay}}, nil
}

// Demand is one invented need.
func (f *fixture) Demand(context.Context) ([]origin.Demand, error) {
	return []origin.Demand{{DemandID: "dem_sandbox", Headline: "Invented tide data", Uses: []string{"rag"}, Categories: []string{"sandbox-news"}, OptedIn: true, OptedInAt: sandboxDay, ChangedAt: sandboxDay}}, nil
}

// Changes never move.
func (f *fixture) Changes(context.Context) (int64, string, error) { return 1, sandboxDay, nil }

// Sequence never moves.
func (f *fixture) Sequence(context.Context) (int64, error) { return 1, nil }

// PagesOf lists the invented pages of a site.
func (f *fixture) PagesOf(_ context.Context, id, after string, _ int) ([]origin.Page, error) {
	var out []origin.Page
	for _, p := range f.pages[id] {
		if p.EntryID > after {
			out = append(out, p)
		}
	}
	return out, nil
}

// RecordsOf lists what was issued.
func (f *fixture) RecordsOf(_ context.Context, id, after string, _ int) ([]origin.Record, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var out []origin.Record
	for _, p := range f.pages[id] {
		if r, ok := f.records[p.EntryID]; ok && p.EntryID > after {
			out = append(out, r)
		}
	}
	return out, nil
}

// AddRecords keeps issued records for this build.
func (f *fixture) AddRecords(_ context.Context, records []origin.Record) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, r := range records {
		f.records[r.EntryID] = r
	}
	return nil
}

// AddPolicy keeps a version for this build.
func (f *fixture) AddPolicy(_ context.Context, v origin.PolicyVersion) error {
	f.policies[v.SiteID] = append(f.policies[v.SiteID], v)
	return nil
}

// LoggedRecords are none: what is invented is not logged.
func (f *fixture) LoggedRecords(context.Context, string, string, string) ([]origin.LoggedRecord, error) {
	return nil, nil
}
