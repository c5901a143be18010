package indexer

import (
	"context"
	"math/bits"

	"colophon/internal/searchindex"
)

// The size that a leaf grows to, about, and what a word takes of it beside its
// list.
const (
	leafBytes = 6 << 10
	wordBytes = 5
)

// span is a range of words that a leaf covers.
type span struct{ from, to int }

// writeShards puts all files of an index.
func (b *builder) writeShards(ctx context.Context, c *collection) error {
	v := invertCollection(c)
	b.stats.Words += int64(len(v.order))
	b.stats.Postings += int64(len(v.docs))
	common, spans := v.cutLeaves()
	root := searchindex.Root{Docs: c.countRecords(), PerFile: c.perFile, Ranks: c.ranks}
	for _, step := range []func() error{
		func() error { return b.writeBlocks(ctx, c, c.name, c.perFile, v.seq) },
		func() error { return b.writeLeaves(ctx, v, spans) },
		func() error { return b.writeCommonWords(ctx, v, common) },
	} {
		if err := step(); err != nil {
			return err
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
	return b.putFile(searchindex.RootKey(b.gen, c.name), root.Append(nil))
}

// shortestSeparator is the shortest text above last and not above first.
func shortestSeparator(last, first string) string {
	n := 0
	for n < len(last) && last[n] == first[n] {
		n++
	}
	return first[:n+1]
}

// cutLeaves finds the common words, and the leaves of the others.
func (v *inverted) cutLeaves() (common []int, spans []span) {
	size := leafBytes
	for i := range v.order {
		if v.countOf(i) >= searchindex.CommonFrom {
			common = append(common, i)
			continue
		}
		if size >= leafBytes {
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
	return 1 + n*(2+bits.Len(uint(v.c.countRecords()/n)))/8
}

// writeLeaves puts the leaves.
func (b *builder) writeLeaves(ctx context.Context, v *inverted, spans []span) error {
	return b.putOrdered(ctx, len(spans), func(n int, h *hand) (object, error) {
		var leaf searchindex.Leaf
		for i := spans[n].from; i < spans[n].to; i++ {
			if v.countOf(i) < searchindex.CommonFrom {
				leaf = append(leaf, searchindex.Term{Word: v.wordAt(i), Count: v.countOf(i), List: searchindex.AppendPostings(nil, v.postingsOf(i))})
			}
		}
		return object{searchindex.LeafKey(b.gen, v.c.name, n), leaf.Append(nil, n, h.z)}, nil
	})
}

// writeCommonWords puts the lists of common words.
func (b *builder) writeCommonWords(ctx context.Context, v *inverted, common []int) error {
	return b.putOrdered(ctx, len(common), func(n int, h *hand) (object, error) {
		return object{searchindex.CommonKey(b.gen, v.c.name, n), searchindex.AppendList(nil, n, v.postingsOf(common[n]))}, nil
	})
}

// writeBlocks puts records in the given order.
func (b *builder) writeBlocks(ctx context.Context, c *collection, name string, perFile int, order []uint32) error {
	return b.putOrdered(ctx, (len(order)+perFile-1)/perFile, func(n int, h *hand) (object, error) {
		k, err := c.spool.readBlock(order[n*perFile : min(len(order), (n+1)*perFile)])
		if err != nil {
			return object{}, err
		}
		return object{searchindex.BlockKey(b.gen, name, n), k.Append(nil, n, h.z)}, nil
	})
}
