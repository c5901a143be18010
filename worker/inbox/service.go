// Package inbox serves publishers: the inbox of their inquiries, and the choice
// of letters about inquiries.
package inbox

import (
	"context"

	"colophon/internal/inquiry"
	"colophon/internal/origin"
	"colophon/worker/limit"
	"colophon/worker/shell"
)

// Service serves publishers that hold the private link of an inbox.
type Service struct {
	Inquiries inquiry.Service
	Sites     origin.SiteReader
	Links     Links
	Answers   Answers
	Reports   origin.UseReports
	Limits    *limit.Limits
	Pages     *shell.Pages
}

// Links finds what private links open.
type Links interface {
	// InboxLink finds the link with a secret.
	InboxLink(ctx context.Context, secret string) (*origin.InboxLink, error)
}

// Answers finds the texts that a publisher's answers begin with.
type Answers interface {
	// AnswersOf returns those of a publisher.
	AnswersOf(ctx context.Context, siteID string) ([]origin.Answer, error)
}

// Letters serves anyone who got a letter.
type Letters struct {
	Secret    []byte    // key of the links in letters
	Receivers Receivers // nil: no letters are sent
	Inquiries inquiry.Service
	Sites     origin.SiteReader
	Limits    *limit.Limits
	Pages     *shell.Pages
}

// Receivers are those who receive notifications.
type Receivers interface {
	// Webhook returns one receiver or origin.ErrNotFound.
	Webhook(ctx context.Context, webhookID string) (origin.Webhook, error)
	// PutWebhook adds or replaces one.
	PutWebhook(ctx context.Context, w origin.Webhook) error
}
