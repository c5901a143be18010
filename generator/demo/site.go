package demo

import (
	"strings"

	"colophon/exports"
	"colophon/internal/origin"
)

var (
	cadences = []string{"daily", "weekly", "monthly", "rarely"}
	states   = []string{string(origin.Pending), string(origin.Approved), string(origin.Suspended), string(origin.Closed)}
)

// facts reads a block of the sheet of a site. The first one is the site.
func (p *place) facts(b *block) {
	switch b.kind {
	case "site":
		p.readSite(b)
	case "websites":
		p.readWebsites(b)
	case "preferences":
		p.readPreferences(b)
	case "passports":
		p.readPassports(b)
	case "signals":
		p.readSignals(b)
	case "offer":
		p.readOffer(b)
	case "seen":
		p.readObservation(b)
	default:
		b.fault("the kind %q is unknown", b.kind)
	}
	if p.site.SiteID == "" {
		b.fault("the site stands first")
	}
}

func (p *place) readSite(b *block) {
	if !exports.ValidSiteID(b.key) {
		b.fault("%q is not a site id", b.key)
	}
	s := origin.Site{
		SiteID: b.key, PublisherID: "pub_" + b.key, Name: b.need("name"), SiteURL: b.url(b.need("url")), Summary: b.need("summary"),
		Description: b.need("description"), Categories: b.list("categories"), Languages: b.list("languages"), Countries: b.list("countries"),
		Audience: b.word("audience", exports.Audiences), TechnicalDepth: b.word("depth", exports.TechnicalDepths),
		RAGSuitability: b.word("rag", exports.RAGSuitabilities), UpdateCadence: b.word("cadence", cadences), HumanPage: b.url(b.take("licensing")),
		DomainControl: b.word("control", exports.DomainControls), ControlChecked: b.instant("checked"),
		State: origin.SiteState(b.word("state", states)), Visibility: b.word("visibility", []string{"public", "private"}),
		ApprovedAt: b.instant("approved"), StateReason: b.private(b.need("reason")), PrivateNotes: b.private(b.need("notes")),
		CreatedAt: b.time(b.need("created")), ChangedAt: b.time(b.need("changed")),
	}
	s.AcceptsInquiries = b.word("inquiries", []string{"open", "closed"}) == "open"
	p.site = s
	p.account = origin.Publisher{
		PublisherID: s.PublisherID, LegalName: b.need("legal"), ContactName: b.private(b.need("contact")),
		ContactEmail: canaryLocal + b.need("email") + "@" + host(s.SiteURL), PrivateNotes: b.private(b.need("account")), CreatedAt: s.CreatedAt,
	}
}

// host is the host of a canonical address.
func host(url string) string {
	_, rest, _ := strings.Cut(url, "://")
	h, _, _ := strings.Cut(rest, "/")
	return h
}

// readWebsites reads items "host | method | checked".
func (p *place) readWebsites(b *block) {
	for _, item := range b.items {
		c := b.row(item, 3)
		w := origin.Website{SiteID: p.site.SiteID, Host: c[0], Method: b.known(c[1], exports.DomainControls), CheckedAt: b.time(c[2]), ChangedAt: p.site.ChangedAt}
		w.Associated = w.Method != "none"
		p.websites = append(p.websites, w)
	}
}

// readPreferences reads items "use | inquiry | declared | conditions | since |
// source | note".
func (p *place) readPreferences(b *block) {
	for _, item := range b.items {
		c := b.row(item, 7)
		pref := origin.Preference{
			SiteID: p.site.SiteID, Use: b.known(c[0], exports.UseWords()), Inquiry: b.known(c[1], exports.Inquiries),
			Declared: b.known(c[2], exports.Declarations), Conditions: split(c[3], ","), Since: b.time(c[4]),
			Source: b.known(c[5], exports.SignalSources), Note: c[6], ChangedAt: p.site.CreatedAt,
		}
		for _, word := range pref.Conditions {
			b.known(word, exports.Conditions)
		}
		pref.ChangedAt = max(pref.ChangedAt, pref.Since)
		p.preferences = append(p.preferences, pref)
	}
}

// readPassports reads items "holder | address | basis | territories | from |
// notes", one for each version.
func (p *place) readPassports(b *block) {
	for i, item := range b.items {
		c := b.row(item, 6)
		p.passports = append(p.passports, origin.Passport{
			SiteID: p.site.SiteID, Version: int64(i) + 1, PassportID: passportID(p.site.SiteID, i+1), HolderName: c[0], HolderURL: b.url(c[1]),
			HolderBasis: b.known(c[2], exports.PassportBases), Territories: split(c[3], ","), EffectiveFrom: b.time(c[4]),
			PrivateNotes: b.private(c[5]), ChangedAt: b.time(c[4]),
		})
	}
}

// readSignals reads items "signal | state | evidence | checked".
func (p *place) readSignals(b *block) {
	for _, item := range b.items {
		c := b.row(item, 4)
		p.signals = append(p.signals, origin.Signal{
			SiteID: p.site.SiteID, Signal: b.known(c[0], exports.ReadinessSignals), State: b.known(c[1], exports.SignalStates),
			Evidence: b.url(c[2]), CheckedAt: b.time(c[3]), ChangedAt: max(b.time(c[3]), p.site.CreatedAt),
		})
	}
}
