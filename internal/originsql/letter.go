package originsql

import (
	"context"
	"strconv"

	"colophon/internal/origin"
)

// AskerLetters is the queue of letters to those who sent inquiries. A receiver
// is an asker: its id is that of the request, its address that of the request's
// sender.
type AskerLetters struct{ store *Store }

// AskerLetters is the queue of letters to those who sent inquiries.
func (s *Store) AskerLetters() AskerLetters { return AskerLetters{s} }

// selectLetter reads a letter as an event whose receiver is its request.
const selectLetter = `SELECT seq, request_id, event_id, kind, site_id, request_id, status, at, state, attempts, due_at, leased_until,
	last_error, delivered_at, retried_at FROM letters `

// DueReceivers lists askers that a letter is due for now.
func (a AskerLetters) DueReceivers(ctx context.Context, f origin.DueFilter) ([]origin.Receiver, error) {
	if !f.Mail {
		return nil, nil
	}
	const query = `SELECT r.request_id, r.site_id, 'mailto:' || r.buyer_email, '', 'active', 0, r.created_at, r.letters_at, 0,
		coalesce(h.asked_at, ''), coalesce(h.failures, 0), coalesce(h.failing_since, ''), coalesce(h.retry_at, ''), coalesce(h.last_error, '')
		FROM requests AS r LEFT JOIN letter_health AS h ON h.request_id = r.request_id
		WHERE r.request_id IN (SELECT l.request_id FROM letters AS l WHERE l.state = 'waiting' AND l.due_at <= ?1 AND l.leased_until <= ?1)
		AND r.letters IN ('unconfirmed', 'confirmed') AND r.buyer_email <> '' AND coalesce(h.retry_at, '') <= ?1
		AND CASE WHEN coalesce(h.failures, 0) > 0 THEN 1 ELSE 0 END = ?2 ORDER BY coalesce(h.asked_at, ''), r.request_id LIMIT ?3`
	return queryAll(ctx, a.store, scanReceiver, read("list due askers", query, f.Now, boolColumn(f.Failing), int64(f.Limit)))
}

// DueEvents lists the waiting letters to an asker whose time has come.
func (a AskerLetters) DueEvents(ctx context.Context, requestID, now string, limit int) ([]origin.Event, error) {
	const query = selectLetter + "WHERE request_id = ?1 AND state = 'waiting' AND due_at <= ?2 AND leased_until <= ?2 ORDER BY due_at, seq LIMIT ?3"
	return queryAll(ctx, a.store, eventTable.scan(), read("list due letters", query, requestID, now, int64(limit)))
}

// LeaseEvent takes a letter for a while.
func (a AskerLetters) LeaseEvent(ctx context.Context, seq int64, now, until string) (bool, error) {
	const query = `UPDATE letters SET leased_until = ?3, attempts = attempts + 1
		WHERE seq = ?1 AND state = 'waiting' AND leased_until <= ?2 RETURNING event_id`
	return a.store.execChanged(ctx, write("lease a letter", query, seq, now, until))
}

// EndEvent records what came of an attempt.
func (a AskerLetters) EndEvent(ctx context.Context, e origin.Event) error {
	const query = "UPDATE letters SET state = ?2, due_at = ?3, leased_until = '', last_error = ?4, delivered_at = ?5 WHERE seq = ?1 AND state = 'waiting'"
	return a.store.exec(ctx, write("end a letter", query, e.Seq, e.State, e.DueAt, e.LastError, e.DeliveredAt))
}

// letterHealthTable is healthTable of the requests whose sender is the receiver.
var letterHealthTable = recordsOf("letter_health", 1, func(h *origin.WebhookHealth) []column {
	return append([]column{{"request_id", &h.WebhookID}}, healthColumns(h)[1:]...)
})

// PutHealth records how letters to an asker do.
func (a AskerLetters) PutHealth(ctx context.Context, h origin.WebhookHealth) error {
	return a.store.upsert(ctx, "write the health of letters", letterHealthTable.row(&h))
}

// FailOldEvents gives up what waits for an asker since before an instant.
func (a AskerLetters) FailOldEvents(ctx context.Context, requestID, before, reason string) (int64, error) {
	const query = `UPDATE letters SET state = 'failed', last_error = ?3
		WHERE request_id = ?1 AND state = 'waiting' AND at < ?2 AND retried_at < ?2 RETURNING event_id`
	return a.store.execCount(ctx, write("give letters up", query, requestID, before, reason))
}

// Events lists letters to askers, newest first. EventFilter.WebhookID is the id
// of a request.
func (a AskerLetters) Events(ctx context.Context, f origin.EventFilter) ([]origin.Event, error) {
	const query = selectLetter + `WHERE (?1 = '' OR request_id = ?1) AND (?2 = '' OR state = ?2) AND (?3 = 0 OR seq < ?3) ORDER BY seq DESC LIMIT ?4`
	return queryAll(ctx, a.store, eventTable.scan(), read("list letters", query, f.WebhookID, f.State, f.Before, int64(f.Limit)))
}

// RetryLetters makes letters that were given up wait again, and their receivers be
// written to now: those of one event, or all when eventID is "". It returns how
// many they were, to receivers and to askers. An asker who wants no letters gets
// none.
func (s *Store) RetryLetters(ctx context.Context, eventID, now string) (toReceivers, toAskers int64, err error) {
	const receivers = `UPDATE outbox SET state = 'waiting', attempts = 0, due_at = ?2, retried_at = ?2 WHERE state = 'failed' AND (?1 = '' OR event_id = ?1)
		AND webhook_id IN (SELECT webhook_id FROM webhooks WHERE substr(url, 1, 7) = 'mailto:') RETURNING event_id`
	const askers = `UPDATE letters SET state = 'waiting', attempts = 0, due_at = ?2, retried_at = ?2 WHERE state = 'failed' AND (?1 = '' OR event_id = ?1)
		AND request_id IN (SELECT request_id FROM requests WHERE letters IN ('unconfirmed', 'confirmed')) RETURNING event_id`
	if toReceivers, err = s.execCount(ctx, write("retry letters to receivers", receivers, eventID, now)); err != nil {
		return 0, 0, err
	}
	if toAskers, err = s.execCount(ctx, write("retry letters to askers", askers, eventID, now)); err != nil {
		return toReceivers, 0, err
	}

	const webhookHealth = "DELETE FROM webhook_health WHERE webhook_id IN (SELECT webhook_id FROM outbox WHERE state = 'waiting' AND retried_at = ?1)"
	const letterHealth = "DELETE FROM letter_health WHERE request_id IN (SELECT request_id FROM letters WHERE state = 'waiting' AND retried_at = ?1)"
	for _, query := range []string{webhookHealth, letterHealth} {
		if err := s.exec(ctx, write("forget the health of receivers", query, now)); err != nil {
			return toReceivers, toAskers, err
		}
	}
	n := toReceivers + toAskers
	if n == 0 {
		return 0, 0, nil
	}
	return toReceivers, toAskers, s.recordChange(ctx, "letters", eventID, []string{"failed", strconv.FormatInt(n, 10)}, []string{"failed", "0"})
}
