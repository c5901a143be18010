package indexer

import (
	"context"
	"math/bits"

	"colophon/exports"
	"colophon/internal/searchindex"
	"colophon/internal/staticindex"
)

// The size that a leaf grows to, about, unless SetLeafBytes says otherwise, and
// what a word takes of it beside its list.
const (
	leafBytes = 6 << 10
	wordBytes = 5
)

// span is a range of words that a leaf covers.
type span struct{ from, to int }

// Figures are figures of an index.
type Figures struct {
	Words, Postings int64
}

// WriteIndex puts all files of an index.
func (c *Collection) WriteIndex(ctx context.Context, out *Output) (Figures, error) {
	v, err := invertCollection(c)
	if err != nil {
		return Figures{}, err
	}
	figures := Figures{int64(len(v.order)), int64(len(v.docs))}
	common, spans := v.cutLeaves()
	root := searchindex.Root{Docs: c.CountRecords(), PerFile: c.perFile, Ranks: c.ranks}
	for _, step := range []func() error{
		func() error { return c.writeBlocks(ctx, out, v.seq) },
		func() error { return v.writeLeaves(ctx, out, spans) },
		func() error { return v.writeCommonWords(ctx, out, common) },
		func() error { return v.writeOrders(ctx, out) },
	} {
		if err := step(); err != nil {
			return figures, err
		}
	}
	for i, s := range spans {
		least := ""
		if i > 0 {
			least = shortestSeparator(v.wordAt(s.from-1), v.wordAt(s.from))
		}
		root.Leaves = append(root.Leaves, least)
	}
	for _, i := range common {
		root.Common = append(root.Common, searchindex.Term{Word: v.wordAt(i), Count: v.countOf(i)})
	}
	for _, o := range c.orders {
		if o.name != searchindex.ByRegistration { // which has no name in requests
			root.Orders = append(root.Orders, o.name)
		}
	}
	return figures, out.Put(searchindex.RootKey(out.Gen, c.name), root.Append(nil))
}

// shortestSeparator returns the shortest text above last and not above first.
func shortestSeparator(last, first string) string {
	n := 0
	for n < len(last) && last[n] == first[n] {
		n++
	}
	return first[:n+1]
}

// cutLeaves finds the common words, and the leaves of the others.
func (v *inverted) cutLeaves() (common []int, spans []span) {
	size := v.c.leafBytes
	for i := range v.order {
		if v.countOf(i) >= searchindex.CommonFrom {
			common = append(common, i)
			continue
		}
		if size >= v.c.leafBytes {
			spans = append(spans, span{i, i})
			size = 0
		}
		spans[len(spans)-1].to = i + 1
		size += wordBytes + v.listBytes(i)
	}
	for i := 1; i < len(spans); i++ {
		spans[i-1].to = spans[i].from
	}
	return common, spans
}

// listBytes estimates the size of a word's list.
func (v *inverted) listBytes(i int) int {
	n := v.countOf(i)
	return 1 + n*(2+bits.Len(uint(v.c.CountRecords()/n)))/8
}

// writeLeaves puts the leaves.
func (v *inverted) writeLeaves(ctx context.Context, out *Output, spans []span) error {
	return out.putFiles(ctx, len(spans), func(n int, z staticindex.Deflater) (exports.Key, []byte, error) {
		var leaf searchindex.Leaf
		for i := spans[n].from; i < spans[n].to; i++ {
			if v.countOf(i) < searchindex.CommonFrom {
				leaf = append(leaf, searchindex.Term{Word: v.wordAt(i), Count: v.countOf(i), List: searchindex.AppendPostings(nil, v.postingsOf(i))})
			}
		}
		return searchindex.LeafKey(out.Gen, v.c.name, n), leaf.Append(nil, n, z), nil
	})
}

// writeCommonWords puts the lists of common words.
func (v *inverted) writeCommonWords(ctx context.Context, out *Output, common []int) error {
	return out.putFiles(ctx, len(common), func(n int, _ staticindex.Deflater) (exports.Key, []byte, error) {
		return searchindex.CommonKey(out.Gen, v.c.name, n), searchindex.AppendList(nil, n, v.postingsOf(common[n])), nil
	})
}

// writeBlocks puts the records in the order of their numbers.
func (c *Collection) writeBlocks(ctx context.Context, out *Output, order []uint32) error {
	per := c.perFile
	return out.putFiles(ctx, (len(order)+per-1)/per, func(n int, z staticindex.Deflater) (exports.Key, []byte, error) {
		k, err := c.spool.readBlock(order[n*per : min(len(order), (n+1)*per)])
		if err != nil {
			return "", nil, err
		}
		return staticindex.BlockKey(out.Gen, c.name, n), k.Append(nil, n, z), nil
	})
}
