package originsql

import (
	"context"

	"colophon/internal/origin"
)

var messageTable = table{"messages", 1, []string{
	"message_id", "thread_id", "request_id", "seq", "at", "author_role", "author_kind", "kind", "body", "terms", "in_reply_to", "client_id",
	"from_state", "to_state",
}}

func scanMessage(r scanner) (m origin.Message, err error) {
	err = r.Scan(&m.MessageID, &m.ThreadID, &m.RequestID, &m.Seq, &m.At, &m.AuthorRole, &m.AuthorKind, &m.Kind, &m.Body, &m.Terms,
		&m.InReplyTo, &m.ClientID, &m.FromState, &m.ToState)
	return m, err
}

// RequestByThread returns the request of a conversation, or origin.ErrNotFound.
func (s *Store) RequestByThread(ctx context.Context, threadID string) (origin.Request, error) {
	return queryOne(ctx, s.db, "read a request", scanRequest, requestTable.selectWhere("WHERE thread_id = ?1"), threadID)
}

// AddMessage appends a message and moves its request.
func (s *Store) AddMessage(ctx context.Context, m origin.Message) (bool, error) {
	query := "INSERT INTO messages (" + messageTable.columnList() + `) SELECT ?1, thread_id, request_id, messages + 1, ?3, ?4, ?5, ?6, ?7, ?8, ?9,
		?10, ?11, ?12 FROM requests WHERE thread_id = ?2 AND state = ?11 AND erased_at = '' ON CONFLICT DO NOTHING RETURNING message_id`
	added, err := s.execChanged(ctx, "add a message", query, m.MessageID, m.ThreadID, m.At, m.AuthorRole, m.AuthorKind, m.Kind, m.Body, m.Terms,
		m.InReplyTo, m.ClientID, m.FromState, m.ToState)
	after := []string{"thread_id", m.ThreadID, "kind", m.Kind, "body", changedValue, "from_state", m.FromState, "to_state", m.ToState}
	return s.recordIf(ctx, added, err, "messages", m.MessageID, nil, after)
}

// Message returns one message of a conversation, or origin.ErrNotFound.
func (s *Store) Message(ctx context.Context, threadID, messageID string) (origin.Message, error) {
	return queryOne(ctx, s.db, "read a message", scanMessage, messageTable.selectWhere("WHERE thread_id = ?1 AND message_id = ?2"), threadID, messageID)
}

// MessageByClient returns the message that an author sent under its own id, or
// origin.ErrNotFound.
func (s *Store) MessageByClient(ctx context.Context, threadID, role, clientID string) (origin.Message, error) {
	rest := "WHERE thread_id = ?1 AND author_role = ?2 AND client_id = ?3 AND client_id <> ''"
	return queryOne(ctx, s.db, "read a message", scanMessage, messageTable.selectWhere(rest), threadID, role, clientID)
}

// MessagesOf lists messages after a number.
func (s *Store) MessagesOf(ctx context.Context, threadID string, after int64, limit int) ([]origin.Message, error) {
	rest := "WHERE thread_id = ?1 AND seq > ?2 ORDER BY seq LIMIT ?3"
	return queryAll(ctx, s.db, "list messages", scanMessage, messageTable.selectWhere(rest), threadID, after, int64(limit))
}

// LastOfKind lists the newest messages of a kind.
func (s *Store) LastOfKind(ctx context.Context, threadID, kind string, limit int) ([]origin.Message, error) {
	rest := "WHERE thread_id = ?1 AND kind = ?2 ORDER BY seq DESC LIMIT ?3"
	return queryAll(ctx, s.db, "list messages", scanMessage, messageTable.selectWhere(rest), threadID, kind, int64(limit))
}

// ReplaceToken puts a new token in the place of the old one.
func (s *Store) ReplaceToken(ctx context.Context, threadID, oldHash, newHash, expires string) (bool, error) {
	const query = "UPDATE requests SET token_hash = ?3, token_expires = ?4 WHERE thread_id = ?1 AND token_hash = ?2 RETURNING request_id"
	return s.execChanged(ctx, "replace a token", query, threadID, oldHash, newHash, expires)
}
