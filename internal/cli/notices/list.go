package notices

import (
	"context"
	"fmt"
	"io"

	"colophon/internal/cli"
	"colophon/internal/cli/noun"
	"colophon/internal/origin"
	"colophon/internal/originsql"
)

// webhookListing is what "webhook list" answers.
type webhookListing struct {
	Webhooks   []WebhookRow   `json:"webhooks"`
	Events     []origin.Event `json:"events"`
	NextBefore int64          `json:"next_before,omitempty"` // for --before, when events were cut
}

// WebhookRow is a receiver, without its signing key.
type WebhookRow struct {
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

// readWebhooks reads the receivers and one event less than f.Limit; the last
// shows that there are more.
func readWebhooks(ctx context.Context, store *originsql.Store, f origin.EventFilter) (*webhookListing, error) {
	receivers, err := store.Receivers(ctx)
	if err != nil {
		return nil, err
	}
	counts, err := store.EventCounts(ctx)
	if err != nil {
		return nil, err
	}
	events, err := store.Events(ctx, f)
	if err != nil {
		return nil, err
	}

	list := &webhookListing{Webhooks: []WebhookRow{}, Events: []origin.Event{}}
	for _, r := range receivers {
		list.Webhooks = append(list.Webhooks, NewWebhookRow(r, counts))
	}
	if len(events) == f.Limit {
		events = events[:f.Limit-1]
		list.NextBefore = events[f.Limit-2].Seq
	}
	list.Events = append(list.Events, events...)
	return list, nil
}

// NewWebhookRow returns a receiver with the numbers of its waiting and given-up
// events.
func NewWebhookRow(r origin.Receiver, counts []origin.EventCount) WebhookRow {
	row := WebhookRow{
		WebhookID:    r.WebhookID,
		SiteID:       r.SiteID,
		URL:          r.URL,
		State:        r.State,
		AllowPrivate: r.AllowPrivate,
		Digest:       r.Digest,
		Breaker:      breakerState(r.Health, cli.Now()),
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

var eventTable = noun.Table{Line: "  {at}  {state:9}  {kind}  {request_id}  attempts {attempts}  {last_error}"}

func (l *webhookListing) printTable(w io.Writer) {
	for _, row := range noun.RowsOf(l.Webhooks) {
		WebhookNoun.Print(w, row)
		if row["failing_since"] != nil {
			(&noun.Table{Line: "  failing since {failing_since}, next attempt {retry_at}: {last_error}"}).Print(w, row)
		}
	}
	eventTable.Print(w, noun.RowsOf(l.Events)...)
	if l.NextBefore > 0 {
		fmt.Fprintf(w, "  more: --before %d\n", l.NextBefore)
	}
}
