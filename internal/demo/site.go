package demo

import (
	"slices"
	"strings"

	"colophon/exports"
	"colophon/internal/origin"
	"colophon/internal/urlkey"
)

var (
	cadences = []string{"daily", "weekly", "monthly", "rarely"}
	states   = []string{string(origin.Pending), string(origin.Approved), string(origin.Suspended), string(origin.Closed)}
)

// readFacts reads a block of a site's sheet. The first block is the site
// itself.
func (p *place) readFacts(b *block) {
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
		b.setFault("the kind %q is unknown", b.kind)
	}
	if p.site.SiteID == "" {
		b.setFault("the site stands first")
	}
}

func (p *place) readSite(b *block) {
	if !exports.ValidSiteID(b.key) {
		b.setFault("%q is not a site id", b.key)
	}
	s := origin.Site{
		SiteID: b.key, PublisherID: "pub_" + b.key, Name: b.needField("name"), SiteURL: b.canonicalURL(b.needField("url")), Summary: b.needField("summary"),
		Description: b.needField("description"), Categories: b.listField("categories"), Languages: b.listField("languages"), Countries: b.listField("countries"),
		Audience: b.wordField("audience", exports.Audiences), TechnicalDepth: b.wordField("depth", exports.TechnicalDepths),
		RAGSuitability: b.wordField("rag", exports.RAGSuitabilities), UpdateCadence: b.wordField("cadence", cadences), HumanPage: b.canonicalURL(b.takeField("licensing")),
		DomainControl: b.wordField("control", exports.DomainControls), ControlChecked: b.instantField("checked"),
		State: origin.SiteState(b.wordField("state", states)), Visibility: b.wordField("visibility", []string{"public", "private"}),
		ApprovedAt: b.instantField("approved"), StateReason: b.checkPrivate(b.needField("reason")), PrivateNotes: b.checkPrivate(b.needField("notes")),
		CreatedAt: b.parseTime(b.needField("created")), ChangedAt: b.parseTime(b.needField("changed")),
	}
	s.AcceptsInquiries = b.wordField("inquiries", []string{"open", "closed"}) == "open"
	p.silent = b.takeField("file") == "no"
	account := s.PublisherID
	if house := b.takeField("house"); house != "" {
		s.PublisherID = "pub_" + house
	}
	p.site = s
	p.account = origin.Publisher{
		PublisherID: account, GroupName: b.takeField("group"), LegalName: b.needField("legal"), ContactName: b.checkPrivate(b.needField("contact")),
		ContactEmail: canaryLocal + b.needField("email") + "@" + urlkey.HostOf(s.SiteURL), PrivateNotes: b.checkPrivate(b.needField("account")), CreatedAt: s.CreatedAt,
	}
}

// readWebsites reads items of the form "host | method | checked".
func (p *place) readWebsites(b *block) {
	for _, item := range b.items {
		c := b.splitRow(item, 3)
		w := origin.Website{SiteID: p.site.SiteID, Host: c[0], Method: b.knownWord(c[1], exports.DomainControls), CheckedAt: b.parseTime(c[2]), ChangedAt: p.site.ChangedAt}
		w.Associated = w.Method != "none"
		p.websites = append(p.websites, w)
	}
}

// readPreferences reads items of the form "use | inquiry | declared |
// conditions | since | source | note". A condition such as "retention P30D" says
// how long a copy may be kept.
func (p *place) readPreferences(b *block) {
	for _, item := range b.items {
		c := b.splitRow(item, 7)
		pref := origin.Preference{
			SiteID: p.site.SiteID, Use: b.knownWord(c[0], exports.UseWords()), Inquiry: b.knownWord(c[1], exports.Inquiries),
			Declared: b.knownWord(c[2], exports.Declarations), Conditions: splitList(c[3], ","), Since: b.parseTime(c[4]),
			Source: b.knownWord(c[5], exports.SignalSources), Note: c[6], ChangedAt: p.site.CreatedAt,
		}
		pref.Conditions = slices.DeleteFunc(pref.Conditions, func(word string) bool {
			retention, said := strings.CutPrefix(word, "retention ")
			if said {
				pref.Retention = b.retention(retention)
			}
			return said
		})
		for _, word := range pref.Conditions {
			b.knownWord(word, exports.Conditions)
		}
		pref.ChangedAt = max(pref.ChangedAt, pref.Since)
		p.preferences = append(p.preferences, pref)
	}
}

// readPassports reads items of the form "holder | address | basis | territories
// | from | notes", one for each version.
func (p *place) readPassports(b *block) {
	for i, item := range b.items {
		c := b.splitRow(item, 6)
		p.passports = append(p.passports, origin.Passport{
			SiteID: p.site.SiteID, Version: int64(i) + 1, PassportID: passportID(p.site.SiteID, i+1), HolderName: c[0], HolderURL: b.canonicalURL(c[1]),
			HolderBasis: b.knownWord(c[2], exports.PassportBases), Territories: splitList(c[3], ","), EffectiveFrom: b.parseTime(c[4]),
			PrivateNotes: b.checkPrivate(c[5]), ChangedAt: b.parseTime(c[4]),
		})
	}
}

// readSignals reads items of the form "signal | state | evidence | checked".
func (p *place) readSignals(b *block) {
	for _, item := range b.items {
		c := b.splitRow(item, 4)
		p.signals = append(p.signals, origin.Signal{
			SiteID: p.site.SiteID, Signal: b.knownWord(c[0], exports.ReadinessSignals), State: b.knownWord(c[1], exports.SignalStates),
			Evidence: b.canonicalURL(c[2]), CheckedAt: b.parseTime(c[3]), ChangedAt: max(b.parseTime(c[3]), p.site.CreatedAt),
		})
	}
}
