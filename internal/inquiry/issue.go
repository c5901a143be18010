package inquiry

import (
	"context"

	"colophon/exports"
	"colophon/internal/credential"
	"colophon/internal/origin"
)

// IssueOptions describe a key or credential to be issued.
type IssueOptions struct {
	Label       string
	Environment string // live, test
	Days        int    // until it expires; 0 means never
}

// newSecret returns an id and a secret whose prefix shows the environment.
func (s Service) newSecret(o IssueOptions, kind string, live, test credential.Purpose) (id string, c origin.Credential, secret string, err error) {
	if id, err = s.NewID(kind); err != nil {
		return "", c, "", err
	}
	purpose := live
	if o.Environment == "test" {
		purpose = test
	}
	c, secret, err = purpose.Issue(s.Rand, o.Label, s.Now(), o.Days)
	return id, c, secret, err
}

// IssuePartnerKey stores a new key for an organization and returns its secret,
// of which only a digest is stored.
func (s Service) IssuePartnerKey(ctx context.Context, store origin.Partners, orgID string, scopes []string, o IssueOptions) (c origin.Credential, id, secret string, err error) {
	if id, c, secret, err = s.newSecret(o, "key_", credential.PartnerKey, credential.PartnerKeyTest); err != nil {
		return c, "", "", err
	}
	k := origin.PartnerKey{
		KeyID: id, OrgID: orgID, Credential: c,
		Last4: credential.Last4(secret), Environment: o.Environment, Scopes: scopes,
	}
	return c, id, secret, store.PutKey(ctx, k)
}

// IssueBuyerCredential stores a new credential for a buyer and returns its
// secret, of which only a digest is stored.
func (s Service) IssueBuyerCredential(ctx context.Context, store origin.Buyers, buyerID string, o IssueOptions) (c origin.Credential, id, secret string, err error) {
	if id, c, secret, err = s.newSecret(o, "crd_", credential.Buyer, credential.BuyerTest); err != nil {
		return c, "", "", err
	}
	b := origin.BuyerCredential{
		CredentialID: id, BuyerID: buyerID, Credential: c,
		Last4: credential.Last4(secret), Environment: o.Environment,
	}
	return c, id, secret, store.PutCredential(ctx, b)
}

// IssueInboxLink stores a new link to the inbox of a site or group and returns
// its secret, of which only a digest is stored.
func (s Service) IssueInboxLink(ctx context.Context, store origin.InboxLinks, siteID, publisherID, label string, days int) (l origin.InboxLink, secret string, err error) {
	id, err := s.NewID("inb_")
	if err != nil {
		return l, "", err
	}
	now := s.Now()
	c, secret, err := credential.Inbox.Issue(s.Rand, label, now, days)
	if err != nil {
		return l, "", err
	}
	c.ExpiresAt = exports.Instant(now.AddDate(0, 0, days)) // a link always has an end
	l = origin.InboxLink{LinkID: id, SiteID: siteID, Credential: c, PublisherID: publisherID}
	return l, secret, store.PutLink(ctx, l)
}
