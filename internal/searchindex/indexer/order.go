package indexer

import (
	"context"
	"slices"

	"colophon/exports"
	"colophon/internal/searchindex"
	"colophon/internal/staticindex"
)

// listOrder is an order of all records of a collection: their numbers in the
// order of adding.
type listOrder struct {
	name string
	seq  []uint32
}

// AddOrder adds an order of the records, all of which must have been added.
// compare gets their places in the order of adding; of equal records the one
// added first comes first. A collection of more than exports.MaxOrdered records
// has no orders.
func (c *Collection) AddOrder(name string, compare func(a, b int) int) {
	if c.CountRecords() > exports.MaxOrdered {
		return
	}
	seq := c.asAdded()
	slices.SortStableFunc(seq, func(a, b uint32) int { return compare(int(a), int(b)) })
	c.AddSequence(name, seq)
}

// AddSequence adds an order of any size. seq holds the place of each record in
// the order of adding.
func (c *Collection) AddSequence(name string, seq []uint32) {
	c.orders = append(c.orders, listOrder{name, seq})
}

// asAdded returns all records in the order of adding.
func (c *Collection) asAdded() []uint32 {
	seq := make([]uint32, c.CountRecords())
	for i := range seq {
		seq[i] = uint32(i)
	}
	return seq
}

// writeOrders puts the orders of an index.
func (v *inverted) writeOrders(ctx context.Context, out *Output) error {
	if len(v.c.orders) == 0 {
		return nil
	}
	numbers := v.numbers()
	for _, o := range v.c.orders {
		err := out.putFiles(ctx, searchindex.OrderParts(len(o.seq)), func(n int, _ staticindex.Deflater) (exports.Key, []byte, error) {
			from := n * searchindex.OrderPart
			docs := slices.Clone(o.seq[from:min(len(o.seq), from+searchindex.OrderPart)])
			for i, seq := range docs {
				docs[i] = numbers[seq]
			}
			return searchindex.OrderKey(out.Gen, v.c.name, o.name, n), v.groups.AppendOrder(nil, n, docs), nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// numbers returns the numbers of the records, in the order of adding.
func (v *inverted) numbers() []uint32 {
	out := make([]uint32, v.c.CountRecords())
	for number, seq := range v.seq {
		if seq > 0 {
			out[seq-1] = uint32(number)
		}
	}
	return out
}
