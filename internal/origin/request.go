package origin

import "context"

// Request is one licensing inquiry and the standing of its conversation.
type Request struct {
	RequestID      string
	ThreadID       string
	SiteID         string
	Channel        string // public, partner
	OrgID          string // partner organization, "" for a public request
	KeyScope       string // whose Idempotency-Key it is
	Key            string // the Idempotency-Key, "" none or forgotten
	Fingerprint    string // digest of what was sent with the key
	Dedupe         string // digest that a second public request would share, "" none
	State          string // internal state: see internal/inquiry
	StateSince     string
	Moves          int64  // number of the last move
	MovedBy        string // role that made it
	MoveReason     string // public word, such as a decline reason
	BuyerName      string // private
	BuyerEmail     string // private
	BuyerCompany   string // private
	IntendedUse    string // private
	RequestedScope string // private
	RequestedUse   string
	BudgetRange    string // private
	Timeline       string // private
	Message        string // private; becomes the first message
	MessageID      string
	Currency       string
	BudgetCents    int64  // negative when none was proposed
	TermMonths     int64  // negative when none was proposed
	Agent          string // JSON, "" when a human sent it
	Ext            string // JSON as sent, "" none
	IntentDigest   string
	Locale         string
	TokenHash      string // hex SHA-256 of the conversation token
	TokenExpires   string
	Messages       int64  // number of the last message
	PublisherAt    string // last action of the publisher, at first the creation
	Reminders      int64  // reminders sent since then
	RemindedAt     string // when the last one was sent, "" never
	HeldFor        string // private: why it is, or was, held
	PrivateNotes   string // private: the operator's own notes
	Successor      string // request that continues a transferred one
	CreatedAt      string
	UpdatedAt      string
	ErasedAt       string // when personal data was removed, "" not yet
}

// Move changes the state of a request.
type Move struct {
	RequestID string
	Seq       int64
	At        string
	From      string
	To        string
	By        string // requester, publisher, operator, system
	Reason    string // public word
	HeldFor   string // private: kept with the request when not ""
	Successor string // kept with the request when not ""
}

// RequestFilter selects requests; an empty field selects all.
type RequestFilter struct {
	OrgID        string
	SiteID       string
	States       []string
	CreatedAfter string
	UpdatedAfter string
	Before       string // only request ids below this one
	Limit        int
}

// Requests reads and writes licensing requests.
type Requests interface {
	// AddRequest stores a new request with its first message and first
	// move, all in one statement. It reports false, and stores nothing,
	// when the idempotency key is taken or when a request with the same
	// Dedupe was created after since.
	AddRequest(ctx context.Context, r Request, since string) (bool, error)
	// RequestByKey returns the request that holds an idempotency key, or
	// ErrNotFound.
	RequestByKey(ctx context.Context, scope, key string) (Request, error)
	// Request returns one request or ErrNotFound.
	Request(ctx context.Context, requestID string) (Request, error)
	// RequestsOf lists requests, newest first.
	RequestsOf(ctx context.Context, f RequestFilter) ([]Request, error)
	// CountRequests counts them, whatever Before and Limit say.
	CountRequests(ctx context.Context, f RequestFilter) (int64, error)
	// History lists the moves of a request, oldest first.
	History(ctx context.Context, requestID string) ([]Move, error)
	// Histories lists the moves of several requests, oldest first.
	Histories(ctx context.Context, requestIDs []string) ([]Move, error)
	// MoveRequest makes a move when the request is still in m.From, and
	// reports whether it was.
	MoveRequest(ctx context.Context, m Move) (bool, error)
	// NoteRequest replaces the operator's private notes.
	NoteRequest(ctx context.Context, requestID, notes string) error
}

// Deadlines does what time alone does to requests. Each call changes a
// bounded number of rows and returns how many.
type Deadlines interface {
	// Waiting lists requests in a state since before an instant.
	Waiting(ctx context.Context, state, before string, limit int) ([]Request, error)
	// Remind counts a reminder on requests in one of the states whose
	// publisher did nothing since before, and that had fewer than n.
	Remind(ctx context.Context, states []string, before string, n int64, at string, limit int) (int64, error)
	// Expire moves them to a state instead.
	Expire(ctx context.Context, states []string, before, to, at string, limit int) (int64, error)
	// Erase removes personal data and messages from requests that have
	// been in one of the states since before.
	Erase(ctx context.Context, states []string, before, at string, limit int) (int64, error)
	// ForgetKeys frees idempotency keys of requests created before.
	ForgetKeys(ctx context.Context, before string, limit int) (int64, error)
}

// SiteReader looks up one site.
type SiteReader interface {
	// Site returns one site or ErrNotFound.
	Site(ctx context.Context, siteID string) (Site, error)
}
