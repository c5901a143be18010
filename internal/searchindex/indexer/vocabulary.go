package indexer

import (
	"bytes"
	"hash/maphash"
)

// vocabulary numbers words in the order of their first use. It stores them one
// after the other, because a map of strings takes about 200 bytes more per
// word.
type vocabulary struct {
	text  []byte
	ends  []uint64 // where each word ends in text
	slots []uint32 // a hash table: number of a word and one, 0 for a free slot; at least a third are free
	seed  maphash.Seed
}

const maxWords = 1 << 26

func newVocabulary() *vocabulary {
	return &vocabulary{slots: make([]uint32, 1<<10), seed: maphash.MakeSeed()}
}

// countWords returns how many words have a number.
func (v *vocabulary) countWords() int { return len(v.ends) }

// word returns the word of a number. It must not be changed.
func (v *vocabulary) word(id uint32) []byte {
	if id == 0 {
		return v.text[:v.ends[0]]
	}
	return v.text[v.ends[id-1]:v.ends[id]]
}

func (v *vocabulary) compareWords(a, b uint32) int { return bytes.Compare(v.word(a), v.word(b)) }

// wordID returns the number of a word, the next one for a new word.
func (v *vocabulary) wordID(word []byte) uint32 {
	slot := v.findSlot(word)
	if *slot != 0 {
		return *slot - 1
	}
	v.text = append(v.text, word...)
	v.ends = append(v.ends, uint64(len(v.text)))
	*slot = uint32(len(v.ends))
	if 3*len(v.ends) > 2*len(v.slots) {
		v.growSlots()
	}
	return uint32(len(v.ends) - 1)
}

// findSlot returns the slot of a word, or the free one where it belongs.
func (v *vocabulary) findSlot(word []byte) *uint32 {
	last := uint64(len(v.slots) - 1) // a power of two, less one
	for at := maphash.Bytes(v.seed, word) & last; ; at = (at + 1) & last {
		slot := &v.slots[at]
		if *slot == 0 || bytes.Equal(v.word(*slot-1), word) {
			return slot
		}
	}
}

// growSlots doubles the hash table.
func (v *vocabulary) growSlots() {
	v.slots = make([]uint32, 2*len(v.slots))
	for id := range v.ends {
		*v.findSlot(v.word(uint32(id))) = uint32(id) + 1
	}
}
