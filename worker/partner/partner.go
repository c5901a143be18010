// Package partner serves partners, which are organizations that hold a key
// issued by the operator.
package partner

import (
	"context"
	"slices"
	"time"

	"colophon/exports"
	"colophon/exports/inquiries"
	"colophon/internal/listing"
	"colophon/internal/origin"
	"colophon/internal/staticindex"
	"colophon/internal/usereport"
	"colophon/internal/wire"
	"colophon/worker/auth"
	"colophon/worker/edge"
	"colophon/worker/files"
	"colophon/worker/limit"
	"colophon/worker/problem"
	"colophon/worker/request"
)

// Service answers partners.
type Service struct {
	Keys     Keys
	Limits   *limit.Limits
	Catalog  Catalog
	Files    *files.Service
	Requests Requests
	Intake   Intake
	Reports  usereport.Service
	Now      func() time.Time
}

// Keys finds organizations by their keys, and makes tokens for them.
type Keys interface {
	// Partner finds the organization of a key.
	Partner(ctx context.Context, r *edge.Request) (*auth.Partner, error)
	// DeriveToken returns the token of the conversation that a call begins.
	DeriveToken(scope, key, fingerprint string) string
}

// Catalog finds publishers.
type Catalog interface {
	// PartnerCatalog lists the publishers that match.
	PartnerCatalog(ctx context.Context, ask staticindex.Ask, filter listing.PublisherFilter) (*listing.Publishers, error)
}

// Requests reads the requests of organizations.
type Requests interface {
	Request(ctx context.Context, requestID string) (origin.Request, error)
	RequestsOf(ctx context.Context, f origin.RequestFilter) ([]origin.Request, error)
	CountRequests(ctx context.Context, f origin.RequestFilter) (int64, error)
	History(ctx context.Context, requestIDs ...string) ([]origin.Move, error)
}

// Intake accepts requests.
type Intake interface {
	// Ready returns an error if no requests are accepted here.
	Ready() error
	// CheckSite returns an error if a publisher does not accept requests.
	CheckSite(ctx context.Context, siteID string) error
	// Submit stores and delivers a request that passes check. It answers a
	// retry from the stored request, which replaces r.
	Submit(ctx context.Context, r *origin.Request, check func() error) (replayed bool, err error)
}

// Handler answers an organization.
type Handler func(ctx context.Context, c *request.Call, p *auth.Partner) (*edge.Response, error)

// Identify returns a handler that finds the partner, checks the scope that the
// endpoint needs and counts the call, before it calls h.
func (s *Service) Identify(h Handler) request.Handler {
	return func(ctx context.Context, c *request.Call) (*edge.Response, error) {
		p, err := s.Keys.Partner(ctx, c.Request)
		if err != nil {
			return nil, s.Limits.Refuse(ctx, c.Remote, err)
		}
		return s.Limits.Answer(ctx, p.OrgID, []string{c.Endpoint.Limits}, func() (*edge.Response, error) {
			if !slices.Contains(p.Scopes, c.Endpoint.Scope) {
				f := problem.New("scope_missing", "This endpoint needs "+c.Endpoint.Scope+".")
				f.More = []wire.Member{wire.M("required_scope", wire.String(c.Endpoint.Scope))}
				f.Header.Set("www-authenticate", `Bearer realm="partner", error="insufficient_scope", scope="`+c.Endpoint.Scope+`"`)
				return nil, f
			}
			return h(ctx, c, p)
		})
	}
}

// ReportUse answers POST /v1/partner/use-reports.
func (s *Service) ReportUse(ctx context.Context, c *request.Call, p *auth.Partner) (*edge.Response, error) {
	return request.ReceiveUse(ctx, c, s.Reports, usereport.Reporter{Kind: "partner", ID: p.OrgID})
}

// Status answers GET /v1/partner/status.
func (s *Service) Status(ctx context.Context, c *request.Call, p *auth.Partner) (*edge.Response, error) {
	status := inquiries.PartnerStatus{
		OrgID: p.OrgID, OrgName: p.Name, KeyID: p.Key.KeyID, Label: p.Key.Label, Last4: p.Key.Last4, CreatedAt: p.Key.CreatedAt,
		ExpiresAt: p.Key.ExpiresAt, Scopes: p.Scopes, Environment: p.Key.Environment, ServerTime: exports.Instant(s.Now()),
	}
	meter, counted := s.Limits.Limiter.(limit.Meter)
	for _, policy := range []string{"partner", "intake"} {
		for _, q := range s.Limits.Quotas(policy) {
			left := inquiries.QuotaLeft{Name: q.Name, Policy: policy, Calls: q.Calls, Window: q.Window, Remaining: -1, Reset: -1}
			if counted {
				left.Remaining, left.Reset = meter.Left(ctx, policy, p.OrgID, q)
			}
			status.Limits = append(status.Limits, left)
		}
	}
	return request.Record(200, &status), nil
}
