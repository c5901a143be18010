package generator

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"colophon/exports"
	"colophon/internal/origin"
	"colophon/internal/record"
)

func sampleRows() []pageRow {
	return []pageRow{
		{page: origin.Page{EntryID: "ent_1", SiteID: "alpha", Title: "Ünï <b>", Byline: []string{"One", ""}, Terms: []string{"tides"}, WordCount: 1 << 40, State: "active"}, version: 3, sha256: "aa", created: "2026-01-01T00:00:00Z", position: 77},
		{page: origin.Page{EntryID: "ent_2", SiteID: "alpha"}, position: record.NotLogged, due: true, text: spooled{12, 5}},
		{page: origin.Page{EntryID: "ent_1", SiteID: "beta", State: "withdrawn"}, position: 0},
	}
}

func TestRowsComeBack(t *testing.T) {
	t.Parallel()
	s, err := newSpool(filepath.Join(t.TempDir(), "work"))
	must(t, err)
	defer s.close()
	must(t, s.beginPass())
	for _, r := range sampleRows() {
		must(t, s.rows.writeRow(&r))
	}
	must(t, s.finishPass())
	var got []pageRow
	batches := 0
	must(t, s.eachBatch(func(rows []pageRow) error {
		batches++
		got = append(got, rows...)
		return nil
	}))
	if !reflect.DeepEqual(got, sampleRows()) {
		t.Errorf("read %+v", got)
	}
	if batches != 2 { // one for each site
		t.Errorf("%d batches", batches)
	}
}

// TestDamagedRows truncates a file of rows at every position: no reader may
// return all rows or another one, and each must end with io.EOF or errRows. It
// also checks that a reader refuses the rows of another build.
func TestDamagedRows(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "rows")
	f, err := os.Create(path)
	must(t, err)
	w, err := newRowWriter(f)
	must(t, err)
	for _, r := range sampleRows() {
		must(t, w.writeRow(&r))
	}
	must(t, w.out.Flush())
	must(t, f.Close())
	whole, err := os.ReadFile(path)
	must(t, err)
	if _, err := newRowReader(bytes.NewReader(whole), "another"); !errors.Is(err, errRows) {
		t.Errorf("rows of another build: %v", err)
	}
	header := len(rowsHeader(noToken))
	for cut := range len(whole) {
		in, err := newRowReader(bytes.NewReader(whole[:cut]), noToken)
		if cut < header {
			if !errors.Is(err, errRows) {
				t.Fatalf("a header cut at %d: %v", cut, err)
			}
			continue
		}
		must(t, err)
		n := 0
		for err == nil {
			var r pageRow
			if r, err = in.readRow(); err == nil {
				if want := sampleRows()[n]; !reflect.DeepEqual(r, want) {
					t.Fatalf("cut at %d: row %d is %v, want %v", cut, n, r, want)
				}
				n++
			}
		}
		if n >= len(sampleRows()) || err != io.EOF && !errors.Is(err, errRows) {
			t.Fatalf("cut at %d: %d rows, %v", cut, n, err)
		}
	}
}

// TestShownTellsAll checks that appendListed returns another text after a
// change of anything about a page that lists show.
func TestShownTellsAll(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for what, change := range map[string]func(r *pageRow, f *exports.FeedRecord){
		"nothing":       func(*pageRow, *exports.FeedRecord) {},
		"title":         func(r *pageRow, _ *exports.FeedRecord) { r.page.Title = "x" },
		"record":        func(r *pageRow, _ *exports.FeedRecord) { r.sha256 = "x" },
		"publisher":     func(_ *pageRow, f *exports.FeedRecord) { f.Publisher.Name = "x" },
		"fingerprint":   func(_ *pageRow, f *exports.FeedRecord) { f.Digest = "x" },
		"rights":        func(_ *pageRow, f *exports.FeedRecord) { f.RightsVector = "x" },
		"when judged":   func(_ *pageRow, f *exports.FeedRecord) { f.RightsAsOf = "x" },
		"an offer":      func(_ *pageRow, f *exports.FeedRecord) { f.LicenseIDs = []string{"x"} },
		"another offer": func(_ *pageRow, f *exports.FeedRecord) { f.LicenseIDs = []string{"y"} },
	} {
		r, f := pageRow{}, exports.FeedRecord{}
		change(&r, &f)
		text := string(r.appendListed(nil, &f))
		if other, ok := seen[text]; ok {
			t.Errorf("%s and %s are the same", what, other)
		}
		seen[text] = what
	}
}
