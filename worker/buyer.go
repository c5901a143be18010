package worker

import (
	"context"
	"errors"
	"strings"

	"colophon/exports"
	"colophon/internal/inquiry"
	"colophon/internal/origin"
	"colophon/internal/rights"
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
		access, err := c.identifyBuyer(ctx)
		if err != nil {
			return nil, c.deps.Limits.Refuse(ctx, c.Remote, err)
		}
		policy := c.endpoint.Limits
		if c.query.get("fields") == "meta" {
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

// identifyBuyer finds the credential that the call brings, and what it opens.
func (c *call) identifyBuyer(ctx context.Context) (*origin.Access, error) {
	secret, err := c.bearerToken()
	if err != nil {
		return nil, err
	}
	access, err := findAccess(ctx, c.deps, secret)
	return access, addChallenge(err)
}

// bearerToken takes the token out of the Authorization header.
func (c *call) bearerToken() (string, error) {
	auth := c.Header.Values("authorization")
	if len(auth) == 0 || strings.TrimSpace(auth[0]) == "" {
		return "", addChallenge(problem.New("credential_missing", ""))
	}
	scheme, token, _ := strings.Cut(strings.TrimSpace(auth[0]), " ")
	if token = strings.TrimSpace(token); len(auth) > 1 || !strings.EqualFold(scheme, "bearer") || token == "" {
		return "", addChallenge(problem.New("credential_invalid", ""))
	}
	return token, nil
}

// addChallenge adds to a refusal of a credential how to send one.
func addChallenge(err error) error {
	var f *problem.Failure
	if !errors.As(err, &f) || exports.KindOf(f.Code).Status != 401 {
		return err
	}
	more := ""
	if f.Code != "credential_missing" {
		more = `, error="invalid_token"`
	}
	f.Header.Set("www-authenticate", `Bearer realm="buyer"`+more)
	return f
}

// findAccess finds the active credential with a secret, and what it opens. One
// that was never issued and one that was revoked are the same:
// credential_invalid. Only who holds a suspended or expired one learns that it
// is that: key_disabled, credential_expired.
func findAccess(ctx context.Context, d *Deps, secret string) (*origin.Access, error) {
	hash := inquiry.Digest(secret)
	list, err := d.Buyers.AccessByLookup(ctx, inquiry.LookupOf(hash))
	if err != nil {
		return nil, err
	}
	part := func(a *origin.Access) *origin.Credential { return &a.Credential.Credential }
	found, state := inquiry.CheckCredential(list, part, hash, exports.Instant(d.Now()))
	switch state {
	case "active":
		return found, nil
	case "suspended":
		return nil, problem.New("key_disabled", "The credential is suspended.")
	case "expired":
		return nil, problem.New("credential_expired", "")
	}
	return nil, problem.New("credential_invalid", "")
}

// placeParameter is the parameter in which the caller sent where to go on.
func (c *call) placeParameter() string {
	for _, name := range []string{"cursor", "since", "snapshot"} {
		if c.query.get(name) != "" {
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
		return addChallenge(problem.New("credential_invalid", ""))
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
	found, err := findAccess(ctx, b.d, credential)
	if err != nil {
		var f *problem.Failure
		if errors.As(err, &f) && exports.KindOf(f.Code).Status < 500 {
			err = nil
		}
		return nil, false, err
	}
	return rights.GrantsAt(&found.Buyer, found.Grants, siteID), true, nil
}
