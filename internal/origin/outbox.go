package origin

import "context"

// Webhook is a receiver of notifications.
type Webhook struct {
	WebhookID string
	SiteID    string // whose events it gets, "" all (the operator's)
	URL       string // private
	Secret    string // private: key of the HMAC signature
	State     string // active, paused
	CreatedAt string
	ChangedAt string
}

// Event is one notification on its way to one receiver. It is written by the
// statement that made it happen, and stays until the receiver has it.
type Event struct {
	Seq         int64
	WebhookID   string
	EventID     string // the same in every attempt
	Kind        string // inquiry.state_changed, inquiry.message, inquiry.reminder
	SiteID      string
	RequestID   string
	Status      string
	At          string
	State       string // waiting, delivered, failed
	Attempts    int64
	DueAt       string
	LeasedUntil string
	LastError   string // private
	DeliveredAt string
}

// Outbox hands out notifications.
type Outbox interface {
	// DueEvents lists waiting events whose time has come and that nobody
	// has leased, oldest first.
	DueEvents(ctx context.Context, now string, limit int) ([]Event, error)
	// LeaseEvent takes one for a while and reports whether it was free.
	LeaseEvent(ctx context.Context, seq int64, now, until string) (bool, error)
	// EndEvent records what came of an attempt: State, DueAt, LastError
	// and DeliveredAt of e.
	EndEvent(ctx context.Context, e Event) error
	// Events lists the newest events, whatever their state.
	Events(ctx context.Context, limit int) ([]Event, error)
	// RetryEvents makes failed events of a receiver wait again.
	RetryEvents(ctx context.Context, webhookID, now string) (int64, error)
	// Webhook returns one receiver or ErrNotFound.
	Webhook(ctx context.Context, webhookID string) (Webhook, error)
	// Webhooks lists them by id.
	Webhooks(ctx context.Context) ([]Webhook, error)
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
