package exports

import "strings"

// Term is a word of an index with its postings, which a leaf holds encoded.
// A word in Common or more records has none in the leaf: Root names it.
type Term struct {
	Word  string
	Count int    // records that have it
	List  []byte // AppendPostings; nil for a common word
}

// Leaf is the part of an index with a run of neighbouring words, in order.
type Leaf []Term

const leafMagic = "CLF1"

// Append writes leaf n after b: its number, words front-coded (bytes shared with the
// word before, then the rest), the count, the length of the list, the list.
func (l Leaf) Append(b []byte, n int) []byte {
	b = appendUint(append(b, leafMagic...), n)
	b = appendUint(b, len(l))
	last := ""
	for _, t := range l {
		b = appendFront(b, last, t.Word)
		b = appendUint(b, t.Count)
		b = appendUint(b, len(t.List))
		b = append(b, t.List...)
		last = t.Word
	}
	return b
}

// DecodeLeaf reads leaf number of an index of docs records. Lists stay encoded.
func DecodeLeaf(b []byte, number, docs int) (Leaf, error) {
	r := shardReader{b: b}
	r.magic(leafMagic)
	r.number(number)
	n := r.uint(len(r.b))
	l := make(Leaf, 0, n)
	last := ""
	for i := 0; i < n && !r.bad; i++ {
		t := Term{Word: r.front(last), Count: r.uint(docs)}
		t.List = r.bytes(r.uint(len(r.b)))
		if t.Count == 0 || len(t.List) == 0 || i > 0 && t.Word <= last {
			r.fail()
		}
		last = t.Word
		l = append(l, t)
	}
	return l, r.end()
}

// Find returns the place of the first word not below word, and whether it is
// that word.
func (l Leaf) Find(word string) (int, bool) {
	lo, hi := 0, len(l)
	for lo < hi {
		if mid := (lo + hi) / 2; l[mid].Word < word {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo, lo < len(l) && l[lo].Word == word
}

// Starting returns the words from place i on that begin with prefix.
func (l Leaf) Starting(i int, prefix string) Leaf {
	end := i
	for end < len(l) && strings.HasPrefix(l[end].Word, prefix) {
		end++
	}
	return l[i:end]
}

func appendFront(b []byte, last, word string) []byte {
	n := 0
	for n < len(last) && n < len(word) && last[n] == word[n] {
		n++
	}
	b = appendUint(b, n)
	return appendText(b, word[n:])
}

func (r *shardReader) front(last string) string {
	n := r.uint(len(last))
	if r.bad {
		return ""
	}
	return last[:n] + r.string()
}
