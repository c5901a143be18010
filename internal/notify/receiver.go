package notify

import "colophon/internal/origin"

// Receiver is how a receiver of notifications does, without its signing key.
type Receiver struct {
	WebhookID    string `json:"webhook_id"`
	SiteID       string `json:"site_id"`
	URL          string `json:"url"`
	State        string `json:"state"`
	AllowPrivate bool   `json:"allow_private"`
	Digest       bool   `json:"digest"`
	Breaker      string `json:"breaker"` // closed, open until retry_at, half-open: the next attempt decides
	Failures     int64  `json:"failures"`
	FailingSince string `json:"failing_since,omitempty"`
	RetryAt      string `json:"retry_at,omitempty"`
	LastError    string `json:"last_error,omitempty"`
	Waiting      int64  `json:"waiting"`
	Failed       int64  `json:"failed"`
}

// NewReceiver returns a receiver at an instant (RFC 3339), with the numbers of
// its waiting and given-up events.
func NewReceiver(r origin.Receiver, counts []origin.EventCount, now string) Receiver {
	row := Receiver{
		WebhookID:    r.WebhookID,
		SiteID:       r.SiteID,
		URL:          r.URL,
		State:        r.State,
		AllowPrivate: r.AllowPrivate,
		Digest:       r.Digest,
		Breaker:      breakerState(r.Health, now),
		Failures:     r.Health.Failures,
		FailingSince: r.Health.FailingSince,
		RetryAt:      r.Health.RetryAt,
		LastError:    r.Health.LastError,
	}
	for _, c := range counts {
		if c.ReceiverID != r.WebhookID {
			continue
		}
		switch c.State {
		case origin.EventWaiting:
			row.Waiting = c.Count
		case origin.EventFailed:
			row.Failed = c.Count
		}
	}
	return row
}

func breakerState(h origin.ReceiverHealth, now string) string {
	switch {
	case h.Failures == 0:
		return "closed"
	case h.RetryAt > now:
		return "open"
	}
	return "half-open"
}
