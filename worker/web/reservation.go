package web

import (
	"cmp"
	"context"

	"github.com/a-h/templ"

	"colophon/exports"
	"colophon/internal/prose"
	"colophon/worker/page"
	"colophon/worker/request"
)

// reservationView describes a reservation for people.
func reservationView(r *exports.Reservation) page.Reservation {
	v := page.Reservation{
		Author: prose.Clean(r.Author, 120), Uses: prose.UseNames(r.Uses), Day: prose.Day(r.Since), Note: prose.Clean(r.Note, 300), Code: r.Code,
		Voucher: page.Link{Path: exports.PublisherPage(r.SiteID), Text: cmp.Or(prose.Clean(r.Publisher, 120), r.SiteID)},
	}
	if prose.Linkable(r.Source) {
		v.Source = page.Link{Path: r.Source, Text: prose.ShortURL(r.Source)}
	}
	return v
}

// reservedParts shows the reservations among the candidates of an answer.
func reservedParts(a *exports.RightsAnswer) (parts []templ.Component) {
	for i := range a.Candidates {
		if r := a.Candidates[i].Reservation; r != nil {
			parts = append(parts, page.ReservationPart(reservationView(r)))
		}
	}
	return parts
}

// reservedByCode shows the reservations for the content with an ISCC.
func (s *Service) reservedByCode(ctx context.Context, c *request.Call, code string, asked request.Values) ([]templ.Component, error) {
	q, err := s.boxQuestion(c, boxed{key: "iscc", value: code}, asked)
	if err != nil {
		return nil, err
	}
	a, err := s.Rights.Answer(ctx, q)
	if err != nil {
		return nil, err
	}
	return reservedParts(a), nil
}

// similarReserved shows the reservations for content that is similar and not the
// same, nil if there are none.
func similarReserved(found []exports.SimilarReservation) templ.Component {
	var list []page.Reservation
	for i := range found {
		if found[i].Equal == exports.CodeMinima || len(list) == maxAlike {
			continue
		}
		v := reservationView(&found[i].Reservation)
		v.Alike = alikeWords(found[i].Similarity)
		list = append(list, v)
	}
	if list == nil {
		return nil
	}
	return page.SimilarReservations(list)
}
