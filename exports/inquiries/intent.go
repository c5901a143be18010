package inquiries

import (
	"colophon/exports"
	"colophon/internal/wire"
)

// Intent is the body of a call to prepare an inquiry.
type Intent struct {
	Resource          string
	RequestedUse      string
	UseAlias          string // what was sent when it was an alias
	RequestedScope    string
	BudgetRange       string
	RequestedTimeline string
	Message           string
	UserType          string
	Territory         string
	Ext               wire.Value
}

func (i *Intent) Members(m *wire.Members) {
	exports.LineMember(m, "budget_range", &i.BudgetRange, 0, 120)
	exports.ExtMember(m, &i.Ext)
	exports.ProseMember(m, "message", &i.Message, 0, 5000)
	exports.ProseMember(m, "requested_scope", &i.RequestedScope, 0, 2000)
	exports.LineMember(m, "requested_timeline", &i.RequestedTimeline, 0, 120)
	exports.UseMember(m, "requested_use", &i.RequestedUse, &i.UseAlias)
	exports.LineMember(m, "resource", &i.Resource, 1, 2048)
	exports.LineMember(m, "territory", &i.Territory, 0, 2)
	m.OptEnum("user_type", &i.UserType, exports.UserTypes...)
}

// PreparedIntent is the answer of prepare: what the resource belongs to,
// whether an inquiry is worth it, and the exact payload to submit.
type PreparedIntent struct {
	Base         string // base URL
	Status       string // single, multiple, none
	Basis        string // registered_url, same_page, website, none
	SiteID       string
	EntryID      string
	Candidates   []IntentCandidate
	RequestedUse string
	UseAlias     string
	Worth        string // yes, maybe, unlikely, unknown
	Reasons      []string
	Preference   *exports.Preference
	Verdict      string
	Reason       string
	DependsOn    []string
	Audiences    []exports.AudienceVerdict // the verdict of each audience, if they differ
	Submission   *Submission
	Digest       string
	PreparedAt   string
	ExpiresAt    string
	Warnings     []string
}

func (p *PreparedIntent) Members(m *wire.Members) {
	m.Nested("advice", func(m *wire.Members) {
		wire.OrNull(m, "preference_signal", &p.Preference)
		m.Strings("reasons", &p.Reasons)
		m.Enum("worth_preparing", &p.Worth, "yes", "maybe", "unlikely", "unknown")
	})
	m.Time("expires_at", &p.ExpiresAt)
	m.Flag("grants_rights", false)
	m.String("intent_digest", &p.Digest)
	m.Time("prepared_at", &p.PreparedAt)
	m.Nested("requested_use", func(m *wire.Members) {
		m.NullString("normalized_from", &p.UseAlias)
		m.NullString("value", &p.RequestedUse)
	})
	m.Nested("resolution", func(m *wire.Members) {
		m.Enum("basis", &p.Basis, "registered_url", exports.BasisSamePage, "website", "none")
		wire.List(m, "candidates", &p.Candidates)
		m.NullString("entry_id", &p.EntryID)
		m.NullString("site_id", &p.SiteID)
		m.Enum("status", &p.Status, "single", "multiple", "none")
	})
	m.Nested("rights", func(m *wire.Members) {
		wire.OptList(m, "audiences", &p.Audiences)
		check := ""
		switch {
		case p.EntryID != "":
			check = exports.RightsCheckPath(p.EntryID)
		case p.SiteID != "":
			check = exports.PathRightsCheck + "?site_id=" + p.SiteID
		}
		if check != "" && p.RequestedUse != "" {
			check += "&use=" + p.RequestedUse
		}
		m.NullString("check", &check)
		m.OptStrings("depends_on", &p.DependsOn)
		m.NullString("reason", &p.Reason)
		m.Enum("verdict", &p.Verdict, exports.Verdicts...)
	})
	wire.OrNull(m, "submission", &p.Submission)
	m.Strings("warnings", &p.Warnings)
}

// IntentCandidate is one of several publishers that a resource may belong to.
type IntentCandidate struct {
	SiteID  string
	EntryID string
	Payload Payload
	Verdict string
	Reason  string
}

func (c *IntentCandidate) Members(m *wire.Members) {
	m.NullString("entry_id", &c.EntryID)
	m.Object("payload", &c.Payload)
	m.String("reason", &c.Reason)
	m.String("site_id", &c.SiteID)
	m.Enum("verdict", &c.Verdict, exports.Verdicts...)
}

// Submission says how to submit a prepared intent.
type Submission struct {
	Base    string
	Payload Payload
	Missing []string
}

func (s *Submission) Members(m *wire.Members) {
	m.Const("content_type", "application/json")
	exports.DerivedLink(m, "href", s.Base+exports.PathLicensingRequest)
	m.Const("method", "POST")
	m.Strings("missing", &s.Missing)
	m.Flag("needs_buyer_confirmation", true)
	m.Object("payload", &s.Payload)
	exports.DerivedLink(m, "schema", s.Base+exports.PathIntentSchema)
}

// Payload has the exact shape of a public request. The buyer must fill in an
// empty text, unless it is optional.
type Payload struct {
	SiteID            string
	RequesterName     string
	RequesterEmail    string
	IntendedUse       string
	RequestedScope    string
	Message           string
	Company           string
	BudgetRange       string
	RequestedTimeline string
	RequestedUse      string // one of Uses, "" when none was asked about
}

func (p *Payload) Members(m *wire.Members) {
	m.String("budget_range", &p.BudgetRange)
	m.String("company", &p.Company)
	m.String("intended_use", &p.IntendedUse)
	m.String("message", &p.Message)
	m.String("requester_email", &p.RequesterEmail)
	m.String("requester_name", &p.RequesterName)
	m.String("requested_scope", &p.RequestedScope)
	m.String("requested_timeline", &p.RequestedTimeline)
	m.OptString("requested_use", &p.RequestedUse)
	m.String("site_id", &p.SiteID)
}

// BodySchema returns the JSON Schema of a request body of the inquiry bridge,
// by the name that endpoint rows use.
func BodySchema(name string) (wire.Value, bool) {
	var r wire.Record
	switch name {
	case "intent":
		r = &Intent{}
	case "public_request":
		r = &PublicRequest{}
	case "partner_request":
		p := NewPartnerRequest()
		r = &p
	case "message":
		r = &NewMessage{}
	case "snapshot":
		n := exports.MakeSnapshot()
		r = &n
	default:
		return wire.Value{}, false
	}
	return wire.Schema(r, false), true
}

// IntentSchema returns the published JSON Schema of the inquiry bridge.
func IntentSchema(base string) wire.Value {
	var defs []wire.Member
	for _, name := range []string{"intent", "message", "partner_request", "public_request"} {
		v, _ := BodySchema(name)
		defs = append(defs, wire.M(name, v))
	}
	defs = append(defs, wire.M("prepared_intent", wire.Schema(&PreparedIntent{}, true)))
	return wire.Object(
		wire.M("$schema", wire.String("https://json-schema.org/draft/2020-12/schema")),
		wire.M("$id", wire.String(base+exports.PathIntentSchema)),
		wire.M("title", wire.String("Licensing intents, requests and messages")),
		wire.M("$defs", wire.Object(defs...)),
		wire.M("$ref", wire.String("#/$defs/public_request")),
		wire.M("grants_rights", wire.Bool(false)),
	)
}
