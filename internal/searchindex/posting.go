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
	listMagic  = "CPL4"
)

// AppendPostings writes p after b, group by group: an unsigned varint that is
// twice the gap to the group before, less one (of the first group its number),
// plus 1 if it has one posting; otherwise how many it has. Then follow its
// postings by rising ordinals: each 16 times the gap to the ordinal before,
// less one, plus the impact.
func (g *Groups) AppendPostings(b []byte, p Postings) []byte {
	nextGroup := 0
	for i := 0; i < len(p.Docs); {
		group, _ := g.Locate(p.Docs[i])
		end := i + 1
		for end < len(p.Docs) && p.Docs[end] < g.starts[group+1] {
			end++
		}
		gap := (group - nextGroup) * 2
		if end == i+1 {
			b = staticindex.AppendUint(b, gap+1)
		} else {
			b = staticindex.AppendUint(staticindex.AppendUint(b, gap), end-i)
		}
		next := uint32(0)
		for k := end - 1; k >= i; k-- {
			ordinal := g.starts[group+1] - 1 - p.Docs[k]
			b = staticindex.AppendUint64(b, uint64(ordinal-next)<<impactBits|uint64(p.Impacts[k]))
			next = ordinal + 1
		}
		nextGroup, i = group+1, end
	}
	return b
}

// DecodePostings reads n postings; b must hold nothing else. It fails with
// staticindex.ErrMalformed.
func (g *Groups) DecodePostings(b []byte, n int) (Postings, error) {
	if n <= 0 || n > g.Slots() || n > len(b) {
		return Postings{}, staticindex.ErrMalformed
	}
	p := Postings{make([]uint32, n), make([]uint8, n)}
	r := staticindex.NewReader(b)
	group := 0
	for done := 0; done < n; group++ {
		x, size := r.ReadUint(2*g.count()), 1
		if group += x / 2; x%2 == 0 {
			size = r.ReadUint(n - done)
		}
		if r.Failed() || size == 0 || group >= g.count() {
			return Postings{}, staticindex.ErrMalformed
		}
		count, next := uint64(g.Size(group)), uint64(0)
		for i := done + size - 1; i >= done; i-- {
			x := r.ReadUint64(count<<impactBits | MaxImpact)
			ordinal := next + x>>impactBits
			if r.Failed() || ordinal >= count {
				return Postings{}, staticindex.ErrMalformed
			}
			p.Docs[i] = g.NumberOf(group, uint32(ordinal))
			p.Impacts[i] = uint8(x & MaxImpact)
			next = ordinal + 1
		}
		done += size
	}
	return p, r.Finish()
}

// AppendList writes the file of a common word after b: the word and its
// postings.
func (g *Groups) AppendList(b []byte, word string, p Postings) []byte {
	return g.AppendPostings(staticindex.AppendText(append(b, listMagic...), word), p)
}

// DecodeList reads the file of a common word, which count records have. It
// fails with staticindex.ErrMalformed.
func (g *Groups) DecodeList(b []byte, word string, count int) (Postings, error) {
	r := staticindex.NewReader(b)
	r.ExpectMagic(listMagic)
	if r.ReadString() != word || r.Failed() {
		return Postings{}, staticindex.ErrMalformed
	}
	return g.DecodePostings(r.Rest(), count)
}
