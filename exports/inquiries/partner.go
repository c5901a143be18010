package inquiries

import (
	"colophon/exports"
	"colophon/internal/wire"
)

// PartnerRequest is the body of a partner's licensing request. Make one with
// NewPartnerRequest, in which a negative number means that none was given.
type PartnerRequest struct {
	SiteID            string
	BuyerName         string
	BuyerEmail        string
	BuyerCompany      string
	IntendedUse       string
	RequestedScope    string
	BudgetRange       string
	RequestedTimeline string
	Message           string
	Currency          string
	BudgetCents       int64
	TermMonths        int64
	Ext               wire.Value // kept, never interpreted
}

// NewPartnerRequest returns an empty request.
func NewPartnerRequest() PartnerRequest { return PartnerRequest{BudgetCents: -1, TermMonths: -1} }

// MaxCents bounds a proposed budget, in minor currency units.
const MaxCents = 900_000_000_000_000

func (r *PartnerRequest) Members(m *wire.Members) {
	markAbsent(m, &r.BudgetCents, &r.TermMonths)
	exports.LineMember(m, "budget_range", &r.BudgetRange, 0, 120)
	exports.LineMember(m, "buyer_company", &r.BuyerCompany, 0, 160)
	exports.EmailMember(m, "buyer_email", &r.BuyerEmail)
	exports.LineMember(m, "buyer_name", &r.BuyerName, 1, 120)
	exports.LineMember(m, "currency", &r.Currency, 0, 3)
	exports.ExtMember(m, &r.Ext)
	exports.ProseMember(m, "intended_use", &r.IntendedUse, 10, 2000)
	exports.ProseMember(m, "message", &r.Message, 20, 5000)
	m.OptRange("proposed_budget_cents", &r.BudgetCents, 0, MaxCents)
	exports.ProseMember(m, "requested_scope", &r.RequestedScope, 1, 2000)
	exports.LineMember(m, "requested_timeline", &r.RequestedTimeline, 0, 120)
	exports.SiteIDMember(m, &r.SiteID)
	m.OptRange("term_months", &r.TermMonths, 1, 120)
	checkMoney(m, "proposed_budget_cents", r.BudgetCents, r.Currency)
}

// markAbsent sets numbers to -1 before a walk reads those that are present.
func markAbsent(m *wire.Members, numbers ...*int64) {
	if !m.Writing() {
		for _, p := range numbers {
			*p = -1
		}
	}
}

// checkMoney checks that an amount and its currency come together.
func checkMoney(m *wire.Members, name string, cents int64, currency string) {
	switch {
	case cents >= 0 && currency == "":
		m.Refuse("currency", "required", "An amount needs its currency.")
	case currency != "" && !exports.ValidCurrency(currency):
		m.Refuse("currency", "currency_invalid", "Not an ISO 4217 code.")
	case currency != "" && cents < 0:
		m.Refuse(name, "required", "A currency needs its amount.")
	}
}

// PartnerView is one request as the organization that submitted it sees it.
type PartnerView struct {
	RequestID      string
	Status         string
	StatusSince    string
	SiteID         string
	BuyerCompany   string
	EmailHint      string // r***@domain, to recognize it
	IntendedUse    string
	RequestedScope string
	Currency       string
	BudgetCents    int64 // negative when none was proposed
	TermMonths     int64
	CreatedAt      string
	UpdatedAt      string
	History        []Step
	NextOwner      string // publisher, requester; "" when nothing is due
	NextBy         string
	DeclineReason  string
	Successor      string
	Conversation   *Conversation // only when the request is created
}

func (v *PartnerView) Members(m *wire.Members) {
	markAbsent(m, &v.BudgetCents, &v.TermMonths)
	m.OptString("buyer_company", &v.BuyerCompany)
	m.String("buyer_email_hint", &v.EmailHint)
	wire.Opt(m, "conversation", &v.Conversation)
	m.Time("created_at", &v.CreatedAt)
	m.OptEnum("decline_reason", &v.DeclineReason, DeclineReasons...)
	m.Flag("grants_rights", false)
	wire.List(m, "history", &v.History)
	m.String("intended_use", &v.IntendedUse)
	m.Nested("links", func(m *wire.Members) {
		exports.DerivedLink(m, "publisher", "/v1/partner/catalog/publishers/"+v.SiteID)
		exports.DerivedLink(m, "self", PartnerRequestPath(v.RequestID))
	})
	v.nextMember(m)
	v.budgetMembers(m)
	m.String("request_id", &v.RequestID)
	m.String("requested_scope", &v.RequestedScope)
	m.String("site_id", &v.SiteID)
	m.Enum("status", &v.Status, exports.RequestStates...)
	m.Time("status_since", &v.StatusSince)
	m.OptString("successor_request_id", &v.Successor)
	m.Time("updated_at", &v.UpdatedAt)
}

func (v *PartnerView) nextMember(m *wire.Members) {
	var n *nextAction
	if v.NextOwner != "" {
		n = &nextAction{v.NextOwner, v.NextBy}
	}
	wire.OrNull(m, "next_action", &n)
	if n != nil {
		v.NextOwner, v.NextBy = n.owner, n.by
	}
}

func (v *PartnerView) budgetMembers(m *wire.Members) {
	var b *budget
	if v.BudgetCents >= 0 {
		b = &budget{v.BudgetCents, v.Currency, v.TermMonths}
	}
	wire.OrNull(m, "proposed_budget", &b)
	if b != nil {
		v.BudgetCents = b.cents
		v.Currency = b.currency
		v.TermMonths = b.months
	}
}

type budget struct {
	cents    int64
	currency string
	months   int64
}

func (b *budget) Members(m *wire.Members) {
	markAbsent(m, &b.months)
	m.Int("amount_cents", &b.cents)
	m.String("currency", &b.currency)
	m.OptRange("term_months", &b.months, 1, 120)
}

type nextAction struct{ owner, by string }

func (n *nextAction) Members(m *wire.Members) {
	m.OptTime("by", &n.by)
	m.Enum("owner", &n.owner, "publisher", "requester")
}

// PathPartnerRequests is the path at which a partner lists and makes requests.
const PathPartnerRequests = "/v1/partner/licensing/requests"

// PartnerRequestPath returns the path of one of a partner's requests.
func PartnerRequestPath(requestID string) string { return PathPartnerRequests + "/" + requestID }

// Step is one change of a request's state, without internal notes.
type Step struct {
	Seq  int64
	At   string
	From string // "" for the first
	To   string
	By   string // requester, publisher, operator, system
}

func (s *Step) Members(m *wire.Members) {
	m.OptString("actor_role", &s.By)
	m.Time("at", &s.At)
	m.NullString("from", &s.From)
	m.Int("seq", &s.Seq)
	m.Enum("to", &s.To, exports.RequestStates...)
}

// PartnerList is the list of an organization's own requests.
type PartnerList struct {
	Data       []PartnerView
	Limit      int64
	Total      int64
	NextCursor string
	Self, Next string
}

func (l *PartnerList) Members(m *wire.Members) {
	wire.List(m, "data", &l.Data)
	m.Flag("grants_rights", false)
	m.Object("links", &exports.PageLinks{Self: l.Self, Next: l.Next})
	m.Object("page", &exports.CursorPage{Limit: &l.Limit, Total: &l.Total, Next: &l.NextCursor})
}

// PartnerStatus is what a partner's key may do.
type PartnerStatus struct {
	OrgID, OrgName string
	KeyID, Label   string
	Last4          string
	CreatedAt      string
	ExpiresAt      string
	Scopes         []string
	Environment    string // live, test
	ServerTime     string
	Limits         []QuotaLeft
}

func (s *PartnerStatus) Members(m *wire.Members) {
	m.Enum("environment", &s.Environment, "live", "test")
	m.Flag("grants_rights", false)
	m.Nested("key", func(m *wire.Members) {
		m.Time("created_at", &s.CreatedAt)
		m.NullTime("expires_at", &s.ExpiresAt)
		m.String("key_id", &s.KeyID)
		m.OptString("label", &s.Label)
		m.String("last4", &s.Last4)
		m.Const("state", "active") // keys in other states get no answer
	})
	wire.List(m, "limits", &s.Limits)
	m.Nested("organization", func(m *wire.Members) {
		m.String("name", &s.OrgName)
		m.String("org_id", &s.OrgID)
	})
	m.Words("scopes", &s.Scopes, exports.PartnerScopes...)
	m.Time("server_time", &s.ServerTime)
}

// QuotaLeft is a quota and how much of it remains, where that is counted.
type QuotaLeft struct {
	Name      string // of the quota, as the RateLimit headers name it
	Policy    string
	Calls     int64
	Window    int64 // seconds
	Remaining int64 // negative if it is not counted here
	Reset     int64 // seconds
}

func (q *QuotaLeft) Members(m *wire.Members) {
	markAbsent(m, &q.Remaining, &q.Reset)
	m.String("name", &q.Name)
	m.String("policy", &q.Policy)
	m.Int("q", &q.Calls)
	m.OptRange("r", &q.Remaining, 0, MaxCents)
	m.OptRange("t", &q.Reset, 0, MaxCents)
	m.Int("w", &q.Window)
}
