package originsql

import (
	"context"
	"strconv"

	"colophon/internal/origin"
)

var webhookTable = recordsOf("webhooks", 1, func(w *origin.Webhook) []column {
	return []column{
		{"webhook_id", &w.WebhookID}, {"site_id", &w.SiteID}, {"url", &w.URL}, {"secret", &w.Secret}, {"state", &w.State},
		{"allow_private", flag{&w.AllowPrivate}}, {"created_at", &w.CreatedAt}, {"changed_at", &w.ChangedAt}, {"digest", flag{&w.Digest}},
	}
})

func healthColumns(h *origin.WebhookHealth) []column {
	return []column{
		{"webhook_id", &h.WebhookID}, {"asked_at", &h.AskedAt}, {"failures", &h.Failures}, {"failing_since", &h.FailingSince},
		{"retry_at", &h.RetryAt}, {"last_error", &h.LastError},
	}
}

var healthTable = recordsOf("webhook_health", 1, healthColumns)

// selectReceivers reads webhooks (as w) with their health (as h).
const selectReceivers = `SELECT w.webhook_id, w.site_id, w.url, w.secret, w.state, w.allow_private, w.created_at, w.changed_at, w.digest,
	coalesce(h.asked_at, ''), coalesce(h.failures, 0), coalesce(h.failing_since, ''), coalesce(h.retry_at, ''), coalesce(h.last_error, '')
	FROM webhooks AS w LEFT JOIN webhook_health AS h ON h.webhook_id = w.webhook_id `

func scanReceiver(r scanner) (v origin.Receiver, err error) {
	w, h := &v.Webhook, &v.Health
	err = r.Scan(&w.WebhookID, &w.SiteID, &w.URL, &w.Secret, &w.State, flag{&w.AllowPrivate}, &w.CreatedAt, &w.ChangedAt, flag{&w.Digest},
		&h.AskedAt, &h.Failures, &h.FailingSince, &h.RetryAt, &h.LastError)
	h.WebhookID = w.WebhookID
	return v, err
}

var eventTable = recordsOf("outbox", 1, func(e *origin.Event) []column {
	return []column{
		{"seq", &e.Seq}, {"webhook_id", &e.WebhookID}, {"event_id", &e.EventID}, {"kind", &e.Kind}, {"site_id", &e.SiteID},
		{"request_id", &e.RequestID}, {"status", &e.Status}, {"at", &e.At}, {"state", &e.State}, {"attempts", &e.Attempts}, {"due_at", &e.DueAt},
		{"leased_until", &e.LeasedUntil}, {"last_error", &e.LastError}, {"delivered_at", &e.DeliveredAt}, {"retried_at", &e.RetriedAt},
	}
})

// DueReceivers lists receivers that have an event to be sent now.
func (s *Store) DueReceivers(ctx context.Context, f origin.DueFilter) ([]origin.Receiver, error) {
	const query = selectReceivers + `WHERE w.state = 'active' AND CASE WHEN coalesce(h.failures, 0) > 0 THEN 1 ELSE 0 END = ?2 AND coalesce(h.retry_at, '') <= ?1
		AND (?4 = 1 OR substr(w.url, 1, 7) <> 'mailto:')
		AND EXISTS (SELECT 1 FROM outbox AS o WHERE o.webhook_id = w.webhook_id AND o.state = 'waiting' AND o.due_at <= ?1 AND o.leased_until <= ?1)
		ORDER BY coalesce(h.asked_at, ''), w.webhook_id LIMIT ?3`
	return queryAll(ctx, s, scanReceiver, read("list due receivers", query, f.Now, boolColumn(f.Failing), int64(f.Limit), boolColumn(f.Mail)))
}

// DueEvents lists the waiting events of a receiver whose time has come.
func (s *Store) DueEvents(ctx context.Context, webhookID, now string, limit int) ([]origin.Event, error) {
	rest := "WHERE webhook_id = ?1 AND state = 'waiting' AND due_at <= ?2 AND leased_until <= ?2 ORDER BY due_at, seq LIMIT ?3"
	return eventTable.list(ctx, s, "list due events", rest, webhookID, now, int64(limit))
}

// LeaseEvent takes an event for a while.
func (s *Store) LeaseEvent(ctx context.Context, seq int64, now, until string) (bool, error) {
	const query = `UPDATE outbox SET leased_until = ?3, attempts = attempts + 1
		WHERE seq = ?1 AND state = 'waiting' AND leased_until <= ?2 RETURNING event_id`
	return s.execChanged(ctx, write("lease an event", query, seq, now, until))
}

// EndEvent records what came of an attempt.
func (s *Store) EndEvent(ctx context.Context, e origin.Event) error {
	const query = "UPDATE outbox SET state = ?2, due_at = ?3, leased_until = '', last_error = ?4, delivered_at = ?5 WHERE seq = ?1 AND state = 'waiting'"
	return s.exec(ctx, write("end an event", query, e.Seq, e.State, e.DueAt, e.LastError, e.DeliveredAt))
}

// PutHealth records how a receiver does.
func (s *Store) PutHealth(ctx context.Context, h origin.WebhookHealth) error {
	return s.upsert(ctx, "write the health of a receiver", healthTable.row(&h))
}

// FailOldEvents gives up what waits for a receiver since before an instant.
func (s *Store) FailOldEvents(ctx context.Context, webhookID, before, reason string) (int64, error) {
	const query = `UPDATE outbox SET state = 'failed', last_error = ?3
		WHERE webhook_id = ?1 AND state = 'waiting' AND at < ?2 AND retried_at < ?2 RETURNING event_id`
	return s.execCount(ctx, write("give events up", query, webhookID, before, reason))
}

// Events lists events, newest first.
func (s *Store) Events(ctx context.Context, f origin.EventFilter) ([]origin.Event, error) {
	rest := `WHERE (?1 = '' OR webhook_id = ?1) AND (?2 = '' OR state = ?2) AND (?3 = 0 OR seq < ?3) ORDER BY seq DESC LIMIT ?4`
	return eventTable.list(ctx, s, "list events", rest, f.WebhookID, f.State, f.Before, int64(f.Limit))
}

// EventCounts counts events by receiver and state.
func (s *Store) EventCounts(ctx context.Context) ([]origin.EventCount, error) {
	const query = "SELECT webhook_id, state, count(*) FROM outbox GROUP BY webhook_id, state ORDER BY webhook_id, state"
	return queryAll(ctx, s, scanEventCount, read("count events", query))
}

func scanEventCount(r scanner) (c origin.EventCount, err error) {
	err = r.Scan(&c.WebhookID, &c.State, &c.Count)
	return c, err
}

// RetryEvents makes failed events wait again, and the receiver be asked now.
func (s *Store) RetryEvents(ctx context.Context, webhookID, now string) (int64, error) {
	const failed = `UPDATE outbox SET state = 'waiting', attempts = 0, due_at = ?2, retried_at = ?2
		WHERE webhook_id = ?1 AND state = 'failed' RETURNING event_id`
	n, err := s.execCount(ctx, write("retry failed events", failed, webhookID, now))
	if err != nil {
		return 0, err
	}

	const waiting = "UPDATE outbox SET due_at = ?2 WHERE webhook_id = ?1 AND state = 'waiting' AND due_at > ?2"
	if err := s.exec(ctx, write("retry waiting events", waiting, webhookID, now)); err != nil {
		return n, err
	}

	const health = "DELETE FROM webhook_health WHERE webhook_id = ?1"
	if err := s.exec(ctx, write("forget the health of a receiver", health, webhookID)); err != nil {
		return n, err
	}
	return n, s.recordChange(ctx, "outbox", webhookID, []string{"failed", strconv.FormatInt(n, 10)}, []string{"failed", "0"})
}

// Webhook returns one receiver, or origin.ErrNotFound.
func (s *Store) Webhook(ctx context.Context, webhookID string) (origin.Webhook, error) {
	return webhookTable.one(ctx, s, "read a webhook", "WHERE webhook_id = ?1", webhookID)
}

// Receivers lists all webhooks and how they do.
func (s *Store) Receivers(ctx context.Context) ([]origin.Receiver, error) {
	return queryAll(ctx, s, scanReceiver, read("list webhooks", selectReceivers+"ORDER BY w.webhook_id"))
}

// PutWebhook adds or replaces one.
func (s *Store) PutWebhook(ctx context.Context, w origin.Webhook) error {
	return s.putRow(ctx, "write a webhook", webhookTable.row(&w))
}
