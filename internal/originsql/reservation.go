package originsql

import (
	"context"
	"strconv"

	"colophon/internal/origin"
)

var reservationTable = recordsOf("content_reservations", 1, func(r *origin.Reservation) []column {
	return []column{
		{"reservation_id", &r.ReservationID}, {"site_id", &r.SiteID}, {"code", &r.Code}, {"uses", words{&r.Uses}},
		{"author_display", &r.AuthorDisplay}, {"author_name", &r.AuthorName}, {"note", &r.Note}, {"since", &r.Since}, {"source", &r.Source},
		{"evidence_url", &r.EvidenceURL}, {"evidence_sha256", &r.EvidenceSHA256}, {"withdrawn_at", &r.WithdrawnAt},
		{"private_notes", &r.PrivateNotes}, {"changed_at", &r.ChangedAt},
	}
})

// ReservationsOf lists the reservations of a site.
func (s *Store) ReservationsOf(ctx context.Context, siteID string) ([]origin.Reservation, error) {
	return reservationTable.list(ctx, s, "list the reservations of a site", "WHERE site_id = ?1 ORDER BY reservation_id", siteID)
}

// Reservations lists all reservations.
func (s *Store) Reservations(ctx context.Context) ([]origin.Reservation, error) {
	return reservationTable.list(ctx, s, "list reservations", "ORDER BY reservation_id")
}

// Reservation returns one, or origin.ErrNotFound.
func (s *Store) Reservation(ctx context.Context, id string) (origin.Reservation, error) {
	return reservationTable.one(ctx, s, "read a reservation", "WHERE reservation_id = ?1", id)
}

// ReservationsByCode runs one statement, however many codes there are.
func (s *Store) ReservationsByCode(ctx context.Context, codes []string, past bool) ([]origin.VouchedReservation, error) {
	row := new(origin.VouchedReservation)
	fields := reservationTable.fields(&row.Reservation, &row.Site.Name, (*string)(&row.Site.State), &row.Site.Visibility)
	scan := func(r scanner) (origin.VouchedReservation, error) {
		err := r.Scan(fields...)
		row.Site.SiteID = row.SiteID
		return *row, err
	}
	return queryAll(ctx, s, scan, read("read the reservations of codes", reservationsOfCodes, joinList(codes), boolColumn(past)))
}

var reservationsOfCodes = "SELECT " + reservationTable.columnsOf("r") + ", s.name, s.state, s.visibility FROM content_reservations r JOIN sites s ON s.site_id = r.site_id" +
	" WHERE r.code IN " + batchKeys + " AND (?2 = 1 OR r.withdrawn_at = '') AND s.state = 'approved' AND s.visibility = 'public'" +
	" ORDER BY r.code, r.site_id LIMIT " + strconv.Itoa(origin.MaxBatchFound+1)

// PutReservation adds or replaces one.
func (s *Store) PutReservation(ctx context.Context, r origin.Reservation) error {
	return s.putRow(ctx, "write a reservation", reservationTable.row(&r))
}
