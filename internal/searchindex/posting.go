package searchindex

import "colophon/internal/staticindex"

// MaxImpact is the largest impact of a word in a record.
const MaxImpact = 15

// Postings are the records that contain a word: their numbers, in rising order,
// and how much the word says about each, 0 to MaxImpact.
type Postings struct {
	Docs    []uint32
	Impacts []uint8
}

const (
	impactBits = 4
	listMagic  = "CPL3"
)

// AppendPostings writes p after b: for each record an unsigned varint, which is
// 16 times the gap to the record before, less one, plus the impact. The gap of
// the first record is its number. Docs must rise.
func AppendPostings(b []byte, p Postings) []byte {
	next := uint32(0)
	for i, doc := range p.Docs {
		gap := doc - next
		b = staticindex.AppendUint64(b, uint64(gap)<<impactBits|uint64(p.Impacts[i]))
		next = doc + 1
	}
	return b
}

// DecodePostings reads the postings of n records out of docs; b must hold
// nothing else. It fails with staticindex.ErrMalformed.
func DecodePostings(b []byte, n, docs int) (Postings, error) {
	if n <= 0 || n > docs || n > len(b) {
		return Postings{}, staticindex.ErrMalformed
	}
	p := Postings{make([]uint32, n), make([]uint8, n)}
	r := staticindex.NewReader(b)
	next := uint64(0)
	for i := range p.Docs {
		x := r.ReadUint64(uint64(docs)<<impactBits - 1)
		doc := next + x>>impactBits
		if r.Failed() || doc >= uint64(docs) {
			return Postings{}, staticindex.ErrMalformed
		}
		p.Docs[i] = uint32(doc)
		p.Impacts[i] = uint8(x & MaxImpact)
		next = doc + 1
	}
	return p, r.Finish()
}

// AppendList writes the file of common word n after b: its number and its
// postings.
func AppendList(b []byte, n int, p Postings) []byte {
	return AppendPostings(staticindex.AppendUint(append(b, listMagic...), n), p)
}

// DecodeList reads the file of common word number, which count records of
// docs have. It fails with staticindex.ErrMalformed.
func DecodeList(b []byte, number, count, docs int) (Postings, error) {
	r := staticindex.NewReader(b)
	r.ExpectMagic(listMagic)
	if r.ExpectNumber(number); r.Failed() {
		return Postings{}, staticindex.ErrMalformed
	}
	return DecodePostings(r.Rest(), count, docs)
}
