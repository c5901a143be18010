package origin

import "context"

// Webhook is a receiver of notifications.
type Webhook struct {
	WebhookID    string
	SiteID       string // whose events it gets, "" all (the operator's)
	URL          string // private: https, or mailto
	Secret       string // private: key of the HMAC signature
	State        string // active, paused
	AllowPrivate bool   // the operator lets it be at an address that is not public
	Digest       bool   // it gets all that is due in one letter, one a day at most
	CreatedAt    string
	ChangedAt    string
}

// Kinds of receivers.
const (
	ReceiverWebhook = "webhook"
	ReceiverAsker   = "asker" // whoever sent a request, at the address in it
)

// ReceiverHealth is how a receiver did lately: the state of its circuit
// breaker. The zero value, but for the id, is a receiver that works.
type ReceiverHealth struct {
	ReceiverID   string
	AskedAt      string // last attempt, "" if none
	Failures     int64  // failed attempts since the last one that succeeded
	FailingSince string // the first of them, "" if none
	RetryAt      string // no attempt is made before, "" at once
	LastError    string // private: why the last attempt failed, "" it did not
}

// Receiver is a webhook and how it does. An asker has the id of its request for
// WebhookID and the address in the request for URL.
type Receiver struct {
	Webhook
	Health ReceiverHealth
}

// Event is one notification on its way to one receiver. It is written by the
// statement that made it happen, and stays until the receiver has it.
type Event struct {
	Seq          int64  `json:"seq"`
	ReceiverKind string `json:"-"`          // one of the Receiver… constants
	ReceiverID   string `json:"webhook_id"` // of a webhook or, for an asker, of the request
	EventID      string `json:"event_id"`   // the same in every attempt
	Kind         string `json:"kind"`       // inquiry.state_changed, inquiry.message, inquiry.reminder, letter.confirm
	SiteID       string `json:"site_id"`
	RequestID    string `json:"request_id"`
	Status       string `json:"status"`
	At           string `json:"at"`
	State        string `json:"state"` // one of the Event… constants
	Attempts     int64  `json:"attempts"`
	DueAt        string `json:"due_at"`
	LeasedUntil  string `json:"-"`
	LastError    string `json:"last_error,omitempty"` // private
	DeliveredAt  string `json:"-"`
	RetriedAt    string `json:"-"` // when an operator last made it wait again, "" never
}

// States of an event.
const (
	EventWaiting   = "waiting"
	EventDelivered = "delivered"
	EventFailed    = "failed" // given up: a dead letter
)

// EventFilter chooses events; empty fields choose all.
type EventFilter struct {
	ReceiverKind string
	ReceiverID   string
	State        string
	Before       int64 // only those with a smaller Seq; 0: all
	Limit        int
}

// EventCount is the number of a receiver's events in one state.
type EventCount struct {
	ReceiverID string
	State      string
	Count      int64
}

// DueFilter chooses receivers that something is due for.
type DueFilter struct {
	Kind    string // one of the Receiver… constants
	Now     string
	Failing bool // those whose last attempt failed, else the others
	Mail    bool // webhooks at a mailto address too
	Limit   int
}

// Outbox hands out notifications, a queue for each receiver.
type Outbox interface {
	// DueReceivers lists active receivers that have an event whose time has
	// come and that nobody has leased, and whose own RetryAt has come. Those
	// that were asked least recently come first.
	DueReceivers(ctx context.Context, f DueFilter) ([]Receiver, error)
	// DueEvents lists the waiting events of a receiver whose time has come
	// and that nobody has leased, in the order of their time.
	DueEvents(ctx context.Context, receiverID, now string, limit int) ([]Event, error)
	// LeaseEvent takes one for a while, counts the attempt, and reports
	// whether the event was free.
	LeaseEvent(ctx context.Context, seq int64, now, until string) (bool, error)
	// EndEvent records what came of an attempt: State, DueAt, LastError
	// and DeliveredAt of e.
	EndEvent(ctx context.Context, e Event) error
	// PutHealth records how a receiver does.
	PutHealth(ctx context.Context, h ReceiverHealth) error
	// FailOldEvents gives up the waiting events of a receiver that happened,
	// and were last retried by an operator, before an instant. It returns
	// how many they were.
	FailOldEvents(ctx context.Context, receiverID, before, reason string) (int64, error)
	// Events lists events, newest first.
	Events(ctx context.Context, f EventFilter) ([]Event, error)
	// EventCounts counts events of webhooks by receiver and state.
	EventCounts(ctx context.Context) ([]EventCount, error)
	// RetryEvents makes failed events of a receiver wait again, makes all of
	// its waiting events due now and forgets how the receiver did. It returns
	// how many events had failed.
	RetryEvents(ctx context.Context, webhookID, now string) (int64, error)
	// Webhook returns one receiver or ErrNotFound.
	Webhook(ctx context.Context, webhookID string) (Webhook, error)
	// Receivers lists all webhooks and how they do, by id.
	Receivers(ctx context.Context) ([]Receiver, error)
	// PutWebhook adds or replaces one.
	PutWebhook(ctx context.Context, w Webhook) error
}

// Inquiries is everything that the inquiry bridge keeps.
type Inquiries interface {
	SiteReader
	Requests
	Threads
	Deadlines
	Partners
	InboxLinks
	Counters
	Outbox
}
