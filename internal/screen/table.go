package screen

import (
	"math/bits"
	"slices"
)

// table finds the rows of keys. It holds sorted prefixes with the row of each,
// and where those with the same leading bits begin.
type table struct {
	keys  []prefix
	rows  []uint32
	first []uint32
	shift int
}

type keyed struct {
	key prefix
	row uint32
}

func newTable(list []keyed) *table {
	slices.SortFunc(list, func(a, b keyed) int {
		if c := a.key.compare(b.key); c != 0 {
			return c
		}
		return int(a.row) - int(b.row)
	})
	n := bits.Len(uint(len(list)))
	t := &table{shift: 64 - n, first: make([]uint32, 1<<n+1), keys: make([]prefix, len(list)), rows: make([]uint32, len(list))}
	for i, k := range list {
		t.keys[i], t.rows[i] = k.key, k.row
		t.first[k.key.high>>t.shift+1]++
	}
	for i := 1; i < len(t.first); i++ {
		t.first[i] += t.first[i-1]
	}
	return t
}

// find appends the rows of a key.
func (t *table) find(dst []uint32, key prefix) []uint32 {
	part := key.high >> t.shift
	for i := t.first[part]; i < t.first[part+1]; i++ {
		if t.keys[i] == key {
			dst = append(dst, t.rows[i])
		}
	}
	return dst
}
