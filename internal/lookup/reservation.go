package lookup

import (
	"bytes"
	"context"
	"strings"

	"colophon/exports"
	"colophon/internal/iscc"
	"colophon/internal/staticindex"
	"colophon/internal/urlkey"
	"colophon/internal/wire"
)

// AppendReservation appends the line of a reservation: its tag and a canonical
// JSON array of the id, site id, publisher, author, code, note, since, source and
// then the uses. It stands in the bucket of the code, which is filed as a
// fingerprint is.
func AppendReservation(b []byte, r *exports.Reservation) []byte {
	list := wire.Strings(r.ReservationID, r.SiteID, r.Publisher, r.Author, r.Code, r.Note, r.Since, r.Source)
	list.Items = append(list.Items, wire.Strings(r.Uses...).Items...)
	return list.Append(append(append(b, TagReservation...), ' '))
}

// reservationTexts is how many texts of a line come before the uses.
const reservationTexts = 8

// isReservation reports whether a line is a reservation.
func isReservation(line []byte) bool { return bytes.HasPrefix(line, []byte(TagReservation+" ")) }

// Reservations returns the reservations for the content with a code.
func (k *Bucket) Reservations(code string) ([]exports.Reservation, error) {
	var out []exports.Reservation
	for _, line := range k.Lines {
		if !isReservation(line) || !bytes.Contains(line, []byte(code)) {
			continue
		}
		r, err := parseReservation(line[len(TagReservation)+1:])
		if err != nil {
			return nil, err
		}
		if r.Code == code {
			out = append(out, r)
		}
	}
	return out, nil
}

func parseReservation(line []byte) (r exports.Reservation, err error) {
	v, err := wire.Parse(line, wire.Trusted)
	if err != nil || v.Kind != wire.KindArray || len(v.Items) < reservationTexts {
		return r, staticindex.ErrMalformed
	}
	f := factReader{items: v.Items}
	r = exports.Reservation{
		ReservationID: f.nextText(), SiteID: f.nextText(), Publisher: f.nextText(), Author: f.nextText(), Code: f.nextText(), Note: f.nextText(),
		Since: f.nextText(), Source: f.nextText(),
	}
	for len(f.items) > 0 {
		r.Uses = append(r.Uses, f.nextText())
	}
	if f.bad {
		return r, staticindex.ErrMalformed
	}
	return r, nil
}

// lookupReservations keeps the reservations for the content with the code that is
// asked about.
func (c *Resolver) lookupReservations(ctx context.Context, f *Found) error {
	bucket, name, err := c.readBucket(ctx, f, LookupFingerprint, urlkey.LookupKey(urlkey.LookupFingerprint, f.Normalized))
	if err != nil {
		return err
	}
	if f.Reservations, err = bucket.Reservations(f.Normalized); err != nil {
		return staticindex.OutageError(string(name), err)
	}
	return nil
}

func isReservationRow(x similarRow) bool {
	return strings.HasPrefix(x.EntryID, exports.PrefixReservation)
}

// similarReservations returns the reservations among rows, in their order.
func (c *Resolver) similarReservations(ctx context.Context, rows []similarRow) ([]exports.SimilarReservation, error) {
	var out []exports.SimilarReservation
	for _, x := range rows {
		if !isReservationRow(x) {
			continue
		}
		if len(out) == maxSimilar {
			return nil, staticindex.InvalidParam("min", "leaves more than 128 reservations: raise it, or screen the text in a mirror")
		}
		found, err := c.Find(ctx, Query{ISCC: iscc.Code(x.Code).String()})
		if err != nil {
			return nil, err
		}
		for _, r := range found.Reservations {
			if r.ReservationID == x.EntryID {
				out = append(out, exports.SimilarReservation{Reservation: r, Equal: int64(x.equal), Similarity: similarityOf(x.equal)})
			}
		}
	}
	return out, nil
}
