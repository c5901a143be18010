package generator

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"colophon/exports"
	"colophon/generator/render"
	"colophon/generator/snapshot"
	"colophon/internal/blob"
	"colophon/internal/blob/document"
	"colophon/internal/channelpack"
	"colophon/internal/origin"
	"colophon/internal/wire"
)

// PackOf writes the channels of one publisher according to its current policy.
func PackOf(ctx context.Context, store origin.Catalog, siteID, base string) (channelpack.Pack, error) {
	s, err := store.Site(ctx, siteID)
	if errors.Is(err, origin.ErrNotFound) {
		return channelpack.Pack{}, fmt.Errorf("there is no publisher %q; list them with \"colophon publisher list\"", siteID)
	}
	if err != nil {
		return channelpack.Pack{}, err
	}
	f, err := snapshot.ReadSite(ctx, store, s)
	if err != nil {
		return channelpack.Pack{}, err
	}
	p, ok := render.PolicyOf(&f, base)
	if !ok {
		return channelpack.Pack{}, fmt.Errorf("publisher %q is not approved and public; approve it with \"colophon publisher approve %s\"", siteID, siteID)
	}
	return render.CheckedPack(&p)
}

// publishChannels writes the channel pack of every publisher, and with it the history of
// its policy.
func (b *build) publishChannels(ctx context.Context) error {
	logged, err := b.loggedPolicies(ctx)
	if err != nil {
		return err
	}
	published := document.Files{Source: blob.Folder(b.out.dir), Memory: &document.Memory{}}
	rules := 0
	for i := range b.sites {
		s := &b.sites[i]
		if i > 0 {
			rules += len(b.sites[i-1].AccessRules)
		}
		if b.plan.keepsFilesOf(s.Site.SiteID) {
			if rules > render.MaxAccessRules { // the manifest ends before this publisher
				continue
			}
			var known bool
			if s.AccessRules, known = b.publishedAccessRules(ctx, published, s.Site.SiteID); known {
				continue
			}
		}
		docs, err := render.Channels(b.service, &s.Publisher, logged)
		if err != nil {
			return err
		}
		if err := b.put(docs...); err != nil {
			return err
		}
	}
	return nil
}

// loggedPolicies returns the leaves of the versions of policies in the ledger.
func (b *build) loggedPolicies(ctx context.Context) (map[render.PolicyKey]int64, error) {
	events, err := b.store.LedgerEventsOf(ctx, origin.LedgerPolicy)
	out := make(map[render.PolicyKey]int64, len(events))
	for _, e := range events {
		out[render.PolicyKey{SiteID: e.SiteID, Version: e.Version}] = e.Position
	}
	return out, err
}

// publishedAccessRules reads the access rules that a publisher's published pack
// declares. It returns false if they cannot be read.
func (b *build) publishedAccessRules(ctx context.Context, published document.Files, siteID string) (list []wire.Value, ok bool) {
	name := strings.TrimPrefix(exports.PackPath(siteID), "/") + exports.PackName(channelpack.FileAccess)
	if _, published := b.out.before.Find(name); !published {
		return nil, true
	}
	data, err := published.Read(ctx, name)
	if err != nil {
		return nil, false
	}
	return render.AccessRulesOf(data), true
}
