package registry

import (
	"colophon/exports"
	"colophon/internal/wire"
)

// Format is the value of the member "format".
const Format = "colophon.registry.v1"

// Document is a registry, or a part of one.
type Document struct {
	Organizations []Organization
	Categories    []Category
	Publishers    []Publisher
	Demand        []Demand
	Partners      []Partner
	Buyers        []Buyer
	Grants        []Grant
}

// Members describes the JSON form.
func (d *Document) Members(m *wire.Members) {
	wire.OptList(m, "buyers", &d.Buyers)
	wire.OptList(m, "categories", &d.Categories)
	wire.OptList(m, "demand", &d.Demand)
	m.Const("format", Format)
	wire.OptList(m, "grants", &d.Grants)
	wire.OptList(m, "organizations", &d.Organizations)
	wire.OptList(m, "partners", &d.Partners)
	wire.OptList(m, "publishers", &d.Publishers)
}

// Organization is an account above publishers. Its preferences hold for each
// of its publishers in the same documents that says nothing else of a use, and
// so does its rights holder. With a group name its sites stand together in public.
type Organization struct {
	ID           string // "pub_" and more
	LegalName    string
	ContactName  string // private
	ContactEmail string // private
	GroupName    string
	Notes        string // private
	Preferences  []Preference
	RightsHolder *RightsHolder
}

// Members describes the JSON form.
func (o *Organization) Members(m *wire.Members) {
	m.OptText("contact_email", &o.ContactEmail, wire.Bounds{Max: 254})
	m.OptText("contact_name", &o.ContactName, wire.Bounds{Max: 480})
	m.OptText("group_name", &o.GroupName, wire.Bounds{Max: 480})
	m.Text("id", &o.ID, wire.Bounds{Min: 6, Max: 68})
	m.OptText("legal_name", &o.LegalName, wire.Bounds{Max: 480})
	m.OptText("notes", &o.Notes, wire.Bounds{Max: 8000})
	wire.OptList(m, "preferences", &o.Preferences)
	wire.Opt(m, "rights_holder", &o.RightsHolder)
}

// Category is a subject area. Those that publishers name and nobody describes
// are made with a label from their slug.
type Category struct {
	Slug, Label, Description, Parent string
	IABIDs                           []string
}

// Members describes the JSON form.
func (c *Category) Members(m *wire.Members) {
	m.OptText("description", &c.Description, wire.Bounds{Max: 1200})
	m.OptStrings("iab_ids", &c.IABIDs)
	m.OptText("label", &c.Label, wire.Bounds{Max: 120})
	m.OptText("parent", &c.Parent, wire.Bounds{Max: 64})
	m.Text("slug", &c.Slug, wire.Bounds{Min: 1, Max: 64})
}

// Publisher is one site with what it states and offers.
type Publisher struct {
	SiteID         string
	Organization   string // id of the account, "" for "pub_" and the site id
	Name           string
	SiteURL        string
	Summary        string
	Description    string
	Categories     []string
	Languages      []string
	Countries      []string
	Audience       string
	TechnicalDepth string
	RAGSuitability string
	UpdateCadence  string
	HumanPage      string
	Inquiries      string // open, closed
	State          string // one of states
	Visibility     string // public, private
	Reason         string // private: why it has that state
	GraceDays      int64  // private: days that a page may be gone, 0 the default
	Notes          string // private
	Hosts          []string
	Preferences    []Preference
	RightsHolder   *RightsHolder
	Offers         []Offer
}

var (
	cadences     = []string{"daily", "weekly", "monthly", "rarely"}
	states       = []string{"pending", "approved", "suspended", "closed"}
	visibilities = []string{"public", "private"}
	openness     = []string{"open", "closed"}
)

// Members describes the JSON form.
func (p *Publisher) Members(m *wire.Members) {
	m.OptEnum("audience", &p.Audience, exports.Audiences...)
	m.OptStrings("categories", &p.Categories)
	m.OptStrings("countries", &p.Countries)
	m.OptText("description", &p.Description, wire.Bounds{Max: 8000})
	m.OptInt("grace_days", &p.GraceDays)
	m.OptStrings("hosts", &p.Hosts)
	m.OptText("human_page", &p.HumanPage, wire.Bounds{Max: 2000})
	m.OptEnum("inquiries", &p.Inquiries, openness...)
	m.OptStrings("languages", &p.Languages)
	m.OptText("name", &p.Name, wire.Bounds{Max: 480})
	m.OptText("notes", &p.Notes, wire.Bounds{Max: 8000})
	wire.OptList(m, "offers", &p.Offers)
	m.OptText("organization", &p.Organization, wire.Bounds{Max: 68})
	wire.OptList(m, "preferences", &p.Preferences)
	m.OptEnum("rag_suitability", &p.RAGSuitability, exports.RAGSuitabilities...)
	m.OptText("reason", &p.Reason, wire.Bounds{Max: 1200})
	wire.Opt(m, "rights_holder", &p.RightsHolder)
	m.Text("site_id", &p.SiteID, wire.Bounds{Min: 2, Max: 64})
	m.OptText("site_url", &p.SiteURL, wire.Bounds{Max: 2000})
	m.OptEnum("state", &p.State, states...)
	m.OptText("summary", &p.Summary, wire.Bounds{Max: 1200})
	m.OptEnum("technical_depth", &p.TechnicalDepth, exports.TechnicalDepths...)
	m.OptEnum("update_cadence", &p.UpdateCadence, cadences...)
	m.OptEnum("visibility", &p.Visibility, visibilities...)
}

// Preference is what a publisher states about one use.
type Preference struct {
	Use, Inquiry, Declared string
	Conditions             []string
	Note, Since, Source    string
}

// Members describes the JSON form.
func (p *Preference) Members(m *wire.Members) {
	m.OptWords("conditions", &p.Conditions, exports.Conditions...)
	m.OptEnum("declared", &p.Declared, exports.Declarations...)
	m.OptEnum("inquiry", &p.Inquiry, exports.Inquiries...)
	m.OptText("note", &p.Note, wire.Bounds{Max: 1200})
	m.OptTime("since", &p.Since)
	m.OptEnum("source", &p.Source, exports.SignalSources...)
	m.Enum("use", &p.Use, exports.UseWords()...)
}

// RightsHolder is what a rights passport says of who holds the rights. A
// document that says something new makes a new version of the passport.
type RightsHolder struct {
	Name, URL, Basis string
	Territories      []string
	Notes            string // private
}

// typedBases are the bases of a passport that an operator can state. That a
// domain was verified follows from a proof.
var typedBases = []string{"stated_by_publisher", "third_party_registry"}

// Members describes the JSON form.
func (h *RightsHolder) Members(m *wire.Members) {
	m.OptEnum("basis", &h.Basis, typedBases...)
	m.OptText("name", &h.Name, wire.Bounds{Max: 480})
	m.OptText("notes", &h.Notes, wire.Bounds{Max: 8000})
	m.OptStrings("territories", &h.Territories)
	m.OptText("url", &h.URL, wire.Bounds{Max: 2000})
}

// Offer is what a publisher offers to license.
type Offer struct {
	Slug           string
	Kind           string
	Status         string
	Title          string
	Scope          string // site, section, collection
	Paths          []string
	Excludes       []string
	ContentFormats []string
	PublishedAfter string
	Permits        []string
	Prohibits      []string
	UserTypes      []string
	Territories    []string
	NotIn          []string
	PaymentModel   string
	Amount         string // decimal text, "" on request
	Currency       string
	Unit           string
	Attribution    string
	DisplayLimit   int64 // characters, 0 no limit
	DeleteHours    int64
	Reporting      string
	TermsURL       string
	TermsVersion   string
	TermsSHA256    string
	TermsMedia     string
	ValidFrom      string
	ValidUntil     string
	Supersedes     string // slug of another offer of the publisher
	Notes          string // private
}

var (
	scopes       = []string{"site", "section", "collection"}
	attributions = []string{"link", "name", "none"}
)

// Members describes the JSON form.
func (o *Offer) Members(m *wire.Members) {
	m.OptText("amount", &o.Amount, wire.Bounds{Max: 24})
	m.OptEnum("attribution", &o.Attribution, attributions...)
	m.OptWords("content_formats", &o.ContentFormats, exports.ContentFormats...)
	m.OptText("currency", &o.Currency, wire.Bounds{Max: 3})
	m.OptInt("delete_hours", &o.DeleteHours)
	m.OptInt("display_limit", &o.DisplayLimit)
	m.OptStrings("excludes", &o.Excludes)
	m.OptEnum("kind", &o.Kind, exports.OfferKinds...)
	m.OptText("notes", &o.Notes, wire.Bounds{Max: 8000})
	m.OptStrings("not_in", &o.NotIn)
	m.OptStrings("paths", &o.Paths)
	m.OptEnum("payment_model", &o.PaymentModel, exports.PaymentModels...)
	m.OptWords("permits", &o.Permits, exports.UseWords()...)
	m.OptWords("prohibits", &o.Prohibits, exports.UseWords()...)
	m.OptText("published_after", &o.PublishedAfter, wire.Bounds{Max: 48})
	m.OptText("reporting", &o.Reporting, wire.Bounds{Max: 2000})
	m.OptEnum("scope", &o.Scope, scopes...)
	m.Text("slug", &o.Slug, wire.Bounds{Min: 1, Max: 64})
	m.OptEnum("status", &o.Status, exports.OfferStatuses...)
	m.OptText("supersedes", &o.Supersedes, wire.Bounds{Max: 64})
	m.OptText("terms_media", &o.TermsMedia, wire.Bounds{Max: 120})
	m.OptText("terms_sha256", &o.TermsSHA256, wire.Bounds{Max: 64})
	m.OptText("terms_url", &o.TermsURL, wire.Bounds{Max: 2000})
	m.OptText("terms_version", &o.TermsVersion, wire.Bounds{Max: 120})
	m.OptStrings("territories", &o.Territories)
	m.OptText("title", &o.Title, wire.Bounds{Max: 480})
	m.OptText("unit", &o.Unit, wire.Bounds{Max: 60})
	m.OptWords("user_types", &o.UserTypes, exports.UserTypes...)
	m.OptText("valid_from", &o.ValidFrom, wire.Bounds{Max: 48})
	m.OptText("valid_until", &o.ValidUntil, wire.Bounds{Max: 48})
}

// Demand is an acquisition need of a buyer. It is public while its state is
// "approved" and it has not expired.
type Demand struct {
	ID             string // "dem_" and more; or a slug, from which it is made
	State          string // one of DemandStates
	Headline       string
	Uses           []string
	Categories     []string
	ContentFormats []string
	Languages      []string
	Territories    []string
	UserType       string
	Volume         string
	BudgetBand     string
	Timeline       string
	BuyerDisplay   string
	ExpiresAt      string
	BuyerName      string // private
	BuyerEmail     string // private
	SavedSearch    string // private
	PipelineStage  string // private
	Notes          string // private
}

// The states of a need: it waits for the operator, is public until it expires,
// or was closed.
const (
	DemandHeld     = "held"
	DemandApproved = "approved"
	DemandClosed   = "closed"
)

// DemandStates lists them.
var DemandStates = []string{DemandHeld, DemandApproved, DemandClosed}

// Members describes the JSON form.
func (d *Demand) Members(m *wire.Members) {
	m.OptText("budget_band", &d.BudgetBand, wire.Bounds{Max: 240})
	m.OptText("buyer_display", &d.BuyerDisplay, wire.Bounds{Max: 240})
	m.OptText("buyer_email", &d.BuyerEmail, wire.Bounds{Max: 254})
	m.OptText("buyer_name", &d.BuyerName, wire.Bounds{Max: 480})
	m.OptStrings("categories", &d.Categories)
	m.OptWords("content_formats", &d.ContentFormats, exports.ContentFormats...)
	m.OptText("expires_at", &d.ExpiresAt, wire.Bounds{Max: 48})
	m.OptText("headline", &d.Headline, wire.Bounds{Max: 480})
	m.Text("id", &d.ID, wire.Bounds{Min: 1, Max: 64})
	m.OptStrings("languages", &d.Languages)
	m.OptText("notes", &d.Notes, wire.Bounds{Max: 8000})
	m.OptText("pipeline_stage", &d.PipelineStage, wire.Bounds{Max: 240})
	m.OptText("saved_search", &d.SavedSearch, wire.Bounds{Max: 1200})
	m.OptEnum("state", &d.State, DemandStates...)
	m.OptStrings("territories", &d.Territories)
	m.OptText("timeline", &d.Timeline, wire.Bounds{Max: 240})
	m.OptEnum("user_type", &d.UserType, exports.UserTypes...)
	m.OptWords("uses", &d.Uses, exports.UseWords()...)
	m.OptText("volume", &d.Volume, wire.Bounds{Max: 240})
}

// Partner is an organization that may use the partner API. Its keys are no
// part of a document.
type Partner struct {
	ID           string // "org_" and more; or a slug
	Name         string
	State        string // active, suspended
	Scopes       []string
	ContactEmail string // private
	Notes        string // private
}

var standings = []string{"active", "suspended"}

// Members describes the JSON form.
func (p *Partner) Members(m *wire.Members) {
	m.OptText("contact_email", &p.ContactEmail, wire.Bounds{Max: 254})
	m.Text("id", &p.ID, wire.Bounds{Min: 1, Max: 64})
	m.OptText("name", &p.Name, wire.Bounds{Max: 480})
	m.OptText("notes", &p.Notes, wire.Bounds{Max: 8000})
	m.OptWords("scopes", &p.Scopes, exports.PartnerScopes...)
	m.OptEnum("state", &p.State, standings...)
}

// Buyer is an organization that content can be delivered to. Its credentials
// are no part of a document.
type Buyer struct {
	ID           string // as the program names it; or a slug
	Name         string
	State        string // active, suspended
	ContactEmail string // private
	Notes        string // private
}

// Members describes the JSON form.
func (b *Buyer) Members(m *wire.Members) {
	m.OptText("contact_email", &b.ContactEmail, wire.Bounds{Max: 254})
	m.Text("id", &b.ID, wire.Bounds{Min: 1, Max: 64})
	m.OptText("name", &b.Name, wire.Bounds{Max: 480})
	m.OptText("notes", &b.Notes, wire.Bounds{Max: 8000})
	m.OptEnum("state", &b.State, standings...)
}

// Grant is a licence that a buyer holds.
type Grant struct {
	ID              string // "grt_" and more; or a slug
	Buyer           string // id or slug
	Kind            string // direct, enterprise
	Title           string
	License         string // offer that it came from
	Sites           []string
	Uses            []string
	Paths           []string
	Excludes        []string
	ContentFormats  []string
	PublishedAfter  string
	PublishedBefore string
	ValidFrom       string
	ValidUntil      string
	State           string // active, suspended, revoked
	Reason          string // private
	Attribution     string
	DisplayLimit    int64
	DeleteHours     int64
	Reporting       string
	Agreement       string // private
	Notes           string // private
}

var (
	grantKinds  = []string{"direct", "enterprise"}
	grantStates = []string{"active", "suspended", "revoked"}
)

// Members describes the JSON form.
func (g *Grant) Members(m *wire.Members) {
	m.OptText("agreement", &g.Agreement, wire.Bounds{Max: 1200})
	m.OptEnum("attribution", &g.Attribution, attributions...)
	m.OptText("buyer", &g.Buyer, wire.Bounds{Max: 64})
	m.OptWords("content_formats", &g.ContentFormats, exports.ContentFormats...)
	m.OptInt("delete_hours", &g.DeleteHours)
	m.OptInt("display_limit", &g.DisplayLimit)
	m.OptStrings("excludes", &g.Excludes)
	m.Text("id", &g.ID, wire.Bounds{Min: 1, Max: 64})
	m.OptEnum("kind", &g.Kind, grantKinds...)
	m.OptText("license", &g.License, wire.Bounds{Max: 64})
	m.OptText("notes", &g.Notes, wire.Bounds{Max: 8000})
	m.OptStrings("paths", &g.Paths)
	m.OptText("published_after", &g.PublishedAfter, wire.Bounds{Max: 48})
	m.OptText("published_before", &g.PublishedBefore, wire.Bounds{Max: 48})
	m.OptText("reason", &g.Reason, wire.Bounds{Max: 1200})
	m.OptText("reporting", &g.Reporting, wire.Bounds{Max: 2000})
	m.OptStrings("sites", &g.Sites)
	m.OptEnum("state", &g.State, grantStates...)
	m.OptText("title", &g.Title, wire.Bounds{Max: 480})
	m.OptWords("uses", &g.Uses, exports.UseWords()...)
	m.OptText("valid_from", &g.ValidFrom, wire.Bounds{Max: 48})
	m.OptText("valid_until", &g.ValidUntil, wire.Bounds{Max: 48})
}
