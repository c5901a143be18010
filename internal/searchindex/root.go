package searchindex

import "strings"

// Root is the small file that opens an index: its size, which leaf holds
// which words, the common words, and the figures that some lists are cut by.
// A reader keeps it.
type Root struct {
	Docs    int      // records
	PerFile int      // records in one block
	Leaves  []string // least word of each leaf; the first is ""
	Common  []Term   // words in Common or more records, in order, List nil
	Ranks   []uint32 // for each record a figure that never rises, or nil
}

// CommonFrom is the number of records from which on a word is common: its
// postings are a file of their own.
const CommonFrom = 2048

const rootMagic = "CRT4"

// MaxDocs bounds the records of one index.
const MaxDocs = 1 << 28

// Append writes the root after b.
func (r *Root) Append(b []byte) []byte {
	b = append(b, rootMagic...)
	b = appendUint(b, r.Docs)
	b = appendUint(b, r.PerFile)
	b = appendUint(b, len(r.Leaves))
	last := ""
	for _, w := range r.Leaves {
		b = appendFront(b, last, w)
		last = w
	}
	b = appendUint(b, len(r.Common))
	last = ""
	for _, t := range r.Common {
		b = appendFront(b, last, t.Word)
		b = appendUint(b, t.Count)
		last = t.Word
	}
	b = appendUint(b, len(r.Ranks))
	for i := range r.Ranks {
		if i == 0 {
			b = appendUint64(b, uint64(r.Ranks[0]))
		} else {
			b = appendUint64(b, uint64(r.Ranks[i-1]-r.Ranks[i]))
		}
	}
	return b
}

// DecodeRoot reads a root.
func DecodeRoot(b []byte) (*Root, error) {
	r := reader{b: b}
	r.expectMagic(rootMagic)
	out := &Root{Docs: r.readUint(MaxDocs), PerFile: r.readUint(1 << 16)}
	out.Leaves = r.readSeparators()
	n, last := r.readUint(len(r.b)), ""
	for i := 0; i < n && !r.bad; i++ {
		t := Term{Word: r.readFrontCoded(last), Count: r.readUint(out.Docs)}
		if t.Word <= last {
			r.fail()
		}
		last = t.Word
		out.Common = append(out.Common, t)
	}
	out.Ranks = r.readRanks(out.Docs)
	if r.finish() != nil || out.PerFile == 0 {
		return nil, ErrMalformed
	}
	return out, nil
}

func (r *reader) readSeparators() []string {
	n := r.readUint(len(r.b))
	out := make([]string, 0, n)
	last := ""
	for i := 0; i < n && !r.bad; i++ {
		w := r.readFrontCoded(last)
		if i == 0 && w != "" || i > 0 && w <= last {
			r.fail()
		}
		out = append(out, w)
		last = w
	}
	return out
}

func (r *reader) readRanks(docs int) []uint32 {
	n := r.readUint(docs)
	if r.bad || n == 0 {
		return nil
	}
	if n != docs || n > len(r.b) {
		r.fail()
		return nil
	}
	out := make([]uint32, n)
	out[0] = uint32(r.readUint64(1<<32 - 1))
	for i := 1; i < n; i++ {
		out[i] = out[i-1] - uint32(r.readUint64(uint64(out[i-1])))
	}
	return out
}

// LeafOf is the number of the leaf that holds word if any does, or -1 when
// the index has no words.
func (r *Root) LeafOf(word string) int {
	lo, hi := 0, len(r.Leaves)
	for lo < hi {
		if mid := (lo + hi) / 2; r.Leaves[mid] <= word {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo - 1
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
	for to = from; to < len(r.Common) && strings.HasPrefix(r.Common[to].Word, prefix); {
		to++
	}
	return from, to
}

// Files is the number of blocks.
func (r *Root) Files() int { return (r.Docs + r.PerFile - 1) / r.PerFile }
