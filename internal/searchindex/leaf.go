package searchindex

import (
	"compress/flate"
	"strings"
)

// Term is a word of an index with its postings, which a leaf holds encoded.
// A word in Common or more records has none in the leaf: Root names it.
type Term struct {
	Word  string
	Count int    // records that have it
	List  []byte // AppendPostings; nil for a common word
}

// Leaf is the part of an index with a run of neighbouring words, in order.
type Leaf []Term

const (
	leafMagic   = "CLF2"
	maxLeafText = 1 << 20
)

// Append writes leaf n after b: its number, the number of words, and a packed
// text: the words front-coded (bytes shared with the word before, then the
// rest), all counts, all lengths of lists. The lists follow.
func (l Leaf) Append(b []byte, n int, z *flate.Writer) []byte {
	b = appendUint(append(b, leafMagic...), n)
	b = appendUint(b, len(l))
	var text, lists []byte
	last := ""
	for _, t := range l {
		text = appendFront(text, last, t.Word)
		last = t.Word
	}
	for _, t := range l {
		text = appendUint(text, t.Count)
	}
	for _, t := range l {
		text = appendUint(text, len(t.List))
		lists = append(lists, t.List...)
	}
	return append(appendPacked(b, text, z), lists...)
}

// DecodeLeaf reads leaf number of an index of docs records. Lists stay encoded.
func DecodeLeaf(b []byte, number, docs int) (Leaf, error) {
	r := reader{b: b}
	r.expectMagic(leafMagic)
	r.expectNumber(number)
	n := r.readUint(maxLeafText)
	text := reader{b: r.readPacked(maxLeafText)}
	if n > len(text.b)/4 { // a word takes four bytes at least
		return nil, ErrMalformed
	}
	l := make(Leaf, n)
	last := ""
	for i := range l {
		word := text.readFrontCoded(last)
		if i > 0 && word <= last {
			text.fail()
		}
		l[i].Word, last = word, word
	}
	for i := range l {
		l[i].Count = text.readUint(docs)
	}
	for i := range l {
		l[i].List = r.readBytes(text.readUint(len(r.b)))
		if l[i].Count == 0 || len(l[i].List) == 0 {
			text.fail()
		}
	}
	if text.finish() != nil {
		return nil, ErrMalformed
	}
	return l, r.finish()
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

func (r *reader) readFrontCoded(last string) string {
	n := r.readUint(len(last))
	if r.bad {
		return ""
	}
	return last[:n] + r.readString()
}
