package origin

import "context"

// Reservation is the statement that uses of a content are reserved, for which the
// publisher of a site vouches.
type Reservation struct {
	ReservationID  string
	SiteID         string // of the publisher that vouches for it
	Code           string // portable digest of a text, or ISCC
	Uses           []string
	AuthorDisplay  string // name or handle that is shown
	AuthorName     string // private
	Note           string
	Since          string
	Source         string // "file", "" if an operator entered it
	EvidenceURL    string // of the file
	EvidenceSHA256 string // hex digest of what was read there
	WithdrawnAt    string // "" while it holds
	PrivateNotes   string // private
	ChangedAt      string
}

// VouchedReservation is a reservation with the site that vouches for it, of which
// it has the id, the name, the state and the visibility.
type VouchedReservation struct {
	Reservation
	Site Site
}

// Reservations reads and writes reservations.
type Reservations interface {
	// ReservationsOf lists those of a site by id, withdrawn ones among them.
	ReservationsOf(ctx context.Context, siteID string) ([]Reservation, error)
	// Reservations lists those of all sites by id, withdrawn ones among them.
	Reservations(ctx context.Context) ([]Reservation, error)
	// Reservation returns one, or ErrNotFound.
	Reservation(ctx context.Context, id string) (Reservation, error)
	// PutReservation adds or replaces one.
	PutReservation(ctx context.Context, r Reservation) error
}
