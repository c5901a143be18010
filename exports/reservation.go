package exports

import (
	"strings"

	"colophon/internal/wire"
)

// BasisContent says that a reservation was found by the content that it names.
const BasisContent = "content"

// ReservationStatement is part of every reservation that is shown.
const ReservationStatement = "A publisher vouches for this statement about the content with this code. It is a statement and no proof, and grants no right."

// Bounds of reservations.
const (
	MaxReservations      = 10_000 // for which one publisher vouches
	MaxReservationAuthor = 240    // characters
	MaxReservationNote   = 600    // characters
)

// The kinds of codes that a reservation names content by.
const (
	CodePortable = "portable" // SHA-256 of the canonical text (service.canonical-text.v1), 64 hex digits
	CodeISCC     = "iscc"     // ISO 24138, in its canonical form
)

// Reservation is the statement that some uses of a content are reserved. A
// publisher vouches for it, wherever copies of the content are.
type Reservation struct {
	ReservationID string
	SiteID        string // of the publisher that vouches for it
	Publisher     string // its name, untrusted text
	Author        string // name or handle of whoever states it, untrusted text; "" if it is not shown
	Code          string // portable digest or ISCC
	Uses          []string
	Note          string // untrusted text
	Since         string
	Source        string // address of the file that it stands in, "" if the operator entered it
}

// CodeKind returns CodePortable or CodeISCC.
func CodeKind(code string) string {
	if strings.HasPrefix(code, codePrefix) {
		return CodeISCC
	}
	return CodePortable
}

func (r *Reservation) Members(m *wire.Members) {
	m.NullString("author", &r.Author)
	m.Const("basis", BasisContent)
	m.String("code", &r.Code)
	kind := CodeKind(r.Code)
	m.Enum("code_kind", &kind, CodePortable, CodeISCC)
	m.Flag("grants_rights", false)
	m.OptString("note", &r.Note)
	m.String("reservation_id", &r.ReservationID)
	m.Time("since", &r.Since)
	m.OptString("source_url", &r.Source)
	m.Const("statement", ReservationStatement)
	m.Words("uses", &r.Uses, UseWords()...)
	m.Nested("vouched_by", func(m *wire.Members) {
		m.String("name", &r.Publisher)
		m.String("site_id", &r.SiteID)
	})
}
