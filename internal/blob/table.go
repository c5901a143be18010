//go:build !tinygo

package blob

import (
	"context"
	"slices"
	"strings"
)

// Table is the index of a published table, as the starting point of a change.
type Table struct {
	Rows  []Row // rows of all blobs, sorted by key
	pages map[pageKey]page
}

type pageKey struct {
	level int
	first string
}

type page struct {
	at   *Location
	rows []Row
}

// ReadTable reads the whole index of a root.
func ReadTable(ctx context.Context, r *Reader) (*Table, error) {
	t := &Table{pages: map[pageKey]page{}}
	below := map[Location]*Location{} // pages that were read, which rows of the level above name
	err := r.EachPage(ctx, func(level int, at Location, rows []Row) error {
		if level == 0 {
			t.Rows = append(t.Rows, rows...)
		} else {
			for i := range rows {
				rows[i].At = below[*rows[i].At]
			}
		}
		if at != (Location{}) { // the topmost page is in no pack
			place := &at
			below[at] = place
			t.pages[pageKey{level, rows[0].Key}] = page{place, rows}
		}
		return nil
	})
	return t, err
}

// Below returns the rows whose keys begin with prefix.
func (t *Table) Below(prefix string) []Row {
	from, _ := slices.BinarySearchFunc(t.Rows, prefix, compareKey)
	to := from
	for to < len(t.Rows) && strings.HasPrefix(t.Rows[to].Key, prefix) {
		to++
	}
	return t.Rows[from:to]
}

func compareKey(row Row, key string) int { return strings.Compare(row.Key, key) }

// usedBytes returns how many bytes of each pack the index refers to.
func (t *Table) usedBytes() map[ID]int64 {
	used := map[ID]int64{}
	for _, row := range t.Rows {
		used[row.At.Pack] += row.At.Length
	}
	for _, p := range t.pages {
		used[p.at.Pack] += p.at.Length
	}
	return used
}
