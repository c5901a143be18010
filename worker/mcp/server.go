package mcp

import (
	"context"

	"colophon/exports"
	"colophon/worker/edge"
)

// Config is what a Server needs from outside.
type Config struct {
	BaseURL string // absolute, without a final slash
	Catalog *Files
	Gateway Gateway // nil: licensed content is not available on this server

	// Allow counts one call against a rate policy, for a buyer or, if buyerID
	// is "", for the caller's address. ok is false if the caller is over its
	// rate; wait is the number of seconds until a retry makes sense. A nil
	// Allow allows all.
	Allow func(ctx context.Context, r *edge.Request, policy, buyerID string) (ok bool, wait int64)

	// CheckRights is the answer of GET /v1/public/rights/check to these
	// parameters, by name; empty ones are left out.
	CheckRights func(ctx context.Context, r *edge.Request, params [][2]string) (*exports.RightsAnswer, error)

	Log func(line string) // nil: nothing is logged
}

// Server answers the three kinds of endpoint. It keeps nothing between requests
// and is safe for concurrent use.
type Server struct {
	Config
	origin    string // of the service, as originOf writes it
	public    *endpoint
	publisher *endpoint // a template: each request has a copy with its site
	gateway   *endpoint
}

// endpoint is one address: what it offers and how it describes itself.
type endpoint struct {
	tools        *toolTable
	instructions string
	resources    bool
	guarded      bool // a credential is needed where rights are at stake
	siteID       string
	metadata     func(ctx context.Context, r *edge.Request) *edge.Response
}

// New prepares a server.
func New(c Config) *Server {
	s := &Server{Config: c}
	s.origin, _ = originOf(siteOrigin(c.BaseURL))
	s.public = &endpoint{tools: &toolTable{rows: PublicTools()}, instructions: instructPublic}
	s.publisher = &endpoint{tools: &toolTable{rows: PublisherTools()}, instructions: instructPublisher}
	s.gateway = &endpoint{tools: &toolTable{rows: GatewayTools()}, instructions: instructGateway, guarded: true, resources: c.Gateway != nil}
	return s
}

// Public answers a request to /mcp.
func (s *Server) Public(ctx context.Context, r *edge.Request) *edge.Response {
	return s.serveEndpoint(ctx, r, s.public)
}

// Publisher answers a request to /mcp/publisher/{site_id}.
func (s *Server) Publisher(ctx context.Context, r *edge.Request, siteID string) *edge.Response {
	e := *s.publisher
	e.siteID = siteID
	e.metadata = func(ctx context.Context, r *edge.Request) *edge.Response { return s.serveMetadata(ctx, r, siteID) }
	return s.serveEndpoint(ctx, r, &e)
}

// Buyers answers a request to /mcp/gateway.
func (s *Server) Buyers(ctx context.Context, r *edge.Request) *edge.Response {
	return s.serveEndpoint(ctx, r, s.gateway)
}

// call is one request being answered.
type call struct {
	server   *Server
	endpoint *endpoint
	http     *edge.Request
	message  *message
	modern   bool
	buyer    Buyer
}

// runCall checks a request and carries it out. The first failed check answers,
// so that protocol faults are reported before authorization faults, and a
// credential is checked before a call is counted for its owner.
func (c *call) runCall(ctx context.Context) (object, *rpcError) {
	if err := c.checkEra(); err != nil {
		return nil, err
	}
	if err := c.authorizeCall(ctx); err != nil {
		return nil, err
	}
	if err := c.countCall(ctx); err != nil {
		return nil, err
	}
	if err := c.checkSite(ctx); err != nil {
		return nil, err
	}
	method := c.findMethod()
	if method == nil {
		return nil, unknownMethod(c.message.method)
	}
	return method(c, ctx)
}

// countCall counts a call that takes work. Answers from memory are never
// refused, because a client that is refused while it connects cannot tell why.
func (c *call) countCall(ctx context.Context) *rpcError {
	switch c.message.method {
	case "tools/call", "resources/read", "resources/list":
	default:
		return nil
	}
	policy := "anon"
	if c.endpoint.guarded {
		policy = "gateway"
	}
	name, _ := c.message.params.Get("name").Str()
	if tool := c.endpoint.tools.findTool(name); tool != nil && tool.Policy != "" && c.message.method == "tools/call" {
		policy = tool.Policy
	}
	return c.countAgainst(ctx, policy)
}

// countAgainst counts one call against a policy.
func (c *call) countAgainst(ctx context.Context, policy string) *rpcError {
	if c.server.Allow == nil {
		return nil
	}
	if ok, wait := c.server.Allow(ctx, c.http, policy, c.buyer.ID); !ok {
		return rateError(wait)
	}
	return nil
}

// checkSite returns the error for an unknown publisher.
func (c *call) checkSite(ctx context.Context) *rpcError {
	id := c.endpoint.siteID
	if c.endpoint.metadata == nil {
		return nil
	}
	_, err := c.server.Catalog.Publisher(ctx, id)
	if err == nil {
		return nil
	}
	f := c.server.findFailure(err)
	if f.Code == "site_not_found" {
		return &rpcError{code: codeNotFound, message: exports.KindOf(f.Code).Title, status: 404}
	}
	return c.server.refusedError(f)
}
