package originsql

import (
	"context"
	"strconv"
	"strings"

	"colophon/internal/origin"
)

var (
	requestTable = table{"requests", 1, []string{
		"request_id", "thread_id", "site_id", "channel", "org_id", "key_scope", "idempotency_key", "fingerprint", "dedupe", "state",
		"state_since", "moves", "moved_by", "move_reason", "buyer_name", "buyer_email", "buyer_company", "intended_use", "requested_scope",
		"requested_use", "budget_range", "timeline", "message", "message_id", "currency", "budget_cents", "term_months", "agent", "ext",
		"intent_digest", "locale", "token_hash", "token_expires", "messages", "publisher_at", "reminders", "reminded_at", "held_for",
		"private_notes", "successor", "created_at", "updated_at", "erased_at", "letters", "letters_at", "group_id",
		"last_author",
	}}
	historyTable = table{"request_history", 2, []string{"request_id", "seq", "at", "from_state", "to_state", "moved_by", "reason"}}
)

func scanRequest(r scanner) (x origin.Request, err error) {
	err = r.Scan(&x.RequestID, &x.ThreadID, &x.SiteID, &x.Channel, &x.OrgID, nullable{&x.KeyScope}, nullable{&x.Key}, &x.Fingerprint,
		&x.Dedupe, &x.State, &x.StateSince, &x.Moves, &x.MovedBy, &x.MoveReason, &x.BuyerName, &x.BuyerEmail, &x.BuyerCompany,
		&x.IntendedUse, &x.RequestedScope, &x.RequestedUse, &x.BudgetRange, &x.Timeline, &x.Message, &x.MessageID, &x.Currency,
		&x.BudgetCents, &x.TermMonths, &x.Agent, &x.Ext, &x.IntentDigest, &x.Locale, &x.TokenHash, &x.TokenExpires, &x.Messages,
		&x.PublisherAt, &x.Reminders, &x.RemindedAt, &x.HeldFor, &x.PrivateNotes, &x.Successor, &x.CreatedAt, &x.UpdatedAt, &x.ErasedAt,
		&x.Letters, &x.LettersAt, &x.GroupID, &x.LastAuthor)
	return x, err
}

func scanMove(r scanner) (m origin.Move, err error) {
	err = r.Scan(&m.RequestID, &m.Seq, &m.At, &m.From, &m.To, &m.By, &m.Reason)
	return m, err
}

// AddRequest stores a new request unless its key or its twin is there.
func (s *Store) AddRequest(ctx context.Context, x origin.Request, since string) (bool, error) {
	n := len(requestTable.cols)
	query := requestTable.insertSelect() + " WHERE NOT EXISTS (SELECT 1 FROM requests WHERE dedupe <> '' AND dedupe = ?" +
		strconv.Itoa(n+1) + " AND created_at > ?" + strconv.Itoa(n+2) + ") ON CONFLICT (key_scope, idempotency_key) DO NOTHING RETURNING request_id"
	return s.execChanged(ctx, "add a request", query, x.RequestID, x.ThreadID, x.SiteID, x.Channel, x.OrgID, orNull(x.KeyScope), orNull(x.Key),
		x.Fingerprint, x.Dedupe, x.State, x.StateSince, x.Moves, x.MovedBy, x.MoveReason, x.BuyerName, x.BuyerEmail, x.BuyerCompany,
		x.IntendedUse, x.RequestedScope, x.RequestedUse, x.BudgetRange, x.Timeline, x.Message, x.MessageID, x.Currency, x.BudgetCents,
		x.TermMonths, x.Agent, x.Ext, x.IntentDigest, x.Locale, x.TokenHash, x.TokenExpires, x.Messages, x.PublisherAt, x.Reminders,
		x.RemindedAt, x.HeldFor, x.PrivateNotes, x.Successor, x.CreatedAt, x.UpdatedAt, x.ErasedAt,
		x.Letters, x.LettersAt, x.GroupID, x.LastAuthor, x.Dedupe, since)
}

// RequestByKey returns the request that holds an idempotency key.
func (s *Store) RequestByKey(ctx context.Context, scope, key string) (origin.Request, error) {
	return queryOne(ctx, s.db, "read a request", scanRequest, requestTable.selectWhere("WHERE key_scope = ?1 AND idempotency_key = ?2"), scope, key)
}

// Request returns one request, or origin.ErrNotFound.
func (s *Store) Request(ctx context.Context, requestID string) (origin.Request, error) {
	return queryOne(ctx, s.db, "read a request", scanRequest, requestTable.selectWhere("WHERE request_id = ?1"), requestID)
}

// RequestsOf lists requests, newest first.
func (s *Store) RequestsOf(ctx context.Context, f origin.RequestFilter) ([]origin.Request, error) {
	where, args := filterCondition(f)
	if f.Before != "" {
		args = append(args, f.Before)
		where += " AND request_id < ?" + strconv.Itoa(len(args))
	}
	args = append(args, int64(f.Limit))
	rest := where + " ORDER BY request_id DESC LIMIT ?" + strconv.Itoa(len(args))
	return queryAll(ctx, s.db, "list requests", scanRequest, requestTable.selectWhere(rest), args...)
}

// CountRequests counts requests.
func (s *Store) CountRequests(ctx context.Context, f origin.RequestFilter) (int64, error) {
	where, args := filterCondition(f)
	return queryOne(ctx, s.db, "count requests", scanInt, "SELECT count(*) FROM requests "+where, args...)
}

// RequestCounts counts requests by month, use and state.
func (s *Store) RequestCounts(ctx context.Context, f origin.RequestFilter) ([]origin.RequestCount, error) {
	where, args := filterCondition(f)
	query := "SELECT substr(created_at, 1, 7), requested_use, state, count(*) FROM requests " + where +
		" GROUP BY substr(created_at, 1, 7), requested_use, state ORDER BY substr(created_at, 1, 7) DESC, requested_use, state"
	return queryAll(ctx, s.db, "count requests", scanRequestCount, query, args...)
}

func scanRequestCount(r scanner) (c origin.RequestCount, err error) {
	err = r.Scan(&c.Month, &c.Use, &c.State, &c.Count)
	return c, err
}

// lacksNoWord is true of requests in which every word of a list stands.
const lacksNoWord = `NOT EXISTS (SELECT value FROM json_each(?) AS j WHERE lower(buyer_name || ' ' || buyer_company || ' ' || buyer_email || ' ' ||
	intended_use || ' ' || requested_scope || ' ' || message || ' ' || request_id) NOT LIKE '%' || lower(value) || '%' ESCAPE '!')`

// escapeLike escapes what LIKE takes for a pattern.
func escapeLike(words []string) []string {
	plain := strings.NewReplacer("!", "!!", "%", "!%", "_", "!_")
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = plain.Replace(w)
	}
	return out
}

// filterCondition builds the condition that a filter stands for.
func filterCondition(f origin.RequestFilter) (string, []any) {
	conds, args := []string{"1 = 1"}, []any(nil)
	add := func(cond string, arg any) {
		args = append(args, arg)
		conds = append(conds, strings.ReplaceAll(cond, "?", "?"+strconv.Itoa(len(args))))
	}
	if f.OrgID != "" {
		add("org_id = ?", f.OrgID)
	}
	if f.SiteID != "" {
		add("site_id = ?", f.SiteID)
	}
	if f.PublisherID != "" {
		add("site_id IN (SELECT site_id FROM sites WHERE publisher_id = ?)", f.PublisherID)
	}
	if f.GroupID != "" {
		add("group_id = ?", f.GroupID)
	}
	if len(f.Uses) > 0 {
		add("requested_use IN (SELECT value FROM json_each(?))", joinList(f.Uses))
	}
	if len(f.States) > 0 {
		add("state IN (SELECT value FROM json_each(?))", joinList(f.States))
	}
	if len(f.Words) > 0 {
		add(lacksNoWord, joinList(escapeLike(f.Words)))
	}
	switch f.Turn {
	case "requester":
		add("(state <> ? OR last_author = 'publisher')", "in_discussion")
	case "publisher":
		add("(state <> ? OR last_author <> 'publisher')", "in_discussion")
	}
	if f.CreatedAfter != "" {
		add("created_at > ?", f.CreatedAfter)
	}
	if f.UpdatedAfter != "" {
		add("updated_at > ?", f.UpdatedAfter)
	}
	return "WHERE " + strings.Join(conds, " AND "), args
}

// History lists the moves of a request.
func (s *Store) History(ctx context.Context, requestID string) ([]origin.Move, error) {
	return queryAll(ctx, s.db, "list moves", scanMove, historyTable.selectWhere("WHERE request_id = ?1 ORDER BY seq"), requestID)
}

// Histories lists the moves of several requests.
func (s *Store) Histories(ctx context.Context, requestIDs []string) ([]origin.Move, error) {
	rest := "WHERE request_id IN (SELECT value FROM json_each(?1)) ORDER BY request_id, seq"
	return queryAll(ctx, s.db, "list moves", scanMove, historyTable.selectWhere(rest), joinList(requestIDs))
}

// MoveRequest makes a move when the request is still where it starts.
func (s *Store) MoveRequest(ctx context.Context, m origin.Move) (bool, error) {
	const query = `UPDATE requests SET state = ?3, state_since = ?4, updated_at = ?4, moves = moves + 1, moved_by = ?5, move_reason = ?6,
		held_for = CASE WHEN ?7 <> '' THEN ?7 ELSE held_for END, successor = CASE WHEN ?8 <> '' THEN ?8 ELSE successor END,
		publisher_at = CASE WHEN ?5 = 'publisher' OR ?3 = 'delivered' THEN ?4 ELSE publisher_at END,
		reminders = CASE WHEN ?5 = 'publisher' THEN 0 ELSE reminders END
		WHERE request_id = ?1 AND state = ?2 RETURNING request_id`
	moved, err := s.execChanged(ctx, "move a request", query, m.RequestID, m.From, m.To, m.At, m.By, m.Reason, m.HeldFor, m.Successor)
	return s.recordIf(ctx, moved, err, "requests", m.RequestID, []string{"state", m.From}, []string{"state", m.To, "reason", m.Reason})
}

// NoteRequest replaces the operator's notes.
func (s *Store) NoteRequest(ctx context.Context, requestID, notes string) error {
	const query = "UPDATE requests SET private_notes = ?2 WHERE request_id = ?1"
	if err := s.exec(ctx, "note a request", query, requestID, notes); err != nil {
		return err
	}
	return s.recordChange(ctx, "requests", requestID, nil, []string{"private_notes", changedValue})
}

// SetLetters changes what is with letters to whoever sent a request.
func (s *Store) SetLetters(ctx context.Context, requestID, letters, at string) (bool, error) {
	const query = `UPDATE requests SET letters = ?2, letters_at = ?3
		WHERE (request_id = ?1 OR group_id IN (SELECT g.group_id FROM requests AS g WHERE g.request_id = ?1 AND g.group_id <> ''))
		AND letters <> '' AND letters <> ?2 AND erased_at = '' RETURNING request_id`
	changed, err := s.execChanged(ctx, "set letters of a request", query, requestID, letters, at)
	return s.recordIf(ctx, changed, err, "requests", requestID, nil, []string{"letters", letters})
}
