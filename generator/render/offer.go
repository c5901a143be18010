package render

import (
	"cmp"
	"slices"
	"strings"

	"colophon/exports"
	"colophon/internal/listing"
	"colophon/internal/rights"
	"colophon/internal/searchindex"
)

// Offers returns the first page of the license catalog, and each offer in all
// its forms.
func Offers(base string, c *Catalog) ([]Document, error) {
	var docs []Document
	for _, p := range c.Publishers {
		for i := range p.Listed {
			forms, err := formsOfOffer(base, p, &p.Listed[i])
			if err != nil {
				return nil, err
			}
			docs = append(append(docs, recordAt(exports.OfferPath(p.Listed[i].LicenseID), &p.Listed[i])), forms...)
		}
	}
	offered := c.offered()
	first := firstPage(c, exports.PathLicenseCatalog, offered, 50, int64(len(offered)), listing.PlaceOfOffer, searchindex.Offers, "", "status", "offered")
	return append(docs, recordAt(exports.PathLicenseCatalog, first)), nil
}

// offered returns the public offers that are open now, newest first.
func (c *Catalog) offered() []exports.Offer {
	out := []exports.Offer{}
	for _, o := range c.Offers {
		if o.Status == "offered" {
			out = append(out, o)
		}
	}
	return out
}

// collectOffers collects the public offers of all publishers, newest first.
func (c *Catalog) collectOffers() {
	for _, p := range c.Publishers {
		c.Offers = append(c.Offers, p.Listed...)
	}
	slices.SortStableFunc(c.Offers, func(a, b exports.Offer) int {
		return cmp.Or(strings.Compare(b.ValidFrom, a.ValidFrom), strings.Compare(a.LicenseID, b.LicenseID))
	})
}

// publicOffers returns the public offers of a publisher.
func publicOffers(p *Publisher) []exports.Offer {
	var out []exports.Offer
	for i := range p.Offers {
		o := &p.Offers[i]
		if public, ok := rights.Offer(&p.SiteSnapshot, o, p.Tally.Scoped(o.LicenseID)); ok && o.Status != "retired" {
			if canRepresent(p, &public) {
				rights.Represented(&public)
			}
			out = append(out, public)
		}
	}
	return out
}

// Totals returns the totals of the network.
func Totals(c *Catalog) exports.Stats {
	s := exports.Stats{Catalog: c.Release, LedgerSize: c.LedgerSize, LicenseOffers: int64(len(c.offered())), Categories: int64(len(c.Categories))}
	for _, f := range c.Publishers {
		p := f.Record
		if p == nil {
			continue
		}
		s.Publishers++
		if p.AcceptsInquiries {
			s.AcceptingInquiries++
		}
		s.Websites += int64(len(p.Websites))
		s.RegisteredPages += f.Tally.Pages
		s.ProvenanceRecords += f.Tally.Records
		for l, level := range exports.ReadinessLevels {
			if level == p.Readiness {
				s.Readiness[l]++
			}
		}
	}
	return s
}

// Stats returns the totals as a document.
func Stats(c *Catalog) Document {
	s := Totals(c)
	return recordAt(exports.PathStats, &s)
}
