// Package web answers people with pages about what is public: searches and lists, the
// rights check, forms that a link fills in, and the state of the service.
package web

import (
	"context"
	"time"

	"colophon/exports"
	"colophon/internal/catalog"
	"colophon/internal/origin"
	"colophon/worker/limit"
	"colophon/worker/request"
	"colophon/worker/rightscheck"
	"colophon/worker/shell"
)

// Service answers with the pages.
type Service struct {
	Catalog      *catalog.Catalog
	Pages        *shell.Pages
	Rights       Rights
	Limits       *limit.Limits
	Unregistered UnregisteredReader       // nil: nobody looks at pages that are not registered
	TextCode     func(text string) string // the ISCC Text-Code of a text, "" too short for one; nil: texts are found only when they are whole
	Now          func() time.Time
}

// UnregisteredReader looks at what a page that nobody registered, and its host, state about
// rights now; not ok, nobody can look. It reaches no private address and obeys
// robots.txt.
type UnregisteredReader func(ctx context.Context, url string) (found []origin.Evidence, ok bool)

// Rights answers what is known about the uses of pages.
type Rights interface {
	// ParseQuestion reads a question out of the parameters of a call.
	ParseQuestion(c *request.Call) (*rightscheck.Question, error)
	// Answer answers a question.
	Answer(ctx context.Context, q *rightscheck.Question) (*exports.RightsAnswer, error)
}
