package searchindex

import (
	"sort"
	"strings"

	"colophon/internal/staticindex"
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
	leafMagic   = "CLF4"
	maxLeafText = 1 << 20
)

// Append writes the leaf after b: the separator with which it begins, the number of
// words, and a packed text. That has for each word the word, front-coded (bytes shared with the word
// before, then the rest), how many records have it, and the length of its list
// with the list.
func (l Leaf) Append(b []byte, separator string, z staticindex.Deflater) []byte {
	b = staticindex.AppendText(append(b, leafMagic...), separator)
	b = staticindex.AppendUint(b, len(l))
	size := 0
	for i := range l {
		size += len(l[i].Word) + len(l[i].List) + 8
	}
	text := make([]byte, 0, size)
	last := ""
	for _, t := range l {
		text = appendFront(text, last, t.Word)
		text = staticindex.AppendUint(text, t.Count)
		text = append(staticindex.AppendUint(text, len(t.List)), t.List...)
		last = t.Word
	}
	return staticindex.AppendPacked(b, text, z)
}

// DecodeLeaf reads the leaf of a separator of an index of docs records. Lists stay
// encoded. It fails with staticindex.ErrMalformed.
func DecodeLeaf(b []byte, separator string, docs int) (Leaf, error) {
	r := staticindex.NewReader(b)
	r.ExpectMagic(leafMagic)
	if r.ReadString() != separator {
		r.Fail()
	}
	n := r.ReadUint(maxLeafText)
	text := staticindex.NewReader(r.ReadPacked(maxLeafText))
	if n > text.Len()/4 || r.Finish() != nil { // a word takes four bytes at least
		return nil, staticindex.ErrMalformed
	}
	l := make(Leaf, n)
	last := ""
	for i := range l {
		t := Term{Word: readFrontCoded(text, last), Count: text.ReadUint(docs)}
		t.List = text.ReadBytes(text.ReadUint(text.Len()))
		if i > 0 && t.Word <= last || t.Count == 0 || len(t.List) == 0 {
			text.Fail()
		}
		l[i] = t
		last = t.Word
	}
	return l, text.Finish()
}

// Find returns the place of the first word not below word, and whether it is
// that word.
func (l Leaf) Find(word string) (int, bool) {
	i := sort.Search(len(l), func(i int) bool { return l[i].Word >= word })
	return i, i < len(l) && l[i].Word == word
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
	b = staticindex.AppendUint(b, n)
	return staticindex.AppendText(b, word[n:])
}

func readFrontCoded(r *staticindex.Reader, last string) string {
	n := r.ReadUint(len(last))
	if r.Failed() {
		return ""
	}
	return last[:n] + r.ReadString()
}
