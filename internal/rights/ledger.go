package rights

import (
	"colophon/exports"
	"colophon/internal/origin"
	"colophon/internal/record"
)

// LedgerRow returns a leaf of the ledger as search shows it. f is nil if the
// site may not appear; the row then names nobody, as in the log itself, which
// holds only digests.
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
