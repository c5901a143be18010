package indexer

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"colophon/exports"
	"colophon/internal/searchindex"
)

// readOffers files the license catalog, the newest first, then by id.
func (b *builder) readOffers(ctx context.Context, sites map[string]site) error {
	c, err := b.openCollection(searchindex.Offers, 32)
	if err != nil || b.src.Offers == nil {
		return err
	}
	var all []exports.Offer
	for o, err := range b.src.Offers {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return fmt.Errorf("offer %q: %w", o.LicenseID, err)
		}
		all = append(all, o)
	}
	slices.SortFunc(all, func(a, b exports.Offer) int {
		return cmp.Or(strings.Compare(b.ValidFrom, a.ValidFrom), strings.Compare(a.LicenseID, b.LicenseID))
	})
	for i := range all {
		draftOffer(&c.draft, &all[i], sites[all[i].SiteID])
		if err := c.addRecord(&all[i]); err != nil {
			return err
		}
	}
	return nil
}

func draftOffer(d *draft, o *exports.Offer, s site) {
	d.addText(4, o.Title)
	d.addText(3, s.categories...)
	d.addText(2, o.Permits...)
	d.addText(2, o.Scope.Paths...)
	d.addText(1, s.name, o.SiteID)
	d.addFacet("site", o.SiteID)
	d.addFacet("category", s.categories...)
	d.addFacet("use", o.Permits...)
	d.addFacet("payment", o.Payment.Model)
	d.addFacet("status", o.Status)
	d.addFacet("user", o.UserTypes...)
	if len(o.UserTypes) == 0 {
		d.addFacet("user", exports.UserTypes...)
	}
	d.addFacet("in", o.Territories...)
	if len(o.Territories) == 0 {
		d.addFacet("in", "*")
	}
	d.addFacet("not-in", o.NotIn...)
}

// readDemand files the buyer demand, the newest first, then by id.
func (b *builder) readDemand(ctx context.Context, _ map[string]site) error {
	c, err := b.openCollection(searchindex.Demand, 64)
	if err != nil || b.src.Demand == nil {
		return err
	}
	var all []exports.Demand
	for r, err := range b.src.Demand {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return fmt.Errorf("demand %q: %w", r.DemandID, err)
		}
		all = append(all, r)
	}
	slices.SortFunc(all, func(a, b exports.Demand) int {
		return cmp.Or(strings.Compare(b.OptedInAt, a.OptedInAt), strings.Compare(a.DemandID, b.DemandID))
	})
	for i := range all {
		r, d := &all[i], &c.draft
		d.addText(4, r.Headline)
		d.addText(3, r.Categories...)
		d.addText(2, r.Uses...)
		d.addText(2, r.ContentFormats...)
		d.addText(1, r.Languages...)
		d.addText(1, r.Territories...)
		d.addText(1, r.Volume, r.Timeline, r.BuyerDisplay)
		if err := c.addRecord(r); err != nil {
			return err
		}
	}
	return nil
}
