package searchindex

import (
	"math/bits"
	"slices"
)

// MaxImpact is the largest impact of a word in a record.
const MaxImpact = 15

const postingBlock = 128

// Postings are the records that a word is in: their numbers, rising, and how
// much the word says of each, 0 to MaxImpact.
type Postings struct {
	Docs    []uint32
	Impacts []uint8
}

// AppendPostings writes p, of an index of docs records, after b: the usual
// impact in 4 bits, then the first record in as many bits as the last number of
// the index takes. Each further record is the gap to the one before, less one,
// see bitWriter.putGap. Before each 128 records, the first included, stand 5 bits
// with the width of those gaps, and a bit that is 0 where all their impacts are
// the usual one. Elsewhere a bit follows every record, 0 for the usual impact,
// or 1 and then the impact in 4 bits. A single record has neither. Docs must
// rise.
func AppendPostings(b []byte, p Postings, docs int) []byte {
	w := bitWriter{b: b}
	usual := p.usualImpact()
	w.putBits(uint64(usual), 4)
	width, varied := uint(0), false
	for i, d := range p.Docs {
		if i%postingBlock == 0 && len(p.Docs) > 1 {
			hi := min(len(p.Docs), i+postingBlock)
			width = gapWidth(p.Docs[max(0, i-1):hi])
			varied = slices.ContainsFunc(p.Impacts[i:hi], func(x uint8) bool { return x != usual })
			w.putBits(uint64(width), 5)
			w.putFlag(varied)
		}
		if i == 0 {
			w.putBits(uint64(d), docBits(docs))
		} else {
			w.putGap(d-p.Docs[i-1]-1, width)
		}
		if varied {
			if w.putFlag(p.Impacts[i] != usual); p.Impacts[i] != usual {
				w.putBits(uint64(p.Impacts[i]), 4)
			}
		}
	}
	return w.flush()
}

// docBits is how many bits the number of a record takes.
func docBits(docs int) uint { return uint(bits.Len(uint(max(1, docs) - 1))) }

// usualImpact is the impact that most records have, of such the least.
func (p *Postings) usualImpact() (most uint8) {
	var count [MaxImpact + 1]int
	for _, x := range p.Impacts {
		count[x]++
	}
	for x, n := range count {
		if n > count[most] {
			most = uint8(x)
		}
	}
	return most
}

// gapWidth is the width that suits the gaps between docs, about.
func gapWidth(docs []uint32) uint {
	last := len(docs) - 1
	if last < 1 {
		return 0
	}
	size := func(width uint) (n uint) {
		for i, d := range docs[1:] {
			n += gapBits(d-docs[i]-1, width)
		}
		return n
	}
	width := uint(bits.Len32((docs[last] - docs[0]) / uint32(last)))
	for least := size(width); width > 0; width-- {
		n := size(width - 1)
		if n > least {
			break
		}
		least = n
	}
	return width
}

// DecodePostings reads the postings of n records out of docs; b must hold
// nothing else.
func DecodePostings(b []byte, n, docs int) (Postings, error) {
	if n <= 0 || n > docs || n > len(b)*8 {
		return Postings{}, ErrMalformed
	}
	p := Postings{make([]uint32, n), make([]uint8, n)}
	r := bitReader{b: b}
	usual := uint8(r.readBits(4))
	next := uint64(0)
	width, varied := uint(0), false
	for i := range p.Docs {
		if i%postingBlock == 0 && n > 1 {
			width = uint(r.readBits(5))
			varied = r.readBits(1) == 1
		}
		if i == 0 {
			next = r.readBits(docBits(docs))
		} else {
			next += r.readGap(width) + 1
		}
		p.Docs[i], p.Impacts[i] = uint32(next), usual
		if varied && r.readBits(1) == 1 {
			p.Impacts[i] = uint8(r.readBits(4))
		}
		if r.bad || next >= uint64(docs) {
			return Postings{}, ErrMalformed
		}
	}
	if r.bad || len(r.b) > 0 || r.acc != 0 {
		return Postings{}, ErrMalformed
	}
	return p, nil
}

const listMagic = "CPL2"

// AppendList writes the file of common word n after b: its number and its
// postings, of an index of docs records.
func AppendList(b []byte, n int, p Postings, docs int) []byte {
	return AppendPostings(appendUint(append(b, listMagic...), n), p, docs)
}

// DecodeList reads the file of common word number, which count records of
// docs have.
func DecodeList(b []byte, number, count, docs int) (Postings, error) {
	r := reader{b: b}
	r.expectMagic(listMagic)
	if r.expectNumber(number); r.bad {
		return Postings{}, ErrMalformed
	}
	return DecodePostings(r.b, count, docs)
}
