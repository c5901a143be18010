package inquiries

import (
	"strings"

	"colophon/exports"
	"colophon/internal/wire"
)

// DeclineReasons a publisher may give.
var DeclineReasons = []string{"rights_not_held", "territory", "use_not_offered", "budget", "duplicate", "other", "not_stated"}

// PublicRequest is the body of a public licensing request.
type PublicRequest struct {
	SiteID            string
	RequesterName     string
	RequesterEmail    string
	IntendedUse       string
	RequestedScope    string
	Message           string
	Company           string
	BudgetRange       string
	RequestedTimeline string
	RequestedUse      string // one of Uses, whatever alias was sent
	Agent             *RequestAgent
	IntentDigest      string // as prepare gave it
	Locale            string
	Ext               wire.Value // kept, never interpreted
}

func (r *PublicRequest) Members(m *wire.Members) {
	wire.Opt(m, "agent", &r.Agent)
	exports.LineMember(m, "budget_range", &r.BudgetRange, 0, 120)
	exports.LineMember(m, "company", &r.Company, 0, 160)
	exports.ExtMember(m, &r.Ext)
	exports.ProseMember(m, "intended_use", &r.IntendedUse, 10, 2000)
	exports.LineMember(m, "intent_digest", &r.IntentDigest, 0, 71)
	exports.LineMember(m, "locale", &r.Locale, 0, 35)
	exports.ProseMember(m, "message", &r.Message, 20, 5000)
	exports.EmailMember(m, "requester_email", &r.RequesterEmail)
	exports.LineMember(m, "requester_name", &r.RequesterName, 1, 120)
	exports.ProseMember(m, "requested_scope", &r.RequestedScope, 1, 2000)
	exports.LineMember(m, "requested_timeline", &r.RequestedTimeline, 0, 120)
	exports.UseMember(m, "requested_use", &r.RequestedUse, nil)
	exports.SiteIDMember(m, &r.SiteID)
	checkManners(m, r)
}

// checkManners checks the rules that keep advertising out of the public form.
func checkManners(m *wire.Members, r *PublicRequest) {
	if Links(r.Message) > MaxLinks {
		m.Refuse("message", "too_many_links", "At most 3 links.")
	}
	if Links(r.RequesterName) > 0 {
		m.Refuse("requester_name", "link_not_allowed", "A name holds no link.")
	}
	if Links(r.Company) > 0 {
		m.Refuse("company", "link_not_allowed", "A name holds no link.")
	}
	if exports.DisposableEmail(r.RequesterEmail) {
		m.Refuse("requester_email", "email_disposable", "Use an address that can be answered for the time of the inquiry.")
	}
}

// MaxLinks is how many links the message of a public request may hold.
const MaxLinks = 3

// Links returns the number of web addresses in a text.
func Links(s string) int {
	s = strings.ToLower(s)
	n := strings.Count(s, "://")
	for rest := s; ; {
		i := strings.Index(rest, "www.")
		if i < 0 {
			return n
		}
		if !strings.HasSuffix(rest[:i], "//") && (i == 0 || !isLowerOrDigit(rest[i-1])) {
			n++
		}
		rest = rest[i+4:]
	}
}

// RequestAgent is the software that submits for a buyer.
type RequestAgent struct {
	Name           string
	Operator       string
	Authorized     bool // the buyer authorized it; nothing else is accepted
	SignatureAgent string
}

func (a *RequestAgent) Members(m *wire.Members) {
	m.Bool("authorized_by_buyer", &a.Authorized)
	exports.LineMember(m, "name", &a.Name, 1, 120)
	exports.LineMember(m, "operator", &a.Operator, 0, 160)
	exports.LineMember(m, "signature_agent", &a.SignatureAgent, 0, 255)
	if !a.Authorized {
		m.Refuse("authorized_by_buyer", "authorization_required", "An agent submits only when the buyer authorized it.")
	}
}

// Conversation is how a requester continues. It is shown when the request is
// created, and again to a retry with the same Idempotency-Key.
type Conversation struct {
	ThreadID  string
	Token     string
	ExpiresAt string
}

func (c *Conversation) Members(m *wire.Members) {
	m.Time("expires_at", &c.ExpiresAt)
	m.Const("header", HeaderConversation)
	exports.DerivedLink(m, "href", ConversationPath(c.ThreadID))
	exports.DerivedLink(m, "procurement_href", ProcurementPath(c.ThreadID))
	m.String("thread_id", &c.ThreadID)
	m.String("token", &c.Token)
}

// HeaderConversation carries the conversation token.
const HeaderConversation = "X-Conversation-Token"

// ConversationPath returns the path of a private conversation.
func ConversationPath(threadID string) string {
	return "/v1/public/licensing-conversations/" + threadID
}

// ProcurementPath returns the path of a conversation's procurement view.
func ProcurementPath(threadID string) string { return "/v1/public/agent-procurement/" + threadID }

// RequestReceipt is the answer to a public licensing request.
type RequestReceipt struct {
	RequestID    string
	SiteID       string
	RequestedUse string
	CreatedAt    string
	Conversation Conversation
	ReminderAt   string
	ExpiresAt    string
	EmailCheck   string // one of EmailChecks
}

// EmailChecks say whether the owner of an e-mail address has confirmed it: the
// owner did, was asked but has not, or was not asked.
var EmailChecks = []string{"passed", "pending", "not_performed"}

func (r *RequestReceipt) Members(m *wire.Members) {
	m.Object("conversation", &r.Conversation)
	m.Time("created_at", &r.CreatedAt)
	m.Object("deadlines", &Deadlines{&r.ReminderAt, &r.ExpiresAt})
	m.Enum("email_verification", &r.EmailCheck, EmailChecks...)
	m.Flag("grants_rights", false)
	m.String("request_id", &r.RequestID)
	m.OptString("requested_use", &r.RequestedUse)
	m.String("site_id", &r.SiteID)
	m.Const("status", "received")
}

// Deadlines say when a silent publisher is reminded and when the request
// expires.
type Deadlines struct{ ReminderAt, ExpiresAt *string }

func (d *Deadlines) Members(m *wire.Members) {
	m.OptTime("expires_at", d.ExpiresAt)
	m.OptTime("reminder_at", d.ReminderAt)
}

func isLowerOrDigit(c byte) bool { return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' }
