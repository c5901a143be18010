package searchindex

import (
	"colophon/exports"
	"colophon/internal/staticindex"
)

// An order is the groups and ordinals of all records of an index, the first
// first, in files of OrderPart records.
const OrderPart = 4096

// ByRegistration is the order of registered pages in which those registered
// first come first, so that a file which is full does not change when pages are
// added.
const ByRegistration = "registered"

const orderMagic = "CSO3"

// OrderKey is part n of an order of an index: _ix/0123456789abcdef/o/o/price/00/00.idx
func OrderKey(gen, index, name string, n int) exports.Key {
	return staticindex.FileKey(gen, index, "/o/"+name+"/", n)
}

// OrderParts returns the number of files of an order of so many records.
func OrderParts(docs int) int { return (docs + OrderPart - 1) / OrderPart }

// AppendOrder writes part n of an order after b.
func (g *Groups) AppendOrder(b []byte, n int, docs []uint32) []byte {
	b = staticindex.AppendUint(append(b, orderMagic...), n)
	for _, d := range docs {
		group, ordinal := g.Locate(d)
		b = staticindex.AppendUint(staticindex.AppendUint(b, group), int(ordinal))
	}
	return b
}

// DecodeOrder decodes part n of an order of docs records. It returns
// staticindex.ErrMalformed if the part is malformed.
func (g *Groups) DecodeOrder(b []byte, n, docs int) ([]uint32, error) {
	r := staticindex.NewReader(b)
	r.ExpectMagic(orderMagic)
	r.ExpectNumber(n)
	out := make([]uint32, max(0, min(OrderPart, docs-n*OrderPart)))
	if len(out) > r.Len() {
		return nil, staticindex.ErrMalformed
	}
	for i := range out {
		group := r.ReadUint(g.count() - 1)
		if r.Failed() || g.Size(group) == 0 {
			return nil, staticindex.ErrMalformed
		}
		out[i] = g.NumberOf(group, uint32(r.ReadUint(g.Size(group)-1)))
	}
	return out, r.Finish()
}
