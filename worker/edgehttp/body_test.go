package edgehttp

import (
	"errors"
	"testing"
)

// TestBodyBudget checks the three bounds of bodies in flight, and that a body
// that ended makes room.
func TestBodyBudget(t *testing.T) {
	b := NewBodyBudget(100, 3, 2)
	open := func(client string, want error) *BodyLease {
		t.Helper()
		lease, err := b.openLease(client)
		if !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", client, err, want)
		}
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
		if err := first.growLease(step.size); !errors.Is(err, step.want) {
			t.Errorf("%d more bytes: %v, want %v", step.size, err, step.want)
		}
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
