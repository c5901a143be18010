// Package joining accepts what people submit by form: sites to be listed, and
// buyers' requests. None of it is public before the operator approves it.
package joining

import (
	"context"
	"io"
	"time"

	"colophon/exports"
	"colophon/internal/origin"
	"colophon/worker/auth"
	"colophon/worker/edge"
	"colophon/worker/limit"
	"colophon/worker/shell"
)

// Service accepts sites and buyers' requests.
type Service struct {
	Joins  origin.Joins // nil: none are taken
	Needs  Needs        // nil: none are taken
	Keys   Keys
	Limits *limit.Limits
	Pages  *shell.Pages
	Look   LookAt // nil: the operator looks at sites
	Now    func() time.Time
	Rand   io.Reader // nil: nothing is accepted
}

// LookAt looks at a site that asks to be listed; ok is false if nothing can be
// looked at now. It reaches no private address.
type LookAt func(ctx context.Context, host string) (found exports.JoinFound, ok bool)

// Keys finds who sends a form.
type Keys interface {
	// Join finds the request to join of an address that has a secret.
	Join(ctx context.Context, secret string) (*origin.Join, error)
	// Partner finds the organization of a key.
	Partner(ctx context.Context, r *edge.Request) (*auth.Partner, error)
}

// Needs stores buyers' requests.
type Needs interface {
	// Demand lists every need by id, public or not.
	Demand(ctx context.Context) ([]origin.Demand, error)
	// PutDemand adds or replaces one.
	PutDemand(ctx context.Context, d origin.Demand) error
}
