package exports

import "colophon/internal/wire"

// Offer is one record of the license catalog. It says what can be asked for and
// grants nothing.
type Offer struct {
	LicenseID   string
	Kind        string // one of OfferKinds
	Status      string // one of OfferStatuses
	Title       string // untrusted text
	SiteID      string
	Scope       OfferScope
	Permits     []string // uses
	Prohibits   []string // uses
	UserTypes   []string
	Territories []string // ISO 3166-1 alpha-2 or EU; empty means everywhere
	NotIn       []string // territories excluded
	Payment     Payment
	Obligations Obligations
	Terms       *Terms
	HumanPage   string
	AsksAllowed bool // the publisher takes inquiries
	ValidFrom   string
	ValidUntil  string
	Supersedes  string
	Represented bool   // other vocabularies can express it: see OfferForms
	Source      string // of OfferSources, "" if the operator entered it
	Evidence    *OfferEvidence
	Digest      string // "sha-256:" + digest of the canonical record without this member
}

// AsOffered returns a copy with the status "offered". Other vocabularies
// describe an offer in this form, whatever its present status.
func (o *Offer) AsOffered() Offer {
	offered := *o
	offered.Status = "offered"
	return offered
}

func (o *Offer) Members(m *wire.Members) {
	m.Nested("acquire", func(m *wire.Members) {
		m.NullString("human", &o.HumanPage)
		m.NullString("olp_server", new(string)) // none is implemented
		m.Object("prepare_intent", &action{PathPrepare})
		var request *action
		if o.AsksAllowed {
			request = &action{PathLicensingRequest}
		}
		wire.OrNull(m, "request", &request)
		if !m.Writing() {
			o.AsksAllowed = request != nil
		}
	})
	wire.Opt(m, "evidence", &o.Evidence)
	m.Flag("grants_rights", false)
	m.Enum("kind", &o.Kind, OfferKinds...)
	m.String("license_id", &o.LicenseID)
	m.Object("obligations", &o.Obligations)
	m.Object("payment", &o.Payment)
	m.OptString("record_digest", &o.Digest)
	var forms *offerForms
	if o.Represented {
		forms = &offerForms{o.LicenseID}
	}
	wire.Opt(m, "representations", &forms)
	if !m.Writing() {
		o.Represented = forms != nil
	}
	m.Object("scope", &o.Scope)
	m.String("site_id", &o.SiteID)
	m.OptEnum("source", &o.Source, OfferSources...)
	m.Enum("status", &o.Status, OfferStatuses...)
	m.NullString("supersedes", &o.Supersedes)
	wire.OrNull(m, "terms", &o.Terms)
	m.Nested("territories", func(m *wire.Members) {
		m.Strings("permits", &o.Territories)
		m.Strings("prohibits", &o.NotIn)
	})
	m.String("title", &o.Title)
	m.Words("user_types", &o.UserTypes, UserTypes...)
	m.Nested("uses", func(m *wire.Members) {
		m.Words("permits", &o.Permits, UseWords()...)
		m.Words("prohibits", &o.Prohibits, UseWords()...)
	})
	m.Time("valid_from", &o.ValidFrom)
	m.NullTime("valid_until", &o.ValidUntil)
}

// OfferEvidence is the document in which an offer was read.
type OfferEvidence struct {
	URL    string
	SHA256 string // of the document
	SeenAt string // when the document first said so
}

func (e *OfferEvidence) Members(m *wire.Members) {
	m.Time("seen_at", &e.SeenAt)
	m.String("sha256", &e.SHA256)
	m.String("url", &e.URL)
}

type offerForms struct{ licenseID string }

func (f *offerForms) Members(m *wire.Members) {
	for _, form := range OfferForms {
		DerivedLink(m, form[0], OfferPath(f.licenseID)+form[1])
	}
}

type action struct{ href string }

func (a *action) Members(m *wire.Members) {
	DerivedLink(m, "href", a.href)
	m.Const("method", "POST")
}

// OfferScope says which part of a site an offer covers.
type OfferScope struct {
	Type           string // site, section, collection
	Paths          []string
	Excludes       []string
	ContentFormats []string
	Entries        int64
	PublishedAfter string
}

func (s *OfferScope) Members(m *wire.Members) {
	m.Words("content_formats", &s.ContentFormats, ContentFormats...)
	m.Int("entries", &s.Entries)
	m.Strings("excludes", &s.Excludes)
	m.Strings("paths", &s.Paths)
	m.NullTime("published_after", &s.PublishedAfter)
	m.Enum("type", &s.Type, "site", "section", "collection")
}

// Payment says how an offer is paid for. Figures are indicative: nothing is
// settled here.
type Payment struct {
	Model    string // one of PaymentModels
	Amount   string // decimal text, "" when not stated
	Currency string // ISO 4217
	Unit     string // what the amount is for
}

func (p *Payment) Members(m *wire.Members) {
	m.NullString("amount", &p.Amount)
	m.NullString("currency", &p.Currency)
	m.Flag("indicative", true)
	m.Enum("model", &p.Model, PaymentModels...)
	m.NullString("settlement", new(string)) // no settlement provider
	m.NullString("unit", &p.Unit)
}

// Obligations are the duties that come with an offer.
type Obligations struct {
	Attribution             string // link, name; "" if none
	DisplayLimitChars       int64
	ReportingProfile        string
	ReportingEndpoint       string
	DeleteOnRevocationHours int64
	Retention               string // how long a copy may be kept, "" when not said
}

func (o *Obligations) Members(m *wire.Members) {
	m.NullString("attribution", &o.Attribution)
	m.OptInt("delete_on_revocation_hours", &o.DeleteOnRevocationHours)
	m.OptInt("display_limit_chars", &o.DisplayLimitChars)
	m.OptString("reporting_endpoint", &o.ReportingEndpoint)
	m.OptString("reporting_profile", &o.ReportingProfile)
	RetentionMember(m, &o.Retention, "not said")
}

// Keeps returns how long a copy may be kept under the offer, "" if nothing is
// said. An offer that only says when copies must be deleted after its end lets
// them be kept until then.
func (o *Obligations) Keeps() string {
	if o.Retention == "" && o.DeleteOnRevocationHours > 0 {
		return RetentionWhileLicensed
	}
	return o.Retention
}

// Terms pins the text of the terms by its digest, so that a silent change is
// noticed.
type Terms struct {
	URL       string
	Version   string
	SHA256    string
	MediaType string
}

func (t *Terms) Members(m *wire.Members) {
	m.OptString("media_type", &t.MediaType)
	m.OptString("sha256", &t.SHA256)
	m.String("url", &t.URL)
	m.OptString("version", &t.Version)
}
