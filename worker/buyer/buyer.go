// Package buyer serves buyers: the endpoints of the delivery, and the tools of
// the gateway for the Model Context Protocol. A credential only identifies the
// buyer; internal/delivery decides item by item what it may have.
package buyer

import (
	"context"
	"errors"
	"time"

	"colophon/internal/delivery"
	"colophon/internal/origin"
	"colophon/internal/usereport"
	"colophon/internal/wire"
	"colophon/worker/access"
	"colophon/worker/edge"
	"colophon/worker/limit"
	"colophon/worker/problem"
	"colophon/worker/request"
)

// Service answers buyers.
type Service struct {
	BaseURL  string            // absolute, without a final slash
	Delivery *delivery.Service // nil if there is no licensed content
	Keys     Keys
	Limits   *limit.Limits
	Reports  usereport.Service
	Now      func() time.Time
	Log      func(line string) // nil: nothing is logged
}

// Keys finds what credentials open.
type Keys interface {
	// Buyer finds the credential that a request brings.
	Buyer(ctx context.Context, r *edge.Request) (*origin.Access, error)
	// Access finds a credential by its secret.
	Access(ctx context.Context, secret string) (*origin.Access, error)
}

// ReportUse answers POST /v1/rag-delivery/use-reports. It needs a credential and
// no grant, which may have ended since the use.
func (b *Service) ReportUse(ctx context.Context, c *request.Call) (*edge.Response, error) {
	if b.Delivery == nil {
		return nil, problem.Unavailable()
	}
	access, err := b.Keys.Buyer(ctx, c.Request)
	if err != nil {
		return nil, b.Limits.Refuse(ctx, c.Remote, err)
	}
	id := access.Credential.BuyerID
	return b.Limits.Answer(ctx, id, []string{c.Endpoint.Limits}, func() (*edge.Response, error) {
		return request.ReceiveUse(ctx, c, b.Reports, usereport.Reporter{Kind: "buyer", ID: id})
	})
}

// Handler answers a buyer within a session of the delivery.
type Handler func(ctx context.Context, c *request.Call, s *delivery.Session) (*edge.Response, error)

// Identify returns a handler that finds the buyer, counts the call and begins a
// session for h.
func (b *Service) Identify(h Handler) request.Handler {
	return func(ctx context.Context, c *request.Call) (*edge.Response, error) {
		if b.Delivery == nil {
			return nil, problem.Unavailable()
		}
		at := b.Now()
		access, err := b.Keys.Buyer(ctx, c.Request)
		if err != nil {
			return nil, b.Limits.Refuse(ctx, c.Remote, err)
		}
		policy := c.Endpoint.Limits
		if c.Values.Get("fields") == "meta" {
			policy = "gateway"
		}
		return b.Limits.Answer(ctx, access.Credential.BuyerID, []string{policy}, func() (*edge.Response, error) {
			s, err := b.Delivery.Begin(ctx, access, at)
			if err != nil {
				return nil, b.explain(err, c.Values.Get("use"))
			}
			resp, err := h(ctx, c, s)
			return resp, b.explain(err, c.Values.Get("use"))
		})
	}
}

// explain turns the absence of a right into an access response; use is the word
// of the request. Other errors are left to package problem.
func (b *Service) explain(err error, use string) error {
	if errors.Is(err, delivery.ErrInactive) {
		return b.deny(use, "")
	}
	return err
}

// deny returns the refusal of a buyer without a right, with the routes to one.
// It reveals nothing about what exists; resource is the public address of what
// was asked for, "" if that is not public.
func (b *Service) deny(use, resource string) *problem.Failure {
	x := access.OfBuyer(b.BaseURL, resource, use)
	f := problem.New(x.Code, "No active grant covers this for "+string(x.Use)+".")
	x.Headers(&f.Header)
	f.More = []wire.Member{wire.M("access_response", x.AccessResponse())}
	return f
}
