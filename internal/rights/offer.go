package rights

import (
	"crypto/sha256"
	"encoding/base32"
	"strings"

	"colophon/exports"
	"colophon/internal/origin"
	"colophon/internal/wire"
)

// OfferID returns the identifier of an offer, which depends on nothing but its
// site and slug.
func OfferID(siteID, slug string) string {
	sum := sha256.Sum256([]byte("offer\x00" + siteID + "\x00" + slug + "\x00"))
	return exports.PrefixOffer + strings.ToLower(base32.StdEncoding.EncodeToString(sum[:]))[:26]
}

// Offer returns the public form of an offer; entries is the number of pages it
// covers.
func Offer(f *SiteSnapshot, o *origin.Offer, entries int64) (exports.Offer, bool) {
	if !Public(f.Site) || o.SiteID != f.Site.SiteID {
		return exports.Offer{}, false
	}
	out := exports.Offer{
		LicenseID: o.LicenseID, Kind: o.Kind, Status: o.Status, Title: o.Title, SiteID: o.SiteID,
		Scope:   scopeOf(o, entries),
		Permits: o.Permits, Prohibits: o.Prohibits, UserTypes: o.UserTypes, Territories: o.Territories, NotIn: o.NotIn,
		Payment: exports.Payment{Model: o.PaymentModel, Amount: o.Amount, Currency: o.Currency, Unit: o.Unit},
		Obligations: exports.Obligations{
			Attribution: o.Attribution, DisplayLimitChars: o.DisplayLimit, DeleteOnRevocationHours: o.DeleteHours, ReportingProfile: o.Reporting,
			Retention: o.Retention,
		},
		HumanPage: f.Site.HumanPage, AsksAllowed: f.Site.AcceptsInquiries, ValidFrom: o.ValidFrom, ValidUntil: o.ValidUntil, Supersedes: o.Supersedes,
	}
	if o.TermsURL != "" {
		out.Terms = &exports.Terms{URL: o.TermsURL, Version: o.TermsVersion, SHA256: o.TermsSHA256, MediaType: o.TermsMedia}
	}
	if o.EvidenceURL != "" {
		out.Source = o.Source
		out.Evidence = &exports.OfferEvidence{URL: o.EvidenceURL, SHA256: o.EvidenceSHA256, SeenAt: o.EvidenceAt}
	}
	digestOffer(&out)
	return out, true
}

// Represented marks an offer as published in other vocabularies too, if they
// can express it.
func Represented(o *exports.Offer) {
	o.Represented = true
	digestOffer(o)
}

func digestOffer(o *exports.Offer) {
	o.Digest = ""
	o.Digest = "sha-256:" + wire.SHA256Hex(wire.Append(nil, o))
}

func scopeOf(o *origin.Offer, entries int64) exports.OfferScope {
	return exports.OfferScope{
		Type: o.ScopeType, Paths: o.Paths, Excludes: o.Excludes, ContentFormats: o.ContentFormats, Entries: entries, PublishedAfter: o.PublishedAfter,
	}
}

// Demand returns the public form of an acquisition need. ok is false unless the
// buyer opted in and the need has not expired at the given instant.
func Demand(d *origin.Demand, at string) (exports.Demand, bool) {
	if !d.OptedIn || d.OptedInAt == "" || d.ExpiresAt != "" && d.ExpiresAt <= at {
		return exports.Demand{}, false
	}
	return exports.Demand{
		DemandID: d.DemandID, Headline: d.Headline, Uses: d.Uses, Categories: d.Categories, ContentFormats: d.ContentFormats,
		Languages: d.Languages, Territories: d.Territories, UserType: d.UserType, Volume: d.Volume, BudgetBand: d.BudgetBand,
		Timeline: d.Timeline, BuyerDisplay: d.BuyerDisplay, OptedInAt: d.OptedInAt, ExpiresAt: d.ExpiresAt,
	}, true
}
