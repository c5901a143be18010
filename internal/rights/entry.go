package rights

import (
	"colophon/exports"
	"colophon/internal/origin"
)

// Entry returns the public metadata of a registered page. ok is false if it may
// not appear because its site is not public or the page was withdrawn.
func Entry(f *SiteSnapshot, p *origin.Page) (exports.Entry, bool) {
	if !Public(f.Site) || p.State != "active" || p.SiteID != f.Site.SiteID {
		return exports.Entry{}, false
	}
	return exports.Entry{
		EntryID: p.EntryID, SiteID: p.SiteID, Title: p.Title, URL: p.CanonicalURL, Section: p.Section, Terms: p.Terms,
		ContentFormat: p.ContentFormat, Language: p.Language, WordCount: p.WordCount, PublishedAt: p.PublishedAt,
		ModifiedAt: p.ModifiedAt, RegisteredAt: p.RegisteredAt, RightsVector: f.VectorFor(p), RightsAsOf: f.JudgedAt(), Digest: f.pageFingerprint(p),
	}, true
}

// pageFingerprint returns the portable digest of a page that has a provenance
// record. Without a rights passport there is no record, and so no fingerprint.
func (f *SiteSnapshot) pageFingerprint(p *origin.Page) string {
	if f.Passport() == nil {
		return ""
	}
	return p.Portable
}

// AllWithdrawn is the rights vector of withdrawn entries.
const AllWithdrawn = "WWWWWWWW"

// Lookup returns a page as lookup files show it. That includes withdrawn pages,
// whose record says that they were withdrawn.
func Lookup(f *SiteSnapshot, p *origin.Page) (exports.FeedRecord, bool) {
	active := *p
	active.State = "active"
	r, ok := Feed(f, &active)
	if ok && p.State != "active" {
		r.RightsVector, r.LicenseIDs = AllWithdrawn, nil
	}
	return r, ok
}

// Feed returns a registered page as a feed record.
func Feed(f *SiteSnapshot, p *origin.Page) (exports.FeedRecord, bool) {
	e, ok := Entry(f, p)
	if !ok {
		return exports.FeedRecord{}, false
	}
	return exports.FeedRecord{Entry: e, Publisher: exports.PublisherRef{SiteID: f.Site.SiteID, Name: f.Site.Name}, LicenseIDs: f.Covering(p)}, true
}

// Covering returns the ids of the offers whose scope covers a page.
func (f *SiteSnapshot) Covering(p *origin.Page) []string {
	about := ResourceOf(p)
	c := about.scopeCase()
	var ids []string
	for _, o := range f.publicOffers() {
		l := Licence{Offer: exports.Offer{Scope: scopeOf(&o, 0)}}
		if c.compareScope(&l) != notCovered {
			ids = append(ids, o.LicenseID)
		}
	}
	return ids
}
