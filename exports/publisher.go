package exports

import "colophon/internal/wire"

// PublisherSummary is a publisher as lists show it.
type PublisherSummary struct {
	SiteID           string
	Name             string // untrusted text
	SiteURL          string
	Summary          string // untrusted text
	Categories       []string
	Languages        []string
	Countries        []string
	RegisteredPages  int64
	ContentFormats   []string
	Verified         bool
	AcceptsInquiries bool
	RAGSuitability   string
	Readiness        string
	RightsVector     string // eight letters in the order of Uses
	RightsAsOf       string // instant at which the vector was judged
	UpdatedAt        string
	Group            *GroupRef // nil if it belongs to no group
}

func (p *PublisherSummary) Members(m *wire.Members) {
	m.Bool("accepts_inquiries", &p.AcceptsInquiries)
	m.Strings("categories", &p.Categories)
	m.Words("content_formats", &p.ContentFormats, ContentFormats...)
	m.Strings("countries", &p.Countries)
	m.Flag("grants_rights", false)
	wire.Opt(m, "group", &p.Group)
	m.Strings("languages", &p.Languages)
	m.Nested("links", func(m *wire.Members) {
		DerivedLink(m, "map", MapPublisherPath(p.SiteID))
		DerivedLink(m, "page", PublisherPage(p.SiteID))
		DerivedLink(m, "self", PublisherPath(p.SiteID))
	})
	m.String("name", &p.Name)
	m.Enum("rag_suitability", &p.RAGSuitability, RAGSuitabilities...)
	m.Enum("readiness", &p.Readiness, ReadinessLevels...)
	m.Int("registered_pages", &p.RegisteredPages)
	m.OptTime("rights_as_of", &p.RightsAsOf)
	m.String("rights_vector", &p.RightsVector)
	m.String("site_id", &p.SiteID)
	m.String("site_url", &p.SiteURL)
	m.OptString("summary", &p.Summary)
	m.Time("updated_at", &p.UpdatedAt)
	m.Bool("verified", &p.Verified)
}

// DerivedLink is a member whose value is derived and therefore not read back.
func DerivedLink(m *wire.Members, name, href string) { m.String(name, &href) }

// Publisher is the public licensing and discovery record of one publisher: its
// summary and all other public facts about it.
type Publisher struct {
	PublisherSummary
	PublisherID    string
	Description    string // untrusted text
	DomainControl  string // one of DomainControls
	ControlChecked string
	Websites       []Website
	Sections       []Section
	Coverage       Coverage
	Audience       string
	TechnicalDepth string
	Preferences    []Preference // always eight
	Offers         []string     // ids of the license catalog
	Policy         *PolicyRef
	Channels       ChannelURLs
	HumanPage      string // URL of the publisher's own licensing page
	Records        RecordCount
}

func (p *Publisher) Members(m *wire.Members) {
	m.OptEnum("audience", &p.Audience, Audiences...)
	m.Object("channels", &p.Channels)
	m.Nested("contact", func(m *wire.Members) {
		m.NullString("human_page", &p.HumanPage)
		DerivedLink(m, "licensing_request_url", PathLicensingRequest)
	})
	m.Object("coverage", &p.Coverage)
	m.OptString("description", &p.Description)
	m.Strings("offers", &p.Offers)
	wire.Opt(m, "policy", &p.Policy)
	wire.List(m, "preference_signals", &p.Preferences)
	m.Object("provenance", &p.Records)
	m.String("publisher_id", &p.PublisherID)
	wire.List(m, "sections", &p.Sections)
	m.OptEnum("technical_depth", &p.TechnicalDepth, TechnicalDepths...)
	m.Object("verification", &verification{&p.ControlChecked, &p.DomainControl})
	wire.List(m, "websites", &p.Websites)
	p.PublisherSummary.Members(m)
}

type verification struct{ checked, control *string }

func (v *verification) Members(m *wire.Members) {
	m.NullTime("checked_at", v.checked)
	m.Enum("domain_control", v.control, DomainControls...)
}

// Website is one of a publisher's hosts.
type Website struct {
	Host       string
	Associated bool
	Method     string // one of DomainControls
	CheckedAt  string
}

func (w *Website) Members(m *wire.Members) {
	m.Bool("associated", &w.Associated)
	m.NullTime("checked_at", &w.CheckedAt)
	m.String("host", &w.Host)
	m.Enum("method", &w.Method, DomainControls...)
}

// Section is a part of a site with its number of registered pages.
type Section struct {
	Path  string // path prefix, "/" for none
	Label string // untrusted text
	Pages int64
}

func (s *Section) Members(m *wire.Members) {
	m.String("label", &s.Label)
	m.Int("pages", &s.Pages)
	m.String("path", &s.Path)
}

// Coverage is the period that the registered pages span.
type Coverage struct {
	FirstPublished string
	LastPublished  string
	ByYear         []YearCount
	UpdateCadence  string // daily, weekly, monthly, rarely; "" if unknown
}

func (c *Coverage) Members(m *wire.Members) {
	m.NullTime("first_published", &c.FirstPublished)
	m.NullTime("last_published", &c.LastPublished)
	wire.List(m, "pages_by_year", &c.ByYear)
	m.OptString("update_cadence", &c.UpdateCadence)
}

// YearCount is the number of pages published in a year.
type YearCount struct{ Year, Pages int64 }

func (y *YearCount) Members(m *wire.Members) {
	m.Int("pages", &y.Pages)
	m.Int("year", &y.Year)
}

// PolicyRef refers to the publisher's policy in force.
type PolicyRef struct {
	PolicyID      string
	Version       int64
	Digest        string // "sha-256:" + 64 hex
	EffectiveFrom string
	HistoryURL    string
}

func (p *PolicyRef) Members(m *wire.Members) {
	m.String("digest", &p.Digest)
	m.Time("effective_from", &p.EffectiveFrom)
	m.NullString("history_url", &p.HistoryURL)
	m.String("policy_id", &p.PolicyID)
	m.Int("version", &p.Version)
}

// ChannelURLs holds the URLs of the documents in which a publisher states its
// preferences, each a URL or null.
type ChannelURLs struct {
	RSL, TDMRep, Robots, ContentUsage, ContentSignal, TrustTxt, Telemetry string
}

func (c *ChannelURLs) Members(m *wire.Members) {
	m.NullString("content_signal", &c.ContentSignal)
	m.NullString("content_usage", &c.ContentUsage)
	m.NullString("robots", &c.Robots)
	m.NullString("rsl", &c.RSL)
	m.NullString("tdmrep", &c.TDMRep)
	m.NullString("telemetry", &c.Telemetry)
	m.NullString("trust_txt", &c.TrustTxt)
}

// RecordCount counts a publisher's provenance records.
type RecordCount struct {
	Records       int64
	LedgerEntries int64
	LatestAt      string
}

func (c *RecordCount) Members(m *wire.Members) {
	m.NullTime("latest_at", &c.LatestAt)
	m.Int("ledger_entries", &c.LedgerEntries)
	m.Int("records", &c.Records)
}
