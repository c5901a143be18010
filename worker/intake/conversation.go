package intake

import (
	"context"
	"strconv"

	"colophon/exports"
	"colophon/exports/inquiries"
	"colophon/internal/credential"
	"colophon/internal/inquiry"
	"colophon/internal/origin"
	"colophon/internal/paging"
	"colophon/worker/edge"
	"colophon/worker/problem"
	"colophon/worker/request"
)

// Conversation shows the messages after the cursor.
func (s *Service) Conversation(ctx context.Context, c *request.Call, r origin.Request) (*edge.Response, error) {
	after, err := c.CursorNumber("messages")
	if err != nil {
		return nil, err
	}
	t, err := s.readThread(ctx, r, after, int(c.Values.Integer("limit", 50)))
	if err != nil {
		return nil, err
	}
	return request.Record(200, &t), nil
}

// readThread reads a conversation from a message on.
func (s *Service) readThread(ctx context.Context, r origin.Request, after int64, limit int) (inquiries.Thread, error) {
	messages, err := s.Inquiries.Store.MessagesOf(ctx, r.ThreadID, after, limit+1)
	if err != nil {
		return inquiries.Thread{}, err
	}
	next := ""
	if len(messages) > limit {
		messages = messages[:limit]
		if limit > 0 {
			next = paging.Keyset("messages", strconv.FormatInt(messages[limit-1].Seq, 10))
		}
	}
	moves, err := s.Inquiries.Store.History(ctx, r.RequestID)
	if err != nil {
		return inquiries.Thread{}, err
	}
	site, err := s.Sites.Site(ctx, r.SiteID)
	if err != nil {
		return inquiries.Thread{}, err
	}
	t := inquiry.Thread(r, site, messages, moves, s.Inquiries.Now())
	t.Limit, t.NextCursor = int64(limit), next
	if r.Successor != "" {
		if next, err := s.Inquiries.Store.Request(ctx, r.Successor); err == nil {
			t.SuccessorAt = next.ThreadID
		}
	}
	return t, nil
}

// Procurement answers with the state of a conversation for a buyer's
// procurement department.
func (s *Service) Procurement(ctx context.Context, c *request.Call, r origin.Request) (*edge.Response, error) {
	site, err := s.Sites.Site(ctx, r.SiteID)
	if err != nil {
		return nil, err
	}
	terms, err := s.Inquiries.Store.LastOfKind(ctx, r.ThreadID, string(inquiry.IndicativeTerms), 10)
	if err != nil {
		return nil, err
	}
	questions, err := s.Inquiries.Store.LastOfKind(ctx, r.ThreadID, string(inquiry.Question), 20)
	if err != nil {
		return nil, err
	}
	p := inquiry.Procurement(r, site, s.publishedOffers(ctx, r.SiteID), terms, questions)
	return request.Record(200, &p), nil
}

// publishedOffers returns the published offers of a publisher, leaving out
// those that cannot be read.
func (s *Service) publishedOffers(ctx context.Context, siteID string) []string {
	r, err := s.Files.ReadPublisher(ctx, siteID)
	if err != nil {
		return nil
	}
	return r.Offers
}

// PostMessage adds a message, withdraws the request or changes the token.
func (s *Service) PostMessage(ctx context.Context, c *request.Call, r origin.Request) (*edge.Response, error) {
	var body inquiries.NewMessage
	if _, err := c.DecodeBody(&body, exports.MaxMessage); err != nil {
		return nil, err
	}
	if body.Kind == string(inquiry.RotateToken) {
		return s.rotateToken(ctx, r)
	}
	m, after, replayed, err := s.Inquiries.PostMessage(ctx, r.RequestID, inquiry.MessageDraft{
		By: inquiry.Requester, Kind: inquiry.Act(body.Kind), ByAgent: body.AuthorKind == "agent", Body: body.Body,
		InReplyTo: body.InReplyTo, ClientID: body.ClientMessageID,
	})
	if err != nil {
		return nil, err
	}
	p := inquiries.PostedMessage{
		Message: inquiry.Message(m), ThreadID: r.ThreadID, Status: inquiry.State(after.State).Visible(), Allowed: inquiry.Actions(after, inquiry.Requester),
	}
	if replayed {
		return request.Record(200, &p), nil
	}
	resp := request.Record(201, &p)
	resp.Header.Set("location", inquiries.ConversationPath(r.ThreadID))
	return resp, nil
}

// rotateToken replaces the token in use by a new one.
func (s *Service) rotateToken(ctx context.Context, r origin.Request) (*edge.Response, error) {
	if _, ok := inquiry.Next(inquiry.State(r.State), inquiry.Requester, inquiry.RotateToken); !ok {
		return nil, inquiry.ErrClosed
	}
	token, err := credential.Conversation.New(s.Inquiries.Rand)
	if err != nil {
		return nil, err
	}
	expires := exports.Instant(s.Inquiries.Now().AddDate(0, 0, inquiry.TokenDays))
	done, err := s.Inquiries.Store.ReplaceToken(ctx, r.ThreadID, r.TokenHash, credential.Digest(token), expires)
	if err != nil {
		return nil, err
	}
	if !done {
		return nil, problem.New("thread_not_found", "") // another call was first
	}
	return request.Record(201, &inquiries.RotatedToken{Conversation: inquiries.Conversation{ThreadID: r.ThreadID, Token: token, ExpiresAt: expires}}), nil
}

// Handler answers whoever holds the token of a conversation.
type Handler func(ctx context.Context, c *request.Call, r origin.Request) (*edge.Response, error)

// Open returns a handler that checks the token of a conversation and counts the
// call against policies, before it calls h.
func (s *Service) Open(h Handler, policies ...string) request.Handler {
	return func(ctx context.Context, c *request.Call) (*edge.Response, error) {
		thread := c.Params["thread_id"]
		r, err := s.Tokens.Conversation(ctx, c.Remote, thread, c.Header.Get("x-conversation-token"))
		if err != nil {
			return nil, err
		}
		return s.Limits.Answer(ctx, thread, policies, func() (*edge.Response, error) { return h(ctx, c, r) })
	}
}
