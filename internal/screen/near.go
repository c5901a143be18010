package screen

import (
	"cmp"
	"slices"

	"colophon/internal/iscc"
)

// A code is found if it agrees with the requested one in all minima of a band.
// 11 bands of 5 find .992 of the texts that share .8 of their wording.
const (
	bands     = 11
	bandWidth = 5

	directoryBits = 16                          // of a band's 20 choose a bucket
	restBits      = 4*bandWidth - directoryBits // the others are in the posting
	rowBits       = 32 - restBits
)

// NearMinima is how many of the 64 minima must agree: .67 of common wording,
// which no unrelated texts reached.
const NearMinima = 44

// nearIndex finds codes that agree in most minima.
type nearIndex struct {
	codes     []iscc.Code
	rows      []uint32
	directory [bands][]uint32
	postings  [bands][]uint32
}

// near is a row and how many minima agree.
type near struct {
	row   uint32
	equal int
}

func newNearIndex(codes []iscc.Code, rows []uint32) *nearIndex {
	x := &nearIndex{codes: codes, rows: rows}
	keys := make([]uint32, len(codes))
	for band := range bands {
		dir := make([]uint32, 1<<directoryBits+1)
		for i := range codes {
			keys[i] = codes[i].Band(band*bandWidth, bandWidth)
			dir[keys[i]>>restBits+1]++
		}
		for i := 1; i < len(dir); i++ {
			dir[i] += dir[i-1]
		}
		next := slices.Clone(dir)
		post := make([]uint32, len(codes))
		for i, k := range keys {
			bucket := k >> restBits
			post[next[bucket]] = k<<rowBits | uint32(i)
			next[bucket]++
		}
		x.directory[band], x.postings[band] = dir, post
	}
	return x
}

// find returns the rows whose codes agree in at least least minima, those that
// agree most first.
func (x *nearIndex) find(c *iscc.Code, least int) []near {
	var out []near
	for band := range bands {
		k := c.Band(band*bandWidth, bandWidth)
		dir := x.directory[band]
		for _, p := range x.postings[band][dir[k>>restBits]:dir[k>>restBits+1]] {
			if p>>rowBits != k&(1<<restBits-1) {
				continue
			}
			id := p & (1<<rowBits - 1)
			equal := x.codes[id].Equal(c)
			if equal >= least && !slices.ContainsFunc(out, func(n near) bool { return n.row == x.rows[id] }) {
				out = append(out, near{x.rows[id], equal})
			}
		}
	}
	slices.SortFunc(out, func(a, b near) int { return cmp.Or(cmp.Compare(b.equal, a.equal), cmp.Compare(a.row, b.row)) })
	return out
}
