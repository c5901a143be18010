package corpus

import (
	"iter"

	"colophon/exports"
	"colophon/internal/indexbuild"
)

// Source is all that goes into an index. Entries are grouped by site.
type Source struct {
	indexbuild.Source
	Release exports.Release
	Entries iter.Seq2[indexbuild.Entry, error] // may be nil
}

// Source returns the whole corpus, except the ledger.
func (c *Generator) Source() Source {
	return Source{
		Release: exports.Release{Name: "2026-01-01." + "1", GeneratedAt: "2026-01-01T00:00:00Z", Root: "sha-256:" + c.pageDigest(-1, 3)},
		Entries: func(yield func(indexbuild.Entry, error) bool) {
			for i := range c.Pages {
				if !yield(c.Page(i), nil) {
					return
				}
			}
		},
		Source: indexbuild.Source{
			LedgerSize: int64(c.Pages), Publishers: ofEach(c, c.Publisher), Map: ofEach(c, c.MapRecord), Offers: c.offers(),
		},
	}
}

// ofEach returns what make makes of each publisher.
func ofEach[T any](c *Generator, make func(i int) T) (all []T) {
	for i := range c.pubs {
		all = append(all, make(i))
	}
	return all
}

// Publisher makes publisher i.
func (c *Generator) Publisher(i int) exports.Publisher {
	p := &c.pubs[i]
	var out exports.Publisher
	out.SiteID = p.id
	out.Name = p.name
	out.SiteURL = "https://" + p.host + "/"
	out.PublisherID = "pub_" + p.id
	out.Categories = offerSlugs(p)
	out.Languages, out.Countries = []string{"en"}, []string{"NL"}
	out.RegisteredPages = int64(p.pages)
	out.Verified = p.verified
	out.AcceptsInquiries = true
	for k, f := range exports.ContentFormats {
		if p.formats>>k&1 != 0 {
			out.ContentFormats = append(out.ContentFormats, f)
		}
	}
	out.RAGSuitability = exports.RAGSuitabilities[p.level]
	out.Readiness = exports.ReadinessLevels[(p.level+p.depth)%5]
	out.RightsVector, out.UpdatedAt = p.vector, instantAt(p.registered)
	r := newStream(c.Seed, kindText, uint64(1<<40+i))
	for range 12 {
		out.Summary += c.drawToken(&r, p, p.categories[0]) + " "
	}
	out.Summary = capitalize(out.Summary[:len(out.Summary)-1]) + "."
	out.DomainControl = "none"
	out.Audience, out.TechnicalDepth = exports.Audiences[p.audience], exports.TechnicalDepths[p.depth]
	out.Preferences = drawPreferences(p)
	out.Offers = p.licenses
	out.Records.Records = int64(p.pages)
	return out
}

func offerSlugs(p *publisher) []string {
	var out []string
	for _, x := range p.categories {
		out = append(out, Categories[x])
	}
	return out
}

func drawPreferences(p *publisher) []exports.Preference {
	out := exports.AllPreferences(nil)
	for u := range out {
		out[u].Inquiry = exports.Inquiries[p.uses[u]]
	}
	return out
}

// MapRecord makes the rights-map record of publisher i.
func (c *Generator) MapRecord(i int) exports.MapRecord {
	p := c.Publisher(i)
	out := exports.MapRecord{SiteID: p.SiteID, Name: p.Name, SiteURL: p.SiteURL, Categories: p.Categories, Readiness: p.Readiness, RightsVector: p.RightsVector,
		Preferences: p.Preferences, RegisteredPages: p.RegisteredPages, Offers: int64(len(p.Offers)), ProvenanceRecords: p.RegisteredPages, AcceptsInquiries: true, DomainControl: p.DomainControl, ControlChecked: p.ControlChecked, UpdatedAt: p.UpdatedAt}
	for _, s := range exports.ReadinessSignals {
		out.Signals = append(out.Signals, exports.ReadinessSignal{Signal: s, State: "unchecked"})
	}
	return out
}

// offers returns the offers of all publishers.
func (c *Generator) offers() (all []exports.Offer) {
	for i := range c.pubs {
		p := &c.pubs[i]
		for k, id := range p.licenses {
			o := exports.Offer{LicenseID: id, Kind: "custom", Status: exports.OfferStatuses[(i+k)%3], Title: p.name + " licence", SiteID: p.id, ValidFrom: instantAt(p.registered)}
			o.Scope.Type = "site"
			o.Payment.Model = exports.PaymentModels[(i+k)%8]
			for u := range p.uses {
				if p.uses[u] < 2 {
					o.Permits = append(o.Permits, string(exports.Uses[u]))
				}
			}
			o.UserTypes = exports.UserTypes[:(i+k)%6]
			o.Territories = [][]string{nil, {"EU"}, {"NL", "US"}, {"US"}}[(i+2*k)%4]
			o.NotIn = [][]string{nil, nil, {"FR"}, {"EU"}, nil}[(i+3*k)%5]
			all = append(all, o)
		}
	}
	return all
}
