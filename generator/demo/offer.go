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

// readOffer reads an offer, whose raw lines are the text of its terms.
func (p *place) readOffer(b *block) {
	id := p.site.SiteID
	o := origin.Offer{
		LicenseID: rights.OfferID(id, b.key), SiteID: id, Slug: b.key, Kind: b.word("kind", exports.OfferKinds),
		Status: b.word("status", exports.OfferStatuses), Title: b.need("title"), ScopeType: b.word("scope", scopes),
		Paths: b.list("paths"), Excludes: b.list("excludes"), ContentFormats: b.words("formats", exports.ContentFormats),
		PublishedAfter: b.instant("after"), Permits: b.words("permits", exports.UseWords()), Prohibits: b.words("prohibits", exports.UseWords()),
		UserTypes: b.words("users", exports.UserTypes), Territories: b.list("territories"), NotIn: b.list("not-in"),
		PaymentModel: b.word("payment", exports.PaymentModels), Amount: b.take("amount"), Currency: b.take("currency"), Unit: b.take("unit"),
		Attribution: b.known(b.take("attribution"), attributions), DisplayLimit: b.number("display"), DeleteHours: b.number("delete"),
		Reporting: b.url(b.take("reporting")), ValidFrom: b.time(b.need("from")), ValidUntil: b.instant("until"),
		PrivateNotes: b.private(b.need("notes")), ChangedAt: b.time(b.need("changed")),
	}
	if before := b.take("supersedes"); before != "" {
		o.Supersedes = rights.OfferID(id, before)
	}
	if len(b.raw) > 0 {
		o.TermsURL, o.TermsVersion, o.TermsMedia = b.url(b.need("terms")), b.need("version"), "text/plain"
		o.TermsSHA256 = hexDigest(strings.Join(b.raw, "\n") + "\n")
	}
	p.offers = append(p.offers, o)
}

// number returns a field that is a whole number, 0 when it is not there.
func (b *block) number(name string) int64 {
	text := b.take(name)
	if text == "" {
		return 0
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 {
		b.fault("%q is not a number", text)
	}
	return n
}

// readObservation reads what the site says in one channel; raw lines are the
// document as it was read.
func (p *place) readObservation(b *block) {
	o := origin.Observation{
		SiteID: p.site.SiteID, Channel: b.known(b.key, exports.Channels), URL: b.url(b.need("url")), Status: b.number("status"),
		ContentType: b.take("type"), FetchedAt: b.time(b.need("fetched")), ValidUntil: b.instant("until"),
	}
	if len(b.raw) > 0 {
		o.Raw = strings.Join(b.raw, "\n") + "\n"
		o.SHA256 = hexDigest(o.Raw)
	}
	p.observations = append(p.observations, o)
}
