package indexer

import "strings"

// vocabulary numbers words in the order of their first use.
type vocabulary struct {
	ids   map[string]uint32
	words []string
}

const maxWords = 1 << 26

func newVocabulary() *vocabulary { return &vocabulary{ids: map[string]uint32{}} }

func (v *vocabulary) wordID(word []byte) uint32 {
	if id, ok := v.ids[string(word)]; ok {
		return id
	}
	w := strings.Clone(string(word))
	id := uint32(len(v.words))
	v.ids[w] = id
	v.words = append(v.words, w)
	return id
}
