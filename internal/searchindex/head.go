package searchindex

import "compress/flate"

// Head is records of one word, kept again. Of a word in many records they are
// the best, in their order, so that a search for that word alone reads nothing
// else. Of others they are those of the ten best, rising, that lie so far apart
// that reading their blocks would be more than ManyFiles with the word and the
// head; most such words have none, and all where Root says that nothing is spread.
type Head struct {
	Word    string
	Docs    []uint32
	Impacts []uint8
	Records Block
}

// ManyFiles is how many files a page of ten hits of one word should read at most.
const ManyFiles = 8

// HeadFrom is the number of records from which on a word may have a head.
const HeadFrom = ManyFiles

// HeadSize is how many of its best records the head of a word in count records
// has, 0 for those that have them only where they lie far apart.
func HeadSize(count int) int {
	switch {
	case count >= 512:
		return 20
	case count >= 128:
		return 10
	}
	return 0
}

const headMagic = "CHD1"

// AppendHeads writes heads, words rising, after b.
func AppendHeads(b []byte, heads []Head, z *flate.Writer) []byte {
	b = append(b, headMagic...)
	b = appendUint(b, len(heads))
	var all Block
	for _, h := range heads {
		b = appendText(b, h.Word)
		b = appendUint(b, len(h.Docs))
		for i := range h.Docs {
			b = appendUint(b, int(h.Docs[i]))
			b = append(b, h.Impacts[i])
		}
		all = append(all, h.Records...)
	}
	return all.Append(b, 0, z)
}

// DecodeHeads reads heads of an index of docs records.
func DecodeHeads(b []byte, docs int) ([]Head, error) {
	r := reader{b: b}
	r.expectMagic(headMagic)
	n := r.readUint(len(r.b))
	heads := make([]Head, 0, n)
	total := 0
	for i := 0; i < n && !r.bad; i++ {
		h := Head{Word: r.readString()}
		k := r.readUint(len(r.b))
		for j := 0; j < k && !r.bad; j++ {
			h.Docs = append(h.Docs, uint32(r.readUint(docs-1)))
			c := r.readBytes(1)
			if r.bad || c[0] > MaxImpact {
				return nil, ErrMalformed
			}
			h.Impacts = append(h.Impacts, c[0])
		}
		total += k
		if i > 0 && h.Word <= heads[i-1].Word {
			r.fail()
		}
		heads = append(heads, h)
	}
	all, err := r.readBlock(0)
	if err != nil || len(all) != total {
		return nil, ErrMalformed
	}
	for i := range heads {
		k := len(heads[i].Docs)
		heads[i].Records, all = all[:k], all[k:]
	}
	return heads, nil
}
