// Package notify sends the notifications of the outbox to webhooks: natively
// through internal/notify/webhook, in the worker by its cron trigger.
//
// A notification is a small JSON document without any personal data:
//
//	{"at":"2026-11-20T09:02:00Z","event_id":"evt_…","grants_rights":false,"kind":"inquiry.state_changed",
//	 "request_id":"req_…","site_id":"harbor-ledger","status":"delivered"}
//
// signed as the Standard Webhooks convention has it: headers webhook-id (the
// event_id, the same in every attempt), webhook-timestamp (unix seconds) and
// webhook-signature: "v1," and the base64 HMAC-SHA-256 of
// <webhook-id>.<webhook-timestamp>.<body> under the receiver's key.
//
// Delivery is at least once. An event leaves the outbox only when its receiver
// answered 2xx. While it is being sent it is leased; when the sender dies, the
// lease ends and another sends it again. A receiver that is down is asked less
// and less often, for about five days; then the event is kept as failed, until
// somebody lets it wait again.
package notify

import (
	"context"
	"encoding/base64"
	"errors"
	"strconv"
	"time"

	"colophon/exports"
	"colophon/internal/inquiry"
	"colophon/internal/origin"
	"colophon/internal/wire"
)

// Message is one notification as it goes out: a POST of Body to URL with the
// headers below and content-type application/json.
type Message struct {
	URL       string
	ID        string // webhook-id
	Timestamp string // webhook-timestamp
	Signature string // webhook-signature
	Body      []byte
}

// Sender sends what is in an outbox.
type Sender struct {
	Outbox origin.Outbox
	Now    func() time.Time
	Log    func(line string) // nil: silent
	// Post sends a message and returns the status of the answer.
	Post  func(ctx context.Context, m Message) (status int, err error)
	Pause time.Duration // between looks at an empty outbox; 0: 5 s
	Lease time.Duration // 0: 2 min
	Batch int           // events that Once looks at; 0: 100
	// Brief makes Once end soon: a receiver that failed is not asked again,
	// and what else is due for it waits as long.
	Brief bool
}

// Run sends until ctx ends.
func (s *Sender) Run(ctx context.Context) error {
	pause := s.Pause
	if pause <= 0 {
		pause = 5 * time.Second
	}
	for {
		n, err := s.Once(ctx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			s.log("outbox: " + err.Error())
		}
		if n > 0 && err == nil {
			continue
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}

// Once sends what is due now and returns how many receivers took theirs.
func (s *Sender) Once(ctx context.Context) (int, error) {
	batch := s.Batch
	if batch == 0 {
		batch = 100
	}
	due, err := s.Outbox.DueEvents(ctx, exports.Instant(s.Now()), batch)
	if err != nil {
		return 0, err
	}
	sent, hooks := 0, map[string]*receiver{}
	for _, e := range due {
		r := hooks[e.WebhookID]
		if r == nil {
			r = new(receiver)
			hooks[e.WebhookID] = r
		}
		if r.failed != "" && s.Brief {
			if err := s.postpone(ctx, e, r); err != nil {
				return sent, err
			}
			continue
		}
		ok, err := s.one(ctx, e, r)
		if err != nil {
			return sent, err
		}
		if ok {
			sent++
		}
	}
	return sent, nil
}

// receiver is what one look at the outbox learned of a webhook.
type receiver struct {
	origin.Webhook
	known  bool
	failed string // why it did not take an event
	until  string // when it is asked again
}

// postpone lets an event wait as long as one that its receiver did not take.
func (s *Sender) postpone(ctx context.Context, e origin.Event, r *receiver) error {
	e.DueAt, e.LastError = r.until, r.failed
	return s.Outbox.EndEvent(ctx, e)
}

// one leases an event, sends it and records what came of it.
func (s *Sender) one(ctx context.Context, e origin.Event, r *receiver) (bool, error) {
	lease := s.Lease
	if lease <= 0 {
		lease = 2 * time.Minute
	}
	now := s.Now()
	free, err := s.Outbox.LeaseEvent(ctx, e.Seq, exports.Instant(now), exports.Instant(now.Add(lease)))
	if err != nil || !free {
		return false, err
	}
	e.Attempts++
	if !r.known {
		if r.Webhook, err = s.Outbox.Webhook(ctx, e.WebhookID); err != nil {
			return false, err
		}
		r.known = true
	}
	trouble := s.post(ctx, r.Webhook, e)
	if trouble != nil && ctx.Err() != nil {
		return false, ctx.Err() // the lease ends by itself
	}
	s.end(&e, trouble)
	if trouble != nil {
		r.failed, r.until = trouble.Error(), e.DueAt
		s.log("webhook " + e.WebhookID + " event " + e.EventID + ": " + r.failed)
	}
	return trouble == nil, s.Outbox.EndEvent(ctx, e)
}

// maxAttempts is the number of rounds, of three quick attempts each, after
// which an event is failed: about five days.
const maxAttempts = 22

// end decides what becomes of an event after an attempt.
func (s *Sender) end(e *origin.Event, trouble error) {
	now := s.Now()
	switch {
	case trouble == nil:
		e.State, e.LastError, e.DeliveredAt = "delivered", "", exports.Instant(now)
	case e.Attempts >= maxAttempts:
		e.State, e.LastError = "failed", trouble.Error()
	default:
		e.State, e.LastError, e.DueAt = "waiting", trouble.Error(), exports.Instant(now.Add(Backoff(e.Attempts)))
	}
}

// Backoff is the time until the next round: 10 s, doubling up to 12 h.
func Backoff(attempts int64) time.Duration {
	d := 10 * time.Second
	for i := int64(1); i < attempts && d < 12*time.Hour; i++ {
		d *= 2
	}
	return min(d, 12*time.Hour)
}

func (s *Sender) post(ctx context.Context, w origin.Webhook, e origin.Event) error {
	body := wire.Append(nil, &document{&e})
	stamp := strconv.FormatInt(s.Now().Unix(), 10)
	status, err := s.Post(ctx, Message{w.URL, e.EventID, stamp, Signature(w.Secret, e.EventID, stamp, body), body})
	if err == nil && (status < 200 || status > 299) {
		err = errors.New("answered " + strconv.Itoa(status))
	}
	return err
}

func (s *Sender) log(line string) {
	if s.Log != nil {
		s.Log(line)
	}
}

// Signature is the value of the header webhook-signature.
func Signature(secret, id, timestamp string, body []byte) string {
	return "v1," + base64.StdEncoding.EncodeToString(inquiry.MAC([]byte(secret), id+"."+timestamp+"."+string(body)))
}

type document struct{ e *origin.Event }

func (d *document) Members(m *wire.Members) {
	m.Time("at", &d.e.At)
	m.String("event_id", &d.e.EventID)
	m.Flag("grants_rights", false)
	m.String("kind", &d.e.Kind)
	m.String("request_id", &d.e.RequestID)
	m.String("site_id", &d.e.SiteID)
	m.String("status", &d.e.Status)
}
