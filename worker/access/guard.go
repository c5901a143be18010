package access

import (
	"context"
	"strings"
	"time"

	"colophon/exports"
	"colophon/internal/provenance"
	"colophon/internal/rights"
	"colophon/worker/edge"
)

// Guard decides for a publisher's own site which requests pass. It keeps
// nothing but what its seams keep; one guard serves many requests at once.
type Guard struct {
	Base     string                                                    // of this service
	Document func(ctx context.Context) (*rights.RightsDocument, error) // what the publisher states now
	Now      func() time.Time
	Accept   func(header string, offered []string) string // chooses a representation
	Keys     Keys                                         // of signers; nil: nobody can prove who he is
	Tokens   Tokens                                       // nil: no licence token is accepted here
	Signer   provenance.Signer                            // of receipts; nil: denials have none

	ProveIdentity bool // agents must sign their requests
	DenyUnknown   bool // what the publisher says nothing about is denied
	FailClosed    bool // when the policy cannot be read, agents get 503; else they pass
}

// Tokens checks licence tokens (Authorization: License …).
type Tokens interface {
	Check(ctx context.Context, token, url string, use exports.Use) (Token, error)
}

// Check returns the denial of a request, or nil when it may pass. People,
// search crawlers and free paths pass without a look at the policy.
func (g *Guard) Check(ctx context.Context, r *edge.Request) *edge.Response {
	if exports.FreePath(r.Path) || r.Method == "OPTIONS" {
		return nil
	}
	agent := g.agent(ctx, r)
	use, watched := agent.Use()
	if !watched {
		return nil
	}
	doc, err := g.Document(ctx)
	if err != nil || doc == nil {
		if g.FailClosed && err != nil {
			return g.deny(r, serverDown, &rights.RightsDocument{}, exports.RightsStanding{}, use, agent)
		}
		return nil
	}
	url := strings.TrimSuffix(doc.SiteURL, "/") + r.Path
	if r.Query != "" {
		url += "?" + r.Query
	}
	about := rights.Resource{URL: url}
	j := doc.Judge(about, rights.Query{Agent: agent.Token, At: g.Now().Unix(), AnyAudience: true}, nil, false)
	standing := j.Standing(about, exports.UseWords(), false)
	s := Situation{Verdict: j.Uses[use.Index()].Verdict, DenyUnknown: g.DenyUnknown, Unproven: g.ProveIdentity && agent.Identity != "verified"}
	s.Token, s.ServerDown = g.token(ctx, r, url, use)
	d, denied := Decide(s)
	if !denied {
		return nil
	}
	return g.deny(r, d, doc, standing, use, agent)
}

// agent tells who asks: by a signature that holds, else by User-Agent.
func (g *Guard) agent(ctx context.Context, r *edge.Request) Agent {
	named := AgentOf(r.Header.Get("user-agent"))
	if !r.Header.Has("signature-input") {
		return named
	}
	named.Identity = "claimed"
	if g.Keys == nil {
		return named
	}
	host, ok := Signer(ctx, r, g.Keys, g.Now())
	if !ok {
		return named
	}
	signer := agentOfSigner(host)
	if signer.Class == "other" && named.Token != "" {
		named.Identity = "verified"
		return named
	}
	return signer
}

func (g *Guard) token(ctx context.Context, r *edge.Request, url string, use exports.Use) (t Token, down bool) {
	text, ok := strings.CutPrefix(r.Header.Get("authorization"), "License ")
	if !ok || g.Tokens == nil {
		return NoToken, false
	}
	t, err := g.Tokens.Check(ctx, strings.TrimSpace(text), url, use)
	return t, err != nil
}

func (g *Guard) deny(r *edge.Request, d Decision, doc *rights.RightsDocument, standing exports.RightsStanding, use exports.Use, agent Agent) *edge.Response {
	x := Denial{Signer: g.Signer, At: exports.Instant(g.Now()), Decision: d, Base: g.Base, RequestID: r.ID, Document: doc, Standing: standing, Use: use, UseSource: "agent_class", Agent: agent}
	if stated, _, ok := exports.ParseUse(r.Header.Get("service-requested-use")); ok && r.Header.Has("service-requested-use") {
		x.Use, x.UseSource = stated, "header" // for the route only: it was decided by class
	}
	return x.Response(func(offered []string) string {
		if best := g.Accept(r.Header.Get("accept"), offered); best != "" {
			return best
		}
		return offered[0]
	})
}
