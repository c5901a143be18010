package rights

import (
	"colophon/exports"
	"colophon/internal/origin"
)

// SiteSnapshot holds everything in the origin on which the verdicts for one
// site depend.
type SiteSnapshot struct {
	Site        origin.Site
	Websites    []origin.Website
	Preferences []origin.Preference
	Passports   []origin.Passport // oldest first
	Signals     []origin.Signal
	Offers      []origin.Offer
	Evidence    []origin.Evidence      // by channel, address and since
	Policies    []origin.PolicyVersion // oldest first
	Ledger      bool                   // a provenance ledger is published
	Group       *exports.GroupRef      // nil if the site belongs to no group

	judge *Judge // made by Precompute
}

// Public reports whether a site may appear at all: active, approved, public.
func Public(s origin.Site) bool {
	return s.State == origin.Approved && s.Visibility == "public"
}

// Passport returns the passport in force, or nil.
func (f *SiteSnapshot) Passport() *origin.Passport {
	if len(f.Passports) == 0 {
		return nil
	}
	return &f.Passports[len(f.Passports)-1]
}

// PolicyChanged returns the instant of the last change of the site's
// statements: preferences, passport, offers, channels or the site itself.
func (f *SiteSnapshot) PolicyChanged() string {
	at := f.Site.ApprovedAt
	later := func(s string) {
		if s > at {
			at = s
		}
	}
	for _, p := range f.Preferences {
		later(p.ChangedAt)
	}
	for _, p := range f.Passports {
		later(p.ChangedAt)
	}
	for _, o := range f.Offers {
		later(o.ChangedAt)
	}
	for _, e := range f.Evidence {
		later(e.Since)
	}
	return at
}

// statedPreferences returns the preferences that the site stated, in the order
// of the uses.
func (f *SiteSnapshot) statedPreferences() []exports.Preference {
	var out []exports.Preference
	for _, u := range exports.Uses {
		for _, p := range f.Preferences {
			if p.Use == string(u) {
				out = append(out, exports.Preference{
					Use: p.Use, Inquiry: p.Inquiry, Declared: p.Declared, Conditions: p.Conditions, Note: p.Note, Retention: p.Retention, Since: p.Since, Source: p.Source,
				})
			}
		}
	}
	return out
}

// publicPreferences returns the eight public preferences of the site.
func (f *SiteSnapshot) publicPreferences() []exports.Preference {
	return exports.AllPreferences(f.statedPreferences())
}

// publicOffers returns the public offers of the site. Retired offers are not
// among them.
func (f *SiteSnapshot) publicOffers() []origin.Offer {
	var out []origin.Offer
	for _, o := range f.Offers {
		if o.Status == "offered" || o.Status == "paused" {
			out = append(out, o)
		}
	}
	return out
}

// openOffers returns the number of offers that are open now, as the license
// catalog lists them.
func (f *SiteSnapshot) openOffers() (n int64) {
	for i := range f.Offers {
		if f.Offers[i].Status == "offered" {
			n++
		}
	}
	return n
}

func (f *SiteSnapshot) offerIDs() []string {
	var ids []string
	for _, o := range f.publicOffers() {
		ids = append(ids, o.LicenseID)
	}
	return ids
}
