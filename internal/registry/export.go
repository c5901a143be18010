package registry

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"colophon/exports"
	"colophon/internal/origin"
	"colophon/internal/wire"
)

// Export returns everything in an origin that a document can express. Applied
// to the same origin it changes nothing. It leaves out the offers and reservations
// that publishers make themselves, and returns them as "publisher/slug" and
// "publisher/rsv_…": a document speaks for an operator, and elsewhere they would
// become that operator's. It
// returns errors of the store.
func Export(ctx context.Context, store Store) (d *Document, leftOut []string, err error) {
	have, err := Load(ctx, store, nil)
	if err != nil {
		return nil, nil, err
	}
	for i := range have.Sites {
		site := &have.Sites[i]
		var kept []origin.Offer
		for _, o := range site.Offers {
			if o.Source != "" {
				leftOut = append(leftOut, offerKey(&o))
				continue
			}
			kept = append(kept, o)
		}
		site.Offers = kept
	}
	have.Reservations = slices.DeleteFunc(have.Reservations, func(r origin.Reservation) bool {
		if r.Source != "" {
			leftOut = append(leftOut, r.SiteID+"/"+r.ReservationID)
		}
		return r.Source != ""
	})
	return have.toDocument(), leftOut, nil
}

func (r *Records) toDocument() *Document {
	return &Document{
		Organizations: mapList(r.Organizations, func(o *origin.Publisher) Organization { return Organization{Publisher: *o} }),
		Categories:    mapList(r.Categories, func(c *origin.Category) Category { return Category(*c) }),
		Publishers:    mapList(r.Sites, (*Site).toPublisher),
		Reservations:  mapList(r.Reservations, func(x *origin.Reservation) Reservation { return *ReservationOf(x) }),
		Demand:        mapList(r.Demand, func(x *origin.Demand) Demand { return Demand{*x, DemandState(x)} }),
		Partners:      mapList(r.Partners, func(p *origin.Partner) Partner { return Partner(*p) }),
		Buyers:        mapList(r.Buyers, func(b *origin.Buyer) Buyer { return Buyer(*b) }),
		Grants:        mapList(r.Grants, grantOf),
	}
}

// mapList returns what f makes of each row.
func mapList[A, B any](list []A, f func(*A) B) []B {
	var out []B
	for i := range list {
		out = append(out, f(&list[i]))
	}
	return out
}

func (s *Site) toPublisher() Publisher {
	p := publisherOf(&s.Site)
	p.Hosts = mapList(s.Websites, func(w *origin.Website) string { return w.Host })
	p.Preferences = mapList(s.Preferences, func(x *origin.Preference) Preference { return Preference(*x) })
	if n := len(s.Passports); n > 0 {
		holder := holderOf(&s.Passports[n-1])
		p.RightsHolder = &holder
	}
	p.Offers = mapList(s.Offers, func(o *origin.Offer) Offer { return OfferOf(o, s.Offers) })
	return p
}

// Text returns a document for people to read and edit: JSON, indented by two
// spaces. It does not fail on a document that was read or exported.
func (d *Document) Text() ([]byte, error) {
	var out json.RawMessage = wire.Append(nil, d)
	text, err := json.MarshalIndent(out, "", "  ")
	return append(text, '\n'), err
}

// Schema returns the JSON Schema (draft 2020-12) of documents. Resolve checks
// rules that it cannot express, such as that an amount needs a currency.
func Schema(base string) wire.Value {
	v := wire.Schema(&Document{}, false)
	head := []wire.Member{
		wire.M("$schema", wire.String("https://json-schema.org/draft/2020-12/schema")),
		wire.M("$id", wire.String(base+exports.PathRegistrySchema)),
		wire.M("title", wire.String("A registry, as \"colophon apply\" reads it and \"colophon export\" writes it")),
	}
	v.Members = append(head, v.Members...)
	return v
}

// Join returns the errors of several documents as one.
func Join(errs []error) error {
	var all Faults
	for _, err := range errs {
		var some Faults
		switch {
		case err == nil:
		case errors.As(err, &some):
			all = append(all, some...)
		default:
			return err
		}
	}
	if len(all) == 0 {
		return nil
	}
	return all
}
