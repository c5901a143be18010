package registry

import (
	"context"
	"errors"

	"colophon/internal/origin"
)

// Records are what an origin holds, or should hold, of a registry.
type Records struct {
	Organizations []origin.Publisher
	Categories    []origin.Category
	Sites         []Site
	Reservations  []origin.Reservation
	Demand        []origin.Demand
	Partners      []origin.Partner
	Buyers        []origin.Buyer
	Grants        []origin.Grant
}

// Site is one publisher with all that hangs on it.
type Site struct {
	origin.Site
	Websites    []origin.Website
	Preferences []origin.Preference
	Passports   []origin.Passport // oldest first
	Offers      []origin.Offer
}

// Store is the origin as documents change it.
type Store interface {
	Catalog
	origin.Partners
	origin.Buyers
}

// Catalog is the part of an origin that is about publishers.
type Catalog interface {
	origin.Sites
	origin.Categories
	origin.Preferences
	origin.Market
	origin.Reservations
}

// Load reads what an origin holds. It reads only the wanted publishers, or all
// if wanted is nil. It returns errors of the store.
func Load(ctx context.Context, store Store, wanted map[string]bool) (*Records, error) {
	r, err := loadCatalog(ctx, store, wanted)
	if err != nil {
		return nil, err
	}
	if r.Partners, err = store.Partners(ctx); err != nil {
		return nil, err
	}
	if r.Buyers, err = store.Buyers(ctx); err != nil {
		return nil, err
	}
	for _, b := range r.Buyers {
		grants, err := store.GrantsOf(ctx, b.BuyerID)
		if err != nil {
			return nil, err
		}
		r.Grants = append(r.Grants, grants...)
	}
	return r, nil
}

func loadCatalog(ctx context.Context, store Catalog, wanted map[string]bool) (*Records, error) {
	r := &Records{}
	sites, err := store.Sites(ctx)
	if err != nil {
		return nil, err
	}
	for _, s := range sites {
		if wanted != nil && !wanted[s.SiteID] {
			continue
		}
		site, err := loadSite(ctx, store, s)
		if err != nil {
			return nil, err
		}
		r.Sites = append(r.Sites, site)
		reservations, err := store.ReservationsOf(ctx, s.SiteID)
		if err != nil {
			return nil, err
		}
		r.Reservations = append(r.Reservations, reservations...)
		if err := r.loadOrganization(ctx, store, s.PublisherID); err != nil {
			return nil, err
		}
	}
	if r.Categories, err = store.Categories(ctx); err != nil {
		return nil, err
	}
	r.Demand, err = store.Demand(ctx)
	return r, err
}

func loadSite(ctx context.Context, store Catalog, s origin.Site) (out Site, err error) {
	out.Site = s
	if out.Websites, err = store.Websites(ctx, s.SiteID); err != nil {
		return out, err
	}
	if out.Preferences, err = store.Preferences(ctx, s.SiteID); err != nil {
		return out, err
	}
	if out.Passports, err = store.Passports(ctx, s.SiteID); err != nil {
		return out, err
	}
	out.Offers, err = store.OffersOf(ctx, s.SiteID)
	return out, err
}

// loadOrganization adds an account, once, if there is one.
func (r *Records) loadOrganization(ctx context.Context, store origin.Sites, id string) error {
	if findByKey(r.Organizations, organizationKey, id) != nil {
		return nil
	}
	account, err := store.Publisher(ctx, id)
	if errors.Is(err, origin.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	r.Organizations = append(r.Organizations, account)
	return nil
}

// findByKey returns the item of a list that has a key, nil if there is none.
func findByKey[T any](list []T, key func(*T) string, wanted string) *T {
	for i := range list {
		if key(&list[i]) == wanted {
			return &list[i]
		}
	}
	return nil
}

func organizationKey(p *origin.Publisher) string  { return p.PublisherID }
func categoryKey(c *origin.Category) string       { return c.Slug }
func siteKey(s *Site) string                      { return s.SiteID }
func websiteKey(w *origin.Website) string         { return w.SiteID + "/" + w.Host }
func preferenceKey(p *origin.Preference) string   { return p.SiteID + "/" + p.Use }
func passportKey(p *origin.Passport) string       { return p.PassportID }
func offerKey(o *origin.Offer) string             { return o.SiteID + "/" + o.Slug }
func reservationKey(r *origin.Reservation) string { return r.ReservationID }
func demandKey(d *origin.Demand) string           { return d.DemandID }
func partnerKey(p *origin.Partner) string         { return p.OrgID }
func buyerKey(b *origin.Buyer) string             { return b.BuyerID }
func grantKey(g *origin.Grant) string             { return g.GrantID }
