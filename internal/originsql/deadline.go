package originsql

import (
	"context"

	"colophon/internal/origin"
)

// Waiting lists requests in a state since before an instant.
func (s *Store) Waiting(ctx context.Context, state, before string, limit int) ([]origin.Request, error) {
	rest := "WHERE state = ?1 AND state_since < ?2 ORDER BY request_id LIMIT ?3"
	return requestTable.list(ctx, s, "list waiting requests", rest, state, before, int64(limit))
}

// quiet selects requests whose publisher has been silent for long: ?1 states,
// ?2 before, ?3 limit.
const quiet = `(SELECT request_id FROM requests WHERE state IN (SELECT value FROM json_each(?1) AS j) AND publisher_at <= ?2 `

// Remind counts a reminder.
func (s *Store) Remind(ctx context.Context, states []string, before string, n int64, at string, limit int) (int64, error) {
	const query = "UPDATE requests SET reminders = ?4, reminded_at = ?5 WHERE request_id IN " + quiet +
		"AND reminders < ?4 LIMIT ?3) AND reminders < ?4 AND publisher_at <= ?2 RETURNING request_id"
	return s.execCount(ctx, write("remind publishers", query, joinList(states), before, int64(limit), n, at))
}

// Expire ends requests that nobody answered.
func (s *Store) Expire(ctx context.Context, states []string, before, to, at string, limit int) (int64, error) {
	const query = `UPDATE requests SET state = ?4, state_since = ?5, updated_at = ?5, moves = moves + 1, moved_by = 'system', move_reason = ''
		WHERE request_id IN ` + quiet + "LIMIT ?3) AND state IN (SELECT value FROM json_each(?1) AS j) AND publisher_at <= ?2 RETURNING request_id"
	return s.execCount(ctx, write("expire requests", query, joinList(states), before, int64(limit), to, at))
}

// Erase removes personal data.
func (s *Store) Erase(ctx context.Context, states []string, before, at string, limit int) (int64, error) {
	query := "UPDATE requests SET " + erasedColumns("?4") + `
		WHERE request_id IN (SELECT request_id FROM requests WHERE state IN (SELECT value FROM json_each(?1) AS j) AND state_since <= ?2
		AND erased_at = '' LIMIT ?3) AND state_since <= ?2 AND erased_at = '' RETURNING request_id`
	return s.execCount(ctx, write("erase requests", query, joinList(states), before, int64(limit), at))
}

// ForgetKeys frees idempotency keys.
func (s *Store) ForgetKeys(ctx context.Context, before string, limit int) (int64, error) {
	const query = `UPDATE requests SET key_scope = NULL, idempotency_key = NULL WHERE request_id IN
		(SELECT request_id FROM requests WHERE idempotency_key IS NOT NULL AND created_at <= ?1 LIMIT ?2) RETURNING request_id`
	return s.execCount(ctx, write("forget idempotency keys", query, before, int64(limit)))
}
