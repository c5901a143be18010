package main

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"colophon/internal/registrydir"

	"colophon/exports"
	"colophon/internal/inquiry"
	"colophon/internal/origin"
	"colophon/internal/originsql"
)

// demoInbox makes the link to the private inbox of a publisher of the demo.
// It stands in demo.json alone, and is kept for as long as it opens.
func (e *env) demoInbox(ctx context.Context, store *originsql.Store, s registrydir.Settings, siteID string) (string, error) {
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
	_, secret, err := issueInboxLink(ctx, store, siteID, "", "demo", 90)
	return s.BaseURL + exports.PathInbox + secret, err
}
