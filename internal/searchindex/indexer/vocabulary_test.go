package indexer

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
)

// TestVocabulary numbers words in the order of their first use, over several sizes
// of the hash table.
func TestVocabulary(t *testing.T) {
	v := newVocabulary()
	const n = 20_000
	for round := range 2 {
		for i := range n {
			if got := v.wordID(fmt.Appendf(nil, "w%d", i)); got != uint32(i) {
				t.Fatalf("round %d: word %d has the number %d", round, i, got)
			}
		}
	}
	if v.countWords() != n {
		t.Fatalf("%d words, not %d", v.countWords(), n)
	}
	for i := range n {
		if got, want := string(v.word(uint32(i))), fmt.Sprintf("w%d", i); got != want {
			t.Fatalf("number %d is %q, not %q", i, got, want)
		}
	}
	all := v.sorted()
	if len(all) != n || !slices.IsSortedFunc(all, func(a, b uint32) int { return bytes.Compare(v.word(a), v.word(b)) }) {
		t.Errorf("%d words are not sorted", len(all))
	}
	if v.wordID(nil) != n || v.wordID([]byte("w")) != n+1 || v.wordID([]byte{}) != n {
		t.Error("the empty word has no number of its own")
	}
}
