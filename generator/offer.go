package generator

import (
	"sort"

	"colophon/exports"
	"colophon/internal/rights"
)

// offers writes the first page of the license catalog and each offer by
// itself.
func (b *build) offers() error {
	list := b.allOffers()
	offered := make([]exports.Offer, 0, len(list))
	for i := range list {
		if err := b.json(exports.OfferPath(list[i].LicenseID), &list[i]); err != nil {
			return err
		}
		if err := b.offerForms(&list[i]); err != nil {
			return err
		}
		if list[i].Status == "offered" {
			offered = append(offered, list[i])
		}
	}
	return b.json(exports.PathLicenseCatalog, firstPage(b, exports.PathLicenseCatalog, offered, 50, int64(len(offered)), exports.IndexOffers, "", "status", "offered"))
}

// allOffers are the public offers of all publishers, newest first.
func (b *build) allOffers() []exports.Offer {
	var out []exports.Offer
	for i := range b.sites {
		out = append(out, siteOffers(&b.sites[i])...)
	}
	sort.Slice(out, func(i, j int) bool {
		if out[i].ValidFrom != out[j].ValidFrom {
			return out[i].ValidFrom > out[j].ValidFrom
		}
		return out[i].LicenseID < out[j].LicenseID
	})
	return out
}

func siteOffers(s *siteFacts) []exports.Offer {
	var out []exports.Offer
	for i := range s.Offers {
		o := &s.Offers[i]
		if p, ok := rights.Offer(&s.SiteSnapshot, o, s.tally.Scoped(o.LicenseID)); ok && o.Status != "retired" {
			if s.representable(&p) {
				rights.Represented(&p)
			}
			out = append(out, p)
		}
	}
	return out
}

// stats writes the totals of the network.
func (b *build) stats() error {
	s := b.totals()
	return b.json(exports.PathStats, &s)
}

func (b *build) totals() exports.Stats {
	s := exports.Stats{Catalog: b.release, LedgerSize: b.log.size}
	categories, _ := b.categoryTotals()
	s.Categories = int64(len(categories))
	for i := range b.sites {
		f := &b.sites[i]
		p, ok := rights.Publisher(&f.SiteSnapshot, f.tally)
		if !ok {
			continue
		}
		s.Publishers++
		if p.AcceptsInquiries {
			s.AcceptingInquiries++
		}
		s.Websites += int64(len(p.Websites))
		s.RegisteredPages += f.tally.Pages
		s.ProvenanceRecords += f.tally.Records
		s.LicenseOffers += int64(len(siteOffers(f)))
		for l, level := range exports.ReadinessLevels {
			if level == p.Readiness {
				s.Readiness[l]++
			}
		}
	}
	return s
}
