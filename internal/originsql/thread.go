package originsql

import (
	"context"

	"colophon/internal/origin"
)

var messageTable = recordsOf("messages", 1, func(m *origin.Message) []column {
	return []column{
		{"message_id", &m.MessageID}, {"thread_id", &m.ThreadID}, {"request_id", &m.RequestID}, {"seq", &m.Seq}, {"at", &m.At},
		{"author_role", &m.AuthorRole}, {"author_kind", &m.AuthorKind}, {"kind", &m.Kind}, {"body", &m.Body}, {"terms", &m.Terms},
		{"in_reply_to", &m.InReplyTo}, {"client_id", &m.ClientID}, {"from_state", &m.FromState}, {"to_state", &m.ToState},
	}
})

// RequestByThread returns the request of a conversation, or origin.ErrNotFound.
func (s *Store) RequestByThread(ctx context.Context, threadID string) (origin.Request, error) {
	return requestTable.one(ctx, s, "read a request", "WHERE thread_id = ?1", threadID)
}

// AddMessage appends a message and moves its request.
func (s *Store) AddMessage(ctx context.Context, m origin.Message) (bool, error) {
	query := "INSERT INTO messages (" + messageTable.columnList() + `) SELECT ?1, thread_id, request_id, messages + 1, ?3, ?4, ?5, ?6, ?7, ?8, ?9,
		?10, ?11, ?12 FROM requests WHERE thread_id = ?2 AND state = ?11 AND erased_at = '' ON CONFLICT DO NOTHING RETURNING message_id`
	added, err := s.execChanged(ctx, write("add a message", query, m.MessageID, m.ThreadID, m.At, m.AuthorRole, m.AuthorKind, m.Kind, m.Body, m.Terms,
		m.InReplyTo, m.ClientID, m.FromState, m.ToState).locking(Lock{"requests", "thread_id", m.ThreadID}))
	after := []string{"thread_id", m.ThreadID, "kind", m.Kind, "body", changedValue, "from_state", m.FromState, "to_state", m.ToState}
	return s.recordIf(ctx, added, err, "messages", m.MessageID, nil, after)
}

// Message returns one message of a conversation, or origin.ErrNotFound.
func (s *Store) Message(ctx context.Context, threadID, messageID string) (origin.Message, error) {
	return messageTable.one(ctx, s, "read a message", "WHERE thread_id = ?1 AND message_id = ?2", threadID, messageID)
}

// MessageByClient returns the message that an author sent under its own id, or
// origin.ErrNotFound.
func (s *Store) MessageByClient(ctx context.Context, threadID, role, clientID string) (origin.Message, error) {
	rest := "WHERE thread_id = ?1 AND author_role = ?2 AND client_id = ?3 AND client_id <> ''"
	return messageTable.one(ctx, s, "read a message", rest, threadID, role, clientID)
}

// MessagesOf lists messages after a number.
func (s *Store) MessagesOf(ctx context.Context, threadID string, after int64, limit int) ([]origin.Message, error) {
	rest := "WHERE thread_id = ?1 AND seq > ?2 ORDER BY seq LIMIT ?3"
	return messageTable.list(ctx, s, "list messages", rest, threadID, after, int64(limit))
}

// LastOfKind lists the newest messages of a kind.
func (s *Store) LastOfKind(ctx context.Context, threadID, kind string, limit int) ([]origin.Message, error) {
	rest := "WHERE thread_id = ?1 AND kind = ?2 ORDER BY seq DESC LIMIT ?3"
	return messageTable.list(ctx, s, "list messages", rest, threadID, kind, int64(limit))
}

// ReplaceToken replaces a token.
func (s *Store) ReplaceToken(ctx context.Context, threadID, oldHash, newHash, expires string) (bool, error) {
	const query = "UPDATE requests SET token_hash = ?3, token_expires = ?4 WHERE thread_id = ?1 AND token_hash = ?2 RETURNING request_id"
	return s.execChanged(ctx, write("replace a token", query, threadID, oldHash, newHash, expires))
}
