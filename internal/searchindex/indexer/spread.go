package indexer

import (
	"slices"

	"colophon/internal/searchindex"
)

// pageOfHits is how many hits a page shows as a rule.
const pageOfHits = 10

// sequenceNumbers are the records of these numbers, in the order of adding.
func (v *inverted) sequenceNumbers(docs []uint32) []uint32 {
	out := make([]uint32, len(docs))
	for i, d := range docs {
		out[i] = v.seq[d]
	}
	return out
}

// spreadRecords are those of the ten best of a word, rising, that are kept again
// so that the others lie in few enough blocks: those of the blocks with the
// fewest of them. There are none where the blocks are few enough already.
func (v *inverted) spreadRecords(p searchindex.Postings) []uint32 {
	if len(p.Docs) < searchindex.HeadFrom {
		return nil
	}
	const room = searchindex.ManyFiles - 2 // beside the leaf and the head
	blocks := v.blocksOf(bestRecords(p, v.c.perFile, pageOfHits))
	if len(blocks) <= room+1 {
		return nil
	}
	slices.SortStableFunc(blocks, func(a, b []uint32) int { return len(a) - len(b) })
	kept := slices.Concat(blocks[:len(blocks)-room]...)
	slices.Sort(kept)
	return kept
}

// blocksOf divides records by the block that they lie in.
func (v *inverted) blocksOf(docs []uint32) [][]uint32 {
	docs = slices.Sorted(slices.Values(docs))
	perFile := uint32(v.c.perFile)
	var blocks [][]uint32
	last := uint32(0)
	for i, d := range docs {
		n := d / perFile
		if i == 0 || n != last {
			blocks = append(blocks, nil)
		}
		blocks[len(blocks)-1] = append(blocks[len(blocks)-1], d)
		last = n
	}
	return blocks
}
