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
)

// NearMinima is how many of the 64 minima must agree: .67 of common wording,
// which no unrelated texts reached.
const NearMinima = 44

// nearIndex finds codes that agree in most minima.
type nearIndex struct {
	codes    []iscc.Code
	rows     []uint32
	postings [bands][]posting // sorted
}

// posting is what a band of a code holds, with the number of the code.
type posting struct{ minima, code uint32 }

// near is a row and how many minima agree.
type near struct {
	row   uint32
	equal int
}

func newNearIndex(codes []iscc.Code, rows []uint32) *nearIndex {
	x := &nearIndex{codes: codes, rows: rows}
	for band := range bands {
		list := make([]posting, len(codes))
		for i := range codes {
			list[i] = posting{codes[i].Band(band*bandWidth, bandWidth), uint32(i)}
		}
		slices.SortFunc(list, func(a, b posting) int { return cmp.Or(cmp.Compare(a.minima, b.minima), cmp.Compare(a.code, b.code)) })
		x.postings[band] = list
	}
	return x
}

// find returns the rows whose codes agree in at least least minima, those that
// agree most first.
func (x *nearIndex) find(c *iscc.Code, least int) []near {
	var out []near
	for band := range bands {
		list, wanted := x.postings[band], c.Band(band*bandWidth, bandWidth)
		at, _ := slices.BinarySearchFunc(list, wanted, func(p posting, wanted uint32) int { return cmp.Compare(p.minima, wanted) })
		for ; at < len(list) && list[at].minima == wanted; at++ {
			id := list[at].code
			equal := x.codes[id].Equal(c)
			if equal >= least && !slices.ContainsFunc(out, func(n near) bool { return n.row == x.rows[id] }) {
				out = append(out, near{x.rows[id], equal})
			}
		}
	}
	slices.SortFunc(out, func(a, b near) int { return cmp.Or(cmp.Compare(b.equal, a.equal), cmp.Compare(a.row, b.row)) })
	return out
}
