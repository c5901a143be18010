package generator

import (
	"sort"

	"colophon/exports"
	"colophon/internal/listing"
	"colophon/internal/rights"
	"colophon/internal/searchindex"
)

// publishOffers writes the first page of the license catalog and each offer by
// itself.
func (b *build) publishOffers() error {
	list := b.allOffers()
	for i := range list {
		if err := b.writeRecord(exports.OfferPath(list[i].LicenseID), &list[i]); err != nil {
			return err
		}
		if err := b.offerForms(&list[i]); err != nil {
			return err
		}
	}
	offered := b.offered()
	return b.writeRecord(exports.PathLicenseCatalog, firstPage(b, exports.PathLicenseCatalog, offered, 50, int64(len(offered)), listing.PlaceOfOffer, searchindex.Offers, "", "status", "offered"))
}

// offered returns the public offers that are open now, newest first.
func (b *build) offered() []exports.Offer {
	out := []exports.Offer{}
	for _, o := range b.allOffers() {
		if o.Status == "offered" {
			out = append(out, o)
		}
	}
	return out
}

// allOffers returns the public offers of all publishers, newest first.
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
			if s.canRepresent(&p) {
				rights.Represented(&p)
			}
			out = append(out, p)
		}
	}
	return out
}

// publishStats writes the totals of the network.
func (b *build) publishStats() error {
	s := b.countTotals()
	return b.writeRecord(exports.PathStats, &s)
}

func (b *build) countTotals() exports.Stats {
	s := exports.Stats{Catalog: b.release, LedgerSize: b.log.size, LicenseOffers: int64(len(b.offered()))}
	categories, _ := b.categoryTotals()
	s.Categories = int64(len(categories))
	for i := range b.sites {
		f := &b.sites[i]
		p, ok := f.publisher()
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
		for l, level := range exports.ReadinessLevels {
			if level == p.Readiness {
				s.Readiness[l]++
			}
		}
	}
	return s
}
