package main

import (
	"context"
	"crypto/rand"
	"net/url"
	"slices"
	"strings"
	"time"

	"colophon/exports"
	"colophon/internal/inquiry"
	"colophon/internal/origin"
	"colophon/internal/originsql"
)

// demoInbox makes the link to the private inbox of a publisher of the demo.
// It stands in demo.json alone, and is kept for as long as it opens.
func (e *env) demoInbox(ctx context.Context, store *originsql.Store, s settings, siteID string) (string, error) {
	have, err := store.LinksOf(ctx, siteID)
	if err != nil {
		return "", err
	}
	if at, err := url.Parse(e.knownDemo().InboxLink); err == nil {
		secret, ok := strings.CutPrefix(at.Path, exports.PathInbox)
		hash := inquiry.Digest(secret)
		if ok && slices.ContainsFunc(have, func(l origin.InboxLink) bool {
			return l.Hash == hash && l.State == "active" && l.ExpiresAt > nowRFC3339()
		}) {
			return s.BaseURL + at.Path, nil
		}
	}
	_, secret, err := newInboxLink(ctx, store, origin.InboxLink{SiteID: siteID, Label: "demo"}, 90)
	return s.BaseURL + exports.PathInbox + secret, err
}

// newInboxLink issues a link for some days; only a digest of its secret is
// stored.
func newInboxLink(ctx context.Context, store *originsql.Store, link origin.InboxLink, days int) (origin.InboxLink, string, error) {
	id, err := newInquiryService(store).NewID("inb_")
	if err != nil {
		return link, "", err
	}
	secret, lookup, hash, err := inquiry.NewSecret(rand.Reader, inquiry.PrefixInbox)
	if err != nil {
		return link, "", err
	}
	now := nowRFC3339()
	link.LinkID, link.Lookup, link.Hash = id, lookup, hash
	link.State, link.CreatedAt, link.ChangedAt = "active", now, now
	link.ExpiresAt = exports.Instant(time.Now().AddDate(0, 0, days))
	return link, secret, store.PutLink(ctx, link)
}
