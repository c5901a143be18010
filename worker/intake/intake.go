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
	"colophon/worker/access"
	"colophon/worker/files"
	"colophon/worker/limit"
	"colophon/worker/shell"
)

// Service takes inquiries.
type Service struct {
	BaseURL   string      // absolute, without a final slash
	Secret    []byte      // key of derived tokens and challenges
	ProofBits int         // difficulty of a proof of work; 0 means 18
	Letters   bool        // letters are sent to those who inquire
	Signers   access.Keys // of agents that sign their requests; nil: everyone must prove work

	Inquiries inquiry.Service // without a store none are accepted
	Sites     origin.SiteReader
	Counters  origin.Counters // nil: nothing is counted
	Tokens    Tokens
	Limits    *limit.Limits
	Files     *files.Service
	Log       func(line string) // nil: nothing is logged
}

// Tokens finds the requests of conversations.
type Tokens interface {
	// Conversation returns the request of a conversation for the holder of its
	// token.
	Conversation(ctx context.Context, remote, threadID, token string) (origin.Request, error)
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
