package enrol

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"colophon/internal/channel/publisherfile"
	"colophon/internal/intake"
	"colophon/internal/origin"
)

// ownAccount returns the account of a site that belongs to no group.
func ownAccount(siteID string) string { return "pub_" + siteID }

// JoinGroup moves a site to an account.
func JoinGroup(ctx context.Context, store Store, site origin.Site, publisherID, at string) (origin.Site, error) {
	if site.PublisherID == publisherID {
		return site, nil
	}
	site.PublisherID, site.ChangedAt = publisherID, at
	return site, store.PutSite(ctx, site)
}

// LeaveGroup moves a site to its own account.
func LeaveGroup(ctx context.Context, store Store, site origin.Site, at string) (origin.Site, error) {
	id := ownAccount(site.SiteID)
	if _, err := store.Publisher(ctx, id); errors.Is(err, origin.ErrNotFound) {
		if err := store.PutPublisher(ctx, origin.Publisher{PublisherID: id, LegalName: site.Name, CreatedAt: at}); err != nil {
			return site, err
		}
	} else if err != nil {
		return site, err
	}
	return JoinGroup(ctx, store, site, id, at)
}

// followGroup moves a site that names the file of its house to the account of
// that house, if a publisher of the registry has shown control of the host of
// the file. The site leaves a house that no longer lists it, or that it no
// longer names. What an operator arranged is left alone.
func followGroup(ctx context.Context, store Store, site origin.Site, own *intake.Own, at string, r *Report) (origin.Site, error) {
	if own.House != nil {
		account, err := accountOfHost(ctx, store, intake.HostOf(own.House.Address))
		if err != nil || account == "" || account == site.PublisherID {
			return site, err
		}
		if site.PublisherID != ownAccount(site.SiteID) {
			r.Notes = append(r.Notes, fmt.Sprintf("the site stays with %s, as the operator arranged", site.PublisherID))
			return site, nil
		}
		if err := nameGroup(ctx, store, account, &own.House.Reading.File); err != nil {
			return site, err
		}
		r.Notes = append(r.Notes, "the site belongs to the group "+account+" now")
		return JoinGroup(ctx, store, site, account, at)
	}
	joined, err := joinedByFile(ctx, store, site)
	if err != nil || !joined {
		return site, err
	}
	r.Notes = append(r.Notes, "the site left the group "+site.PublisherID)
	return LeaveGroup(ctx, store, site, at)
}

// accountOfHost returns the account of the publisher that has shown control of
// a host, "" for none.
func accountOfHost(ctx context.Context, store Store, host string) (string, error) {
	proofs, err := store.ProofsOfHost(ctx, host)
	if err != nil {
		return "", err
	}
	for _, p := range proofs {
		if p.LapsedAt != "" {
			continue
		}
		site, err := store.Site(ctx, p.SiteID)
		return site.PublisherID, err
	}
	return "", nil
}

// nameGroup names an account after the file of its house, once.
func nameGroup(ctx context.Context, store Store, publisherID string, f *publisherfile.File) error {
	account, err := store.Publisher(ctx, publisherID)
	if err != nil || account.GroupName != "" {
		return err
	}
	account.GroupName = cmp.Or(f.LegalName, f.Name)
	return store.PutPublisher(ctx, account)
}

// joinedByFile reports whether a site is under another account because it used to name a
// file, and no longer does, whose host belongs to that account.
func joinedByFile(ctx context.Context, store Store, site origin.Site) (bool, error) {
	if site.PublisherID == ownAccount(site.SiteID) {
		return false, nil
	}
	files, err := observedFiles(ctx, store, site.SiteID)
	if err != nil {
		return false, err
	}
	for _, o := range files {
		if o.Status == 200 {
			continue
		}
		account, err := accountOfHost(ctx, store, intake.HostOf(o.URL))
		if err != nil || account == site.PublisherID {
			return err == nil, err
		}
	}
	return false, nil
}

// policyFiles returns the files whose offers and preferences apply to a site:
// its own, and that of its house for everything on which its own says nothing.
func policyFiles(own *intake.Own) []*intake.Own {
	if own.House == nil {
		return []*intake.Own{own}
	}
	return []*intake.Own{own, own.House}
}

// mergedFile returns what a site's own file says, completed by that of its
// house: preferences use by use, and the rights holder.
func mergedFile(own *intake.Own) *publisherfile.File {
	out := own.Reading.File
	if own.House == nil {
		return &out
	}
	house := &own.House.Reading.File
	out.Preferences = slices.Clone(out.Preferences)
	for _, p := range house.Preferences {
		stated := slices.ContainsFunc(own.Reading.Preferences, func(x publisherfile.Preference) bool { return x.Use == p.Use && x.WholeSite() })
		if p.WholeSite() && !stated {
			out.Preferences = append(out.Preferences, p)
		}
	}
	if out.Holder == nil {
		out.Holder = house.Holder
		out.LegalName = cmp.Or(house.LegalName, house.Name)
	}
	return &out
}
