// Package notify sends the notifications of the outbox to webhooks: natively
// through internal/notify/webhook, in the worker by its cron trigger.
//
// A notification is a small JSON document without any personal data:
//
//	{"at":"2026-11-20T09:02:00Z","event_id":"evt_…","grants_rights":false,"kind":"inquiry.state_changed",
//	 "request_id":"req_…","site_id":"harbor-ledger","status":"delivered"}
//
// An event of kind policy.changed has no request_id, and one of the Policy… words
// for status.
//
// signed as the Standard Webhooks convention has it: headers webhook-id (the
// event_id, the same in every attempt), webhook-timestamp (unix seconds) and
// webhook-signature: "v1," and the base64 HMAC-SHA-256 of
// <webhook-id>.<webhook-timestamp>.<body> under the receiver's key.
//
// Delivery is at least once. An event leaves the outbox only when its receiver
// answered 2xx. While it is being sent it is leased; when the sender dies, the
// lease ends and another sends it again.
//
// Each receiver has a queue of its own, and a circuit breaker: after a failed
// attempt nothing is sent to that receiver until its retry_at, which is kept in
// the store. Nothing ever sleeps until then. Receivers that failed last are
// asked by workers of their own, so that any number of them takes nothing from
// those that work. What a receiver did not take within five days is given up
// and kept as a dead letter, until an operator lets it wait again.
package notify

import (
	"context"
	"encoding/base64"
	"strconv"
	"time"

	"colophon/internal/credential"
	"colophon/internal/origin"
	"colophon/internal/wire"
)

// Message is one notification as it goes out: a POST of Body to URL with the
// headers below and content-type application/json.
type Message struct {
	URL          string
	AllowPrivate bool   // URL may be at an address that is not public
	ID           string // webhook-id
	Timestamp    string // webhook-timestamp
	Signature    string // webhook-signature
	Body         []byte

	At       time.Time // of this attempt
	Event    origin.Event
	Events   []origin.Event // of a digest, oldest first, Event among them; nil: Event alone
	Receiver origin.Webhook
}

// MailScheme begins the address of a receiver that is notified by e-mail.
const MailScheme = "mailto:"

// Kinds of events.
const (
	KindState    = "inquiry.state_changed"
	KindMessage  = "inquiry.message"
	KindReminder = "inquiry.reminder"
	KindConfirm  = "letter.confirm" // asks the owner of an address to confirm it
	KindPolicy   = "policy.changed" // what a publisher states became another thing
)

// The status of an event of KindPolicy. Receivers by e-mail are told of the first two only.
const (
	PolicyOpened  = "training_opened" // the signals allow training since then
	PolicyClosed  = "training_closed" // training is declined, or not allowed any more
	PolicyChanged = "changed"         // anything else
)

// Answer is the answer of a receiver.
type Answer struct {
	Status     int
	RetryAfter time.Duration // how long it asks to wait, 0 if it does not
	Final      bool          // it refused the message itself: another attempt would fail too
}

// PostFunc sends one message and returns the answer of its receiver. It must
// make one attempt and give up within seconds; the outbox decides about
// waiting.
type PostFunc func(ctx context.Context, m Message) (Answer, error)

// newMessage writes and signs a notification.
func newMessage(w origin.Webhook, e origin.Event, now time.Time) Message {
	body := wire.Append(nil, &document{&e})
	timestamp := strconv.FormatInt(now.Unix(), 10)
	return Message{
		URL:          w.URL,
		AllowPrivate: w.AllowPrivate,
		ID:           e.EventID,
		Timestamp:    timestamp,
		Signature:    Signature(w.Secret, e.EventID, timestamp, body),
		Body:         body,
		At:           now,
		Event:        e,
		Receiver:     w,
	}
}

// Signature returns the value of the header webhook-signature.
func Signature(secret, id, timestamp string, body []byte) string {
	return "v1," + base64.StdEncoding.EncodeToString(credential.MAC([]byte(secret), id+"."+timestamp+"."+string(body)))
}

type document struct{ e *origin.Event }

func (d *document) Members(m *wire.Members) {
	m.Time("at", &d.e.At)
	m.String("event_id", &d.e.EventID)
	m.Flag("grants_rights", false)
	m.String("kind", &d.e.Kind)
	m.OptString("request_id", &d.e.RequestID)
	m.String("site_id", &d.e.SiteID)
	m.String("status", &d.e.Status)
}
