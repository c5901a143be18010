package main

import (
	"context"
	"encoding/json"
	"os"
	"slices"

	"colophon/internal/registrydir"

	"colophon/internal/inquiry"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/registry"
)

// demoSince is when the demo's grants began; one of them ended soon after.
const (
	demoSince = "2026-01-01T00:00:00Z"
	demoEnded = "2026-02-01T00:00:00Z"
)

// demoBuyers makes the buyers of the demo: one with grants in force, one whose
// grant has ended, one without any. Their credentials are made once and stand
// in demo.json alone; a file that was lost gets new ones.
func (e *env) demoBuyers(ctx context.Context, store *originsql.Store, siteID string) (map[string]string, error) {
	sites, err := store.Sites(ctx)
	if err != nil {
		return nil, err
	}
	var public []string
	for _, s := range sites {
		if s.State == origin.Approved && s.Visibility == "public" && s.SiteID != siteID {
			public = append(public, s.SiteID)
		}
	}
	grants := map[string][]demoGrant{
		"granted": {
			{origin.Grant{GrantID: "grt_demo_direct", Kind: "direct", Title: "Demo newsroom grounding", Uses: []string{"rag", "summarization"},
				Attribution: "link", DisplayLimit: 600}, []string{siteID}},
			{origin.Grant{GrantID: "grt_demo_enterprise", Kind: "enterprise", Title: "Demo enterprise licence", Uses: []string{"rag", "search_indexing"},
				Attribution: "link"}, public[:min(2, len(public))]},
		},
		"expired": {{origin.Grant{GrantID: "grt_demo_expired", Kind: "direct", Title: "Demo trial", Uses: []string{"rag"}, ValidUntil: demoEnded}, []string{siteID}}},
		"none":    nil,
	}
	known := e.knownDemo().BuyerCredentials
	out := map[string]string{}
	for _, name := range []string{"granted", "expired", "none"} {
		id := registry.PrefixBuyer + "demo_" + name
		if err := store.PutBuyer(ctx, origin.Buyer{BuyerID: id, Name: "Demo buyer (" + name + ")", State: "active", CreatedAt: demoSince, ChangedAt: demoSince}); err != nil {
			return nil, err
		}
		for _, g := range grants[name] {
			if err := g.storeGrant(ctx, store, id); err != nil {
				return nil, err
			}
		}
		if out[name], err = demoCredential(ctx, store, id, known[name]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

type demoGrant struct {
	origin.Grant
	sites []string
}

// storeGrant stores a grant, unless it is there: what the operator did to it stays.
func (g demoGrant) storeGrant(ctx context.Context, store *originsql.Store, buyerID string) error {
	if _, err := store.Grant(ctx, g.GrantID); err == nil {
		return nil
	}
	g.BuyerID = buyerID
	g.State = "active"
	g.ValidFrom = demoSince
	g.DeleteHours = 72
	g.StateAt = demoSince
	g.CreatedAt = demoSince
	g.ChangedAt = demoSince
	if err := store.PutGrant(ctx, g.Grant); err != nil {
		return err
	}
	for _, id := range g.sites {
		if err := store.SetGrantSite(ctx, g.GrantID, id, true, g.ChangedAt); err != nil {
			return err
		}
	}
	return nil
}

// knownDemo is a demo.json that is there, empty when there is none.
func (e *env) knownDemo() (facts demoFacts) {
	text, err := os.ReadFile(e.File(registrydir.DemoFile))
	if err != nil || json.Unmarshal(text, &facts) != nil {
		return demoFacts{}
	}
	return facts
}

// demoCredential keeps a credential that still names the buyer, or issues one
// in the place of all others.
func demoCredential(ctx context.Context, store *originsql.Store, buyerID, secret string) (string, error) {
	have, err := store.CredentialsOf(ctx, buyerID)
	if err != nil {
		return "", err
	}
	hash := inquiry.Digest(secret)
	if slices.ContainsFunc(have, func(c origin.BuyerCredential) bool { return c.Hash == hash && c.State == "active" }) {
		return secret, nil
	}
	for _, c := range have {
		inquiry.RevokeCredential(&c.Credential, nowRFC3339())
		if err := store.PutCredential(ctx, c); err != nil {
			return "", err
		}
	}
	_, _, secret, err = issueBuyerCredential(ctx, store, buyerID, issueOptions{label: "demo", environment: "test"})
	return secret, err
}
