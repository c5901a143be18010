package listing

import (
	"colophon/exports"
	"colophon/internal/paging"
)

// PlaceOfPublisher returns the place of a publisher in the partner catalog.
func PlaceOfPublisher(p *exports.PublisherHit) string {
	return paging.PlaceByNumber(p.RegisteredPages, p.SiteID)
}

// PlaceOfMap returns the place of a publisher in the rights map.
func PlaceOfMap(r *exports.MapRecord) string { return r.SiteID }

// PlaceOfOffer returns the place of an offer in the licence catalog.
func PlaceOfOffer(o *exports.Offer) string { return paging.PlaceByTime(o.ValidFrom, o.LicenseID) }

// PlaceOfDemand returns the place of a need in the list of buyers' needs.
func PlaceOfDemand(d *exports.Demand) string { return paging.PlaceByTime(d.OptedInAt, d.DemandID) }
