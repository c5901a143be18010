package generator

import (
	"testing"

	"colophon/generator/snapshot"
	"colophon/internal/origin"
)

// TestClosedPublisherGetsTombstones closes a publisher with more entries than a
// batch has: each gets one tombstone after its record, and only one.
func TestClosedPublisherGetsTombstones(t *testing.T) {
	t.Parallel()
	store, dir := newRegistry(t)
	addSite(t, store, "alpha")
	addSite(t, store, "beta")
	addPage(t, store, "beta", 1)
	const pages = snapshot.PageBatch + 5
	for n := range pages {
		addPage(t, store, "alpha", n)
	}
	build1(t, store, dir, 2)
	suspendSite(t, store, "alpha", origin.Closed)
	for build, issued := range []int64{pages, 0} {
		if r := build1(t, store, dir, 2); r.Issued != issued || r.Logged < issued {
			t.Errorf("build %d issued %d records and logged %d, want %d", build, r.Issued, r.Logged, issued)
		}
	}
	for site, want := range map[string]int64{"alpha": 2, "beta": 1} {
		b := &build{store: store}
		must(t, snapshot.EachPage(t.Context(), store, site, func(pages []origin.Page) error {
			rows, err := b.readRows(t.Context(), pages)
			must(t, err)
			for i := range rows {
				r, err := decodeRecord(rows[i].last.JSON)
				if err != nil || r.Version != want || r.Withdrawn != (want == 2) {
					t.Errorf("%s: version %d, withdrawn %v, %v", r.EntryID, r.Version, r.Withdrawn, err)
				}
			}
			return nil
		}))
	}
}
