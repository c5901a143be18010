// Package intake accepts inquiries and keeps their conversations: it checks who
// asks, counts requests, holds what looks like spam, and answers with JSON and
// with pages.
package intake

import (
	"context"

	"colophon/internal/inquiry"
	"colophon/internal/listing"
	"colophon/internal/origin"
	"colophon/internal/staticindex"
	"colophon/worker/files"
	"colophon/worker/limit"
	"colophon/worker/shell"
)

// Service takes inquiries.
type Service struct {
	Letters   bool            // letters are sent to those who inquire
	Inquiries inquiry.Service // without a store none are accepted
	Sites     origin.SiteReader
	Spam      *AntiSpam
	Tokens    Tokens
	Limits    *limit.Limits
	Files     *files.Service
	Log       func(line string) // nil: nothing is logged
}

// Tokens opens conversations.
type Tokens interface {
	// Conversation returns the request of a conversation for the holder of its
	// token.
	Conversation(ctx context.Context, remote, threadID, token string) (origin.Request, error)
	// DeriveToken returns the token of the conversation that a call begins.
	DeriveToken(scope, key, fingerprint string) string
}

// Forms accepts inquiries from forms, and answers with pages.
type Forms struct {
	*Service
	Pages   *shell.Pages
	Catalog Publishers
}

// Publishers finds publishers by their names.
type Publishers interface {
	// PartnerCatalog lists the publishers that match words.
	PartnerCatalog(ctx context.Context, ask staticindex.Ask, filter listing.PublisherFilter) (*listing.Publishers, error)
}
