package searchindex

import (
	"sort"

	"colophon/internal/staticindex"
)

// Groups says how the records of an index are divided: those of registered
// pages by publisher, those of other indexes are one group. Within its group a
// record has an ordinal, from 0. Files of the index name records by group and
// ordinal, which do not change when others are added, so that a file changes
// only with the records that it is about.
//
// Readers count otherwise: groups follow each other, and within a group the
// record with the highest ordinal, which was added last, comes first. That
// place is the record's number. A number that no record has, because one was
// withdrawn, is in no list.
type Groups struct {
	starts []uint32 // number of the first record of each group, and the end; nil if there are no groups
}

// NewGroups makes groups with these numbers of ordinals.
func NewGroups(counts []uint32) Groups {
	g := Groups{make([]uint32, len(counts)+1)}
	for i, n := range counts {
		g.starts[i+1] = g.starts[i] + n
	}
	return g
}

// count returns how many groups there are.
func (g *Groups) count() int { return max(len(g.starts)-1, 0) }

// Slots returns how many numbers there are.
func (g *Groups) Slots() int {
	if g.count() == 0 {
		return 0
	}
	return int(g.starts[g.count()])
}

// Size returns how many ordinals a group has.
func (g *Groups) Size(group int) int { return int(g.starts[group+1] - g.starts[group]) }

// NumberOf returns the number of a record.
func (g *Groups) NumberOf(group int, ordinal uint32) uint32 {
	return g.starts[group+1] - 1 - ordinal
}

// Locate returns the group of a record and its ordinal there.
func (g *Groups) Locate(number uint32) (group int, ordinal uint32) {
	group = sort.Search(g.count(), func(i int) bool { return g.starts[i+1] > number })
	return group, g.starts[group+1] - 1 - number
}

func (g *Groups) appendCounts(b []byte) []byte {
	b = staticindex.AppendUint(b, g.count())
	for group := range g.count() {
		b = staticindex.AppendUint(b, g.Size(group))
	}
	return b
}

func readGroups(r *staticindex.Reader) Groups {
	counts := make([]uint32, r.ReadUint(r.Len()))
	sum := 0
	for i := range counts {
		counts[i] = uint32(r.ReadUint(staticindex.MaxRecords - sum))
		sum += int(counts[i])
	}
	return NewGroups(counts)
}
