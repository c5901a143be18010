package edgehttp

import (
	"testing"

	"colophon/internal/assert"
)

// TestBodyBudget checks the three bounds of bodies in flight, and that a body
// that ended makes room.
func TestBodyBudget(t *testing.T) {
	b := NewBodyBudget(100, 3, 2)
	open := func(client string, want error) *BodyLease {
		t.Helper()
		lease, err := b.openLease(client)
		assert.ErrorIs(t, err, want, "%s", client)
		return lease
	}
	first := open("a", nil)
	open("a", nil)
	open("a", ErrBusy)
	other := open("b", nil)
	open("c", ErrBusy)
	for _, step := range []struct {
		size int64
		want error
	}{{100, nil}, {1, ErrBusy}} {
		assert.ErrorIs(t, first.growLease(step.size), step.want, "%d more bytes", step.size)
	}
	first.Close()
	open("a", nil)
	if err := other.growLease(100); err != nil {
		t.Errorf("a body that ended makes no room: %v", err)
	}
	if count, size := b.InFlight(); count != 3 || size != 100 {
		t.Errorf("%d bodies with %d bytes are in flight", count, size)
	}
}
