package searchindex

import (
	"colophon/exports"
	"colophon/internal/staticindex"
)

// An order is the numbers of all records of an index, the first first, in files of
// OrderPart numbers.
const OrderPart = 4096

// ByRegistration is the order of registered pages in which those registered
// last come first.
const ByRegistration = "registered"

const orderMagic = "CSO2"

// OrderKey is part n of an order of an index: _ix/0123456789abcdef/o/o/price/00/00.idx
func OrderKey(gen, index, name string, n int) exports.Key {
	return staticindex.FileKey(gen, index, "/o/"+name+"/", n)
}

// OrderParts returns the number of files of an order of so many records.
func OrderParts(docs int) int { return (docs + OrderPart - 1) / OrderPart }

// AppendOrder writes part n of an order after b.
func AppendOrder(b []byte, n int, docs []uint32) []byte {
	b = staticindex.AppendUint(append(b, orderMagic...), n)
	for _, d := range docs {
		b = staticindex.AppendUint(b, int(d))
	}
	return b
}

// DecodeOrder decodes part n of an order of docs records. It returns
// staticindex.ErrMalformed if the part is malformed.
func DecodeOrder(b []byte, n, docs int) ([]uint32, error) {
	r := staticindex.NewReader(b)
	r.ExpectMagic(orderMagic)
	r.ExpectNumber(n)
	out := make([]uint32, max(0, min(OrderPart, docs-n*OrderPart)))
	if len(out) > r.Len() {
		return nil, staticindex.ErrMalformed
	}
	for i := range out {
		out[i] = uint32(r.ReadUint(docs - 1))
	}
	return out, r.Finish()
}
