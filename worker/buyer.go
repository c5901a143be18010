package worker

import (
	"context"
	"errors"

	"colophon/exports"
	"colophon/internal/rights"
	"colophon/worker/auth"
	"colophon/worker/delivery"
	"colophon/worker/edge"
	"colophon/worker/problem"
)

// newDelivery is where licensed items are asked for, or nil when this server has
// none.
func newDelivery(d *Deps) *delivery.Service {
	if d.Buyers == nil || d.Delivery == nil || d.Bodies == nil {
		return nil
	}
	return &delivery.Service{
		Buyers: d.Buyers, Store: d.Delivery, Bodies: rights.NewBodyStore(d.Bodies, d.Objects, d.Now), Now: d.Now, Rand: d.Rand, Signer: d.Signer, Budget: d.Budget,
	}
}

// buyerHandler makes a handler of one that needs a buyer. The credential only names
// the buyer; what it may have is decided item by item.
func buyerHandler(h func(ctx context.Context, c *call, s *delivery.Session) (*edge.Response, error)) handler {
	return func(ctx context.Context, c *call) (*edge.Response, error) {
		if c.deps.licensed == nil {
			return nil, problem.Unavailable()
		}
		at := c.deps.Now()
		access, err := c.deps.auth.Buyer(ctx, c.Request)
		if err != nil {
			return nil, c.deps.Limits.Refuse(ctx, c.Remote, err)
		}
		policy := c.Endpoint.Limits
		if c.Values.Get("fields") == "meta" {
			policy = "gateway"
		}
		return c.deps.Limits.Answer(ctx, access.Credential.BuyerID, []string{policy}, func() (*edge.Response, error) {
			s, err := c.deps.licensed.Begin(ctx, access, at)
			if err != nil {
				return nil, c.deliveryError(err)
			}
			resp, err := h(ctx, c, s)
			return resp, c.deliveryError(err)
		})
	}
}

// placeParameter is the parameter in which the caller sent where to go on.
func (c *call) placeParameter() string {
	for _, name := range []string{"cursor", "since", "snapshot"} {
		if c.Values.Get(name) != "" {
			return name
		}
	}
	return "cursor"
}

// deliveryError gives the errors of the delivery their codes; that there is no right
// becomes an access response.
func (c *call) deliveryError(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, delivery.ErrCredential):
		return auth.Challenge(problem.New("credential_invalid", ""))
	case errors.Is(err, delivery.ErrInactive):
		return c.denyBuyer()
	case errors.Is(err, delivery.ErrCursor):
		return problem.InvalidParam(c.placeParameter(), "is not one of this question")
	case errors.Is(err, delivery.ErrExpired), errors.Is(err, delivery.ErrSnapshotGone):
		code := "cursor_expired"
		if errors.Is(err, delivery.ErrSnapshotGone) {
			code = "snapshot_gone"
		}
		f := problem.New(code, "Begin again with a new snapshot.")
		f.Header.Add("link", "<"+exports.PathDeliverySnapshots+`>; rel="start"`)
		return f
	case errors.Is(err, delivery.ErrBusy):
		return &problem.Failure{Code: "overloaded", Retry: 1}
	case errors.Is(err, delivery.ErrTooMany):
		return problem.New("not_implemented", "There are more items than a snapshot can list on this server. Ask for the delta without since: it begins at the beginning.")
	case errors.Is(err, delivery.ErrKeyReused):
		return problem.New("idempotency_conflict", "")
	}
	return err
}

// buyerGrants tells a rights check what the holder of a credential has.
type buyerGrants struct{ d *Deps }

// GrantsOf lists the grants that bear on a site.
func (b buyerGrants) GrantsOf(ctx context.Context, credential, siteID string) ([]rights.Grant, bool, error) {
	found, err := b.d.auth.Access(ctx, credential)
	if err != nil {
		var f *problem.Failure
		if errors.As(err, &f) && exports.KindOf(f.Code).Status < 500 {
			err = nil
		}
		return nil, false, err
	}
	return rights.GrantsAt(&found.Buyer, found.Grants, siteID), true, nil
}
