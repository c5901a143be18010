package worker

import (
	"context"
	"strings"

	"colophon/exports"
	"colophon/internal/inquiry"
	"colophon/internal/origin"
	"colophon/internal/wire"
	"colophon/worker/edge"
	"colophon/worker/limit"
	"colophon/worker/problem"
)

// caller is an authenticated partner.
type caller struct {
	origin.Partner
	key    origin.PartnerKey
	scopes []string // of the organization and the key alike
}

// partnerHandler makes a handler of one that needs a partner: it authenticates,
// checks the scope of the endpoint and counts the call.
func partnerHandler(h func(ctx context.Context, c *call, p *caller) (*edge.Response, error)) handler {
	return func(ctx context.Context, c *call) (*edge.Response, error) {
		p, err := c.authenticatePartner(ctx)
		if err != nil {
			return nil, c.deps.Limits.Refuse(ctx, c.Remote, err)
		}
		return c.deps.Limits.Answer(ctx, p.OrgID, []string{c.endpoint.Limits}, func() (*edge.Response, error) {
			if !exports.OneOf(c.endpoint.Scope, p.scopes) {
				f := problem.New("scope_missing", "This endpoint needs "+c.endpoint.Scope+".")
				f.More = []wire.Member{wire.M("required_scope", wire.String(c.endpoint.Scope))}
				f.Header.Set("www-authenticate", `Bearer realm="partner", error="insufficient_scope", scope="`+c.endpoint.Scope+`"`)
				return nil, f
			}
			return h(ctx, c, p)
		})
	}
}

// authenticatePartner finds whose key the caller presents. A key that was never
// issued is 401; one that exists but may not be used is 403.
func (c *call) authenticatePartner(ctx context.Context) (*caller, error) {
	secret, err := c.partnerSecret()
	if err != nil {
		return nil, err
	}
	if c.deps.PartnerKeys == nil {
		return nil, problem.Unavailable()
	}
	key, state, err := c.findKey(ctx, secret)
	if err != nil {
		return nil, err
	}
	p, err := c.deps.PartnerKeys.Partner(ctx, key.OrgID)
	if err != nil {
		return nil, err
	}
	switch {
	case p.State != "active":
		return nil, problem.New("partner_suspended", "")
	case state == "expired":
		return nil, unauthorizedError("credential_expired", `, error="invalid_token"`)
	case state != "active":
		return nil, problem.New("key_disabled", "The key is "+state+".")
	}
	return &caller{p, *key, commonScopes(p.Scopes, key.Scopes)}, nil
}

// partnerSecret takes the key out of either header.
func (c *call) partnerSecret() (string, error) {
	own := strings.TrimSpace(c.Header.Get("x-service-partner-key"))
	auth := strings.TrimSpace(c.Header.Get("authorization"))
	scheme, bearer, _ := strings.Cut(auth, " ")
	bearer = strings.TrimSpace(bearer)
	if auth != "" && (!strings.EqualFold(scheme, "bearer") || bearer == "") {
		return "", unauthorizedError("credential_invalid", `, error="invalid_token"`)
	}
	switch {
	case own == "" && bearer == "":
		return "", unauthorizedError("credential_missing", "")
	case own != "" && bearer != "" && !inquiry.Same(own, bearer), len(c.Header.Values("authorization")) > 1, len(c.Header.Values("x-service-partner-key")) > 1:
		return "", problem.New("conflicting_credentials", "")
	case own != "":
		return own, nil
	}
	return bearer, nil
}

func unauthorizedError(code, more string) error {
	f := problem.New(code, "")
	f.Header.Set("www-authenticate", `Bearer realm="partner"`+more)
	return f
}

// findKey finds the key with a secret, and how it stands now.
func (c *call) findKey(ctx context.Context, secret string) (key *origin.PartnerKey, state string, err error) {
	hash := inquiry.Digest(secret)
	keys, err := c.deps.PartnerKeys.KeysByLookup(ctx, inquiry.LookupOf(hash))
	if err != nil {
		return nil, "", err
	}
	part := func(k *origin.PartnerKey) *origin.Credential { return &k.Credential }
	key, state = inquiry.CheckCredential(keys, part, hash, exports.Instant(c.deps.Now()))
	if key == nil {
		return nil, "", unauthorizedError("credential_invalid", `, error="invalid_token"`)
	}
	return key, state, nil
}

// commonScopes are the scopes of an organization that a key has too; a key without
// scopes of its own has all of them.
func commonScopes(org, key []string) []string {
	if len(key) == 0 {
		return org
	}
	return intersectWords(org, key)
}

// intersectWords are the words of a that are in b too.
func intersectWords(a, b []string) []string {
	var out []string
	for _, word := range a {
		if exports.OneOf(word, b) {
			out = append(out, word)
		}
	}
	return out
}

func partnerStatus(ctx context.Context, c *call, p *caller) (*edge.Response, error) {
	s := exports.PartnerStatus{
		OrgID: p.OrgID, OrgName: p.Name, KeyID: p.key.KeyID, Label: p.key.Label, Last4: p.key.Last4, CreatedAt: p.key.CreatedAt,
		ExpiresAt: p.key.ExpiresAt, Scopes: p.scopes, Environment: p.key.Environment, ServerTime: exports.Instant(c.deps.Now()),
	}
	meter, counted := c.deps.Limits.Limiter.(limit.Meter)
	for _, policy := range []string{"partner", "intake"} {
		for _, q := range c.deps.Limits.Quotas(policy) {
			left := exports.QuotaLeft{Quota: q, Policy: policy, Remaining: -1, Reset: -1}
			if counted {
				left.Remaining, left.Reset = meter.Left(ctx, policy, p.OrgID, q)
			}
			s.Limits = append(s.Limits, left)
		}
	}
	return respondRecord(200, &s), nil
}
