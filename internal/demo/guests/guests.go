// Package guests adds buyers and partners to the demo, with the secrets that
// they need and that no document of a registry holds.
package guests

import (
	"context"
	"crypto/rand"
	"errors"
	"net/url"
	"slices"
	"strings"
	"time"

	"colophon/exports"
	"colophon/internal/credential"
	"colophon/internal/demo"
	"colophon/internal/enrol"
	"colophon/internal/inquiry"
	"colophon/internal/origin"
	"colophon/internal/registry"
)

// Store is the store of the demo.
type Store interface {
	enrol.Store
	origin.Buyers
	origin.Partners
	origin.InboxLinks
}

// Facts are what the demo gives to programs: an example of each kind, and
// secrets that are kept nowhere else.
type Facts struct {
	BaseURL          string            `json:"base_url"`
	SiteID           string            `json:"site_id"`
	EntryID          string            `json:"entry_id"`
	URL              string            `json:"url"`
	Category         string            `json:"category"`
	Fingerprint      string            `json:"fingerprint"`
	ISCC             string            `json:"iscc"`
	PartnerKeys      map[string]string `json:"partner_keys"`
	BuyerCredentials map[string]string `json:"buyer_credentials"`
	InboxLink        string            `json:"inbox_link"`
}

// Admit adds the buyers and partners of the demo and a publisher's inbox link,
// and returns their credentials for programs. Secrets in known are kept while
// they are valid.
func Admit(ctx context.Context, store Store, x demo.Example, baseURL string, known Facts) (facts Facts, err error) {
	facts = Facts{BaseURL: baseURL, SiteID: x.SiteID, EntryID: x.EntryID, URL: x.URL, Category: x.Category, Fingerprint: x.Fingerprint, ISCC: x.ISCC}
	if facts.BuyerCredentials, err = addBuyers(ctx, store, x.SiteID, known.BuyerCredentials); err != nil {
		return facts, err
	}
	if facts.PartnerKeys, err = addPartners(ctx, store, known.PartnerKeys); err != nil {
		return facts, err
	}
	facts.InboxLink, err = addInboxLink(ctx, store, baseURL, x.SiteID, known.InboxLink)
	return facts, err
}

func now() string { return exports.Instant(time.Now()) }

func newService() inquiry.Service { return inquiry.Service{Now: time.Now, Rand: rand.Reader} }

// When the demo's grants began, and when the one that has ended did.
const (
	demoSince = "2026-01-01T00:00:00Z"
	demoEnded = "2026-02-01T00:00:00Z"
)

// addBuyers adds the buyers of the demo: one with active grants, one whose
// grant has ended, one without any. Their credentials are made once and kept in
// demo.json alone; if that file is lost, new ones replace them.
func addBuyers(ctx context.Context, store Store, siteID string, known map[string]string) (map[string]string, error) {
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

// storeGrant stores a grant, unless it exists: what the operator changed stays.
func (g demoGrant) storeGrant(ctx context.Context, store Store, buyerID string) error {
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

var forDemo = inquiry.IssueOptions{Label: "demo", Environment: "test"}

// demoCredential keeps a credential that still belongs to the buyer, or
// replaces all others by a new one.
func demoCredential(ctx context.Context, store Store, buyerID, secret string) (string, error) {
	have, err := store.CredentialsOf(ctx, buyerID)
	if err != nil {
		return "", err
	}
	kept, err := keepSecret(ctx, have, secret, func(c *origin.BuyerCredential) *origin.Credential { return &c.Credential }, store.PutCredential)
	if err != nil || kept {
		return secret, err
	}
	_, _, secret, err = newService().IssueBuyerCredential(ctx, store, buyerID, forDemo)
	return secret, err
}

// keepSecret reports whether a secret is one of those that its holder has, and
// revokes them all if it is not.
func keepSecret[T any](ctx context.Context, have []T, secret string, of func(*T) *origin.Credential, put func(context.Context, T) error) (bool, error) {
	hash := credential.Digest(secret)
	if slices.ContainsFunc(have, func(x T) bool { return of(&x).Hash == hash && of(&x).State == "active" }) {
		return true, nil
	}
	for i := range have {
		credential.Revoke(of(&have[i]), now())
		if err := put(ctx, have[i]); err != nil {
			return false, err
		}
	}
	return false, nil
}

// addPartners adds the partners of the demo: one with every scope, one that may
// only read its status, one that is suspended. Their keys are made once and
// kept in demo.json alone; if that file is lost, new ones replace them.
func addPartners(ctx context.Context, store Store, known map[string]string) (map[string]string, error) {
	out := map[string]string{}
	for _, p := range []struct {
		name, state string
		scopes      []string
	}{
		{"full", "active", exports.PartnerScopes}, {"status_only", "active", []string{exports.ScopeStatus}}, {"suspended", "suspended", exports.PartnerScopes},
	} {
		id := exports.PrefixPartner + "demo_" + p.name
		if _, err := store.Partner(ctx, id); errors.Is(err, origin.ErrNotFound) {
			err = store.PutPartner(ctx, origin.Partner{OrgID: id, Name: "Demo partner (" + p.name + ")", State: p.state, Scopes: p.scopes, CreatedAt: demoSince, ChangedAt: demoSince})
			if err != nil {
				return nil, err
			}
		} else if err != nil {
			return nil, err
		}
		secret, err := demoKey(ctx, store, id, known[p.name])
		if err != nil {
			return nil, err
		}
		out[p.name] = secret
	}
	return out, nil
}

// demoKey keeps a key that still belongs to the partner, or replaces all others by
// a new one.
func demoKey(ctx context.Context, store Store, orgID, secret string) (string, error) {
	have, err := store.KeysOf(ctx, orgID)
	if err != nil {
		return "", err
	}
	kept, err := keepSecret(ctx, have, secret, func(k *origin.PartnerKey) *origin.Credential { return &k.Credential }, store.PutKey)
	if err != nil || kept {
		return secret, err
	}
	_, _, secret, err = newService().IssuePartnerKey(ctx, store, orgID, nil, forDemo)
	return secret, err
}

// addInboxLink adds the link to a demo publisher's private inbox. It is kept in
// demo.json alone, and stays as long as it is valid.
func addInboxLink(ctx context.Context, store Store, baseURL, siteID, known string) (string, error) {
	have, err := store.LinksOf(ctx, siteID)
	if err != nil {
		return "", err
	}
	if at, err := url.Parse(known); err == nil {
		secret, ok := strings.CutPrefix(at.Path, exports.PathInbox)
		hash := credential.Digest(secret)
		if ok && slices.ContainsFunc(have, func(l origin.InboxLink) bool {
			return l.Hash == hash && l.State == "active" && l.ExpiresAt > now()
		}) {
			return baseURL + at.Path, nil
		}
	}
	_, secret, err := newService().IssueInboxLink(ctx, store, siteID, "", "demo", 90)
	return baseURL + exports.PathInbox + secret, err
}
