package origin

import "context"

// Request is one licensing inquiry and the state of its conversation.
type Request struct {
	RequestID      string `json:"request_id"`
	ThreadID       string `json:"thread_id"`
	SiteID         string `json:"site_id"`
	Channel        string `json:"channel"`               // public, partner
	OrgID          string `json:"org_id"`                // partner organization, "" for a public request
	KeyScope       string `json:"key_scope"`             // whose Idempotency-Key it is
	Key            string `json:"key"`                   // the Idempotency-Key, "" if none or forgotten
	Fingerprint    string `json:"fingerprint,omitempty"` // digest of what was sent with the key
	Dedupe         string `json:"dedupe,omitempty"`      // digest that a second public request would share, "" if none
	State          string `json:"state"`                 // internal state: see internal/inquiry
	StateSince     string `json:"state_since"`
	Moves          int64  `json:"moves"`           // number of the last move
	MovedBy        string `json:"moved_by"`        // role that made it
	MoveReason     string `json:"move_reason"`     // public word, such as a decline reason
	BuyerName      string `json:"buyer_name"`      // private
	BuyerEmail     string `json:"buyer_email"`     // private
	BuyerCompany   string `json:"buyer_company"`   // private
	IntendedUse    string `json:"intended_use"`    // private
	RequestedScope string `json:"requested_scope"` // private
	RequestedUse   string `json:"requested_use"`
	BudgetRange    string `json:"budget_range"` // private
	Timeline       string `json:"timeline"`     // private
	Message        string `json:"message"`      // private; becomes the first message
	MessageID      string `json:"message_id"`
	Currency       string `json:"currency"`
	BudgetCents    int64  `json:"budget_cents"` // negative when none was proposed
	TermMonths     int64  `json:"term_months"`  // negative when none was proposed
	Agent          string `json:"agent"`        // JSON, "" when a human sent it
	Ext            string `json:"ext"`          // JSON as sent, "" if none
	IntentDigest   string `json:"intent_digest"`
	Locale         string `json:"locale"`
	TokenHash      string `json:"token_hash,omitempty"` // hex SHA-256 of the conversation token
	TokenExpires   string `json:"token_expires"`
	Messages       int64  `json:"messages"`     // number of the last message
	PublisherAt    string `json:"publisher_at"` // last action of the publisher, at first the creation
	Reminders      int64  `json:"reminders"`    // reminders sent since then
	RemindedAt     string `json:"reminded_at"`  // when the last one was sent, "" never
	HeldFor        string `json:"held_for"`     // private: why it is, or was, held
	Successor      string `json:"successor"`    // request that continues a transferred one
	CreatedAt      string `json:"created_at"`
	UpdatedAt      string `json:"updated_at"`
	ErasedAt       string `json:"erased_at"`   // when personal data was removed, "" not yet
	Letters        string `json:"letters"`     // letters to the requester: one of the Letters… constants
	LettersAt      string `json:"letters_at"`  // when that last changed, "" never
	GroupID        string `json:"group_id"`    // inquiries that were sent together, "" alone
	LastAuthor     string `json:"last_author"` // role that wrote the last message: requester, publisher
}

// States of letters to a requester.
const (
	LettersNone        = ""
	LettersUnconfirmed = "unconfirmed" // the address was not confirmed yet
	LettersConfirmed   = "confirmed"
	LettersEnded       = "ended" // its owner wants none
)

// Move changes the state of a request.
type Move struct {
	RequestID string `json:"request_id"`
	Seq       int64  `json:"seq"`
	At        string `json:"at"`
	From      string `json:"from"`
	To        string `json:"to"`
	By        string `json:"by"`        // requester, publisher, operator, system
	Reason    string `json:"reason"`    // public word
	HeldFor   string `json:"held_for"`  // private: kept with the request when not ""
	Successor string `json:"successor"` // kept with the request when not ""
}

// RequestFilter selects requests; an empty field selects all.
type RequestFilter struct {
	OrgID        string
	SiteID       string
	PublisherID  string // of the account that the site belongs to
	GroupID      string
	Uses         []string // requested uses
	States       []string
	Words        []string // each must occur in what the requester wrote or in the request id, in any case
	Turn         string   // among those in discussion: only if this role has to act, requester or publisher
	CreatedAfter string
	UpdatedAfter string
	Before       string // only request ids below this one
	Limit        int
}

// RequestCount is the number of requests of a month, for a use, in a state.
type RequestCount struct {
	Month string // 2026-11
	Use   string // "" if none of the eight
	State string
	Count int64
}

// Requests reads and writes licensing requests.
type Requests interface {
	// AddRequest stores a new request with its first message and first move,
	// all in one statement. It returns false, and stores nothing, if the
	// idempotency key is taken or a request with the same Dedupe was created
	// after since.
	AddRequest(ctx context.Context, r Request, since string) (bool, error)
	// RequestByKey returns the request that holds an idempotency key, or
	// ErrNotFound.
	RequestByKey(ctx context.Context, scope, key string) (Request, error)
	// Request returns one request or ErrNotFound.
	Request(ctx context.Context, requestID string) (Request, error)
	// RequestsOf lists requests, newest first.
	RequestsOf(ctx context.Context, f RequestFilter) ([]Request, error)
	// RequestCounts counts them by month, use and state, the newest month
	// first, whatever Before and Limit say.
	RequestCounts(ctx context.Context, f RequestFilter) ([]RequestCount, error)
	// CountRequests counts them, whatever Before and Limit say.
	CountRequests(ctx context.Context, f RequestFilter) (int64, error)
	// History lists the moves of requests, oldest first.
	History(ctx context.Context, requestIDs ...string) ([]Move, error)
	// MoveRequest makes a move if the request is still in m.From, and reports
	// whether it was.
	MoveRequest(ctx context.Context, m Move) (bool, error)
	// SetLetters changes the state of letters to the sender of a request, and
	// stores what was sent with it. It reports whether anything changed.
	SetLetters(ctx context.Context, requestID, letters, at string) (bool, error)
}

// Deadlines makes the changes to requests that are due with time. Each call
// changes a bounded number of rows and returns how many.
type Deadlines interface {
	// Waiting lists requests in a state since before an instant.
	Waiting(ctx context.Context, state, before string, limit int) ([]Request, error)
	// Remind counts a reminder on requests in one of the states whose publisher
	// did nothing since before, and which had fewer than n.
	Remind(ctx context.Context, states []string, before string, n int64, at string, limit int) (int64, error)
	// Expire moves such requests to a state instead.
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
	// GroupName returns the public name of a group, "" for an account that is
	// not one, or ErrNotFound.
	GroupName(ctx context.Context, publisherID string) (string, error)
}
