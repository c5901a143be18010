// Package web serves pages about public facts to people: searches and lists,
// the rights check, forms that a link fills in, and the state of the service.
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
	Catalog      *catalog.Reader
	Pages        *shell.Pages
	Rights       Rights
	Limits       *limit.Limits
	Unregistered UnregisteredReader       // nil: unregistered pages are not looked at
	TextCode     func(text string) string // the ISCC Text-Code of a text, "" if it is too short; nil: only whole texts are found
	Now          func() time.Time
}

// UnregisteredReader reads what an unregistered page and its host now state
// about rights; ok is false if it cannot. It reaches no private address and
// obeys robots.txt.
type UnregisteredReader func(ctx context.Context, url string) (found []origin.Evidence, ok bool)

// Rights answers what is known about the uses of pages.
type Rights interface {
	// ParseQuestion reads a question out of the parameters of a call.
	ParseQuestion(c *request.Call) (*rightscheck.Question, error)
	// Answer answers a question.
	Answer(ctx context.Context, q *rightscheck.Question) (*exports.RightsAnswer, error)
}
