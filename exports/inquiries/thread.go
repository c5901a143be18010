package inquiries

import (
	"colophon/exports"
	"colophon/internal/wire"
)

// MessageKinds are the kinds of message that a requester may post. None is
// binding: accept, order and sign are refused.
var MessageKinds = []string{"text", "question", "answer", "withdraw", "rotate_token"}

// AuthorKinds say who typed a message.
var AuthorKinds = []string{"human", "agent"}

// NewMessage is the body of a posted message.
type NewMessage struct {
	Body            string
	Kind            string // one of MessageKinds; text when absent
	AuthorKind      string // one of AuthorKinds; human when absent
	InReplyTo       string
	ClientMessageID string
}

func (n *NewMessage) Members(m *wire.Members) {
	m.OptEnum("author_kind", &n.AuthorKind, AuthorKinds...)
	exports.ProseMember(m, "body", &n.Body, 0, 4000)
	exports.LineMember(m, "client_message_id", &n.ClientMessageID, 0, 64)
	exports.LineMember(m, "in_reply_to", &n.InReplyTo, 0, 64)
	m.OptEnum("kind", &n.Kind, MessageKinds...)
	if n.Kind == "" {
		n.Kind = "text"
	}
	if n.AuthorKind == "" {
		n.AuthorKind = "human"
	}
	if n.Body == "" && n.Kind != "withdraw" && n.Kind != "rotate_token" {
		m.Refuse("body", "required", "A message needs a body.")
	}
}

// IndicativeTerms are figures that a publisher puts into a conversation. They
// bind nobody. A negative number means that none was given.
type IndicativeTerms struct {
	Uses       []string
	Cents      int64
	Currency   string
	Unit       string
	TermMonths int64
	Note       string
}

func (t *IndicativeTerms) Members(m *wire.Members) {
	markAbsent(m, &t.Cents, &t.TermMonths)
	m.OptRange("amount_cents", &t.Cents, 0, MaxCents)
	exports.LineMember(m, "currency", &t.Currency, 0, 3)
	exports.ProseMember(m, "note", &t.Note, 0, 2000)
	m.OptRange("term_months", &t.TermMonths, 1, 120)
	exports.LineMember(m, "unit", &t.Unit, 0, 60)
	m.Words("uses", &t.Uses, exports.UseWords()...)
	checkMoney(m, "amount_cents", t.Cents, t.Currency)
}

// Message is one message of a conversation.
type Message struct {
	MessageID  string
	Seq        int64
	At         string
	AuthorRole string // requester, publisher
	AuthorKind string
	Kind       string
	Body       string // untrusted text
	InReplyTo  string
	Terms      *IndicativeTerms
}

func (x *Message) Members(m *wire.Members) {
	m.Time("at", &x.At)
	m.Enum("author_kind", &x.AuthorKind, AuthorKinds...)
	m.Enum("author_role", &x.AuthorRole, "requester", "publisher")
	m.Flag("binding", false)
	m.OptString("body", &x.Body)
	m.NullString("in_reply_to", &x.InReplyTo)
	wire.Opt(m, "indicative_terms", &x.Terms)
	m.String("kind", &x.Kind)
	m.String("message_id", &x.MessageID)
	m.Int("seq", &x.Seq)
}

// PostedMessage is the answer to a post: the message, and the state of the
// conversation after it.
type PostedMessage struct {
	Message
	ThreadID string
	Status   string
	Allowed  []string
}

func (p *PostedMessage) Members(m *wire.Members) {
	m.Strings("allowed_actions", &p.Allowed)
	m.Flag("grants_rights", false)
	m.Enum("status", &p.Status, exports.RequestStates...)
	m.String("thread_id", &p.ThreadID)
	p.Message.Members(m)
}

// RotatedToken is the answer to a post that changes the token of a
// conversation.
type RotatedToken struct{ Conversation Conversation }

func (r *RotatedToken) Members(m *wire.Members) {
	m.Object("conversation", &r.Conversation)
	m.Flag("grants_rights", false)
}

// Thread is a private conversation as its requester sees it.
type Thread struct {
	ThreadID     string
	RequestID    string
	SiteID       string
	State        string // open, paused, closed
	Status       string
	Participants []Participant
	Messages     []Message
	History      []Step
	Allowed      []string
	Limit        int64
	NextCursor   string
	Successor    string // request and conversation that continue a
	SuccessorAt  string // transferred one
}

func (t *Thread) Members(m *wire.Members) {
	m.Strings("allowed_actions", &t.Allowed)
	m.Flag("binding", false)
	m.Flag("grants_rights", false)
	wire.List(m, "history", &t.History)
	wire.List(m, "messages", &t.Messages)
	m.Object("page", &exports.CursorPage{Limit: &t.Limit, Next: &t.NextCursor})
	wire.List(m, "participants", &t.Participants)
	m.String("request_id", &t.RequestID)
	m.String("site_id", &t.SiteID)
	m.Enum("status", &t.Status, exports.RequestStates...)
	m.OptString("successor_request_id", &t.Successor)
	m.OptString("successor_thread_id", &t.SuccessorAt)
	m.String("thread_id", &t.ThreadID)
	m.Enum("thread_state", &t.State, "open", "paused", "closed")
}

// Participant is one side of a conversation.
type Participant struct{ Role, Display string }

func (p *Participant) Members(m *wire.Members) {
	m.String("display", &p.Display)
	m.Enum("role", &p.Role, "requester", "publisher")
}

// Procurement is a conversation as a buyer's procurement department sees it.
type Procurement struct {
	ThreadID       string
	Status         string
	Stage          string
	RequestedUse   string
	RequestedScope string
	BudgetRange    string
	Timeline       string
	Offers         []string
	Terms          []IndicativeTerms
	OpenItems      []OpenItem
	Checks         []Check
	ReminderAt     string
	ExpiresAt      string
}

// Stages of a procurement view.
var Stages = []string{"submitted", "review", "clarification", "discussion", "terms", "handoff", "ended"}

// ApprovalNeeded are the steps that a human takes, outside this service.
var ApprovalNeeded = []string{"binding_terms", "payment", "rights_activation"}

func (p *Procurement) Members(m *wire.Members) {
	wire.List(m, "checks", &p.Checks)
	m.Object("deadlines", &Deadlines{&p.ReminderAt, &p.ExpiresAt})
	m.Flag("grants_rights", false)
	m.NullString("handoff", new(string)) // the publisher's own process is outside
	approval := ApprovalNeeded
	m.Strings("human_approval_required_for", &approval)
	m.Nested("need", func(m *wire.Members) {
		m.NullString("budget_range", &p.BudgetRange)
		m.String("requested_scope", &p.RequestedScope)
		m.NullString("requested_timeline", &p.Timeline)
		m.NullString("requested_use", &p.RequestedUse)
	})
	wire.List(m, "open_items", &p.OpenItems)
	m.Nested("publisher_position", func(m *wire.Members) {
		wire.List(m, "indicative_terms", &p.Terms)
		m.Strings("offers", &p.Offers)
	})
	m.Enum("stage", &p.Stage, Stages...)
	m.Enum("status", &p.Status, exports.RequestStates...)
	m.String("thread_id", &p.ThreadID)
}

// OpenItem is something that one side owes the other.
type OpenItem struct{ Owner, Item, MessageID, Since string }

func (o *OpenItem) Members(m *wire.Members) {
	m.String("item", &o.Item)
	m.OptString("message_id", &o.MessageID)
	m.Enum("owner", &o.Owner, "buyer", "publisher")
	m.Time("since", &o.Since)
}

// Check is one thing that was checked, with the result.
type Check struct{ Name, State string }

func (c *Check) Members(m *wire.Members) {
	m.String("check", &c.Name)
	m.Enum("state", &c.State, "passed", "failed", "pending", "not_performed")
}
