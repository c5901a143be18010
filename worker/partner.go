package worker

import (
	"context"

	"colophon/exports"
	"colophon/internal/wire"
	"colophon/worker/auth"
	"colophon/worker/edge"
	"colophon/worker/limit"
	"colophon/worker/problem"
	"colophon/worker/request"
)

// partnerHandler makes a handler of one that needs a partner: it authenticates,
// checks the scope of the endpoint and counts the call.
func partnerHandler(h func(ctx context.Context, c *call, p *auth.Partner) (*edge.Response, error)) handler {
	return func(ctx context.Context, c *call) (*edge.Response, error) {
		p, err := c.deps.auth.Partner(ctx, c.Request)
		if err != nil {
			return nil, c.deps.Limits.Refuse(ctx, c.Remote, err)
		}
		return c.deps.Limits.Answer(ctx, p.OrgID, []string{c.Endpoint.Limits}, func() (*edge.Response, error) {
			if !exports.OneOf(c.Endpoint.Scope, p.Scopes) {
				f := problem.New("scope_missing", "This endpoint needs "+c.Endpoint.Scope+".")
				f.More = []wire.Member{wire.M("required_scope", wire.String(c.Endpoint.Scope))}
				f.Header.Set("www-authenticate", `Bearer realm="partner", error="insufficient_scope", scope="`+c.Endpoint.Scope+`"`)
				return nil, f
			}
			return h(ctx, c, p)
		})
	}
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

func partnerStatus(ctx context.Context, c *call, p *auth.Partner) (*edge.Response, error) {
	s := exports.PartnerStatus{
		OrgID: p.OrgID, OrgName: p.Name, KeyID: p.Key.KeyID, Label: p.Key.Label, Last4: p.Key.Last4, CreatedAt: p.Key.CreatedAt,
		ExpiresAt: p.Key.ExpiresAt, Scopes: p.Scopes, Environment: p.Key.Environment, ServerTime: exports.Instant(c.deps.Now()),
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
	return request.Record(200, &s), nil
}
