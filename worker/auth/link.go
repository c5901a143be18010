package auth

import (
	"context"
	"errors"

	"colophon/exports"
	"colophon/internal/credential"
	"colophon/internal/inquiry"
	"colophon/internal/origin"
	"colophon/worker/problem"
)

// Conversation returns the request of a conversation for the holder of its
// token. A wrong token and an unknown conversation are answered alike, and
// counted against the caller only.
func (s *Service) Conversation(ctx context.Context, remote, threadID, token string) (origin.Request, error) {
	r, err := s.checkToken(ctx, threadID, token)
	if err != nil {
		return r, s.Limits.Refuse(ctx, remote, err)
	}
	return s.extendToken(ctx, r)
}

func (s *Service) checkToken(ctx context.Context, threadID, token string) (origin.Request, error) {
	if token == "" {
		f := problem.New("conversation_token_missing", "")
		f.Header.Set("www-authenticate", `ConversationToken realm="conversation"`)
		return origin.Request{}, f
	}
	if s.Conversations == nil {
		return origin.Request{}, problem.Unavailable()
	}
	hash := credential.Digest(token)
	r, err := s.Conversations.RequestByThread(ctx, threadID)
	switch {
	case errors.Is(err, origin.ErrNotFound):
		credential.CompareAbsent(hash)
		return r, problem.New("thread_not_found", "")
	case err != nil:
		return r, err
	case !inquiry.OpensConversation(s.Secret, &r, token) || r.TokenExpires <= exports.Instant(s.Now()):
		return r, problem.New("thread_not_found", "")
	}
	return r, nil
}

// extendToken extends the life of a token in use to TokenDays from now. It
// writes at most once a week.
func (s *Service) extendToken(ctx context.Context, r origin.Request) (origin.Request, error) {
	const week = 7
	end := s.Now().AddDate(0, 0, inquiry.TokenDays)
	if r.TokenExpires >= exports.Instant(end.AddDate(0, 0, -week)) {
		return r, nil
	}
	r.TokenExpires = exports.Instant(end)
	_, err := s.Conversations.ReplaceToken(ctx, r.ThreadID, r.TokenHash, r.TokenHash, r.TokenExpires)
	return r, err
}

// DeriveToken returns the token of the conversation that a call with an
// Idempotency-Key begins: a retry gets the same.
func (s *Service) DeriveToken(scope, key, fingerprint string) string {
	return credential.Conversation.Derive(s.Secret, scope, key, fingerprint)
}

// InboxLink finds the link with a secret.
func (s *Service) InboxLink(ctx context.Context, secret string) (*origin.InboxLink, error) {
	if s.Inboxes == nil {
		return nil, problem.Unavailable()
	}
	return findLink(ctx, s, s.Inboxes.LinksByLookup, func(l *origin.InboxLink) *origin.Credential { return &l.Credential }, secret)
}

// Join returns the request to join whose address has this secret.
func (s *Service) Join(ctx context.Context, secret string) (*origin.Join, error) {
	part := func(j *origin.Join) *origin.Credential {
		return &origin.Credential{Hash: j.Hash, State: "active", ExpiresAt: j.ExpiresAt}
	}
	return findLink(ctx, s, s.Joins.JoinsByLookup, part, secret)
}

// findLink finds what the secret of an address opens. A link always has an end.
func findLink[T any](ctx context.Context, s *Service, lookup func(context.Context, string) ([]T, error), part func(*T) *origin.Credential, secret string) (*T, error) {
	link, state, err := credential.Find(ctx, lookup, part, secret, exports.Instant(s.Now()))
	if err != nil {
		return nil, err
	}
	if state != "active" || part(link).ExpiresAt == "" {
		return nil, problem.New("not_found", "")
	}
	return link, nil
}
