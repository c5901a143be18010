package main

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/spf13/cobra"

	"colophon/exports"
	"colophon/internal/inquiry"
	"colophon/internal/origin"
	"colophon/internal/originsql"
)

// issueOptions are what an operator says of a key or a credential to be issued.
type issueOptions struct {
	label       string
	environment string // live, test
	days        int    // until it expires; 0 never
}

func (o *issueOptions) addFlags(cmd *cobra.Command, label string) {
	cmd.Flags().StringVar(&o.label, "label", "", label)
	cmd.Flags().StringVar(&o.environment, "env", "live", "live or test")
	cmd.Flags().IntVar(&o.days, "days", 0, "days until it expires; 0 never")
}

func (o *issueOptions) validate() error {
	return validateWord("env", o.environment, []string{"live", "test"})
}

// newSecret makes an id and a secret, whose prefix tells the environment.
func (o *issueOptions) newSecret(kind, live, test string) (id string, c origin.Credential, secret string, err error) {
	if id, err = newInquiryService(nil).NewID(kind); err != nil {
		return "", c, "", err
	}
	prefix := live
	if o.environment == "test" {
		prefix = test
	}
	c, secret, err = inquiry.IssueCredential(rand.Reader, prefix, o.label, time.Now(), o.days)
	return id, c, secret, err
}

// issuePartnerKey stores a new key of an organization and gives its secret,
// which is kept only as its digest.
func issuePartnerKey(ctx context.Context, store *originsql.Store, orgID string, scopes []string, o issueOptions) (c origin.Credential, id, secret string, err error) {
	if id, c, secret, err = o.newSecret("key_", inquiry.PrefixLive, inquiry.PrefixTest); err != nil {
		return c, "", "", err
	}
	k := origin.PartnerKey{
		KeyID: id, OrgID: orgID, Credential: c,
		Last4: inquiry.Last4(secret), Environment: o.environment, Scopes: scopes,
	}
	return c, id, secret, store.PutKey(ctx, k)
}

// issueBuyerCredential stores a new credential of a buyer and gives its secret,
// which is kept only as its digest.
func issueBuyerCredential(ctx context.Context, store *originsql.Store, buyerID string, o issueOptions) (c origin.Credential, id, secret string, err error) {
	if id, c, secret, err = o.newSecret(prefixCredential, inquiry.PrefixBuyerLive, inquiry.PrefixBuyerTest); err != nil {
		return c, "", "", err
	}
	b := origin.BuyerCredential{
		CredentialID: id, BuyerID: buyerID, Credential: c,
		Last4: inquiry.Last4(secret), Environment: o.environment,
	}
	return c, id, secret, store.PutCredential(ctx, b)
}

// issueInboxLink stores a new link to the inbox of a site, or of a group, and
// gives its secret, which is kept only as its digest.
func issueInboxLink(ctx context.Context, store *originsql.Store, siteID, publisherID, label string, days int) (l origin.InboxLink, secret string, err error) {
	id, err := newInquiryService(store).NewID("inb_")
	if err != nil {
		return l, "", err
	}
	now := time.Now()
	c, secret, err := inquiry.IssueCredential(rand.Reader, inquiry.PrefixInbox, label, now, days)
	if err != nil {
		return l, "", err
	}
	c.ExpiresAt = exports.Instant(now.AddDate(0, 0, days)) // a link always has an end
	l = origin.InboxLink{LinkID: id, SiteID: siteID, Credential: c, PublisherID: publisherID}
	return l, secret, store.PutLink(ctx, l)
}
