package segment

import "encoding/binary"

// Filter says which keys may be in a delta: a Bloom filter with filterHashes
// bits a key. Bit i is bit i%8, the lowest first, of byte i/8. The positions of
// a key are its four 32-bit words, big-endian, modulo the number of bits.
// An empty filter has no key.
type Filter []byte

const (
	filterHashes  = 4
	filterPerKey  = 10      // bits
	maxFilter     = 8 << 10 // bytes; above some 6,500 keys there are more false answers, never wrong ones
	minFilterSize = 8
)

// NewFilter makes a filter of keys.
func NewFilter(keys []Key) Filter {
	if len(keys) == 0 {
		return nil
	}
	size := min(max((len(keys)*filterPerKey+7)/8, minFilterSize), maxFilter)
	f := make(Filter, size)
	for _, k := range keys {
		for i := range filterHashes {
			at := f.bitPosition(k, i)
			f[at/8] |= 1 << (at % 8)
		}
	}
	return f
}

// MayHave tells whether the key may be among those of the filter.
func (f Filter) MayHave(k Key) bool {
	if len(f) == 0 {
		return false
	}
	for i := range filterHashes {
		at := f.bitPosition(k, i)
		if f[at/8]&(1<<(at%8)) == 0 {
			return false
		}
	}
	return true
}

// bitPosition is the bit of hash i of a key.
func (f Filter) bitPosition(k Key, i int) uint32 {
	return binary.BigEndian.Uint32(k[4*i:]) % uint32(8*len(f))
}
