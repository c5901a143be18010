package originsql

import (
	"context"

	"colophon/internal/origin"
)

var (
	webhookTable = table{"webhooks", 1, []string{"webhook_id", "site_id", "url", "secret", "state", "created_at", "changed_at"}}
	eventTable   = table{"outbox", 1, []string{
		"seq", "webhook_id", "event_id", "kind", "site_id", "request_id", "status", "at", "state", "attempts", "due_at", "leased_until",
		"last_error", "delivered_at",
	}}
)

func scanWebhook(r scanner) (w origin.Webhook, err error) {
	err = r.Scan(&w.WebhookID, &w.SiteID, &w.URL, &w.Secret, &w.State, &w.CreatedAt, &w.ChangedAt)
	return w, err
}

func scanEvent(r scanner) (e origin.Event, err error) {
	err = r.Scan(&e.Seq, &e.WebhookID, &e.EventID, &e.Kind, &e.SiteID, &e.RequestID, &e.Status, &e.At, &e.State, &e.Attempts, &e.DueAt,
		&e.LeasedUntil, &e.LastError, &e.DeliveredAt)
	return e, err
}

// DueEvents lists waiting events whose time has come.
func (s *Store) DueEvents(ctx context.Context, now string, limit int) ([]origin.Event, error) {
	rest := "WHERE state = 'waiting' AND due_at <= ?1 AND leased_until <= ?1 ORDER BY due_at, seq LIMIT ?2"
	return many(ctx, s.db, "list due events", scanEvent, eventTable.selectWhere(rest), now, int64(limit))
}

// LeaseEvent takes an event for a while.
func (s *Store) LeaseEvent(ctx context.Context, seq int64, now, until string) (bool, error) {
	const query = `UPDATE outbox SET leased_until = ?3, attempts = attempts + 1
		WHERE seq = ?1 AND state = 'waiting' AND leased_until <= ?2 RETURNING event_id`
	return s.changed(ctx, "lease an event", query, seq, now, until)
}

// EndEvent records what came of an attempt.
func (s *Store) EndEvent(ctx context.Context, e origin.Event) error {
	const query = "UPDATE outbox SET state = ?2, due_at = ?3, leased_until = '', last_error = ?4, delivered_at = ?5 WHERE seq = ?1 AND state = 'waiting'"
	return s.exec(ctx, "end an event", query, e.Seq, e.State, e.DueAt, e.LastError, e.DeliveredAt)
}

// Events lists the newest events.
func (s *Store) Events(ctx context.Context, limit int) ([]origin.Event, error) {
	return many(ctx, s.db, "list events", scanEvent, eventTable.selectWhere("ORDER BY seq DESC LIMIT ?1"), int64(limit))
}

// RetryEvents makes failed events wait again.
func (s *Store) RetryEvents(ctx context.Context, webhookID, now string) (int64, error) {
	const query = "UPDATE outbox SET state = 'waiting', attempts = 0, due_at = ?2 WHERE webhook_id = ?1 AND state = 'failed' RETURNING event_id"
	return s.count(ctx, "retry events", query, webhookID, now)
}

// Webhook returns one receiver.
func (s *Store) Webhook(ctx context.Context, webhookID string) (origin.Webhook, error) {
	return one(ctx, s.db, "read a webhook", scanWebhook, webhookTable.selectWhere("WHERE webhook_id = ?1"), webhookID)
}

// Webhooks lists receivers by id.
func (s *Store) Webhooks(ctx context.Context) ([]origin.Webhook, error) {
	return many(ctx, s.db, "list webhooks", scanWebhook, webhookTable.selectWhere("ORDER BY webhook_id"))
}

// PutWebhook adds or replaces one.
func (s *Store) PutWebhook(ctx context.Context, w origin.Webhook) error {
	return s.exec(ctx, "write a webhook", webhookTable.upsert(), w.WebhookID, w.SiteID, w.URL, w.Secret, w.State, w.CreatedAt, w.ChangedAt)
}
