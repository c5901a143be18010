package delivery

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"colophon/exports"
	"colophon/internal/origin"
)

// heldStore holds a number of items. It keeps the lines of a snapshot as they
// come.
type heldStore struct {
	origin.Delivery
	held  []origin.Holding
	lines []int
	last  string
}

func (s *heldStore) Feed(context.Context, string) (origin.Feed, error) {
	return origin.Feed{Sequence: 7}, nil
}

func (s *heldStore) Held(_ context.Context, _, after string, limit int) ([]origin.Holding, int64, error) {
	i := 0
	for i < len(s.held) && s.held[i].EntryID <= after {
		i++
	}
	return s.held[i:min(len(s.held), i+limit)], 7, nil
}

func (s *heldStore) AddSnapshotItems(_ context.Context, _ string, items []origin.SnapshotItem) error {
	s.lines = append(s.lines, len(items))
	if len(items) > 0 {
		s.last = items[len(items)-1].EntryID
	}
	return nil
}

// TestListHeld lists more items than are read or written at once: each is in
// the root, and in one batch of lines.
func TestListHeld(t *testing.T) {
	t.Parallel()
	for n, batches := range map[int][]int{
		0: {0}, 1: {1}, compareRows - 1: {compareRows - 1}, compareRows: {compareRows, 0},
		2 * compareRows: {compareRows, compareRows, 0}, 2*compareRows + 1: {compareRows, compareRows, 1},
	} {
		store := &heldStore{}
		var root Root
		for i := range n {
			h := origin.Holding{EntryID: fmt.Sprintf("ent_%06d", i), Version: int64(i), Digest: "d", Uses: retrievalUses}
			store.held = append(store.held, h)
			root.addEntry(h.EntryID, h.Version, h.Digest)
		}
		s := compareSession(store)
		s.at = batchTime
		x, err := s.listHeld(t.Context(), &exports.NewSnapshot{Days: 30}, "", "")
		if err != nil || x.Items != int64(n) || x.Root != root.String() || x.Sequence != 7 || x.ExpiresAt != "2026-07-01T12:00:00Z" {
			t.Errorf("%d items: %+v, %v", n, x, err)
		}
		if !slices.Equal(store.lines, batches) || n > 0 && store.last != store.held[n-1].EntryID {
			t.Errorf("%d items: batches of %v up to %s, want %v", n, store.lines, store.last, batches)
		}
	}
}

// TestSnapshotLasts checks that a snapshot lasts as many days as are asked for,
// 90 if none are.
func TestSnapshotLasts(t *testing.T) {
	t.Parallel()
	for days, want := range map[int64]string{-1: "2026-08-30T12:00:00Z", 0: "2026-06-01T12:00:00Z", 1: "2026-06-02T12:00:00Z"} {
		s := compareSession(&heldStore{})
		s.at = batchTime
		if x, err := s.listHeld(t.Context(), &exports.NewSnapshot{Days: days}, "", ""); err != nil || x.ExpiresAt != want {
			t.Errorf("%d days: until %s, %v", days, x.ExpiresAt, err)
		}
	}
}
