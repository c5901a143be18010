package rights

import (
	"crypto/sha256"
	"encoding/base32"
	"slices"
	"strings"

	"colophon/exports"
	"colophon/internal/origin"
)

// ReasonReserved is the reason of a verdict that a reservation decides, and
// ChannelReservation is the channel of its evidence.
const (
	ReasonReserved     = "content_reserved"
	ChannelReservation = "content_reservation"
)

// ReservationID returns the identifier of a reservation, which depends on nothing
// but the site that vouches for it and the code of the content.
func ReservationID(siteID, code string) string {
	sum := sha256.Sum256([]byte("reservation\x00" + siteID + "\x00" + code + "\x00"))
	return exports.PrefixReservation + strings.ToLower(base32.StdEncoding.EncodeToString(sum[:]))[:26]
}

// Reservation returns the public form of a reservation that holds at an instant. ok
// is false if it does not, or if its site may not appear.
func Reservation(site *origin.Site, r *origin.Reservation, at string) (out exports.Reservation, ok bool) {
	holds := r.Since <= at && (r.WithdrawnAt == "" || r.WithdrawnAt > at)
	if !Public(*site) || site.SiteID != r.SiteID || !holds {
		return out, false
	}
	return exports.Reservation{
		ReservationID: r.ReservationID, SiteID: r.SiteID, Publisher: site.Name, Author: r.AuthorDisplay, Code: r.Code, Uses: r.Uses,
		Note: r.Note, Since: r.Since, Source: r.EvidenceURL,
	}, true
}

// ReservationNow is Reservation for the present: a reservation holds unless it was
// withdrawn, even if the clock that dated it is ahead.
func ReservationNow(site *origin.Site, r *origin.Reservation) (exports.Reservation, bool) {
	if r.WithdrawnAt != "" {
		return exports.Reservation{}, false
	}
	return Reservation(site, r, r.Since)
}

// ReservationRights returns what a reservation says about some uses of its content,
// as a candidate of a rights answer: those it names are declined, and nothing is
// known about the others.
func ReservationRights(r *exports.Reservation, uses []string) exports.ResourceRights {
	from := r.Source
	if from == "" {
		from = exports.PublisherPath(r.SiteID)
	}
	out := exports.ResourceRights{SiteID: r.SiteID, Reservation: r, Evidence: []exports.Evidence{{
		ID: "ev1", Channel: ChannelReservation, URL: from, Locator: r.ReservationID, Statement: "reserved: " + strings.Join(r.Uses, ", "), CheckedAt: r.Since,
	}}}
	for _, use := range exports.UseWords() {
		v := exports.UseVerdict{Use: use, Verdict: "unknown", Reason: "no_statement", SignalsAgree: true, Retention: exports.RetentionUnknown}
		if slices.Contains(r.Uses, use) {
			v.Verdict, v.Reason, v.Basis = "declined", ReasonReserved, []string{"ev1"}
		}
		out.RightsVector += string(letterOf(v.Verdict, true))
		if slices.Contains(uses, use) {
			out.Uses = append(out.Uses, v)
		}
	}
	return out
}
