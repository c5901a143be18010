package indexer

import (
	"context"
	"math/bits"

	"colophon/exports"
	"colophon/internal/searchindex"
	"colophon/internal/staticindex"
)

// The size of a leaf on average, about, before it is compressed, and what a word
// and a posting are taken to need of it. They depend on no other record, so that
// leaves begin where they did when records are added.
const (
	leafBytes    = 6 << 10
	wordBytes    = 6
	postingBytes = 2
)

// span is a range of words that a leaf covers.
type span struct{ from, to int }

// WriteIndex puts all files of an index.
func (c *Collection) WriteIndex(ctx context.Context, out *Output) error {
	v, err := invertCollection(c)
	if err != nil {
		return err
	}
	common, spans := v.cutLeaves()
	root := searchindex.Root{Docs: c.CountRecords(), Groups: v.groups, PerFile: c.perFile, Ranks: c.ranks}
	for i, s := range spans {
		separator := ""
		if i > 0 {
			separator = shortestSeparator(v.wordAt(s.from-1), v.wordAt(s.from))
		}
		root.Leaves = append(root.Leaves, separator)
	}
	for _, step := range []func() error{
		func() error { return v.writeBlocks(ctx, out) },
		func() error { return v.writeLeaves(ctx, out, root.Leaves, spans) },
		func() error { return v.writeCommonWords(ctx, out, common) },
		func() error { return v.writeOrders(ctx, out) },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	for _, i := range common {
		root.Common = append(root.Common, searchindex.Term{Word: v.wordAt(i), Count: v.countOf(i)})
	}
	for _, o := range c.orders {
		if o.name != searchindex.ByRegistration { // which has no name in requests
			root.Orders = append(root.Orders, o.name)
		}
	}
	return out.Put(searchindex.RootKey(out.Gen, c.name), root.Append(nil))
}

// shortestSeparator returns the shortest text above last and not above first.
func shortestSeparator(last, first string) string {
	n := 0
	for n < len(last) && last[n] == first[n] {
		n++
	}
	return first[:n+1]
}

// cutLeaves finds the common words, and the leaves of the others. Where a leaf
// begins follows from the words, so that a new word changes only its own leaf, as
// a rule.
func (v *inverted) cutLeaves() (common []int, spans []span) {
	const least, most = leafBytes / 2, leafBytes * 8
	size := 0
	for i := range v.order {
		if v.countOf(i) >= searchindex.CommonFrom {
			common = append(common, i)
			continue
		}
		bytes := wordBytes + postingBytes*v.countOf(i)
		if len(spans) == 0 || size >= most || size >= least && v.startsLeaf(i, bytes, least) {
			spans = append(spans, span{i, i})
			size = 0
		}
		spans[len(spans)-1].to = i + 1
		size += bytes
	}
	for i := 1; i < len(spans); i++ {
		spans[i-1].to = spans[i].from
	}
	return common, spans
}

// startsLeaf reports whether a leaf may begin with a word, of which that many
// bytes are of the word: one does about every so many bytes.
func (v *inverted) startsLeaf(i, bytes, every int) bool {
	rounded := uint64(1) << bits.Len(uint(bytes)) * 3 / 4 // a posting more changes nothing, as a rule
	return uint64(staticindex.Hash(v.wordAt(i)))*uint64(every) < rounded<<32
}

// writeLeaves puts the leaves.
func (v *inverted) writeLeaves(ctx context.Context, out *Output, separators []string, spans []span) error {
	return out.putFiles(ctx, len(spans), func(n int, z staticindex.Deflater) (exports.Key, []byte, error) {
		var leaf searchindex.Leaf
		for i := spans[n].from; i < spans[n].to; i++ {
			if v.countOf(i) < searchindex.CommonFrom {
				leaf = append(leaf, searchindex.Term{Word: v.wordAt(i), Count: v.countOf(i), List: v.groups.AppendPostings(nil, v.postingsOf(i))})
			}
		}
		return searchindex.LeafKey(out.Gen, v.c.name, separators[n]), leaf.Append(nil, separators[n], z), nil
	})
}

// writeCommonWords puts the lists of common words.
func (v *inverted) writeCommonWords(ctx context.Context, out *Output, common []int) error {
	return out.putFiles(ctx, len(common), func(n int, _ staticindex.Deflater) (exports.Key, []byte, error) {
		word := v.wordAt(common[n])
		return searchindex.CommonKey(out.Gen, v.c.name, word), v.groups.AppendList(nil, word, v.postingsOf(common[n])), nil
	})
}

// writeBlocks puts the records in the order of their ordinals. A block without
// records is not written.
func (v *inverted) writeBlocks(ctx context.Context, out *Output) error {
	var blocks []searchindex.BlockID
	root := searchindex.Root{Groups: v.groups, PerFile: v.c.perFile}
	for number := len(v.seq) - 1; number >= 0; number-- {
		if v.seq[number] == 0 {
			continue
		}
		if b, _ := root.BlockOf(uint32(number)); len(blocks) == 0 || blocks[len(blocks)-1] != b {
			blocks = append(blocks, b)
		}
	}
	return out.putFiles(ctx, len(blocks), func(n int, z staticindex.Deflater) (exports.Key, []byte, error) {
		key := searchindex.BlockKey(out.Gen, v.c.name, blocks[n])
		k, err := v.readBlock(blocks[n])
		if err != nil || len(k[len(k)-1]) == 0 { // its records are kept
			return key, nil, err
		}
		return key, k.Append(nil, blocks[n].Group, blocks[n].N, z), nil
	})
}

// readBlock reads the records of a block.
func (v *inverted) readBlock(id searchindex.BlockID) (staticindex.Block, error) {
	var lines []int
	var records []uint32
	size := v.groups.Size(id.Group)
	for ordinal := id.N * v.c.perFile; ordinal < min(size, (id.N+1)*v.c.perFile); ordinal++ {
		if seq := v.seq[v.groups.NumberOf(id.Group, uint32(ordinal))]; seq > 0 {
			lines, records = append(lines, ordinal%v.c.perFile), append(records, seq-1)
		}
	}
	read, err := v.c.spool.readBlock(records)
	if err != nil {
		return nil, err
	}
	k := make(staticindex.Block, lines[len(lines)-1]+1)
	for i, line := range lines {
		k[line] = read[i]
	}
	return k, nil
}
