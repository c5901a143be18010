package index

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"colophon/exports"
)

// readOffers files the license catalog, the newest first, then by id.
func (b *builder) readOffers(ctx context.Context, sites map[string]site) error {
	c, err := b.collect(exports.IndexOffers, 32)
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
		if err := c.record(&all[i]); err != nil {
			return err
		}
	}
	return nil
}

func draftOffer(d *draft, o *exports.Offer, s site) {
	d.text(4, o.Title)
	d.text(3, s.categories...)
	d.text(2, o.Permits...)
	d.text(2, o.Scope.Paths...)
	d.text(1, s.name, o.SiteID)
	d.facet("site", o.SiteID)
	d.facet("category", s.categories...)
	d.facet("use", o.Permits...)
	d.facet("payment", o.Payment.Model)
	d.facet("status", o.Status)
	d.facet("user", o.UserTypes...)
	if len(o.UserTypes) == 0 {
		d.facet("user", exports.UserTypes...)
	}
	d.facet("in", o.Territories...)
	if len(o.Territories) == 0 {
		d.facet("in", "*")
	}
	d.facet("not-in", o.NotIn...)
}

// readDemand files the buyer demand, the newest first, then by id.
func (b *builder) readDemand(ctx context.Context, _ map[string]site) error {
	c, err := b.collect(exports.IndexDemand, 64)
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
		d.text(4, r.Headline)
		d.text(3, r.Categories...)
		d.text(2, r.Uses...)
		d.text(2, r.ContentFormats...)
		d.text(1, r.Languages...)
		d.text(1, r.Territories...)
		d.text(1, r.Volume, r.Timeline, r.BuyerDisplay)
		if err := c.record(r); err != nil {
			return err
		}
	}
	return nil
}
