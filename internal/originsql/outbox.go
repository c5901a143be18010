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

var healthTable = recordsOf("receiver_health", 1, func(h *origin.ReceiverHealth) []column {
	return []column{
		{"receiver_id", &h.ReceiverID}, {"asked_at", &h.AskedAt}, {"failures", &h.Failures}, {"failing_since", &h.FailingSince},
		{"retry_at", &h.RetryAt}, {"last_error", &h.LastError},
	}
})

// selectReceivers reads receivers (as w) with their health (as h).
func selectReceivers(receivers, rest string) string {
	return `SELECT w.*, coalesce(h.asked_at, ''), coalesce(h.failures, 0), coalesce(h.failing_since, ''), coalesce(h.retry_at, ''), coalesce(h.last_error, '')
	FROM (` + receivers + `) AS w LEFT JOIN receiver_health AS h ON h.receiver_id = w.id ` + rest
}

const selectWebhooks = `SELECT webhook_id AS id, site_id, url, secret, state, allow_private, created_at, changed_at, digest FROM webhooks `

func scanReceiver(r scanner) (v origin.Receiver, err error) {
	w, h := &v.Webhook, &v.Health
	err = r.Scan(&w.WebhookID, &w.SiteID, &w.URL, &w.Secret, &w.State, flag{&w.AllowPrivate}, &w.CreatedAt, &w.ChangedAt, flag{&w.Digest},
		&h.AskedAt, &h.Failures, &h.FailingSince, &h.RetryAt, &h.LastError)
	h.ReceiverID = w.WebhookID
	return v, err
}

var eventTable = recordsOf("outbox", 1, func(e *origin.Event) []column {
	return []column{
		{"seq", &e.Seq}, {"receiver_kind", &e.ReceiverKind}, {"receiver_id", &e.ReceiverID}, {"event_id", &e.EventID}, {"kind", &e.Kind}, {"site_id", &e.SiteID},
		{"request_id", &e.RequestID}, {"status", &e.Status}, {"at", &e.At}, {"state", &e.State}, {"attempts", &e.Attempts}, {"due_at", &e.DueAt},
		{"leased_until", &e.LeasedUntil}, {"last_error", &e.LastError}, {"delivered_at", &e.DeliveredAt}, {"retried_at", &e.RetriedAt},
	}
})

// DueReceivers lists receivers with an event to be sent now. An asker has the
// id of its request, and the address in it.
func (s *Store) DueReceivers(ctx context.Context, f origin.DueFilter) ([]origin.Receiver, error) {
	const due = ` IN (SELECT o.receiver_id FROM outbox AS o WHERE o.receiver_kind = ?5 AND o.state = 'waiting' AND o.due_at <= ?1 AND o.leased_until <= ?1) `
	const webhooks = selectWebhooks + `WHERE ?5 = 'webhook' AND state = 'active' AND (?4 = 1 OR substr(url, 1, 7) <> 'mailto:') AND webhook_id` + due
	const askers = `SELECT request_id, site_id, 'mailto:' || buyer_email, '', 'active', 0, created_at, letters_at, 0 FROM requests
		WHERE ?5 = 'asker' AND ?4 = 1 AND letters IN ('unconfirmed', 'confirmed') AND buyer_email <> '' AND request_id` + due
	query := selectReceivers(webhooks+"UNION ALL "+askers, `WHERE CASE WHEN coalesce(h.failures, 0) > 0 THEN 1 ELSE 0 END = ?2 AND coalesce(h.retry_at, '') <= ?1
		ORDER BY coalesce(h.asked_at, ''), w.id LIMIT ?3`)
	return queryAll(ctx, s, scanReceiver, read("list due receivers", query, f.Now, boolColumn(f.Failing), int64(f.Limit), boolColumn(f.Mail), f.Kind))
}

// DueEvents lists the waiting events of a receiver whose time has come.
func (s *Store) DueEvents(ctx context.Context, receiverID, now string, limit int) ([]origin.Event, error) {
	rest := "WHERE receiver_id = ?1 AND state = 'waiting' AND due_at <= ?2 AND leased_until <= ?2 ORDER BY due_at, seq LIMIT ?3"
	return eventTable.list(ctx, s, "list due events", rest, receiverID, now, int64(limit))
}

// LeaseEvent takes an event for a while.
func (s *Store) LeaseEvent(ctx context.Context, seq int64, now, until string) (bool, error) {
	const query = `UPDATE outbox SET leased_until = ?3, attempts = attempts + 1
		WHERE seq = ?1 AND state = 'waiting' AND leased_until <= ?2 RETURNING event_id`
	return s.execChanged(ctx, write("lease an event", query, seq, now, until))
}

// EndEvent records the result of an attempt.
func (s *Store) EndEvent(ctx context.Context, e origin.Event) error {
	const query = "UPDATE outbox SET state = ?2, due_at = ?3, leased_until = '', last_error = ?4, delivered_at = ?5 WHERE seq = ?1 AND state = 'waiting'"
	return s.exec(ctx, write("end an event", query, e.Seq, e.State, e.DueAt, e.LastError, e.DeliveredAt))
}

// PutHealth records the health of a receiver.
func (s *Store) PutHealth(ctx context.Context, h origin.ReceiverHealth) error {
	return s.upsert(ctx, "write the health of a receiver", healthTable.row(&h))
}

// FailOldEvents gives up events that have waited for a receiver since before an
// instant.
func (s *Store) FailOldEvents(ctx context.Context, receiverID, before, reason string) (int64, error) {
	const query = `UPDATE outbox SET state = 'failed', last_error = ?3
		WHERE receiver_id = ?1 AND state = 'waiting' AND at < ?2 AND retried_at < ?2 RETURNING event_id`
	return s.execCount(ctx, write("give events up", query, receiverID, before, reason))
}

// Events lists events, newest first.
func (s *Store) Events(ctx context.Context, f origin.EventFilter) ([]origin.Event, error) {
	rest := `WHERE (?1 = '' OR receiver_id = ?1) AND (?2 = '' OR state = ?2) AND (?3 = 0 OR seq < ?3) AND (?5 = '' OR receiver_kind = ?5) ORDER BY seq DESC LIMIT ?4`
	return eventTable.list(ctx, s, "list events", rest, f.ReceiverID, f.State, f.Before, int64(f.Limit), f.ReceiverKind)
}

// EventCounts counts events of webhooks by receiver and state.
func (s *Store) EventCounts(ctx context.Context) ([]origin.EventCount, error) {
	const query = "SELECT receiver_id, state, count(*) FROM outbox WHERE receiver_kind = '" + origin.ReceiverWebhook + "' GROUP BY receiver_id, state ORDER BY receiver_id, state"
	return queryAll(ctx, s, scanEventCount, read("count events", query))
}

var scanEventCount = into(func(c *origin.EventCount) []any { return []any{&c.ReceiverID, &c.State, &c.Count} })

// RetryEvents makes failed events wait again, and lets the receiver be tried
// now.
func (s *Store) RetryEvents(ctx context.Context, webhookID, now string) (int64, error) {
	const failed = `UPDATE outbox SET state = 'waiting', attempts = 0, due_at = ?2, retried_at = ?2
		WHERE receiver_id = ?1 AND state = 'failed' RETURNING event_id`
	n, err := s.execCount(ctx, write("retry failed events", failed, webhookID, now))
	if err != nil {
		return 0, err
	}

	const waiting = "UPDATE outbox SET due_at = ?2 WHERE receiver_id = ?1 AND state = 'waiting' AND due_at > ?2"
	if err := s.exec(ctx, write("retry waiting events", waiting, webhookID, now)); err != nil {
		return n, err
	}

	const health = "DELETE FROM receiver_health WHERE receiver_id = ?1"
	if err := s.exec(ctx, write("forget the health of a receiver", health, webhookID)); err != nil {
		return n, err
	}
	return n, s.recordChange(ctx, "outbox", webhookID, []string{"failed", strconv.FormatInt(n, 10)}, []string{"failed", "0"})
}

// Webhook returns one receiver, or origin.ErrNotFound.
func (s *Store) Webhook(ctx context.Context, webhookID string) (origin.Webhook, error) {
	return webhookTable.one(ctx, s, "read a webhook", "WHERE webhook_id = ?1", webhookID)
}

// Receivers lists all webhooks with their health.
func (s *Store) Receivers(ctx context.Context) ([]origin.Receiver, error) {
	return queryAll(ctx, s, scanReceiver, read("list webhooks", selectReceivers(selectWebhooks, "ORDER BY w.id")))
}

// PutWebhook adds or replaces one.
func (s *Store) PutWebhook(ctx context.Context, w origin.Webhook) error {
	return s.putRow(ctx, "write a webhook", webhookTable.row(&w))
}

// RetryLetters makes letters that were given up wait again, and lets their
// receivers be written to now: those of one event, or all if eventID is "". It
// returns how many there were, to receivers and to askers. An asker who refused
// letters gets none.
func (s *Store) RetryLetters(ctx context.Context, eventID, now string) (toReceivers, toAskers int64, err error) {
	const failed = "UPDATE outbox SET state = 'waiting', attempts = 0, due_at = ?2, retried_at = ?2 WHERE state = 'failed' AND (?1 = '' OR event_id = ?1) AND "
	const receivers = failed + "receiver_id IN (SELECT webhook_id FROM webhooks WHERE substr(url, 1, 7) = 'mailto:') RETURNING event_id"
	const askers = failed + "receiver_id IN (SELECT request_id FROM requests WHERE letters IN ('unconfirmed', 'confirmed')) RETURNING event_id"
	if toReceivers, err = s.execCount(ctx, write("retry letters to receivers", receivers, eventID, now)); err != nil {
		return 0, 0, err
	}
	if toAskers, err = s.execCount(ctx, write("retry letters to askers", askers, eventID, now)); err != nil {
		return toReceivers, 0, err
	}
	const health = "DELETE FROM receiver_health WHERE receiver_id IN (SELECT receiver_id FROM outbox WHERE state = 'waiting' AND retried_at = ?1)"
	if err := s.exec(ctx, write("forget the health of receivers", health, now)); err != nil {
		return toReceivers, toAskers, err
	}
	n := toReceivers + toAskers
	if n == 0 {
		return 0, 0, nil
	}
	return toReceivers, toAskers, s.recordChange(ctx, "letters", eventID, []string{"failed", strconv.FormatInt(n, 10)}, []string{"failed", "0"})
}
