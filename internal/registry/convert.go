package registry

import (
	"crypto/sha256"
	"encoding/base32"
	"slices"
	"strings"

	"colophon/exports"
	"colophon/internal/iscc"
	"colophon/internal/origin"
	"colophon/internal/rights"
)

// PrefixBuyer begins the id of a buyer.
const PrefixBuyer = "byr_"

// MadeID returns the id for a slug, which depends on nothing else. A text that
// begins with the prefix is already an id.
func MadeID(prefix, kind, slug string) string {
	if strings.HasPrefix(slug, prefix) {
		return slug
	}
	sum := sha256.Sum256([]byte(kind + "\x00" + slug + "\x00"))
	return prefix + strings.ToLower(base32.StdEncoding.EncodeToString(sum[:]))[:26]
}

// DemandID returns the id of a need that is named by a slug or by its id.
func DemandID(slug string) string { return MadeID(exports.PrefixDemand, "demand", slug) }

func partnerID(slug string) string { return MadeID(exports.PrefixPartner, "partner", slug) }
func buyerID(slug string) string   { return MadeID(PrefixBuyer, "buyer", slug) }
func grantID(slug string) string   { return MadeID(exports.PrefixGrant, "grant", slug) }

// orNone returns an attribution as documents write it.
func orNone(attribution string) string {
	if attribution == "" {
		return "none"
	}
	return attribution
}

func noneIsEmpty(attribution string) string {
	if attribution == "none" {
		return ""
	}
	return attribution
}

// OfferOf describes an offer of the origin. Others are the offers of the same
// publisher, among which the superseded one is found.
func OfferOf(o *origin.Offer, others []origin.Offer) Offer {
	out := Offer(*o)
	out.Attribution = orNone(o.Attribution)
	out.Supersedes = ""
	for i := range others {
		if o.Supersedes != "" && others[i].LicenseID == o.Supersedes {
			out.Supersedes = others[i].Slug
		}
	}
	return out
}

// row returns the offer as the origin holds it.
func (o *Offer) row(siteID string) origin.Offer {
	out := origin.Offer(*o)
	out.LicenseID = rights.OfferID(siteID, o.Slug)
	out.SiteID = siteID
	out.Attribution = noneIsEmpty(o.Attribution)
	if o.Supersedes != "" {
		out.Supersedes = rights.OfferID(siteID, o.Supersedes)
	}
	return out
}

// normalizeCode returns the form in which a code is kept, or the code itself if it
// is none.
func normalizeCode(code string) string {
	if normal, err := iscc.NormalizeCode(code); err == nil {
		return normal
	}
	return code
}

// ReservationOf describes a reservation of the origin.
func ReservationOf(r *origin.Reservation) *Reservation {
	out := &Reservation{*r, ReservationActive}
	if r.WithdrawnAt != "" {
		out.State = ReservationWithdrawn
	}
	return out
}

// row returns the reservation as the origin holds it.
func (r *Reservation) row(id, now string) origin.Reservation {
	out := r.Reservation
	out.ReservationID = id
	out.Code = normalizeCode(r.Code)
	switch {
	case r.State == ReservationActive:
		out.WithdrawnAt = ""
	case r.WithdrawnAt == "":
		out.WithdrawnAt = now
	}
	return out
}

// DemandState returns one of DemandStates.
func DemandState(d *origin.Demand) string {
	switch {
	case d.OptedIn:
		return DemandApproved
	case d.OptedInAt != "":
		return DemandClosed
	}
	return DemandHeld
}

// row returns the buyer's request as the origin stores it. Closing one that was
// never public records the instant, so that it is no longer held.
func (d *Demand) row(now string) origin.Demand {
	out := d.Demand
	out.DemandID = DemandID(d.DemandID)
	out.OptedIn = d.State == DemandApproved
	switch {
	case d.State == DemandHeld:
		out.OptedInAt = ""
	case out.OptedIn && !d.OptedIn, out.OptedInAt == "":
		out.OptedInAt = now
	}
	return out
}

func publisherOf(s *origin.Site) Publisher {
	out := Publisher{Site: *s, Inquiries: "closed"}
	if s.AcceptsInquiries {
		out.Inquiries = "open"
	}
	return out
}

// holderOf returns the rights holder of a passport, without a basis that cannot
// be stated in documents.
func holderOf(p *origin.Passport) RightsHolder {
	out := RightsHolder(*p)
	if !slices.Contains(typedBases, p.HolderBasis) {
		out.HolderBasis = ""
	}
	return out
}

func grantOf(g *origin.Grant) Grant {
	out := Grant(*g)
	out.Attribution = orNone(g.Attribution)
	return out
}

// row returns the grant as the origin holds it.
func (g *Grant) row() origin.Grant {
	out := origin.Grant(*g)
	out.GrantID = grantID(g.GrantID)
	out.BuyerID = buyerID(g.BuyerID)
	out.Attribution = noneIsEmpty(g.Attribution)
	return out
}
