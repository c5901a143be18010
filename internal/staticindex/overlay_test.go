package staticindex

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// layList makes the list that an overlay stands for: records of the base by their
// place, new ones by their number below zero.
func layList(base int, dropped, before []uint32) []int {
	var out []int
	next := 0
	for place := 0; place <= base; place++ {
		for ; next < len(before) && before[next] == uint32(place); next++ {
			out = append(out, -1-next)
		}
		if place < base && !slices.Contains(dropped, uint32(place)) {
			out = append(out, place)
		}
	}
	return out
}

func TestOverlayIsTheList(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		base := random.IntN(12)
		var dropped, before []uint32
		for place := range base {
			if random.IntN(3) == 0 {
				dropped = append(dropped, uint32(place))
			}
		}
		for range random.IntN(8) {
			before = append(before, uint32(random.IntN(base+1)))
		}
		slices.Sort(before)
		written := NewOverlay(base, dropped, before).Append(nil)
		o, err := DecodeOverlay(written)
		if err != nil {
			t.Fatalf("%d %v %v: %v", base, dropped, before, err)
		}
		want := layList(base, dropped, before)
		if o.Len() != len(want) || o.Added() != len(before) || o.Base() != base {
			t.Fatalf("%d %v %v: %d records, %d of them new, want %d", base, dropped, before, o.Len(), o.Added(), len(want))
		}
		for place, record := range want {
			i, added := o.Find(uint32(place))
			if added != (record < 0) || added && int(i) != -1-record || !added && int(i) != record {
				t.Fatalf("%d %v %v: at %d is %d (new: %v), want %d", base, dropped, before, place, i, added, record)
			}
			if added && o.PlaceAdded(i) != uint32(place) {
				t.Fatalf("%d %v %v: new record %d is at %d, want %d", base, dropped, before, i, o.PlaceAdded(i), place)
			}
			if at, ok := o.PlaceBase(i); !added && (!ok || at != uint32(place)) {
				t.Fatalf("%d %v %v: record %d is at %d (%v), want %d", base, dropped, before, i, at, ok, place)
			}
		}
		for _, place := range dropped {
			if _, ok := o.PlaceBase(place); ok {
				t.Fatalf("%d %v %v: %d is still there", base, dropped, before, place)
			}
		}
		for cut := range written {
			if _, err := DecodeOverlay(written[:cut]); err == nil {
				t.Fatalf("%d of %d bytes are taken for an overlay", cut, len(written))
			}
		}
	}
}

func TestMalformedOverlays(t *testing.T) {
	head := []byte(overlayMagic)
	for name, b := range map[string][]byte{
		"twice the same dropped":  append(head, 5, 2, 0, 1, 0),
		"dropped beyond the base": append(head, 5, 1, 0, 5),
		"more dropped than there": append(head, 1, 2, 0, 0, 1),
		"new beyond the end":      append(head, 5, 0, 1, 6),
		"bytes left over":         append(head, 5, 0, 1, 5, 0),
		"another format":          {'C', 'O', 'V', '0', 5, 0, 0},
	} {
		if _, err := DecodeOverlay(b); err == nil {
			t.Errorf("%s is taken for an overlay", name)
		}
	}
	if _, err := DecodeOverlay(append(head, 5, 1, 2, 4, 0, 5)); err != nil {
		t.Errorf("a sound overlay: %v", err)
	}
}
