package order_test

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"colophon/internal/wire/order"
)

type pair struct{ key, place int }

func TestAsSlicesDoes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		keys := rapid.SliceOf(rapid.IntRange(-3, 30)).Draw(t, "keys")
		list := make([]pair, len(keys))
		for i, k := range keys {
			list[i] = pair{k, i}
		}
		want := slices.Clone(list)
		slices.SortStableFunc(want, func(a, b pair) int { return cmp.Compare(a.key, b.key) })
		stable := slices.Clone(list)
		order.Stable(stable, func(a, b *pair) int { return cmp.Compare(a.key, b.key) })
		if !slices.Equal(stable, want) {
			t.Fatalf("Stable gives %v, want %v", stable, want)
		}
		order.By(list, func(a, b *pair) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.place, b.place)) })
		if !slices.Equal(list, want) {
			t.Fatalf("By gives %v, want %v", list, want)
		}
	})
}
