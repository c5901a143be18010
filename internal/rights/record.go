package rights

import (
	"crypto/sha256"
	"encoding/hex"

	"colophon/exports"
	"colophon/internal/origin"
	"colophon/internal/wire"
)

// Record projects a page into what its provenance record states, unsigned:
// version, supersedes and proof are still empty. The second result is false
// when the site may not appear, the page has no fingerprint, or the site has
// no rights passport to bind.
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

// WithdrawRecord turns the record of an entry into its tombstone, as of an instant: what
// it says about the page stays, and requests are no longer possible.
func WithdrawRecord(r *exports.Record, at string) {
	r.Withdrawn = true
	r.Passport.RightsVector = AllWithdrawn
	r.Passport.LicenseIDs = nil
	r.Passport.AsOf = at
}

// RecordFacts returns the digest of what a record states, without version, time
// and proof: a new record is made when it differs from that of the last one.
func RecordFacts(r *exports.Record) string {
	bare := *r
	bare.Version = 0
	bare.Supersedes = ""
	bare.Proof = exports.Proof{}
	bare.Passport.AsOf = ""
	sum := sha256.Sum256(wire.Append(make([]byte, 0, usualRecord), &bare))
	return hex.EncodeToString(sum[:])
}

// usualRecord is how many bytes most records take, or near to it.
const usualRecord = 2 << 10

// RecordInstant returns the instant to which a new record of a page is dated:
// the last change of the page, of the site's policy or of what follows from it,
// never a clock, and never before the record that it supersedes.
func RecordInstant(f *SiteSnapshot, p *origin.Page, previous string) string {
	return latestTime(p.ChangedAt, f.PolicyChanged(), f.JudgedAt(), previous)
}
