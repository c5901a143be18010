package main

import (
	"hash/crc32"
	"slices"
)

const (
	// shingle is how many bytes are compared at once: about two instructions.
	shingle = 6
	// sample is which part of all shingles is looked at, by their hashes.
	sample = 4
	// window is how many bytes before a function are taken to be in reach.
	window = 20000
	// common is in how many functions a shingle says nothing any more.
	common = 200
	// damping keeps tiny functions from seeming alike by one shingle.
	damping = 3
)

// orderBodies is the numbers of bodies in an order in which each shares much
// with those shortly before it. It starts with the longest and takes, each
// time, the one with the largest share of shingles within the window; ties go
// to the first. The same bodies give the same order.
func orderBodies(bodies [][]byte) []int {
	if len(bodies) == 0 {
		return nil
	}
	o := newOrdering(bodies)
	next := longest(bodies)
	for {
		o.place(next)
		if len(o.order) == len(bodies) {
			return o.order
		}
		next = o.mostAlike()
	}
}

func longest(bodies [][]byte) int {
	best := 0
	for i, b := range bodies {
		if len(b) > len(bodies[best]) {
			best = i
		}
	}
	return best
}

// ordering is what orderBodies has placed so far.
type ordering struct {
	bodies   [][]byte
	shingles [][]uint32       // of each body, sorted
	holders  map[uint32][]int // bodies that have a shingle
	placed   []bool
	order    []int
}

func newOrdering(bodies [][]byte) *ordering {
	o := &ordering{
		bodies:   bodies,
		shingles: make([][]uint32, len(bodies)),
		holders:  map[uint32][]int{},
		placed:   make([]bool, len(bodies)),
	}
	for i, b := range bodies {
		o.shingles[i] = shinglesOf(b)
		for _, h := range o.shingles[i] {
			o.holders[h] = append(o.holders[h], i)
		}
	}
	return o
}

// shinglesOf is the hashes of a sample of the shingles of b, each once.
func shinglesOf(b []byte) []uint32 {
	var hashes []uint32
	for at := 0; at+shingle <= len(b); at++ {
		h := crc32.ChecksumIEEE(b[at : at+shingle])
		if h%sample == 0 {
			hashes = append(hashes, h)
		}
	}
	slices.Sort(hashes)
	return slices.Compact(hashes)
}

func (o *ordering) place(i int) {
	o.placed[i] = true
	o.order = append(o.order, i)
}

// mostAlike is the body not yet placed with the largest share of its shingles
// in the window, or the first one when none has any there.
func (o *ordering) mostAlike() int {
	shared := make([]int, len(o.bodies))
	for _, h := range o.windowShingles() {
		for _, i := range o.holders[h] {
			shared[i]++
		}
	}
	best := -1
	most := 0.0
	for i, n := range shared {
		if o.placed[i] {
			continue
		}
		share := float64(n) / float64(len(o.shingles[i])+damping)
		if best < 0 || share > most {
			best = i
			most = share
		}
	}
	return best
}

// windowShingles is the shingles of the bodies placed last, each once, without
// those that too many bodies have.
func (o *ordering) windowShingles() []uint32 {
	var hashes []uint32
	bytes := 0
	for at := len(o.order) - 1; at >= 0 && bytes <= window; at-- {
		i := o.order[at]
		bytes += len(o.bodies[i])
		for _, h := range o.shingles[i] {
			if len(o.holders[h]) < common {
				hashes = append(hashes, h)
			}
		}
	}
	slices.Sort(hashes)
	return slices.Compact(hashes)
}
