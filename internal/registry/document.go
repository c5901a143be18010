package registry

import (
	"colophon/exports"
	"colophon/internal/origin"
	"colophon/internal/wire"
)

// Format is the value of the member "format".
const Format = "colophon.registry.v1"

// Document is a registry, or a part of one.
type Document struct {
	Organizations []Organization
	Categories    []Category
	Publishers    []Publisher
	Reservations  []Reservation
	Demand        []Demand
	Partners      []Partner
	Buyers        []Buyer
	Grants        []Grant
}

func (d *Document) Members(m *wire.Members) {
	wire.OptList(m.About("organizations that content can be delivered to"), "buyers", &d.Buyers)
	wire.OptList(m.About("subject areas"), "categories", &d.Categories)
	wire.OptList(m.About("needs of buyers"), "demand", &d.Demand)
	m.Const("format", Format)
	wire.OptList(m.About("licences that buyers hold"), "grants", &d.Grants)
	wire.OptList(m.About("accounts above publishers"), "organizations", &d.Organizations)
	wire.OptList(m.About("organizations that may use the partner API"), "partners", &d.Partners)
	wire.OptList(m.About("sites, with what they state and offer"), "publishers", &d.Publishers)
	wire.OptList(m.About("statements about content, for which publishers vouch"), "reservations", &d.Reservations)
}

// Organization is an account that owns publishers. Its preferences and its
// rights holder apply to each of its publishers in the same documents, unless a
// publisher states its own. An organization with a group name is shown publicly
// with its sites.
type Organization struct {
	origin.Publisher
	Preferences  []Preference
	RightsHolder *RightsHolder
}

func (o *Organization) Members(m *wire.Members) {
	m.Private("where notifications go").OptText("contact_email", &o.ContactEmail, wire.Bounds{Max: 254})
	m.Private("person to write to").OptText("contact_name", &o.ContactName, wire.Bounds{Max: 480})
	m.About("public name under which its sites stand together").OptText("group_name", &o.GroupName, wire.Bounds{Max: 480})
	m.About("\"pub_\" and a name").Text("id", &o.PublisherID, wire.Bounds{Min: 6, Max: 68})
	m.About("name of the organization").OptText("legal_name", &o.LegalName, wire.Bounds{Max: 480})
	m.Private("the operator's own notes").OptText("notes", &o.PrivateNotes, wire.Bounds{Max: 8000})
	wire.OptList(m.About("what holds for each of its publishers that says nothing else"), "preferences", &o.Preferences)
	wire.Opt(m.About("who holds the rights of its publishers that name nobody else"), "rights_holder", &o.RightsHolder)
}

// Category is a subject area. Categories that publishers name and no document
// describes are created with a label from their slug.
type Category origin.Category

func (c *Category) Members(m *wire.Members) {
	m.About("what it is about").OptText("description", &c.Description, wire.Bounds{Max: 1200})
	m.About("ids of the IAB content taxonomy").OptStrings("iab_ids", &c.IABIDs)
	m.About("name that is shown").OptText("label", &c.Label, wire.Bounds{Max: 120})
	m.About("slug of the category above").OptText("parent", &c.Parent, wire.Bounds{Max: 64})
	m.About("name in addresses").Text("slug", &c.Slug, wire.Bounds{Min: 1, Max: 64})
}

// Publisher is one site with what it states and offers.
type Publisher struct {
	origin.Site
	Inquiries    string // open, closed
	Hosts        []string
	Preferences  []Preference
	RightsHolder *RightsHolder
	Offers       []Offer
}

var (
	cadences     = []string{"daily", "weekly", "monthly", "rarely"}
	states       = []string{"pending", "approved", "suspended", "closed"}
	visibilities = []string{"public", "private"}
	openness     = []string{"open", "closed"}
)

func (p *Publisher) Members(m *wire.Members) {
	m.About("whom it writes for").OptEnum("audience", &p.Audience, exports.Audiences...)
	m.About("category slugs (made when new)").OptStrings("categories", &p.Categories)
	m.About("ISO 3166-1 alpha-2 codes").OptStrings("countries", &p.Countries)
	m.About("a paragraph").OptText("description", &p.Description, wire.Bounds{Max: 8000})
	m.Private("days that a page may be gone before its entry is withdrawn; 0 is the default of 14").OptInt("grace_days", &p.GraceDays)
	m.About("further host names of the site").OptStrings("hosts", &p.Hosts)
	m.About("the publisher's own licensing page").OptText("human_page", &p.HumanPage, wire.Bounds{Max: 2000})
	m.About("whether it takes inquiries").OptEnum("inquiries", &p.Inquiries, openness...)
	m.About("BCP 47 tags").OptStrings("languages", &p.Languages)
	m.About("public name").OptText("name", &p.Name, wire.Bounds{Max: 480})
	m.Private("the operator's own notes").OptText("notes", &p.PrivateNotes, wire.Bounds{Max: 8000})
	wire.OptList(m.About("what it offers to license"), "offers", &p.Offers)
	m.About("id of the account (default: \"pub_\" and the site id)").OptText("organization", &p.PublisherID, wire.Bounds{Max: 68})
	wire.OptList(m.About("what it states of each use"), "preferences", &p.Preferences)
	m.About("how well its texts suit retrieval").OptEnum("rag_suitability", &p.RAGSuitability, exports.RAGSuitabilities...)
	m.Private("why it has that state").OptText("reason", &p.StateReason, wire.Bounds{Max: 1200})
	wire.Opt(m.About("who holds the rights, in a new version of the rights passport"), "rights_holder", &p.RightsHolder)
	m.About("name of the publisher").Text("site_id", &p.SiteID, wire.Bounds{Min: 2, Max: 64})
	m.About("public home address").OptText("site_url", &p.SiteURL, wire.Bounds{Max: 2000})
	m.About("its state").OptEnum("state", (*string)(&p.State), states...)
	m.About("one sentence").OptText("summary", &p.Summary, wire.Bounds{Max: 1200})
	m.About("how technical it is").OptEnum("technical_depth", &p.TechnicalDepth, exports.TechnicalDepths...)
	m.About("how often it publishes").OptEnum("update_cadence", &p.UpdateCadence, cadences...)
	m.About("who sees it").OptEnum("visibility", &p.Visibility, visibilities...)
}

// Preference is what a publisher states about one use.
type Preference origin.Preference

func (p *Preference) Members(m *wire.Members) {
	m.About("what it asks for").OptWords("conditions", &p.Conditions, exports.Conditions...)
	m.About("what it declares").OptEnum("declared", &p.Declared, exports.Declarations...)
	m.About("whether asking is welcome").OptEnum("inquiry", &p.Inquiry, exports.Inquiries...)
	m.About("a remark, public").OptText("note", &p.Note, wire.Bounds{Max: 1200})
	exports.RetentionMember(m, &p.Retention, "not said")
	m.About("since when it holds (default: now)").OptTime("since", &p.Since)
	m.About("where it is known from").OptEnum("source", &p.Source, exports.SignalSources...)
	m.About("the use").Enum("use", &p.Use, exports.UseWords()...)
}

// RightsHolder is what a rights passport says about the holder of the rights. A
// document that says something new adds a version of the passport.
type RightsHolder origin.Passport

// typedBases are the bases of a passport that an operator can state. That a
// domain was verified follows from a proof.
var typedBases = []string{"stated_by_publisher", "third_party_registry"}

func (h *RightsHolder) Members(m *wire.Members) {
	m.About("what it is known from").OptEnum("basis", &h.HolderBasis, typedBases...)
	m.About("name in a new version of the rights passport").OptText("name", &h.HolderName, wire.Bounds{Max: 480})
	m.Private("the operator's own notes").OptText("notes", &h.PrivateNotes, wire.Bounds{Max: 8000})
	m.About("where rights are held, such as EU,GB; empty is everywhere").OptStrings("territories", &h.Territories)
	m.About("address about the rights holder").OptText("url", &h.HolderURL, wire.Bounds{Max: 2000})
}

// Offer is what a publisher offers to license.
type Offer origin.Offer

var (
	scopes       = []string{"site", "section", "collection"}
	attributions = []string{"link", "name", "none"}
)

func (o *Offer) Members(m *wire.Members) {
	m.About("price as a decimal number, such as 0.015; indicative").OptText("amount", &o.Amount, wire.Bounds{Max: 24})
	m.About("what has to be shown").OptEnum("attribution", &o.Attribution, attributions...)
	m.About("formats that it is about (default: all)").OptWords("content_formats", &o.ContentFormats, exports.ContentFormats...)
	m.About("ISO 4217 code, such as EUR").OptText("currency", &o.Currency, wire.Bounds{Max: 3})
	m.About("hours to delete after a revocation").OptInt("delete_hours", &o.DeleteHours)
	m.About("characters that may be shown; 0 no limit").OptInt("display_limit", &o.DisplayLimit)
	m.About("path patterns that it leaves out").OptStrings("excludes", &o.Excludes)
	m.About("kind of offer").OptEnum("kind", &o.Kind, exports.OfferKinds...)
	m.About("shortest term of a licence, in months; never published (default: any)").OptInt("minimum_term_months", &o.MinimumTermMonths)
	m.Private("the operator's own notes").OptText("notes", &o.PrivateNotes, wire.Bounds{Max: 8000})
	m.About("territories where it does not hold").OptStrings("not_in", &o.NotIn)
	m.About("path patterns that it is about (default: all)").OptStrings("paths", &o.Paths)
	m.About("how it is paid").OptEnum("payment_model", &o.PaymentModel, exports.PaymentModels...)
	m.About("uses that may be asked for").OptWords("permits", &o.Permits, exports.UseWords()...)
	m.About("uses that it rules out").OptWords("prohibits", &o.Prohibits, exports.UseWords()...)
	m.About("only pages published at or after this instant").OptText("published_after", &o.PublishedAfter, wire.Bounds{Max: 48})
	m.About("address about how use is reported").OptText("reporting", &o.Reporting, wire.Bounds{Max: 2000})
	exports.RetentionMember(m, &o.Retention, "not said")
	m.About("what it is about").OptEnum("scope", &o.ScopeType, scopes...)
	m.About("name among the offers of the publisher").Text("slug", &o.Slug, wire.Bounds{Min: 1, Max: 64})
	m.About("whether it can be asked for").OptEnum("status", &o.Status, exports.OfferStatuses...)
	m.About("slug of the offer whose place it takes").OptText("supersedes", &o.Supersedes, wire.Bounds{Max: 64})
	m.About("media type of the terms").OptText("terms_media", &o.TermsMedia, wire.Bounds{Max: 120})
	m.About("SHA-256 of the terms in hex").OptText("terms_sha256", &o.TermsSHA256, wire.Bounds{Max: 64})
	m.About("address of the terms").OptText("terms_url", &o.TermsURL, wire.Bounds{Max: 2000})
	m.About("version of the terms").OptText("terms_version", &o.TermsVersion, wire.Bounds{Max: 120})
	m.About("where it holds: ISO 3166-1 alpha-2 codes or EU (default: everywhere)").OptStrings("territories", &o.Territories)
	m.About("name of the offer").OptText("title", &o.Title, wire.Bounds{Max: 480})
	m.About("what the amount is for").OptText("unit", &o.Unit, wire.Bounds{Max: 60})
	m.About("who may ask (default: all)").OptWords("user_types", &o.UserTypes, exports.UserTypes...)
	m.About("when it begins (default: now)").OptText("valid_from", &o.ValidFrom, wire.Bounds{Max: 48})
	m.About("when it ends (default: open)").OptText("valid_until", &o.ValidUntil, wire.Bounds{Max: 48})
}

// Reservation is the statement that uses of a content are reserved, for which a
// publisher vouches.
type Reservation struct {
	origin.Reservation
	State string // one of ReservationStates
}

// The states of a reservation.
const (
	ReservationActive    = "active"
	ReservationWithdrawn = "withdrawn"
)

// ReservationStates lists them.
var ReservationStates = []string{ReservationActive, ReservationWithdrawn}

func (r *Reservation) Members(m *wire.Members) {
	m.About("name or handle of its author that is shown, public").OptText("author_display", &r.AuthorDisplay, wire.Bounds{Max: exports.MaxReservationAuthor})
	m.Private("who states it").OptText("author_name", &r.AuthorName, wire.Bounds{Max: exports.MaxReservationAuthor})
	m.About("portable fingerprint of a text (64 hex digits), or ISCC").Text("code", &r.Code, wire.Bounds{Min: 1, Max: 120})
	m.About("a remark, public").OptText("note", &r.Note, wire.Bounds{Max: exports.MaxReservationNote})
	m.Private("the operator's own notes").OptText("notes", &r.PrivateNotes, wire.Bounds{Max: 8000})
	m.About("site of the publisher that vouches for it").Text("publisher", &r.SiteID, wire.Bounds{Min: 2, Max: 64})
	m.About("since when it holds (default: now)").OptText("since", &r.Since, wire.Bounds{Max: 48})
	m.About("a withdrawn reservation is not shown").OptEnum("state", &r.State, ReservationStates...)
	m.About("uses that are reserved").OptWords("uses", &r.Uses, exports.UseWords()...)
}

// Demand is an acquisition need of a buyer. It is public while its state is
// "approved" and it has not expired.
type Demand struct {
	origin.Demand
	State string // one of DemandStates
}

// The states of a buyer's request: it waits for the operator, is public until
// it expires, or was closed.
const (
	DemandHeld     = "held"
	DemandApproved = "approved"
	DemandClosed   = "closed"
)

// DemandStates lists them.
var DemandStates = []string{DemandHeld, DemandApproved, DemandClosed}

func (d *Demand) Members(m *wire.Members) {
	m.About("budget in words, public").OptText("budget_band", &d.BudgetBand, wire.Bounds{Max: 240})
	m.About("name that the buyer wants shown, public").OptText("buyer_display", &d.BuyerDisplay, wire.Bounds{Max: 240})
	m.Private("whom to write to").OptText("buyer_email", &d.BuyerEmail, wire.Bounds{Max: 254})
	m.Private("who needs it").OptText("buyer_name", &d.BuyerName, wire.Bounds{Max: 480})
	m.About("category slugs").OptStrings("categories", &d.Categories)
	m.About("formats that are needed").OptWords("content_formats", &d.ContentFormats, exports.ContentFormats...)
	m.About("when it ends by itself (default: in 90 days)").OptText("expires_at", &d.ExpiresAt, wire.Bounds{Max: 48})
	m.About("what is needed, in one line, public").OptText("headline", &d.Headline, wire.Bounds{Max: 480})
	m.About("\"dem_\" and more, or a slug").Text("id", &d.DemandID, wire.Bounds{Min: 1, Max: 64})
	m.About("BCP 47 tags").OptStrings("languages", &d.Languages)
	m.Private("the operator's own notes").OptText("notes", &d.PrivateNotes, wire.Bounds{Max: 8000})
	m.Private("how far it is").OptText("pipeline_stage", &d.PipelineStage, wire.Bounds{Max: 240})
	m.Private("search that it came from").OptText("saved_search", &d.SavedSearch, wire.Bounds{Max: 1200})
	m.About("a need is public while it is approved").OptEnum("state", &d.State, DemandStates...)
	m.About("where it would be used").OptStrings("territories", &d.Territories)
	m.About("until when, in words, public").OptText("timeline", &d.Timeline, wire.Bounds{Max: 240})
	m.About("who asks").OptEnum("user_type", &d.UserType, exports.UserTypes...)
	m.About("uses that are needed").OptWords("uses", &d.Uses, exports.UseWords()...)
	m.About("how much, in words, public").OptText("volume", &d.Volume, wire.Bounds{Max: 240})
}

// Partner is an organization that may use the partner API. Documents do not contain
// its keys.
type Partner origin.Partner

var memberStates = []string{"active", "suspended"}

func (p *Partner) Members(m *wire.Members) {
	m.Private("whom to write to").OptText("contact_email", &p.ContactEmail, wire.Bounds{Max: 254})
	m.About("\"org_\" and more, or a slug").Text("id", &p.OrgID, wire.Bounds{Min: 1, Max: 64})
	m.About("name of the organization").OptText("name", &p.Name, wire.Bounds{Max: 480})
	m.Private("the operator's own notes").OptText("notes", &p.PrivateNotes, wire.Bounds{Max: 8000})
	m.About("scopes that its keys can have").OptWords("scopes", &p.Scopes, exports.PartnerScopes...)
	m.About("whether its keys hold").OptEnum("state", &p.State, memberStates...)
}

// Buyer is an organization to which content can be delivered. Documents do not
// contain its credentials.
type Buyer origin.Buyer

func (b *Buyer) Members(m *wire.Members) {
	m.Private("whom to write to").OptText("contact_email", &b.ContactEmail, wire.Bounds{Max: 254})
	m.About("\"byr_\" and more, or a slug").Text("id", &b.BuyerID, wire.Bounds{Min: 1, Max: 64})
	m.About("name of the buyer").OptText("name", &b.Name, wire.Bounds{Max: 480})
	m.Private("the operator's own notes").OptText("notes", &b.PrivateNotes, wire.Bounds{Max: 8000})
	m.About("whether content is delivered to it").OptEnum("state", &b.State, memberStates...)
}

// Grant is a licence that a buyer holds.
type Grant origin.Grant

var (
	grantKinds  = []string{"direct", "enterprise"}
	grantStates = []string{"active", "suspended", "revoked"}
)

func (g *Grant) Members(m *wire.Members) {
	m.Private("reference to the contract").OptText("agreement", &g.Agreement, wire.Bounds{Max: 1200})
	m.About("what has to be shown").OptEnum("attribution", &g.Attribution, attributions...)
	m.About("id or slug of the buyer").OptText("buyer", &g.BuyerID, wire.Bounds{Max: 64})
	m.About("content format that it covers (default: all)").OptWords("content_formats", &g.ContentFormats, exports.ContentFormats...)
	m.About("hours to delete after the right has ended").OptInt("delete_hours", &g.DeleteHours)
	m.About("characters that may be shown; 0 no limit").OptInt("display_limit", &g.DisplayLimit)
	m.About("path pattern that it leaves out").OptStrings("excludes", &g.Excludes)
	m.About("\"grt_\" and more, or a slug").Text("id", &g.GrantID, wire.Bounds{Min: 1, Max: 64})
	m.About("a direct grant covers one site").OptEnum("kind", &g.Kind, grantKinds...)
	m.About("offer that it came from (lic_…)").OptText("license", &g.LicenseID, wire.Bounds{Max: 64})
	m.Private("the operator's own notes").OptText("notes", &g.PrivateNotes, wire.Bounds{Max: 8000})
	m.About("path pattern that it covers (default: all)").OptStrings("paths", &g.Paths)
	m.About("only pages published at or after this instant").OptText("published_after", &g.PublishedAfter, wire.Bounds{Max: 48})
	m.About("only pages published before this instant").OptText("published_before", &g.PublishedBefore, wire.Bounds{Max: 48})
	m.Private("why it has that state").OptText("reason", &g.StateReason, wire.Bounds{Max: 1200})
	m.About("address that use is reported to").OptText("reporting", &g.Reporting, wire.Bounds{Max: 2000})
	exports.RetentionMember(m, &g.Retention, "while_licensed")
	m.About("site that it covers").OptStrings("sites", &g.Sites)
	m.About("whether it holds").OptEnum("state", &g.State, grantStates...)
	m.About("name of the licence, shown to the buyer").OptText("title", &g.Title, wire.Bounds{Max: 480})
	m.About("use that it covers").OptWords("uses", &g.Uses, exports.UseWords()...)
	m.About("when it begins (default: now)").OptText("valid_from", &g.ValidFrom, wire.Bounds{Max: 48})
	m.About("when it ends (default: open)").OptText("valid_until", &g.ValidUntil, wire.Bounds{Max: 48})
}
