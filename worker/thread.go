package worker

import (
	"context"
	"strconv"

	"colophon/exports"
	"colophon/internal/inquiry"
	"colophon/internal/origin"
	"colophon/worker/edge"
	"colophon/worker/problem"
	"colophon/worker/request"
)

// conversationHandler makes a handler of one that needs the token of a conversation.
func conversationHandler(h func(ctx context.Context, c *call, r origin.Request) (*edge.Response, error)) handler {
	return func(ctx context.Context, c *call) (*edge.Response, error) {
		thread := c.Params["thread_id"]
		r, err := c.deps.auth.Conversation(ctx, c.Remote, thread, c.Header.Get("x-conversation-token"))
		if err != nil {
			return nil, err
		}
		return c.deps.Limits.Answer(ctx, thread, []string{"thread"}, func() (*edge.Response, error) { return h(ctx, c, r) })
	}
}

// getConversation shows the messages after the cursor.
func getConversation(ctx context.Context, c *call, r origin.Request) (*edge.Response, error) {
	after, err := c.cursorNumber("messages")
	if err != nil {
		return nil, err
	}
	t, err := c.readThread(ctx, r, after, int(c.Values.Integer("limit", 50)))
	if err != nil {
		return nil, err
	}
	return request.Record(200, &t), nil
}

// readThread reads a conversation from a message on.
func (c *call) readThread(ctx context.Context, r origin.Request, after int64, limit int) (exports.Thread, error) {
	messages, err := c.deps.Inquiries.MessagesOf(ctx, r.ThreadID, after, limit+1)
	if err != nil {
		return exports.Thread{}, err
	}
	next := ""
	if len(messages) > limit {
		messages = messages[:limit]
		if limit > 0 {
			next = placeAfter("messages", strconv.FormatInt(messages[limit-1].Seq, 10))
		}
	}
	moves, err := c.deps.Inquiries.History(ctx, r.RequestID)
	if err != nil {
		return exports.Thread{}, err
	}
	site, err := c.deps.Sites.Site(ctx, r.SiteID)
	if err != nil {
		return exports.Thread{}, err
	}
	t := inquiry.Thread(r, site, messages, moves, c.deps.Now())
	t.Limit, t.NextCursor = int64(limit), next
	if r.Successor != "" {
		if s, err := c.deps.Inquiries.Request(ctx, r.Successor); err == nil {
			t.SuccessorAt = s.ThreadID
		}
	}
	return t, nil
}

// procurementView shows where a conversation stands to a buyer's procurement.
func procurementView(ctx context.Context, c *call, r origin.Request) (*edge.Response, error) {
	site, err := c.deps.Sites.Site(ctx, r.SiteID)
	if err != nil {
		return nil, err
	}
	terms, err := c.deps.Inquiries.LastOfKind(ctx, r.ThreadID, string(inquiry.IndicativeTerms), 10)
	if err != nil {
		return nil, err
	}
	questions, err := c.deps.Inquiries.LastOfKind(ctx, r.ThreadID, string(inquiry.Question), 20)
	if err != nil {
		return nil, err
	}
	p := inquiry.Procurement(r, site, c.publishedOffers(ctx, r.SiteID), terms, questions)
	return request.Record(200, &p), nil
}

// publishedOffers are the published offers of a publisher; what cannot be read is none.
func (c *call) publishedOffers(ctx context.Context, siteID string) []string {
	r, err := published{c.deps.Assets}.readPublisher(ctx, siteID)
	if err != nil {
		return nil
	}
	return r.Offers
}

// postMessage adds a message, withdraws the request or changes the token.
func postMessage(ctx context.Context, c *call) (*edge.Response, error) {
	thread := c.Params["thread_id"]
	r, err := c.deps.auth.Conversation(ctx, c.Remote, thread, c.Header.Get("x-conversation-token"))
	if err != nil {
		return nil, err
	}
	return c.deps.Limits.Answer(ctx, thread, []string{"thread", "thread-post"}, func() (*edge.Response, error) {
		var body exports.NewMessage
		if _, err := c.DecodeBody(&body, exports.MaxMessage); err != nil {
			return nil, err
		}
		if body.Kind == string(inquiry.RotateToken) {
			return c.rotateToken(ctx, r)
		}
		return c.postMessage(ctx, r, &body)
	})
}

func (c *call) postMessage(ctx context.Context, r origin.Request, body *exports.NewMessage) (*edge.Response, error) {
	desk, err := c.inquiryService()
	if err != nil {
		return nil, err
	}
	m, after, replayed, err := desk.PostMessage(ctx, r.RequestID, inquiry.MessageDraft{
		By: inquiry.Requester, Kind: inquiry.Act(body.Kind), ByAgent: body.AuthorKind == "agent", Body: body.Body,
		InReplyTo: body.InReplyTo, ClientID: body.ClientMessageID,
	})
	if err != nil {
		return nil, err
	}
	p := exports.PostedMessage{
		Message: inquiry.Message(m), ThreadID: r.ThreadID, Status: inquiry.State(after.State).Visible(), Allowed: inquiry.Actions(after, inquiry.Requester),
	}
	if replayed {
		return request.Record(200, &p), nil
	}
	resp := request.Record(201, &p)
	resp.Header.Set("location", exports.ConversationPath(r.ThreadID))
	return resp, nil
}

// rotateToken puts a new token in the place of the one in use.
func (c *call) rotateToken(ctx context.Context, r origin.Request) (*edge.Response, error) {
	if _, ok := inquiry.Next(inquiry.State(r.State), inquiry.Requester, inquiry.RotateToken); !ok {
		return nil, inquiry.ErrClosed
	}
	token, _, hash, err := inquiry.NewSecret(c.deps.Rand, inquiry.PrefixToken)
	if err != nil {
		return nil, err
	}
	expires := exports.Instant(c.deps.Now().AddDate(0, 0, inquiry.TokenDays))
	done, err := c.deps.Inquiries.ReplaceToken(ctx, r.ThreadID, r.TokenHash, hash, expires)
	if err != nil {
		return nil, err
	}
	if !done {
		return nil, problem.New("thread_not_found", "") // another call was first
	}
	return request.Record(201, &exports.RotatedToken{Conversation: exports.Conversation{ThreadID: r.ThreadID, Token: token, ExpiresAt: expires}}), nil
}
