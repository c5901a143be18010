package origin

import "context"

// Webhook is a receiver of notifications.
type Webhook struct {
	WebhookID    string
	SiteID       string // whose events it gets, "" all (the operator's)
	URL          string // private: https, or mailto
	Secret       string // private: key of the HMAC signature
	State        string // active, paused
	AllowPrivate bool   // the operator allows a private address
	Digest       bool   // it gets everything due in one letter, at most one a day
	CreatedAt    string
	ChangedAt    string
}

// Kinds of receivers.
const (
	ReceiverWebhook = "webhook"
	ReceiverAsker   = "asker" // the sender of a request, at the address in it
)

// ReceiverHealth is the recent health of a receiver: the state of its circuit
// breaker. The zero value, apart from the id, is a receiver that works.
type ReceiverHealth struct {
	ReceiverID   string
	AskedAt      string // last attempt, "" if none
	Failures     int64  // failed attempts since the last one that succeeded
	FailingSince string // the first of them, "" if none
	RetryAt      string // no attempt is made before, "" means at once
	LastError    string // private: why the last attempt failed, "" if it did not
}

// Receiver is a webhook with its health. For an asker, WebhookID is the id of
// its request and URL the address in the request.
type Receiver struct {
	Webhook
	Health ReceiverHealth
}

// Event is one notification to one receiver. The statement that causes it also
// writes it, and it stays until the receiver has it.
type Event struct {
	Seq          int64  `json:"seq"`
	ReceiverKind string `json:"-"`          // one of the Receiver… constants
	ReceiverID   string `json:"webhook_id"` // of a webhook or, for an asker, of the request
	EventID      string `json:"event_id"`   // the same in every attempt
	Kind         string `json:"kind"`       // inquiry.state_changed, inquiry.message, inquiry.reminder, letter.confirm, policy.changed
	SiteID       string `json:"site_id"`
	RequestID    string `json:"request_id"` // "" of policy.changed
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

// DueFilter selects receivers for which something is due.
type DueFilter struct {
	Kind    string // one of the Receiver… constants
	Now     string
	Failing bool // those whose last attempt failed, else the others
	Mail    bool // webhooks at a mailto address too
	Limit   int
}

// Outbox holds notifications, in a queue for each receiver.
type Outbox interface {
	// DueReceivers lists active receivers that have an event whose time has
	// come and that nobody has leased, and whose own RetryAt has come. Those
	// that were asked least recently come first.
	DueReceivers(ctx context.Context, f DueFilter) ([]Receiver, error)
	// DueEvents lists the waiting events of a receiver whose time has come
	// and that nobody has leased, in the order of their time.
	DueEvents(ctx context.Context, receiverID, now string, limit int) ([]Event, error)
	// LeaseEvent leases an event until an instant, counts the attempt, and
	// reports whether the event was free.
	LeaseEvent(ctx context.Context, seq int64, now, until string) (bool, error)
	// EndEvent records the result of an attempt: State, DueAt, LastError and
	// DeliveredAt of e.
	EndEvent(ctx context.Context, e Event) error
	// PutHealth records the health of a receiver.
	PutHealth(ctx context.Context, h ReceiverHealth) error
	// FailOldEvents gives up the waiting events of a receiver that happened,
	// and were last retried by an operator, before an instant. It returns their
	// number.
	FailOldEvents(ctx context.Context, receiverID, before, reason string) (int64, error)
	// Events lists events, newest first.
	Events(ctx context.Context, f EventFilter) ([]Event, error)
	// EventCounts counts events of webhooks by receiver and state.
	EventCounts(ctx context.Context) ([]EventCount, error)
	// RetryEvents makes failed events of a receiver wait again, makes all of
	// its waiting events due now and resets the receiver's health. It returns
	// how many events had failed.
	RetryEvents(ctx context.Context, webhookID, now string) (int64, error)
	// Webhook returns one receiver or ErrNotFound.
	Webhook(ctx context.Context, webhookID string) (Webhook, error)
	// Receivers lists all webhooks with their health, by id.
	Receivers(ctx context.Context) ([]Receiver, error)
	// PutWebhook adds or replaces one.
	PutWebhook(ctx context.Context, w Webhook) error
}

// Inquiries is everything that the inquiry bridge stores.
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
