package indexbuild

import (
	"fmt"

	"colophon/exports"
	"colophon/internal/iscc"
	"colophon/internal/lookup"
	"colophon/internal/urlkey"
)

// readReservations adds the reservations to the look-ups: each under its code
// and, if that is a similarity code, to the search for similar texts.
func (b *Builder) readReservations() error {
	for i := range b.src.Reservations {
		if err := b.addReservation(&b.src.Reservations[i]); err != nil {
			return fmt.Errorf("reservation %q: %w", b.src.Reservations[i].ReservationID, err)
		}
	}
	return nil
}

func (b *Builder) addReservation(r *exports.Reservation) error {
	key := urlkey.LookupKey(urlkey.LookupFingerprint, r.Code)
	line := lookup.AppendReservation(nil, r)
	if err := b.fileLine(b.lookups[1], key, line, nil, len(line)); err != nil {
		return err
	}
	code, err := iscc.Parse(r.Code)
	if err != nil {
		return nil // content of this code is found by the same code only
	}
	return b.fileCode(code, r.ReservationID)
}
