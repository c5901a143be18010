package originsql

import (
	"context"
	"strconv"
	"strings"

	"colophon/internal/origin"
)

var requestTable = recordsOf("requests", 1, func(x *origin.Request) []column {
	return []column{
		{"request_id", &x.RequestID}, {"thread_id", &x.ThreadID}, {"site_id", &x.SiteID}, {"channel", &x.Channel}, {"org_id", &x.OrgID},
		{"key_scope", nullable{&x.KeyScope}}, {"idempotency_key", nullable{&x.Key}}, {"fingerprint", &x.Fingerprint}, {"dedupe", &x.Dedupe},
		{"state", &x.State}, {"state_since", &x.StateSince}, {"moves", &x.Moves}, {"moved_by", &x.MovedBy}, {"move_reason", &x.MoveReason},
		{"buyer_name", &x.BuyerName}, {"buyer_email", &x.BuyerEmail}, {"buyer_company", &x.BuyerCompany}, {"intended_use", &x.IntendedUse},
		{"requested_scope", &x.RequestedScope}, {"requested_use", &x.RequestedUse}, {"budget_range", &x.BudgetRange}, {"timeline", &x.Timeline},
		{"message", &x.Message}, {"message_id", &x.MessageID}, {"currency", &x.Currency}, {"budget_cents", &x.BudgetCents},
		{"term_months", &x.TermMonths}, {"agent", &x.Agent}, {"ext", &x.Ext}, {"intent_digest", &x.IntentDigest}, {"locale", &x.Locale},
		{"token_hash", &x.TokenHash}, {"token_expires", &x.TokenExpires}, {"messages", &x.Messages}, {"publisher_at", &x.PublisherAt},
		{"reminders", &x.Reminders}, {"reminded_at", &x.RemindedAt}, {"held_for", &x.HeldFor},
		{"successor", &x.Successor}, {"created_at", &x.CreatedAt}, {"updated_at", &x.UpdatedAt}, {"erased_at", &x.ErasedAt},
		{"letters", &x.Letters}, {"letters_at", &x.LettersAt}, {"group_id", &x.GroupID}, {"last_author", &x.LastAuthor},
	}
})

var historyTable = recordsOf("request_history", 2, func(m *origin.Move) []column {
	return []column{
		{"request_id", &m.RequestID}, {"seq", &m.Seq}, {"at", &m.At}, {"from_state", &m.From}, {"to_state", &m.To}, {"moved_by", &m.By},
		{"reason", &m.Reason},
	}
})

// AddRequest stores a new request unless its key or a duplicate is already
// stored.
func (s *Store) AddRequest(ctx context.Context, x origin.Request, since string) (bool, error) {
	r := requestTable.row(&x)
	n := len(r.cells)
	query := r.insertSelect() + " WHERE NOT EXISTS (SELECT 1 FROM requests WHERE dedupe <> '' AND dedupe = ?" +
		strconv.Itoa(n+1) + " AND created_at > ?" + strconv.Itoa(n+2) + ") ON CONFLICT (key_scope, idempotency_key) DO NOTHING RETURNING request_id"
	return s.execChanged(ctx, write("add a request", query, append(r.cells, x.Dedupe, since)...).locking(Lock{Key: x.Dedupe}))
}

// RequestByKey returns the request that holds an idempotency key.
func (s *Store) RequestByKey(ctx context.Context, scope, key string) (origin.Request, error) {
	return requestTable.one(ctx, s, "read a request", "WHERE key_scope = ?1 AND idempotency_key = ?2", scope, key)
}

// Request returns one request, or origin.ErrNotFound.
func (s *Store) Request(ctx context.Context, requestID string) (origin.Request, error) {
	return requestTable.one(ctx, s, "read a request", "WHERE request_id = ?1", requestID)
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
	return requestTable.list(ctx, s, "list requests", rest, args...)
}

// CountRequests counts requests.
func (s *Store) CountRequests(ctx context.Context, f origin.RequestFilter) (int64, error) {
	where, args := filterCondition(f)
	return queryOne(ctx, s, scanInt, read("count requests", "SELECT count(*) FROM requests "+where, args...))
}

// RequestCounts counts requests by month, use and state.
func (s *Store) RequestCounts(ctx context.Context, f origin.RequestFilter) ([]origin.RequestCount, error) {
	where, args := filterCondition(f)
	query := "SELECT substr(created_at, 1, 7), requested_use, state, count(*) FROM requests " + where +
		" GROUP BY substr(created_at, 1, 7), requested_use, state ORDER BY substr(created_at, 1, 7) DESC, requested_use, state"
	return queryAll(ctx, s, scanRequestCount, read("count requests", query, args...))
}

var scanRequestCount = into(func(c *origin.RequestCount) []any { return []any{&c.Month, &c.Use, &c.State, &c.Count} })

// lacksNoWord selects requests that contain every word of a list. It avoids
// LIKE, whose patterns D1 limits to 50 bytes.
const lacksNoWord = `NOT EXISTS (SELECT value FROM json_each(?) AS j WHERE instr(lower(buyer_name || ' ' || buyer_company || ' ' || buyer_email || ' ' ||
	intended_use || ' ' || requested_scope || ' ' || message || ' ' || request_id), lower(value)) = 0)`

// filterCondition returns the SQL condition of a filter, with its arguments.
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
		add("requested_use IN (SELECT value FROM json_each(?) AS j)", joinList(f.Uses))
	}
	if len(f.States) > 0 {
		add("state IN (SELECT value FROM json_each(?) AS j)", joinList(f.States))
	}
	if len(f.Words) > 0 {
		add(lacksNoWord, joinList(f.Words))
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

// History lists the moves of requests.
func (s *Store) History(ctx context.Context, requestIDs ...string) ([]origin.Move, error) {
	rest := "WHERE request_id IN (SELECT value FROM json_each(?1) AS j) ORDER BY request_id, seq"
	return historyTable.list(ctx, s, "list moves", rest, joinList(requestIDs))
}

// MoveRequest makes a move if the request is still in the state where it
// starts.
func (s *Store) MoveRequest(ctx context.Context, m origin.Move) (bool, error) {
	const query = `UPDATE requests SET state = ?3, state_since = ?4, updated_at = ?4, moves = moves + 1, moved_by = ?5, move_reason = ?6,
		held_for = CASE WHEN ?7 <> '' THEN ?7 ELSE held_for END, successor = CASE WHEN ?8 <> '' THEN ?8 ELSE successor END,
		publisher_at = CASE WHEN ?5 = 'publisher' OR ?3 = 'delivered' THEN ?4 ELSE publisher_at END,
		reminders = CASE WHEN ?5 = 'publisher' THEN 0 ELSE reminders END
		WHERE request_id = ?1 AND state = ?2 RETURNING request_id`
	moved, err := s.execChanged(ctx, write("move a request", query, m.RequestID, m.From, m.To, m.At, m.By, m.Reason, m.HeldFor, m.Successor))
	return s.recordIf(ctx, moved, err, "requests", m.RequestID, []string{"state", m.From}, []string{"state", m.To, "reason", m.Reason})
}

// SetLetters changes the state of letters to the sender of a request.
func (s *Store) SetLetters(ctx context.Context, requestID, letters, at string) (bool, error) {
	const query = `UPDATE requests SET letters = ?2, letters_at = ?3
		WHERE (request_id = ?1 OR group_id IN (SELECT g.group_id FROM requests AS g WHERE g.request_id = ?1 AND g.group_id <> ''))
		AND letters <> '' AND letters <> ?2 AND erased_at = '' RETURNING request_id`
	changed, err := s.execChanged(ctx, write("set letters of a request", query, requestID, letters, at))
	return s.recordIf(ctx, changed, err, "requests", requestID, nil, []string{"letters", letters})
}
