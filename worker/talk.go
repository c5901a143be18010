package worker

import (
	"cmp"
	"context"
	"strings"

	"colophon/exports"
	"colophon/internal/inquiry"
	"colophon/internal/origin"
	"colophon/worker/edge"
	"colophon/worker/page"
	"colophon/worker/problem"
	"colophon/worker/request"
)

// talkPage is the conversation for a requester: a form brings its id, the
// token, and perhaps a message.
func talkPage(ctx context.Context, c *call) (*edge.Response, error) {
	f, err := c.ParseForm(exports.MaxMessage)
	if err != nil {
		return nil, err
	}
	resp, err := c.openTalk(ctx, f)
	if fault := problem.Of(err); err != nil && fault != nil {
		none := page.NoTalk(exports.KindOf(fault.Code).Help, exports.PathConversationPage)
		return c.problemPage(ctx, fault, none), nil
	}
	return resp, err
}

// openTalk judges the token and counts the call for the conversation.
func (c *call) openTalk(ctx context.Context, f request.Form) (*edge.Response, error) {
	if group := cmp.Or(f.Get("group_id"), f.Get("thread_id")); strings.HasPrefix(group, exports.PrefixGroup) {
		return c.groupPage(ctx, group, f.Get("token"))
	}
	r, err := c.deps.auth.Conversation(ctx, c.Remote, f.Get("thread_id"), f.Get("token"))
	if err != nil {
		return nil, err
	}
	policies := []string{"thread"}
	if f.Get("kind") != "" {
		policies = append(policies, "thread-post")
	}
	return c.deps.Limits.Answer(ctx, r.ThreadID, policies, func() (*edge.Response, error) { return c.handleTalk(ctx, r, f) })
}

func (c *call) handleTalk(ctx context.Context, r origin.Request, f request.Form) (*edge.Response, error) {
	var err error
	trouble, status := "", 200
	if kind := f.Get("kind"); kind != "" {
		if err := c.talkBack(ctx, r.RequestID, f); err != nil {
			fault := problem.Of(err)
			if fault == nil || exports.KindOf(fault.Code).Status >= 500 { // nothing that other words would mend
				return nil, err
			}
			trouble, status = exports.KindOf(fault.Code).Title+". "+exports.KindOf(fault.Code).Help, exports.KindOf(fault.Code).Status
		}
		if r, err = c.deps.Inquiries.Request(ctx, r.RequestID); err != nil {
			return nil, err
		}
	}
	t, err := c.readThread(ctx, r, 0, 500)
	if err != nil {
		return nil, err
	}
	publisher, err := c.siteName(ctx, t.SiteID)
	if err != nil {
		return nil, err
	}
	talk := page.Talk(page.TalkPage{
		Trouble: trouble, RequestID: t.RequestID, Publisher: publisher, PublisherPath: exports.PublisherPage(t.SiteID), State: stateWords(t.Status),
		Messages: messagesShown(t.Messages, "requester", publisher),
		Form:     page.TalkForm{Path: exports.PathConversationPage, ThreadID: t.ThreadID, Token: f.Get("token")},
		Acts:     talkActs(t.Allowed),
	})
	return c.respondPage(ctx, status, "Private conversation", talk), nil
}

// talkBack posts what the form brings.
func (c *call) talkBack(ctx context.Context, requestID string, f request.Form) error {
	body := exports.NewMessage{Body: f.Get("body"), Kind: f.Get("kind"), ClientMessageID: f.Get("client_message_id")}
	if err := inquiry.Check(&body); err != nil {
		return err
	}
	desk, err := c.inquiryService()
	if err != nil {
		return err
	}
	_, _, _, err = desk.PostMessage(ctx, requestID, inquiry.MessageDraft{
		By: inquiry.Requester, Kind: inquiry.Act(body.Kind), Body: body.Body, ClientID: body.ClientMessageID,
	})
	return err
}

// stateWords are the states in plain words.
func stateWords(status string) string {
	switch status {
	case "received":
		return "Received; the operator reviews it before the publisher gets it"
	case "delivered":
		return "With the publisher, not read yet"
	case "in_review":
		return "The publisher is looking at it"
	case "info_requested":
		return "The publisher asked a question"
	case "in_discussion":
		return "In discussion"
	case "terms_indicated":
		return "The publisher proposed terms (non-binding)"
	case "referred":
		return "Continues in the publisher's own process"
	case "declined":
		return "Declined by the publisher"
	case "withdrawn":
		return "Withdrawn"
	case "expired":
		return "Expired without an answer"
	case "transferred":
		return "Transferred to another publisher"
	}
	return "Closed"
}

// messagesShown are messages as a page shows them to one side of the
// conversation; other is the name of the other side.
func messagesShown(list []exports.Message, reader, other string) []page.Message {
	shown := make([]page.Message, len(list))
	for i := range list {
		x := &list[i]
		shown[i] = page.Message{
			Own: x.AuthorRole == reader, Who: authorWords(x, reader, other),
			At: x.At, Moment: exports.Moment(x.At), Kind: kindWords(x.Kind), Body: exports.CleanLines(x.Body), Terms: termsWords(x.Terms),
		}
	}
	return shown
}

// authorWords tells who wrote, and whether an agent did.
func authorWords(x *exports.Message, reader, other string) string {
	who := other
	switch x.AuthorRole {
	case reader:
		who = "You"
	case "system":
		who = "Service"
	}
	if x.AuthorKind == "agent" {
		who += ", by an agent"
	}
	return who
}

func kindWords(kind string) string {
	switch kind {
	case "text":
		return ""
	case "indicative_terms":
		return "proposed terms (non-binding)"
	}
	return kind
}

// talkActs are what a requester may do now: an answer goes before a message.
func talkActs(allowed []string) []page.TalkAct {
	var acts []page.TalkAct
	for _, kind := range allowed {
		switch {
		case kind == "answer":
			acts = append(acts, page.TalkAct{Kind: kind, Writes: "answer"})
		case kind == "text" && !exports.OneOf("answer", allowed):
			acts = append(acts, page.TalkAct{Kind: kind, Writes: "message"})
		case kind == "withdraw":
			acts = append(acts, page.TalkAct{Kind: kind})
		}
	}
	return acts
}
