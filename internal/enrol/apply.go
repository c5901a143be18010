package enrol

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"colophon/internal/channel/publisherfile"
	"colophon/internal/filepolicy"
	"colophon/internal/intake"
	"colophon/internal/origin"
)

// applyFile stores what a file says: facts, preferences, rights holder,
// offers and reservations. If the site has a house, the house's policy applies where the site's
// own file says nothing.
func applyFile(ctx context.Context, store Store, site origin.Site, own *intake.Own, at string, r *Report) error {
	site, err := followGroup(ctx, store, site, own, at, r)
	if err != nil {
		return err
	}
	if err := applyFacts(ctx, store, site, own.Reading, at); err != nil {
		return err
	}
	if err := applyContact(ctx, store, site.PublisherID, &own.Reading.File); err != nil {
		return err
	}
	f := mergedFile(own)
	if err := applyPreferences(ctx, store, site.SiteID, f, at); err != nil {
		return err
	}
	if err := applyHolder(ctx, store, site, f, at); err != nil {
		return err
	}
	if err := applyOffers(ctx, store, site.SiteID, policyFiles(own), at, r); err != nil {
		return err
	}
	if err := applyReservations(ctx, store, site.SiteID, own, at, r); err != nil {
		return err
	}
	if err := applyWithdrawn(ctx, store, site.SiteID, &own.Reading.File, at, r); err != nil {
		return err
	}
	return applyListing(ctx, store, site.SiteID, own.Reading.Listing, at, r)
}

func applyFacts(ctx context.Context, store Store, site origin.Site, read *publisherfile.Reading, at string) error {
	before := site
	filepolicy.Facts(&site, &read.File)
	if reflect.DeepEqual(before, site) {
		return nil
	}
	if err := addCategories(ctx, store, site.Categories, at); err != nil {
		return err
	}
	site.ChangedAt = at
	return store.PutSite(ctx, site)
}

// applyContact sends notifications to the address in the file, unless the
// operator was given one, which is private.
func applyContact(ctx context.Context, store Store, publisherID string, f *publisherfile.File) error {
	if f.Inquiries == nil || f.Inquiries.Email == "" {
		return nil
	}
	account, err := store.Publisher(ctx, publisherID)
	if errors.Is(err, origin.ErrNotFound) || err == nil && account.ContactEmail != "" {
		return nil
	}
	if err != nil {
		return err
	}
	account.ContactEmail = f.Inquiries.Email
	return store.PutPublisher(ctx, account)
}

func addCategories(ctx context.Context, store Store, slugs []string, at string) error {
	known, err := store.Categories(ctx)
	if err != nil {
		return err
	}
	for _, slug := range slugs {
		if slices.ContainsFunc(known, func(c origin.Category) bool { return c.Slug == slug }) {
			continue
		}
		if err := store.PutCategory(ctx, origin.NewCategory(slug, at)); err != nil {
			return err
		}
	}
	return nil
}

// applyPreferences stores what the file says about the whole site. What it says
// below paths takes effect through its evidence. A use that an earlier file
// mentioned and this one does not is no longer stated.
func applyPreferences(ctx context.Context, store Store, siteID string, f *publisherfile.File, at string) error {
	have, err := store.Preferences(ctx, siteID)
	if err != nil {
		return err
	}
	stated := map[string]bool{}
	for _, next := range filepolicy.Preferences(siteID, f) {
		stated[next.Use] = true
		if err := putPreference(ctx, store, have, next, at); err != nil {
			return err
		}
	}
	for _, old := range have {
		if old.Source != "file" || stated[old.Use] {
			continue
		}
		none := origin.Preference{SiteID: siteID, Use: old.Use, Inquiry: "unstated", Declared: "unknown", Source: "file"}
		if err := putPreference(ctx, store, have, none, at); err != nil {
			return err
		}
	}
	return nil
}

// putPreference stores a preference if it differs from the stored one.
func putPreference(ctx context.Context, store Store, have []origin.Preference, next origin.Preference, at string) error {
	for _, old := range have {
		if old.Use == next.Use && old.Inquiry == next.Inquiry && old.Declared == next.Declared && old.Note == next.Note && old.Retention == next.Retention && old.Source == next.Source && slices.Equal(old.Conditions, next.Conditions) {
			return nil
		}
	}
	next.Since, next.ChangedAt = at, at
	return store.PutPreference(ctx, next)
}

// applyHolder adds a version of the rights passport if the site has none, or if the file
// names a rights holder that differs from the one in force.
func applyHolder(ctx context.Context, store Store, site origin.Site, f *publisherfile.File, at string) error {
	versions, err := store.Passports(ctx, site.SiteID)
	if err != nil {
		return err
	}
	next := origin.Passport{SiteID: site.SiteID, HolderName: filepolicy.Holder(f), HolderURL: site.SiteURL, HolderBasis: "stated_by_publisher"}
	if h := f.Holder; h != nil {
		next.HolderURL = cmp.Or(h.URL, site.SiteURL)
		next.Territories = h.Territories
	}
	if n := len(versions); n > 0 {
		last := versions[n-1]
		if f.Holder == nil || last.HolderName == next.HolderName && last.HolderURL == next.HolderURL && slices.Equal(last.Territories, next.Territories) {
			return nil
		}
	}
	next.Version = int64(len(versions)) + 1
	next.EffectiveFrom = at
	next.ChangedAt = at
	next.PassportID = fmt.Sprintf("rp_%s_%d", site.SiteID, next.Version)
	return store.AddPassport(ctx, next)
}

// applyOffers stores the offers of files, of which the first to use a slug
// counts, and ends those that they no longer make. It leaves an offer entered
// by an operator alone.
func applyOffers(ctx context.Context, store Store, siteID string, files []*intake.Own, at string, r *Report) error {
	have, err := store.OffersOf(ctx, siteID)
	if err != nil {
		return err
	}
	made := map[string]bool{}
	for _, own := range files {
		for i := range own.Reading.Offers {
			if made[own.Reading.Offers[i].Slug] {
				continue
			}
			if err := applyOffer(ctx, store, siteID, own, &own.Reading.Offers[i], have, made, at, r); err != nil {
				return err
			}
		}
	}
	for _, old := range have {
		if old.Source == "file" && old.Status != "retired" && !made[old.Slug] {
			if err := retireOffer(ctx, store, old, at, r); err != nil {
				return err
			}
		}
	}
	return nil
}

// applyOffer stores one offer of a file, and records in made that it did.
func applyOffer(ctx context.Context, store Store, siteID string, own *intake.Own, f *publisherfile.Offer, have []origin.Offer, made map[string]bool, at string, r *Report) error {
	o := filepolicy.OfferOf(siteID, f)
	o.Source = "file"
	o.EvidenceURL = own.Address
	o.EvidenceSHA256 = intakeDigest(own)
	if slices.ContainsFunc(have, func(x origin.Offer) bool { return x.Slug == o.Slug && x.Source != "file" }) {
		r.Notes = append(r.Notes, fmt.Sprintf("offer %q is in the registry from elsewhere and was left alone", o.Slug))
		return nil
	}
	made[o.Slug] = true
	if o.Status == "offered" {
		r.Offers = append(r.Offers, o.Slug)
	}
	return putOffer(ctx, store, have, o, at)
}

func intakeDigest(own *intake.Own) string { o := own.Observation(""); return o.SHA256 }
