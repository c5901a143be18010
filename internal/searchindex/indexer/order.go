package indexer

import (
	"slices"

	"colophon/exports"
	"colophon/internal/searchindex"
)

// listOrder is an order of all records of a collection: their numbers in the
// order of adding.
type listOrder struct {
	name string
	seq  []uint32
}

// AddOrder gives the records added so far, which are all, an order. compare gets
// their places in the order of adding; of equal records the one that was added
// first comes first. A collection of more than exports.MaxOrdered has none.
func (c *Collection) AddOrder(name string, compare func(a, b int) int) {
	n := c.CountRecords()
	if n > exports.MaxOrdered {
		return
	}
	seq := make([]uint32, n)
	for i := range seq {
		seq[i] = uint32(i)
	}
	slices.SortStableFunc(seq, func(a, b uint32) int { return compare(int(a), int(b)) })
	c.orders = append(c.orders, listOrder{name, seq})
	c.sum.Write(searchindex.AppendOrder([]byte(name), seq)) // it may follow from more than the records
}

// writeOrders puts the orders of an index.
func (v *inverted) writeOrders(out *Output) error {
	if len(v.c.orders) == 0 {
		return nil
	}
	numbers := v.numbers()
	for _, o := range v.c.orders {
		docs := make([]uint32, len(o.seq))
		for i, seq := range o.seq {
			docs[i] = numbers[seq]
		}
		if err := out.Put(searchindex.OrderKey(out.Gen, v.c.name, o.name), searchindex.AppendOrder(nil, docs)); err != nil {
			return err
		}
	}
	return nil
}

// numbers are the numbers of the records, in the order of adding.
func (v *inverted) numbers() []uint32 {
	out := make([]uint32, len(v.seq))
	for number, seq := range v.seq {
		out[seq] = uint32(number)
	}
	return out
}
