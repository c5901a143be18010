package rights_test

import (
	"reflect"
	"testing"

	"colophon/exports"
	"colophon/internal/rights"
)

// TestSettle checks that a settled tally returns the same as before.
func TestSettle(t *testing.T) {
	tally := rights.NewTally()
	tally.Add(&exports.Entry{Section: "news", ContentFormat: "html", Terms: []string{"tides", "ports"}, PublishedAt: "2025-01-01T00:00:00Z"}, "2026-01-01T00:00:00Z", []string{"lic_1"})
	tally.Add(&exports.Entry{Section: "news", ContentFormat: "pdf", Terms: []string{"tides", "anchors"}, PublishedAt: "2026-01-01T00:00:00Z"}, "2026-01-02T00:00:00Z", []string{"lic_1"})
	tally.AddRecord("2026-01-03T00:00:00Z")
	tell := func() []any {
		return []any{tally.TopTerms(2), tally.TopTerms(20), tally.Sections(), tally.Formats(), tally.Coverage("daily"), tally.Scoped("lic_1"), tally.LatestChange, tally.LatestRecord}
	}
	before := tell()
	if want := []string{"tides", "anchors"}; !reflect.DeepEqual(before[0], want) {
		t.Errorf("%v, want %v", before[0], want)
	}
	tally.Settle()
	if got := tell(); !reflect.DeepEqual(got, before) {
		t.Errorf("settled %v, before %v", got, before)
	}
}

// TestCoverageCountsYears checks that a page whose instant does not begin with
// a year is counted in no year.
func TestCoverageCountsYears(t *testing.T) {
	tally := rights.NewTally()
	for _, at := range []string{"2025-01-01T00:00:00Z", "2025-12-31T00:00:00Z", "2026-01-01T00:00:00Z", "", "202", "soon"} {
		tally.Add(&exports.Entry{PublishedAt: at}, "2026-01-01T00:00:00Z", nil)
	}
	got := tally.Coverage("daily").ByYear
	want := []exports.YearCount{{Year: 2025, Pages: 2}, {Year: 2026, Pages: 1}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
