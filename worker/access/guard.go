package access

import (
	"context"
	"strings"
	"time"

	"colophon/exports"
	"colophon/internal/record"
	"colophon/internal/rights"
	"colophon/worker/edge"
	"colophon/worker/request"
)

// Guard decides for a publisher's own site which requests pass. It keeps no
// state except in its dependencies, and is safe for concurrent use.
type Guard struct {
	Base     string                                                    // of this service
	Document func(ctx context.Context) (*rights.RightsDocument, error) // what the publisher states now
	Now      func() time.Time
	Signers  Signers       // without keys nobody can prove an identity
	Receipts record.Signer // signs receipts; nil: denials have none
	Strictness
}

// Strictness says what a guard denies beyond what the publisher refuses.
type Strictness struct {
	ProveIdentity bool // agents must sign their requests
	DenyUnknown   bool // uses about which the publisher says nothing are denied
	FailClosed    bool // if the policy cannot be read, agents get 503; otherwise they pass
}

// Check returns the denial of a request, or nil if it may pass. People, search
// crawlers and free paths pass without reading the policy.
func (g *Guard) Check(ctx context.Context, r *edge.Request) *edge.Response {
	if exports.FreePath(r.Path) || r.Method == "OPTIONS" {
		return nil
	}
	agent := g.identifyAgent(ctx, r)
	use, watched := agent.Use()
	if !watched {
		return nil
	}
	doc, err := g.Document(ctx)
	if err != nil || doc == nil {
		if g.FailClosed && err != nil {
			return g.denyRequest(r, serverDown, &rights.RightsDocument{}, exports.ResourceRights{}, use, agent)
		}
		return nil
	}
	url := strings.TrimSuffix(doc.SiteURL, "/") + r.Path
	if r.Query != "" {
		url += "?" + r.Query
	}
	about := rights.Resource{URL: url}
	resource := g.evaluateFor(doc, about, use, agent)
	d, denied := g.decide(resource.Uses[use.Index()].Verdict, &agent)
	if !denied {
		return nil
	}
	return g.denyRequest(r, d, doc, resource, use, agent)
}

// evaluateFor returns what the publisher states about a resource for an agent.
// An agent that claims a name without proof gets the stricter verdict on the
// use: that for its proven name, or that for the claimed one.
func (g *Guard) evaluateFor(doc *rights.RightsDocument, about rights.Resource, use exports.Use, agent Agent) exports.ResourceRights {
	q := rights.Question{Agent: agent.Token, At: g.Now().Unix()}
	proven := doc.Evaluate(about, q, nil, false)
	if agent.Claimed != "" {
		q.Agent = agent.Claimed
		claimed := doc.Evaluate(about, q, nil, false)
		if claimed.Uses[use.Index()].StricterThan(&proven.Uses[use.Index()]) {
			return claimed.ResourceRights(about, exports.UseWords(), false)
		}
	}
	return proven.ResourceRights(about, exports.UseWords(), false)
}

// identifyAgent returns the sender of a request, from a valid signature or else
// from User-Agent.
func (g *Guard) identifyAgent(ctx context.Context, r *edge.Request) Agent {
	named := AgentOf(r.Header.Get("user-agent"))
	if !r.Header.Has("signature-input") {
		return named
	}
	named.Identity = identityClaimed
	host, ok := g.Signers.Identify(ctx, r, g.Now())
	if !ok {
		return named
	}
	return signedBy(host, named)
}

func (g *Guard) denyRequest(r *edge.Request, d Decision, doc *rights.RightsDocument, resource exports.ResourceRights, use exports.Use, agent Agent) *edge.Response {
	x := Denial{Signer: g.Receipts, At: exports.Instant(g.Now()), Decision: d, Base: g.Base, RequestID: r.ID, Document: doc, Rights: resource, Use: use, UseSource: "agent_class", Agent: agent}
	if stated, _, ok := exports.ParseUse(r.Header.Get("service-requested-use")); ok && r.Header.Has("service-requested-use") {
		x.Use, x.UseSource = stated, "header" // for the route only: it was decided by class
	}
	return x.Response(func(offered []string) string {
		if best := request.Accepts(r.Header.Get("accept"), offered); best != "" {
			return best
		}
		return offered[0]
	})
}
