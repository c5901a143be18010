package indexer

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"hash/maphash"
	"slices"
)

// vocabulary numbers words in the order of their first use. It stores them one
// after the other, because a map of strings takes about 200 bytes more per
// word.
type vocabulary struct {
	text   []byte
	ends   []uint64 // where each word ends in text
	hashes []uint32 // of each word
	slots  []uint32 // a hash table: number of a word and one, 0 for a free slot; at least a third are free
	seed   maphash.Seed
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

// sorted returns the numbers of all words, in the order of the words.
func (v *vocabulary) sorted() []uint32 {
	type start struct {
		first uint64 // the first eight bytes, by which most words differ
		id    uint32
	}
	starts := make([]start, v.countWords())
	for id := range starts {
		var first [8]byte
		copy(first[:], v.word(uint32(id)))
		starts[id] = start{binary.BigEndian.Uint64(first[:]), uint32(id)}
	}
	slices.SortFunc(starts, func(a, b start) int {
		if a.first != b.first {
			return cmp.Compare(a.first, b.first)
		}
		return bytes.Compare(v.word(a.id), v.word(b.id))
	})
	out := make([]uint32, len(starts))
	for i, s := range starts {
		out[i] = s.id
	}
	return out
}

// wordID returns the number of a word, the next one for a new word.
func (v *vocabulary) wordID(word []byte) uint32 {
	hash := uint32(maphash.Bytes(v.seed, word))
	slot := v.findSlot(word, hash)
	if *slot != 0 {
		return *slot - 1
	}
	v.text = append(v.text, word...)
	v.ends = append(v.ends, uint64(len(v.text)))
	v.hashes = append(v.hashes, hash)
	*slot = uint32(len(v.ends))
	if 3*len(v.ends) > 2*len(v.slots) {
		v.growSlots()
	}
	return uint32(len(v.ends) - 1)
}

// findSlot returns the slot of a word with a hash, or the free one where it
// belongs.
func (v *vocabulary) findSlot(word []byte, hash uint32) *uint32 {
	last := uint32(len(v.slots) - 1) // a power of two, less one
	for at := hash & last; ; at = (at + 1) & last {
		slot := &v.slots[at]
		if *slot == 0 || v.hashes[*slot-1] == hash && bytes.Equal(v.word(*slot-1), word) {
			return slot
		}
	}
}

// growSlots doubles the hash table.
func (v *vocabulary) growSlots() {
	v.slots = make([]uint32, 2*len(v.slots))
	for id, hash := range v.hashes {
		*v.findSlot(v.word(uint32(id)), hash) = uint32(id) + 1
	}
}
