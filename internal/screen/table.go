package screen

import (
	"bytes"
	"cmp"
	"slices"
)

// table finds the rows of keys. It is sorted by key, then by row.
type table []keyed

type keyed struct {
	key key
	row uint32
}

func newTable(list []keyed) table {
	slices.SortFunc(list, func(a, b keyed) int { return cmp.Or(bytes.Compare(a.key[:], b.key[:]), cmp.Compare(a.row, b.row)) })
	return list
}

// find appends the rows of a key.
func (t table) find(dst []uint32, wanted key) []uint32 {
	at, _ := slices.BinarySearchFunc(t, wanted, func(k keyed, wanted key) int { return bytes.Compare(k.key[:], wanted[:]) })
	for ; at < len(t) && t[at].key == wanted; at++ {
		dst = append(dst, t[at].row)
	}
	return dst
}
