// Package snapshot reads the input of a release from the private origin:
// publishers with what is known and was observed about them, their pages, and
// the needs of buyers.
package snapshot

import (
	"context"
	"slices"

	"colophon/exports"
	"colophon/internal/origin"
	"colophon/internal/rights"
)

// Origin is the small part of the origin: everything but pages and records.
type Origin struct {
	Changes    int64                 // number of changes of the origin so far
	Latest     string                // instant of its last change
	Known      map[string]bool       // ids of all sites
	Public     []rights.SiteSnapshot // public sites, by id
	Closed     []origin.Site         // closed publishers, by site id
	Categories []origin.Category
}

// Read reads the small part of the origin, and updates the evidence of public
// sites. It judges nothing as of an instant before notBefore.
func Read(ctx context.Context, store origin.Catalog, notBefore string) (o Origin, err error) {
	sites, err := store.Sites(ctx)
	if err != nil {
		return o, err
	}
	groups, err := groupsOf(ctx, store)
	if err != nil {
		return o, err
	}
	if o.Changes, o.Latest, err = store.Changes(ctx); err != nil {
		return o, err
	}
	o.Known = map[string]bool{}
	var public []origin.Site
	for _, s := range sites {
		o.Known[s.SiteID] = true
		if s.State == origin.Closed {
			o.Closed = append(o.Closed, s)
		}
		if rights.Public(s) {
			public = append(public, s)
		}
	}
	err = refreshSites(ctx, store, public, max(o.Latest, notBefore), func(f rights.SiteSnapshot) {
		f.Group = groups[f.Site.PublisherID]
		o.Public = append(o.Public, f)
	})
	if err != nil {
		return o, err
	}
	o.Categories, err = store.Categories(ctx)
	return o, err
}

// groupsOf returns the accounts that are groups, by id.
func groupsOf(ctx context.Context, store origin.Sites) (map[string]*exports.GroupRef, error) {
	list, err := store.Groups(ctx)
	out := map[string]*exports.GroupRef{}
	for i := range list {
		out[list[i].PublisherID] = &exports.GroupRef{GroupID: list[i].PublisherID, Name: list[i].GroupName}
	}
	return out, err
}

// The sizes of the batches in which sites are read: their facts, and the
// observed documents, which may be long.
const (
	siteBatch     = 256
	observedBatch = 16
)

// eachSite reads the facts of sites and what was observed of each.
func eachSite(ctx context.Context, store origin.SiteBatches, sites []origin.Site, do func(rights.SiteSnapshot, []origin.Observation) error) error {
	for batch := range slices.Chunk(sites, siteBatch) {
		facts, err := readFacts(ctx, store, batch)
		if err != nil {
			return err
		}
		for some := range slices.Chunk(facts, observedBatch) {
			seen, err := store.ObservationsOfSites(ctx, idsOfFacts(some))
			if err != nil {
				return err
			}
			for i := range some {
				if err := do(some[i], seen[some[i].Site.SiteID]); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func idsOfFacts(list []rights.SiteSnapshot) []string {
	ids := make([]string, len(list))
	for i := range list {
		ids[i] = list[i].Site.SiteID
	}
	return ids
}

// readFacts reads the facts of sites.
func readFacts(ctx context.Context, store origin.SiteBatches, sites []origin.Site) ([]rights.SiteSnapshot, error) {
	ids := make([]string, len(sites))
	for i := range sites {
		ids[i] = sites[i].SiteID
	}
	found, err := store.FactsOfSites(ctx, ids)
	if err != nil {
		return nil, err
	}
	list := make([]rights.SiteSnapshot, len(sites))
	for i := range found {
		f := &found[i]
		list[i] = rights.SiteSnapshot{
			Site: sites[i], Websites: f.Websites, Preferences: f.Preferences, Passports: f.Passports, Signals: f.Signals,
			Offers: f.Offers, Evidence: f.Evidence, Policies: f.Policies,
		}
	}
	return list, nil
}

// ReadSite reads the facts of one site.
func ReadSite(ctx context.Context, store origin.SiteBatches, s origin.Site) (rights.SiteSnapshot, error) {
	list, err := readFacts(ctx, store, []origin.Site{s})
	if err != nil {
		return rights.SiteSnapshot{}, err
	}
	return list[0], nil
}

// Demand reads the needs that buyers chose to publish, as of an instant.
func Demand(ctx context.Context, store origin.Catalog, at string) (demand []exports.Demand, err error) {
	all, err := store.Demand(ctx)
	for i := range all {
		if d, ok := rights.Demand(&all[i], at); ok {
			demand = append(demand, d)
		}
	}
	return demand, err
}

// Reservations reads the reservations in force of public sites, by id.
func Reservations(ctx context.Context, store origin.Reservations, public []rights.SiteSnapshot) (list []exports.Reservation, err error) {
	sites := make(map[string]*origin.Site, len(public))
	for i := range public {
		sites[public[i].Site.SiteID] = &public[i].Site
	}
	all, err := store.Reservations(ctx)
	for i := range all {
		site := sites[all[i].SiteID]
		if site == nil {
			continue
		}
		if r, ok := rights.ReservationNow(site, &all[i]); ok {
			list = append(list, r)
		}
	}
	return list, err
}

// PageBatch is the number of pages that are held in memory.
const PageBatch = 256

// EachPage calls do with all pages of a site, in batches ordered by entry id.
func EachPage(ctx context.Context, store origin.Pages, siteID string, do func([]origin.Page) error) error {
	for after := ""; ; {
		batch, err := store.PagesOf(ctx, siteID, after, PageBatch)
		if err != nil || len(batch) == 0 {
			return err
		}
		if err := do(batch); err != nil || len(batch) < PageBatch {
			return err
		}
		after = batch[len(batch)-1].EntryID
	}
}
