package origin

import "context"

// Message is one message of a conversation.
type Message struct {
	MessageID  string `json:"message_id"`
	ThreadID   string `json:"thread_id"`
	RequestID  string `json:"request_id"`
	Seq        int64  `json:"seq"`
	At         string `json:"at"`
	AuthorRole string `json:"author_role"` // requester, publisher
	AuthorKind string `json:"author_kind"` // human, agent
	Kind       string `json:"kind"`
	Body       string `json:"body"`  // private to the two sides
	Terms      string `json:"terms"` // JSON of indicative terms, "" if none
	InReplyTo  string `json:"in_reply_to"`
	ClientID   string `json:"client_id"`  // the author's own id, "" if none
	FromState  string `json:"from_state"` // state in which it was posted
	ToState    string `json:"to_state"`   // state into which it moves the request, "" if none
}

// Threads reads and writes conversations. A conversation belongs to a request
// and is stored with it.
type Threads interface {
	// RequestByThread returns the request of a conversation or ErrNotFound.
	RequestByThread(ctx context.Context, threadID string) (Request, error)
	// AddMessage appends a message, numbers it and moves the request, all in
	// one statement. It returns false, and stores nothing, if the request is no
	// longer in m.FromState or the author has used the ClientID before.
	AddMessage(ctx context.Context, m Message) (bool, error)
	// Message returns one message of a conversation or ErrNotFound.
	Message(ctx context.Context, threadID, messageID string) (Message, error)
	// MessageByClient returns the message that an author sent under its
	// own id, or ErrNotFound.
	MessageByClient(ctx context.Context, threadID, role, clientID string) (Message, error)
	// MessagesOf lists messages after a number, in order.
	MessagesOf(ctx context.Context, threadID string, after int64, limit int) ([]Message, error)
	// LastOfKind lists the newest messages of a kind, newest first.
	LastOfKind(ctx context.Context, threadID, kind string, limit int) ([]Message, error)
	// ReplaceToken replaces a token and reports whether the old one was still in
	// force.
	ReplaceToken(ctx context.Context, threadID, oldHash, newHash, expires string) (bool, error)
}
