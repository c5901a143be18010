package demo

import (
	"strconv"
	"strings"

	"colophon/exports"
	"colophon/internal/origin"
	"colophon/internal/rights"
)

var (
	scopes       = []string{"site", "section", "collection"}
	attributions = []string{"link", "name", ""}
)

func passportID(siteID string, version int) string {
	return "rp_" + siteID + "_" + strconv.Itoa(version)
}

// readOffer reads an offer; its raw lines are the text of its terms.
func (p *place) readOffer(b *block) {
	id := p.site.SiteID
	o := origin.Offer{
		LicenseID: rights.OfferID(id, b.key), SiteID: id, Slug: b.key, Kind: b.wordField("kind", exports.OfferKinds),
		Status: b.wordField("status", exports.OfferStatuses), Title: b.needField("title"), ScopeType: b.wordField("scope", scopes),
		Paths: b.listField("paths"), Excludes: b.listField("excludes"), ContentFormats: b.wordsField("formats", exports.ContentFormats),
		PublishedAfter: b.instantField("after"), Permits: b.wordsField("permits", exports.UseWords()), Prohibits: b.wordsField("prohibits", exports.UseWords()),
		UserTypes: b.wordsField("users", exports.UserTypes), Territories: b.listField("territories"), NotIn: b.listField("not-in"),
		PaymentModel: b.wordField("payment", exports.PaymentModels), Amount: b.takeField("amount"), Currency: b.takeField("currency"), Unit: b.takeField("unit"),
		Attribution: b.knownWord(b.takeField("attribution"), attributions), DisplayLimit: b.numberField("display"), DeleteHours: b.numberField("delete"),
		Retention: b.retention(b.takeField("retention")), Reporting: b.canonicalURL(b.takeField("reporting")), ValidFrom: b.parseTime(b.needField("from")), ValidUntil: b.instantField("until"),
		PrivateNotes: b.checkPrivate(b.needField("notes")), ChangedAt: b.parseTime(b.needField("changed")),
	}
	if before := b.takeField("supersedes"); before != "" {
		o.Supersedes = rights.OfferID(id, before)
	}
	if len(b.raw) > 0 {
		o.TermsURL = b.canonicalURL(b.needField("terms"))
		o.TermsVersion = b.needField("version")
		o.TermsMedia = "text/plain"
		o.TermsSHA256 = hexDigest(strings.Join(b.raw, "\n") + "\n")
	}
	p.offers = append(p.offers, o)
}

// retention checks a retention, which may be missing.
func (b *block) retention(text string) string {
	if text != "" && !exports.ValidRetention(text) {
		b.setFault("%q is not a retention", text)
	}
	return text
}

// numberField returns a field that is a whole number, 0 if it is missing.
func (b *block) numberField(name string) int64 {
	text := b.takeField(name)
	if text == "" {
		return 0
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 {
		b.setFault("%q is not a number", text)
	}
	return n
}

// readObservation reads what the site says in one channel; its raw lines are
// the observed document.
func (p *place) readObservation(b *block) {
	o := origin.Observation{
		SiteID: p.site.SiteID, Channel: b.knownWord(b.key, exports.Channels), URL: b.canonicalURL(b.needField("url")), Status: b.numberField("status"),
		ContentType: b.takeField("type"), FetchedAt: b.parseTime(b.needField("fetched")), ValidUntil: b.instantField("until"),
	}
	if len(b.raw) > 0 {
		o.Raw = strings.Join(b.raw, "\n") + "\n"
		o.SHA256 = hexDigest(o.Raw)
	}
	p.observations = append(p.observations, o)
}
