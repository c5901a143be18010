package enrol

import (
	"context"
	"fmt"

	"colophon/internal/intake"
	"colophon/internal/origin"
	"colophon/internal/rights"
)

// applyReservations stores the reservations of a site's own file, and withdraws those
// that it no longer has. It leaves alone a reservation that an operator entered or
// withdrew. A site does not vouch for what the file of its house has.
func applyReservations(ctx context.Context, store Store, siteID string, own *intake.Own, at string, r *Report) error {
	list, err := store.ReservationsOf(ctx, siteID)
	if err != nil {
		return err
	}
	have := map[string]*origin.Reservation{}
	for i := range list {
		have[list[i].ReservationID] = &list[i]
	}
	made := map[string]bool{}
	for i := range own.Reading.Reservations {
		f := &own.Reading.Reservations[i]
		next := origin.Reservation{
			ReservationID: rights.ReservationID(siteID, f.Code), SiteID: siteID, Code: f.Code, Uses: f.Uses, AuthorDisplay: f.Author, Note: f.Note,
			Since: f.Since, Source: "file", EvidenceURL: own.Address, EvidenceSHA256: intakeDigest(own), ChangedAt: at,
		}
		old := have[next.ReservationID]
		if old != nil && old.Source == "" {
			r.Notes = append(r.Notes, fmt.Sprintf("reservation %q is the operator's and was left alone", next.ReservationID))
			continue
		}
		if next.Since == "" && old != nil && old.WithdrawnAt == "" {
			next.Since = old.Since
		}
		if next.Since == "" || next.Since > at {
			next.Since = at
		}
		made[next.ReservationID] = true
		r.Reservations = append(r.Reservations, next.ReservationID)
		if err := store.PutReservation(ctx, next); err != nil {
			return err
		}
	}
	for _, old := range list {
		if old.Source != "file" || old.WithdrawnAt != "" || made[old.ReservationID] {
			continue
		}
		old.WithdrawnAt, old.ChangedAt = at, at
		r.Withdrawn = append(r.Withdrawn, old.ReservationID)
		if err := store.PutReservation(ctx, old); err != nil {
			return err
		}
	}
	return nil
}
