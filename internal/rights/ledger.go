package rights

import (
	"colophon/exports"
	"colophon/internal/origin"
	"colophon/internal/record"
)

// LedgerRow projects a leaf of the ledger into what search shows of it. f is
// nil when the site may not appear: the leaf then stands without naming whom
// it is about, as in the log itself, where only digests are.
func LedgerRow(f *SiteSnapshot, l *origin.LedgerLine) exports.LedgerRow {
	r := exports.LedgerRow{Index: l.Position, Event: l.Event, At: l.At, RecordDigest: l.Digest}
	if f == nil || !Public(f.Site) || f.Site.SiteID != l.SiteID {
		return r
	}
	r.SiteID, r.Publisher = l.SiteID, f.Site.Name
	if l.Event == exports.LedgerUpdated {
		r.Reason = record.SupersedeReason(l.Before, l.Extraction)
	}
	if p := &l.Page; p.EntryID == l.EntryID && p.SiteID == l.SiteID && l.EntryID != "" {
		r.EntryID, r.Portable = p.EntryID, p.Portable
		if p.State == "active" {
			r.Title, r.CanonicalURL = p.Title, p.CanonicalURL
		}
	}
	return r
}
