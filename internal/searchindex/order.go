package searchindex

import (
	"colophon/exports"
	"colophon/internal/staticindex"
)

const orderMagic = "CSO1"

// OrderKey is an order of the records of an index:
// _ix/0123456789abcdef/o/o/price.idx
func OrderKey(gen, index, name string) exports.Key {
	return exports.Key(staticindex.Prefix(gen) + index + "/o/" + name + ".idx")
}

// AppendOrder writes the numbers of all records of an index, the first first.
func AppendOrder(b []byte, docs []uint32) []byte {
	b = append(b, orderMagic...)
	for _, d := range docs {
		b = staticindex.AppendUint(b, int(d))
	}
	return b
}

// DecodeOrder reads the places of the records of an index in an order: that of
// record i is at i, the first is 1. It fails with staticindex.ErrMalformed.
func DecodeOrder(b []byte, docs int) ([]uint32, error) {
	r := staticindex.NewReader(b)
	r.ExpectMagic(orderMagic)
	if docs > r.Len() {
		return nil, staticindex.ErrMalformed
	}
	places := make([]uint32, docs)
	for i := range docs {
		d := r.ReadUint(docs - 1)
		if r.Failed() || places[d] != 0 {
			return nil, staticindex.ErrMalformed
		}
		places[d] = uint32(i) + 1
	}
	return places, r.Finish()
}
