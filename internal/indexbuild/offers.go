package indexbuild

import (
	"cmp"
	"slices"
	"strings"

	"colophon/exports"
	"colophon/internal/searchindex"
	"colophon/internal/searchindex/indexer"
)

// readOffers adds the license catalog, newest first, then by id.
func (b *Builder) readOffers() error {
	c, err := b.openCollection(searchindex.Offers, 32)
	if err != nil {
		return err
	}
	all := slices.Clone(b.src.Offers)
	slices.SortFunc(all, func(a, b exports.Offer) int {
		return cmp.Or(strings.Compare(b.ValidFrom, a.ValidFrom), strings.Compare(a.LicenseID, b.LicenseID))
	})
	for i := range all {
		draftOffer(c, &all[i], b.sites[all[i].SiteID])
		if err := c.AddRecord(&all[i]); err != nil {
			return err
		}
	}
	c.AddOrder("newest", asAdded)
	c.AddOrder("price", func(x, y int) int { return comparePrices(&all[x].Payment, &all[y].Payment) })
	return nil
}

// comparePrices orders prices by currency, then by what is paid for, then by
// amount, the lowest first. Offers without a price come last.
func comparePrices(a, b *exports.Payment) int {
	if (a.Amount == "") != (b.Amount == "") {
		return strings.Compare(b.Amount, a.Amount)
	}
	return cmp.Or(
		strings.Compare(a.Currency, b.Currency),
		strings.Compare(a.Model, b.Model),
		strings.Compare(a.Unit, b.Unit),
		compareDecimals(a.Amount, b.Amount),
	)
}

// compareDecimals compares decimal texts without signs.
func compareDecimals(a, b string) int {
	wholeA, restA, _ := strings.Cut(a, ".")
	wholeB, restB, _ := strings.Cut(b, ".")
	wholeA = strings.TrimLeft(wholeA, "0")
	wholeB = strings.TrimLeft(wholeB, "0")
	return cmp.Or(
		cmp.Compare(len(wholeA), len(wholeB)),
		strings.Compare(wholeA, wholeB),
		strings.Compare(strings.TrimRight(restA, "0"), strings.TrimRight(restB, "0")),
	)
}

func draftOffer(d *indexer.Collection, o *exports.Offer, s site) {
	d.AddText(4, o.Title)
	d.AddText(3, s.categories...)
	d.AddText(2, o.Permits...)
	d.AddText(2, o.Scope.Paths...)
	d.AddText(1, s.name, o.SiteID)
	d.AddFacet("site", o.SiteID)
	d.AddFacet("category", s.categories...)
	d.AddFacet("use", o.Permits...)
	d.AddFacet("payment", o.Payment.Model)
	d.AddFacet("status", o.Status)
	d.AddFacet("user", o.UserTypes...)
	if len(o.UserTypes) == 0 {
		d.AddFacet("user", exports.UserTypes...)
	}
	d.AddFacet("in", o.Territories...)
	if len(o.Territories) == 0 {
		d.AddFacet("in", "*")
	}
	d.AddFacet("not-in", o.NotIn...)
}

// readDemand adds the buyer demand, newest first, then by id.
func (b *Builder) readDemand() error {
	c, err := b.openCollection(searchindex.Demand, 64)
	if err != nil {
		return err
	}
	all := slices.Clone(b.src.Demand)
	slices.SortFunc(all, func(a, b exports.Demand) int {
		return cmp.Or(strings.Compare(b.OptedInAt, a.OptedInAt), strings.Compare(a.DemandID, b.DemandID))
	})
	for i := range all {
		r, d := &all[i], c
		d.AddFacet("category", r.Categories...)
		d.AddFacet("use", r.Uses...)
		d.AddText(4, r.Headline)
		d.AddText(3, r.Categories...)
		d.AddText(2, r.Uses...)
		d.AddText(2, r.ContentFormats...)
		d.AddText(1, r.Languages...)
		d.AddText(1, r.Territories...)
		d.AddText(1, r.Volume, r.Timeline, r.BuyerDisplay)
		if err := c.AddRecord(r); err != nil {
			return err
		}
	}
	c.AddOrder("newest", asAdded)
	c.AddOrder("ends", func(x, y int) int { return compareEarliest(all[x].ExpiresAt, all[y].ExpiresAt) })
	return nil
}
