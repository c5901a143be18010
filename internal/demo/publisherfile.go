package demo

import (
	"slices"

	"colophon/exports"
	"colophon/internal/channel/publisherfile"
	"colophon/internal/intake"
	"colophon/internal/origin"
	"colophon/internal/urlkey"
	"colophon/internal/wire"
)

// showsControl reports whether a site proves control of its home.
func (p *place) showsControl() bool {
	return slices.Contains(exports.ProvenControls, p.site.DomainControl)
}

// hasFile reports whether a site states things in its own file; for other
// sites, the operator records them.
func (p *place) hasFile() bool { return p.showsControl() && !p.silent }

// statedInFile reports whether a preference is stated in a site's own file.
func statedInFile(x *origin.Preference) bool { return x.Source == "publisher" && x.Since != "" }

// offeredInFile reports whether a file can make an offer. The operator records
// other offers, and those of the past.
func offeredInFile(o *origin.Offer) bool {
	said := o.Kind == "custom" && o.Status != "retired" && o.ScopeType != "collection"
	return said && len(o.ContentFormats) == 0 && o.PublishedAfter == "" && o.Supersedes == ""
}

// looks returns the instants at which the registry reads a site: whenever its
// file says something new, and last when control was checked.
func (p *place) looks() []string {
	at := []string{p.site.ControlChecked}
	if !p.hasFile() {
		return at
	}
	for i := range p.preferences {
		if x := &p.preferences[i]; statedInFile(x) {
			at = append(at, x.ChangedAt)
		}
	}
	for i := range p.offers {
		if o := &p.offers[i]; offeredInFile(o) {
			at = append(at, o.ChangedAt)
		}
	}
	slices.Sort(at)
	return slices.Compact(at)
}

// fileAt returns the file of a site as it was at an instant. A site's long
// descriptions are in its file only from the last look on.
func (p *place) fileAt(at string) []byte {
	s := &p.site
	f := publisherfile.File{
		Name: s.Name, LegalName: p.account.LegalName, Summary: s.Summary, Languages: s.Languages, Countries: s.Countries,
		Categories: s.Categories, Audience: s.Audience, TechnicalDepth: s.TechnicalDepth, Hosts: p.controlledHosts(),
		Inquiries: &publisherfile.Inquiries{Closed: !s.AcceptsInquiries, Page: s.HumanPage}, Sitemaps: []string{s.SiteURL + "sitemap.xml"},
	}
	if at >= p.lastLook() {
		f.Description = s.Description
	}
	if n := len(p.passports); n > 0 {
		last := &p.passports[n-1]
		f.Holder = &publisherfile.Holder{Name: last.HolderName, URL: last.HolderURL, Territories: last.Territories}
	}
	for i := range p.preferences {
		x := &p.preferences[i]
		if statedInFile(x) && x.ChangedAt <= at {
			f.Preferences = append(f.Preferences, filePreference(x))
		}
	}
	for i := range p.offers {
		o := &p.offers[i]
		if offeredInFile(o) && o.ChangedAt <= at {
			f.Offers = append(f.Offers, fileOffer(o))
		}
	}
	return wire.Append(nil, &f)
}

func (p *place) lastLook() string { looks := p.looks(); return looks[len(looks)-1] }

func filePreference(x *origin.Preference) publisherfile.Preference {
	out := publisherfile.Preference{Use: x.Use, Inquiry: x.Inquiry, Conditions: x.Conditions, Note: x.Note, Retention: x.Retention}
	if x.Declared != "unknown" {
		out.Declared = x.Declared
	}
	return out
}

func fileOffer(o *origin.Offer) publisherfile.Offer {
	out := publisherfile.Offer{
		Slug: o.Slug, Title: o.Title, Status: o.Status, Uses: o.Permits, Prohibits: o.Prohibits, UserTypes: o.UserTypes, Territories: o.Territories,
		NotIn: o.NotIn, Paths: o.Paths, Excludes: o.Excludes, ValidFrom: o.ValidFrom, ValidUntil: o.ValidUntil,
		Payment: publisherfile.Payment{Model: o.PaymentModel, Amount: o.Amount, Currency: o.Currency, Unit: o.Unit},
	}
	duties := publisherfile.Obligations{Attribution: o.Attribution, DisplayChars: o.DisplayLimit, DeleteHours: o.DeleteHours, Reporting: o.Reporting, Retention: o.Retention}
	if duties != (publisherfile.Obligations{}) {
		out.Obligations = &duties
	}
	if o.TermsURL != "" {
		out.Terms = &publisherfile.Terms{URL: o.TermsURL, SHA256: o.TermsSHA256, Version: o.TermsVersion, MediaType: o.TermsMedia}
	}
	return out
}

// controlledHosts returns the hosts that a site proves control of, the home
// first.
func (p *place) controlledHosts() []string {
	hosts := []string{urlkey.HostOf(p.site.SiteURL)}
	for _, w := range p.websites {
		if slices.Contains(exports.ProvenControls, w.Method) && !slices.Contains(hosts, w.Host) {
			hosts = append(hosts, w.Host)
		}
	}
	return hosts
}

// fileHost returns the host of the file of a site that cannot serve the
// well-known address.
func (p *place) fileHost() string { return "policy." + urlkey.HostOf(p.site.SiteURL) }

// fileAddress returns the address of a site's file.
func (p *place) fileAddress() string {
	if p.site.DomainControl == "well_known" {
		return "https://" + urlkey.HostOf(p.site.SiteURL) + publisherfile.WellKnown
	}
	return "https://" + p.fileHost() + "/publisher.json"
}

// publish serves the proof that each of a site's hosts belongs to it, and the
// site's file as it was at an instant. A site without a file shows the
// registry's token.
func (p *place) publish(w *web, at string) {
	if !p.hasFile() {
		for _, host := range p.controlledHosts() {
			w.setTexts(intake.TXTName(host), intake.Token("", p.site.SiteID, host))
		}
		return
	}
	file, address := p.fileAt(at), p.fileAddress()
	w.put(address, "application/json", file)
	for _, host := range p.controlledHosts() {
		switch p.methodOf(host) {
		case "dns_txt":
			w.setTexts(intake.TXTName(host), publisherfile.Rel+"="+address)
		case "meta":
			w.put("https://"+host+"/", "text/html; charset=utf-8", []byte(`<!doctype html><title>`+host+`</title><link rel="`+publisherfile.Rel+`" href="`+address+`">`))
		default:
			w.put("https://"+host+publisherfile.WellKnown, "application/json", file)
		}
	}
}

// methodOf returns how a site proves control of a host.
func (p *place) methodOf(host string) string {
	if host == urlkey.HostOf(p.site.SiteURL) {
		return p.site.DomainControl
	}
	for _, w := range p.websites {
		if w.Host == host {
			return w.Method
		}
	}
	return "none"
}
