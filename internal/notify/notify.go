// Package notify sends the notifications of the outbox to webhooks. It is
// native only, for it reaches the network through go-retryablehttp; the worker
// writes the outbox and never sends.
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
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/hashicorp/go-retryablehttp"

	"colophon/exports"
	"colophon/internal/origin"
	"colophon/internal/wire"
)

// Sender sends what is in an outbox.
type Sender struct {
	Outbox origin.Outbox
	Now    func() time.Time
	Log    func(line string) // nil: silent
	Client *retryablehttp.Client
	Pause  time.Duration // between looks at an empty outbox; 0: 5 s
	Lease  time.Duration // 0: 2 min
}

// NewClient returns a client that tries a receiver three times within a few
// seconds, follows no redirects and reads no large answers.
func NewClient() *retryablehttp.Client {
	c := retryablehttp.NewClient()
	c.Logger = nil
	c.RetryMax, c.RetryWaitMin, c.RetryWaitMax = 2, 200*time.Millisecond, 2*time.Second
	c.HTTPClient.Timeout = 15 * time.Second
	c.HTTPClient.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	c.ErrorHandler = retryablehttp.PassthroughErrorHandler
	return c
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
	due, err := s.Outbox.DueEvents(ctx, exports.Instant(s.Now()), 100)
	if err != nil {
		return 0, err
	}
	sent := 0
	for _, e := range due {
		ok, err := s.one(ctx, e)
		if err != nil {
			return sent, err
		}
		if ok {
			sent++
		}
	}
	return sent, nil
}

// one leases an event, sends it and records what came of it.
func (s *Sender) one(ctx context.Context, e origin.Event) (bool, error) {
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
	w, err := s.Outbox.Webhook(ctx, e.WebhookID)
	if err != nil {
		return false, err
	}
	trouble := s.post(ctx, w, e)
	if trouble != nil && ctx.Err() != nil {
		return false, ctx.Err() // the lease ends by itself
	}
	s.end(&e, trouble)
	if trouble != nil {
		s.log("webhook " + w.WebhookID + " event " + e.EventID + ": " + trouble.Error())
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
	req, err := retryablehttp.NewRequestWithContext(ctx, "POST", w.URL, bytes.NewReader(body))
	if err != nil {
		return err
	}
	stamp := strconv.FormatInt(s.Now().Unix(), 10)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "colophon/"+exports.Version)
	req.Header.Set("Webhook-Id", e.EventID)
	req.Header.Set("Webhook-Timestamp", stamp)
	req.Header.Set("Webhook-Signature", Signature(w.Secret, e.EventID, stamp, body))
	res, err := s.Client.Do(req)
	if res != nil {
		defer res.Body.Close()
		io.Copy(io.Discard, io.LimitReader(res.Body, 64<<10)) //nolint:errcheck // only to reuse the connection
	}
	switch {
	case err != nil:
		return err
	case res == nil:
		return errors.New("no answer")
	case res.StatusCode < 200 || res.StatusCode > 299:
		return fmt.Errorf("answered %d", res.StatusCode)
	}
	return nil
}

func (s *Sender) log(line string) {
	if s.Log != nil {
		s.Log(line)
	}
}

// Signature is the value of the header webhook-signature.
func Signature(secret, id, timestamp string, body []byte) string {
	h := hmac.New(sha256.New, []byte(secret))
	h.Write([]byte(id + "." + timestamp + "."))
	h.Write(body)
	return "v1," + base64.StdEncoding.EncodeToString(h.Sum(nil))
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
