// Package filepolicy converts a publisher's own file into records of the
// origin, and from these the policy that the channels are written from. It
// reaches neither the network nor a store, so that the editor of such files
// runs it in the browser.
package filepolicy

import (
	"cmp"
	"slices"
	"strings"

	"colophon/exports"
	"colophon/internal/channel"
	"colophon/internal/channel/publisherfile"
	"colophon/internal/channel/statements"
	"colophon/internal/channelpack"
	"colophon/internal/origin"
	"colophon/internal/rights"
)

// Facts copies a file's facts about a publisher into its site. Facts that the file
// does not state stay.
func Facts(s *origin.Site, f *publisherfile.File) {
	text := func(to *string, value string) {
		if value != "" {
			*to = value
		}
	}
	list := func(to *[]string, value []string) {
		if len(value) > 0 {
			*to = value
		}
	}
	text(&s.Name, f.Name)
	text(&s.Summary, f.Summary)
	text(&s.Description, f.Description)
	text(&s.Audience, f.Audience)
	text(&s.TechnicalDepth, f.TechnicalDepth)
	list(&s.Languages, f.Languages)
	list(&s.Countries, f.Countries)
	list(&s.Categories, f.Categories)
	if f.Inquiries != nil {
		text(&s.HumanPage, f.Inquiries.Page)
		s.AcceptsInquiries = !f.Inquiries.Closed
	}
}

// Register returns what the origin would hold of a site after it read the site's
// file at an instant (RFC 3339).
func Register(site origin.Site, f *publisherfile.File, at string) (origin.Site, []origin.Preference, []origin.Offer) {
	Facts(&site, f)
	preferences := Preferences(site.SiteID, f)
	for i := range preferences {
		preferences[i].Since, preferences[i].ChangedAt = at, at
	}
	var offers []origin.Offer
	for i := range f.Offers {
		o := OfferOf(site.SiteID, &f.Offers[i])
		o.ValidFrom = cmp.Or(o.ValidFrom, at)
		offers = append(offers, o)
	}
	return site, preferences, offers
}

// Preferences returns what a file says of the whole site.
func Preferences(siteID string, f *publisherfile.File) []origin.Preference {
	var out []origin.Preference
	for i := range f.Preferences {
		if p := &f.Preferences[i]; p.WholeSite() {
			out = append(out, origin.Preference{
				SiteID: siteID, Use: p.Use, Inquiry: cmp.Or(p.Inquiry, "unstated"), Declared: cmp.Or(p.Declared, "unknown"),
				Conditions: p.Conditions, Note: p.Note, Retention: p.Retention, Source: "file",
			})
		}
	}
	return out
}

// Holder returns the rights holder that a file names.
func Holder(f *publisherfile.File) string {
	if f.Holder != nil {
		return f.Holder.Name
	}
	return cmp.Or(f.LegalName, f.Name)
}

// OfferOf returns an offer of a file as a record of the origin, without its
// evidence.
func OfferOf(siteID string, f *publisherfile.Offer) origin.Offer {
	kind, paths := ScopeOf(f.Paths)
	o := origin.Offer{
		LicenseID: rights.OfferID(siteID, f.Slug), SiteID: siteID, Slug: f.Slug, Kind: "custom", Status: cmp.Or(f.Status, "offered"), Title: f.Title,
		ScopeType: kind, Paths: paths, Excludes: f.Excludes, Permits: InOrder(f.Uses), Prohibits: InOrder(f.Prohibits), UserTypes: f.UserTypes,
		Territories: f.Territories, NotIn: f.NotIn,
		PaymentModel: f.Payment.Model, Amount: f.Payment.Amount, Currency: f.Payment.Currency, Unit: f.Payment.Unit,
		ValidFrom: f.ValidFrom, ValidUntil: f.ValidUntil, Source: "file",
	}
	if x := f.Obligations; x != nil {
		o.Attribution = x.Attribution
		o.DisplayLimit = x.DisplayChars
		o.DeleteHours = x.DeleteHours
		o.Reporting = x.Reporting
		o.Retention = x.Retention
	}
	if t := f.Terms; t != nil {
		o.TermsURL = t.URL
		o.TermsSHA256 = t.SHA256
		o.TermsVersion = t.Version
		o.TermsMedia = t.MediaType
	}
	return o
}

// ScopeOf names the scope of a list of paths.
func ScopeOf(paths []string) (kind string, list []string) {
	if len(paths) == 0 || len(paths) == 1 && (paths[0] == "/*" || paths[0] == "/") {
		return "site", []string{"/*"}
	}
	return "section", paths
}

// InOrder lists uses in the order of exports.Uses.
func InOrder(uses []string) []string {
	var out []string
	for _, u := range exports.UseWords() {
		if slices.Contains(uses, u) {
			out = append(out, u)
		}
	}
	return out
}

// Closed returns the parts of a site where its publisher's own file reserves a
// use that it does not reserve everywhere, or allows it only to whoever asks.
// Channels carry these; what a file opens below a path they do not, and so say
// less than the file.
func Closed(docs []statements.Document) []channelpack.ClosedPath {
	var out []channelpack.ClosedPath
	seen := map[channelpack.ClosedPath]bool{}
	for i := range docs {
		if docs[i].Channel != statements.PublisherFile {
			continue
		}
		for _, s := range docs[i].Statements {
			closes := s.Effect == statements.Disallow || s.Effect == statements.Priced && strings.HasPrefix(s.Locator, "/preferences/")
			if !closes || s.Pattern == "" || s.Pattern == "/" || s.Pattern == "/*" {
				continue
			}
			c := channelpack.ClosedPath{Prefix: channelpack.ClosedPrefix(s.Pattern), Use: exports.Use(s.Word)}
			if !seen[c] {
				seen[c], out = true, append(out, c)
			}
		}
	}
	return out
}

// PolicyOf returns the policy of a file as its channels are written from it,
// for a site whose home is siteURL at a registry whose address is base, judged
// at an instant (RFC 3339). asks is where a licence can be asked for.
func PolicyOf(siteID, siteURL, base, asks, at string, file []byte, f *publisherfile.File) channelpack.Policy {
	site := origin.Site{SiteID: siteID, SiteURL: siteURL, State: origin.Approved, Visibility: "public", AcceptsInquiries: true, ApprovedAt: at, ChangedAt: at}
	site, preferences, offers := Register(site, f, at)
	snapshot := rights.SiteSnapshot{Site: site}
	p := channelpack.Policy{SiteID: siteID, Name: site.Name, SiteURL: siteURL, Holder: Holder(f), RequestURL: asks, ServiceURL: base, LastModified: at}
	for _, x := range preferences {
		p.Preferences = append(p.Preferences, exports.Preference{Use: x.Use, Inquiry: x.Inquiry, Declared: x.Declared, Conditions: x.Conditions, Note: x.Note, Retention: x.Retention, Source: x.Source})
	}
	for i := range offers {
		if o, ok := rights.Offer(&snapshot, &offers[i], 0); ok && offers[i].Status != "retired" {
			p.Offers = append(p.Offers, o)
		}
	}
	read := channel.ParsePublisherFile(channel.Input{URL: strings.TrimSuffix(siteURL, "/") + publisherfile.WellKnown, Body: file})
	p.Closed = Closed([]statements.Document{read.Document})
	return p
}
