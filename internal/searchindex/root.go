package searchindex

import (
	"sort"

	"colophon/internal/staticindex"
)

// Root is the small file that opens an index: its size, which leaf holds
// which words, the common words, and the figures that some lists are cut by.
// A reader keeps it.
type Root struct {
	Docs    int      // records
	Groups           // by which they are divided
	PerFile int      // records in one block
	Leaves  []string // least word of each leaf; the first is ""
	Common  []Term   // words in Common or more records, in order, List nil
	Ranks   []uint32 // for each record a figure that never rises, or nil
	Orders  []string // names of the orders that people may ask for
}

// CommonFrom is the number of records from which on a word is common: its
// postings are a file of their own.
const CommonFrom = 2048

const rootMagic = "CRT7"

// Append writes the root after b.
func (r *Root) Append(b []byte) []byte {
	b = append(b, rootMagic...)
	b = staticindex.AppendUint(b, r.Docs)
	b = r.appendCounts(b)
	b = staticindex.AppendUint(b, r.PerFile)
	b = staticindex.AppendUint(b, len(r.Leaves))
	last := ""
	for _, w := range r.Leaves {
		b = appendFront(b, last, w)
		last = w
	}
	b = staticindex.AppendUint(b, len(r.Common))
	last = ""
	for _, t := range r.Common {
		b = appendFront(b, last, t.Word)
		b = staticindex.AppendUint(b, t.Count)
		last = t.Word
	}
	b = staticindex.AppendUint(b, len(r.Ranks))
	for i := range r.Ranks {
		if i == 0 {
			b = staticindex.AppendUint64(b, uint64(r.Ranks[0]))
		} else {
			b = staticindex.AppendUint64(b, uint64(r.Ranks[i-1]-r.Ranks[i]))
		}
	}
	b = staticindex.AppendUint(b, len(r.Orders))
	for _, name := range r.Orders {
		b = staticindex.AppendText(b, name)
	}
	return b
}

// DecodeRoot reads a root.
func DecodeRoot(b []byte) (*Root, error) {
	r := staticindex.NewReader(b)
	r.ExpectMagic(rootMagic)
	out := &Root{Docs: r.ReadUint(staticindex.MaxRecords), Groups: readGroups(r), PerFile: r.ReadUint(1 << 16)}
	out.Leaves = readSeparators(r)
	n, last := r.ReadUint(r.Len()), ""
	for i := 0; i < n && !r.Failed(); i++ {
		t := Term{Word: readFrontCoded(r, last), Count: r.ReadUint(out.Docs)}
		if t.Word <= last {
			r.Fail()
		}
		last = t.Word
		out.Common = append(out.Common, t)
	}
	out.Ranks = readRanks(r, out.Docs)
	for n := r.ReadUint(r.Len()); n > 0 && !r.Failed(); n-- {
		out.Orders = append(out.Orders, r.ReadString())
	}
	if r.Finish() != nil || out.PerFile == 0 || out.Docs > out.Slots() {
		return nil, staticindex.ErrMalformed
	}
	return out, nil
}

func readSeparators(r *staticindex.Reader) []string {
	n := r.ReadUint(r.Len())
	out := make([]string, 0, n)
	last := ""
	for i := 0; i < n && !r.Failed(); i++ {
		w := readFrontCoded(r, last)
		if i == 0 && w != "" || i > 0 && w <= last {
			r.Fail()
		}
		out = append(out, w)
		last = w
	}
	return out
}

func readRanks(r *staticindex.Reader, docs int) []uint32 {
	n := r.ReadUint(docs)
	if r.Failed() || n == 0 {
		return nil
	}
	if n != docs || n > r.Len() {
		r.Fail()
		return nil
	}
	out := make([]uint32, n)
	out[0] = uint32(r.ReadUint64(1<<32 - 1))
	for i := 1; i < n; i++ {
		out[i] = out[i-1] - uint32(r.ReadUint64(uint64(out[i-1])))
	}
	return out
}

// LeafOf returns the number of the leaf that holds word if any does, or -1 when
// the index has no words.
func (r *Root) LeafOf(word string) int {
	return sort.Search(len(r.Leaves), func(i int) bool { return r.Leaves[i] > word }) - 1
}

// FindCommon returns the number of a common word, or -1.
func (r *Root) FindCommon(word string) int {
	if i, ok := Leaf(r.Common).Find(word); ok {
		return i
	}
	return -1
}

// CommonStarting returns the range of common words that begin with prefix.
func (r *Root) CommonStarting(prefix string) (from, to int) {
	from, _ = Leaf(r.Common).Find(prefix)
	return from, from + len(Leaf(r.Common).Starting(from, prefix))
}

// BlockOf returns the block that has a record, and the record's line there.
func (r *Root) BlockOf(number uint32) (b BlockID, line int) {
	group, ordinal := r.Locate(number)
	return BlockID{group, int(ordinal) / r.PerFile}, int(ordinal) % r.PerFile
}

// BlockID names a block of records: it is the N-th of its group.
type BlockID struct{ Group, N int }
