package staticindex

import (
	"sort"

	"colophon/exports"
)

// Overlay lays a few records over a base: a list of many records that is published
// already. It tells which records of the base are no more, and between which the
// new ones stand. A record that changed is dropped and inserted.
//
// The places of the list that results run from 0 without gaps. They are those that
// the list would have if it were written as a whole.
type Overlay struct {
	base    int      // records of the base
	dropped []uint32 // places in the base, rising
	before  []uint32 // for each new record the place in the base before which it stands, never falling
	places  []uint32 // of the new records in the list, rising
}

const overlayMagic = "COV1"

// NewOverlay lays len(before) records over a base. dropped must rise, before must
// never fall, and neither may pass the base.
func NewOverlay(base int, dropped, before []uint32) *Overlay {
	o := &Overlay{base: base, dropped: dropped, before: before, places: make([]uint32, len(before))}
	for i, at := range before {
		o.places[i] = at - uint32(o.countDropped(at)) + uint32(i)
	}
	return o
}

// Len is how many records the list has.
func (o *Overlay) Len() int { return o.base - len(o.dropped) + len(o.before) }

// Base is how many records the base has.
func (o *Overlay) Base() int { return o.base }

// Added is how many records are laid over the base.
func (o *Overlay) Added() int { return len(o.before) }

// countDropped is how many records of the base before a place are no more.
func (o *Overlay) countDropped(place uint32) int {
	return sort.Search(len(o.dropped), func(i int) bool { return o.dropped[i] >= place })
}

// Find tells which record stands at a place of the list: number i of the new ones,
// or the one at place i of the base.
func (o *Overlay) Find(place uint32) (i uint32, added bool) {
	n := sort.Search(len(o.places), func(i int) bool { return o.places[i] >= place })
	if n < len(o.places) && o.places[n] == place {
		return uint32(n), true
	}
	live := place - uint32(n) // so many records of the base that stay come before it
	k := sort.Search(len(o.dropped), func(k int) bool { return o.dropped[k]-uint32(k) > live })
	return live + uint32(k), false
}

// PlaceAdded is the place in the list of new record i.
func (o *Overlay) PlaceAdded(i uint32) uint32 { return o.places[i] }

// PlaceBase is the place in the list of the record at a place of the base, and
// whether that is still there.
func (o *Overlay) PlaceBase(place uint32) (uint32, bool) {
	gone := o.countDropped(place)
	if gone < len(o.dropped) && o.dropped[gone] == place {
		return 0, false
	}
	n := sort.Search(len(o.before), func(i int) bool { return o.before[i] > place })
	return place - uint32(gone) + uint32(n), true
}

// Append writes an overlay after b: the records of the base, how many of them are
// dropped and how many records are new, then each dropped place as the gap to the
// one before, and for each new record the gap between the places before which
// they stand.
func (o *Overlay) Append(b []byte) []byte {
	b = AppendUint(append(b, overlayMagic...), o.base)
	b = AppendUint(b, len(o.dropped))
	b = AppendUint(b, len(o.before))
	for _, list := range [][]uint32{o.dropped, o.before} {
		last := uint32(0)
		for _, place := range list {
			b = AppendUint(b, int(place-last))
			last = place
		}
	}
	return b
}

// ReadOverlay reads an overlay. The reader has failed where there is none.
func (r *Reader) ReadOverlay() *Overlay {
	r.ExpectMagic(overlayMagic)
	base := r.ReadUint(MaxRecords)
	dropped := r.ReadUint(min(base, r.Len()))
	added := r.ReadUint(r.Len())
	o := NewOverlay(base, r.readRising(dropped, base-1, 1), r.readRising(added, base, 0))
	if r.Failed() {
		return nil
	}
	return o
}

// readRising reads n places up to most, which rise by at least so many.
func (r *Reader) readRising(n, most, by int) []uint32 {
	out := make([]uint32, n)
	last := 0
	for i := range out {
		gap := r.ReadUint(most - last)
		if i > 0 && gap < by {
			r.Fail()
		}
		last += gap
		out[i] = uint32(last)
	}
	return out
}

// DecodeOverlay reads a file that is an overlay. It fails with ErrMalformed.
func DecodeOverlay(b []byte) (*Overlay, error) {
	r := NewReader(b)
	o := r.ReadOverlay()
	return o, r.Finish()
}

// OverlayKey is the overlay of a list that has no root:
// _ix/0123456789abcdef/feed/over.idx
func OverlayKey(gen, name string) exports.Key {
	return exports.Key(Prefix(gen) + name + "/over.idx")
}
