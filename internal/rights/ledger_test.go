package rights

import (
	"testing"

	"colophon/exports"
	"colophon/internal/origin"
)

// TestLedgerRow checks that a leaf names its page only while the page may
// appear.
func TestLedgerRow(t *testing.T) {
	site := origin.Site{SiteID: "alpha", Name: "Alpha", State: origin.Approved, Visibility: "public"}
	line := origin.LedgerLine{
		LedgerEvent: origin.LedgerEvent{Position: 7, Event: exports.LedgerUpdated, EntryID: "ent_1", SiteID: "alpha", Digest: "d", At: "2026-01-01T00:00:00Z"},
		Page:        origin.Page{EntryID: "ent_1", SiteID: "alpha", Title: "T", CanonicalURL: "https://alpha.example/", State: "active", Portable: "p"},
	}
	bare := exports.LedgerRow{Index: 7, Event: exports.LedgerUpdated, RecordDigest: "d", At: "2026-01-01T00:00:00Z"}
	full := bare
	full.EntryID, full.SiteID, full.Publisher, full.Title, full.CanonicalURL, full.Portable = "ent_1", "alpha", "Alpha", "T", "https://alpha.example/", "p"
	withdrawn := full
	withdrawn.Title, withdrawn.CanonicalURL = "", ""
	improved := full
	improved.Reason = exports.ReasonExtractionImproved
	improve := func(l *origin.LedgerLine) { l.Before, l.Extraction = "service.main-text.v2", "service.main-text.v3" }
	for _, c := range []struct {
		name   string
		change func(f *SiteSnapshot, l *origin.LedgerLine)
		want   exports.LedgerRow
	}{
		{"a public page", func(*SiteSnapshot, *origin.LedgerLine) {}, full},
		{"a newer extractor", func(_ *SiteSnapshot, l *origin.LedgerLine) { improve(l) }, improved},
		{"a newer extractor, of a private site", func(f *SiteSnapshot, l *origin.LedgerLine) { improve(l); f.Site.Visibility = "private" }, bare},
		{"withdrawn", func(_ *SiteSnapshot, l *origin.LedgerLine) { l.Page.State = "withdrawn" }, withdrawn},
		{"a suspended site", func(f *SiteSnapshot, _ *origin.LedgerLine) { f.Site.State = origin.Suspended }, bare},
		{"a private site", func(f *SiteSnapshot, _ *origin.LedgerLine) { f.Site.Visibility = "private" }, bare},
		{"the facts of another site", func(f *SiteSnapshot, _ *origin.LedgerLine) { f.Site.SiteID = "beta" }, bare},
	} {
		f, l := &SiteSnapshot{Site: site}, line
		c.change(f, &l)
		if got := LedgerRow(f, &l); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
	if got := LedgerRow(nil, &line); got != bare {
		t.Errorf("no site: %+v", got)
	}
}
