package exports

import "math/bits"

// MaxImpact is the largest impact of a word in a record.
const MaxImpact = 15

const postingBlock = 128

// Postings are the records that a word is in: their numbers, rising, and how
// much the word says of each, 0 to MaxImpact.
type Postings struct {
	Docs    []uint32
	Impacts []uint8
}

// AppendPostings writes p after b: blocks of 128, each 5 bits for a width,
// then for every record the gap to the one before (less one) in that width
// and the impact in 4 bits. Docs must rise.
func AppendPostings(b []byte, p Postings) []byte {
	w := bitWriter{b: b}
	next := uint32(0) // the least number that may follow
	for lo := 0; lo < len(p.Docs); lo += postingBlock {
		hi := min(len(p.Docs), lo+postingBlock)
		widest, at := uint32(0), next
		for _, d := range p.Docs[lo:hi] {
			widest |= d - at
			at = d + 1
		}
		width := uint(bits.Len32(widest))
		w.put(uint64(width), 5)
		for i := lo; i < hi; i++ {
			w.put(uint64(p.Docs[i]-next), width)
			w.put(uint64(p.Impacts[i]), 4)
			next = p.Docs[i] + 1
		}
	}
	return w.flush()
}

// DecodePostings reads the postings of n records out of docs; b must hold
// nothing else.
func DecodePostings(b []byte, n, docs int) (Postings, error) {
	if n < 0 || n > docs || n > len(b)*2 {
		return Postings{}, ErrShard
	}
	p := Postings{make([]uint32, n), make([]uint8, n)}
	r := bitReader{b: b}
	next := uint64(0)
	width := uint(0)
	for i := range p.Docs {
		if i%postingBlock == 0 {
			width = uint(r.get(5))
		}
		d := next + r.get(width)
		p.Impacts[i] = uint8(r.get(4))
		if r.bad || d >= uint64(docs) {
			return Postings{}, ErrShard
		}
		p.Docs[i] = uint32(d)
		next = d + 1
	}
	if r.bad || len(r.b) > 0 || r.acc != 0 {
		return Postings{}, ErrShard
	}
	return p, nil
}

const listMagic = "CPL1"

// AppendList writes the file of common word n after b: its number and its
// postings.
func AppendList(b []byte, n int, p Postings) []byte {
	return AppendPostings(appendUint(append(b, listMagic...), n), p)
}

// DecodeList reads the file of common word number, which count records of
// docs have.
func DecodeList(b []byte, number, count, docs int) (Postings, error) {
	r := shardReader{b: b}
	r.magic(listMagic)
	if r.number(number); r.bad {
		return Postings{}, ErrShard
	}
	return DecodePostings(r.b, count, docs)
}
