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

// choosePrefix gives the prefix of a secret for the environment.
func (o *issueOptions) choosePrefix(live, test string) string {
	if o.environment == "test" {
		return test
	}
	return live
}

// issuePartnerKey stores a new key of an organization and gives its secret,
// which is kept only as its digest.
func issuePartnerKey(ctx context.Context, store *originsql.Store, orgID string, scopes []string, o issueOptions) (k origin.PartnerKey, secret string, err error) {
	id, err := newInquiryService(store).NewID("key_")
	if err != nil {
		return k, "", err
	}
	prefix := o.choosePrefix(inquiry.PrefixLive, inquiry.PrefixTest)
	c, secret, err := inquiry.IssueCredential(rand.Reader, prefix, o.label, time.Now(), o.days)
	if err != nil {
		return k, "", err
	}
	k = origin.PartnerKey{
		KeyID: id, OrgID: orgID, Credential: c,
		Last4: inquiry.Last4(secret), Environment: o.environment, Scopes: scopes,
	}
	return k, secret, store.PutKey(ctx, k)
}

// issueBuyerCredential stores a new credential of a buyer and gives its secret,
// which is kept only as its digest.
func issueBuyerCredential(ctx context.Context, store *originsql.Store, buyerID string, o issueOptions) (b origin.BuyerCredential, secret string, err error) {
	id, err := newInquiryService(store).NewID(prefixCredential)
	if err != nil {
		return b, "", err
	}
	prefix := o.choosePrefix(inquiry.PrefixBuyerLive, inquiry.PrefixBuyerTest)
	c, secret, err := inquiry.IssueCredential(rand.Reader, prefix, o.label, time.Now(), o.days)
	if err != nil {
		return b, "", err
	}
	b = origin.BuyerCredential{
		CredentialID: id, BuyerID: buyerID, Credential: c,
		Last4: inquiry.Last4(secret), Environment: o.environment,
	}
	return b, secret, store.PutCredential(ctx, b)
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
