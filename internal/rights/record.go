package rights

import (
	"colophon/exports"
	"colophon/internal/origin"
	"colophon/internal/wire"
)

// Record returns what a page's provenance record states, unsigned: version,
// supersedes and proof are still empty. ok is false if the site may not appear,
// the page has no fingerprint, or the site has no rights passport.
func Record(f *SiteSnapshot, p *origin.Page, base string) (exports.Record, bool) {
	pass := f.Passport()
	if !Public(f.Site) || p.SiteID != f.Site.SiteID || p.Portable == "" || pass == nil {
		return exports.Record{}, false
	}
	return exports.Record{
		PublisherID: f.Site.PublisherID, SiteID: p.SiteID, EntryID: p.EntryID, CanonicalURL: p.CanonicalURL, Withdrawn: p.State != "active",
		Source: exports.Source{
			Title: p.Title, Byline: p.Byline, Section: p.Section, Language: p.Language, ContentFormat: p.ContentFormat,
			PublishedAt: p.PublishedAt, ModifiedAt: p.ModifiedAt, WordCount: p.WordCount, Extraction: p.Extraction,
		},
		Portable: p.Portable, Registry: p.Registry,
		Passport: exports.Passport{
			PassportID: pass.PassportID, Version: pass.Version, HolderName: pass.HolderName, HolderURL: pass.HolderURL, HolderBasis: pass.HolderBasis,
			RightsVector: f.VectorFor(p), LicenseIDs: f.Covering(p), Territories: pass.Territories, CurrentURL: base + exports.RightsCheckPath(p.EntryID),
			AsOf: f.JudgedAt(),
		},
	}, true
}

// WithdrawRecord turns an entry's record into its tombstone, dated at. What it
// says about the page remains; requests are no longer possible.
func WithdrawRecord(r *exports.Record, at string) {
	r.Withdrawn = true
	r.Passport.RightsVector = AllWithdrawn
	r.Passport.LicenseIDs = nil
	r.Passport.AsOf = at
}

// RecordFacts returns the digest of what a record states, apart from its
// version, time and proof. A new record is made if it differs from the last
// record's digest.
func RecordFacts(r *exports.Record) string {
	bare := *r
	bare.Version = 0
	bare.Supersedes = ""
	bare.Proof = exports.Proof{}
	bare.Passport.AsOf = ""
	return wire.SHA256Hex(wire.Append(make([]byte, 0, usualRecord), &bare))
}

// usualRecord is the approximate size of most records, in bytes.
const usualRecord = 2 << 10

// RecordInstant returns the date of a new record of a page: the last change of
// the page, of the site's policy or of what follows from it. It never comes
// from a clock, and is never before the record that it supersedes.
func RecordInstant(f *SiteSnapshot, p *origin.Page, previous string) string {
	return latestTime(p.ChangedAt, f.PolicyChanged(), f.JudgedAt(), previous)
}
