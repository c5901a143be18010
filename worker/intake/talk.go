package intake

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"colophon/exports"
	"colophon/exports/inquiries"
	"colophon/internal/inquiry"
	"colophon/internal/origin"
	"colophon/internal/prose"
	"colophon/worker/edge"
	"colophon/worker/page"
	"colophon/worker/problem"
	"colophon/worker/request"
)

// ConversationPage answers with the conversation for a requester. The form
// brings its id, the token, and possibly a message.
func (s *Forms) ConversationPage(ctx context.Context, c *request.Call) (*edge.Response, error) {
	f, err := c.ParseForm(exports.MaxMessage)
	if err != nil {
		return nil, err
	}
	resp, err := s.openTalk(ctx, c, f)
	if fault := problem.Of(err); err != nil && fault != nil {
		none := page.NoTalk(exports.KindOf(fault.Code).Help, exports.PathConversationPage)
		return s.Pages.Problem(ctx, c.Request, fault, none), nil
	}
	return resp, err
}

// openTalk checks the token and counts the call for the conversation.
func (s *Forms) openTalk(ctx context.Context, c *request.Call, f request.Values) (*edge.Response, error) {
	if group := cmp.Or(f.Get("group_id"), f.Get("thread_id")); strings.HasPrefix(group, exports.PrefixGroup) {
		return s.groupPage(ctx, c, group, f.Get("token"))
	}
	r, err := s.Tokens.Conversation(ctx, c.Remote, f.Get("thread_id"), f.Get("token"))
	if err != nil {
		return nil, err
	}
	policies := []string{"thread"}
	if f.Get("kind") != "" {
		policies = append(policies, "thread-post")
	}
	return s.Limits.Answer(ctx, r.ThreadID, policies, func() (*edge.Response, error) { return s.handleTalk(ctx, r, f) })
}

func (s *Forms) handleTalk(ctx context.Context, r origin.Request, f request.Values) (*edge.Response, error) {
	var err error
	trouble, status := "", 200
	if kind := f.Get("kind"); kind != "" {
		if err := s.talkBack(ctx, r.RequestID, f); err != nil {
			fault := problem.Of(err)
			if fault == nil || exports.KindOf(fault.Code).Status >= 500 { // other words would not correct it
				return nil, err
			}
			trouble, status = exports.KindOf(fault.Code).Title+". "+exports.KindOf(fault.Code).Help, exports.KindOf(fault.Code).Status
		}
		if r, err = s.Inquiries.Store.Request(ctx, r.RequestID); err != nil {
			return nil, err
		}
	}
	t, err := s.readThread(ctx, r, 0, 500)
	if err != nil {
		return nil, err
	}
	site, err := s.Sites.Site(ctx, t.SiteID)
	if err != nil {
		return nil, err
	}
	publisher := cmp.Or(prose.Clean(site.Name, 120), t.SiteID)
	talk := page.Talk(page.TalkPage{
		Trouble: trouble, RequestID: t.RequestID, Publisher: publisher, PublisherPath: exports.PublisherPage(t.SiteID), State: page.StateWords(t.Status),
		Messages: page.MessageRows(t.Messages, "requester", publisher),
		Form:     page.TalkForm{Path: exports.PathConversationPage, ThreadID: t.ThreadID, Token: f.Get("token")},
		Acts:     talkActs(t.Allowed),
	})
	return s.Pages.Respond(ctx, status, "Private conversation", talk), nil
}

// talkBack posts what the form brings.
func (s *Forms) talkBack(ctx context.Context, requestID string, f request.Values) error {
	body := inquiries.NewMessage{Body: f.Get("body"), Kind: f.Get("kind"), ClientMessageID: f.Get("client_message_id")}
	if err := inquiry.Check(&body); err != nil {
		return err
	}
	_, _, _, err := s.Inquiries.PostMessage(ctx, requestID, inquiry.MessageDraft{
		By: inquiry.Requester, Kind: inquiry.Act(body.Kind), Body: body.Body, ClientID: body.ClientMessageID,
	})
	return err
}

// talkActs returns what a requester may do now; answering comes before sending
// a message.
func talkActs(allowed []string) []page.TalkAct {
	var acts []page.TalkAct
	for _, kind := range allowed {
		switch {
		case kind == "answer":
			acts = append(acts, page.TalkAct{Kind: kind, Writes: "answer"})
		case kind == "text" && !slices.Contains(allowed, "answer"):
			acts = append(acts, page.TalkAct{Kind: kind, Writes: "message"})
		case kind == "withdraw":
			acts = append(acts, page.TalkAct{Kind: kind})
		}
	}
	return acts
}
