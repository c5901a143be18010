package intake

import (
	"errors"
	"fmt"
	"testing"
)

func TestWalk(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	for _, c := range []struct{ all, fails, stop, want int }{
		{0, -1, -1, 0}, {1, -1, -1, 1}, {walkBatch, -1, -1, walkBatch}, {2*walkBatch + 5, -1, -1, 2*walkBatch + 5},
		{2 * walkBatch, walkBatch, -1, walkBatch}, {2 * walkBatch, -1, walkBatch + 3, walkBatch + 3},
	} {
		list := func(after string) ([]int, error) {
			from := 0
			if after != "" {
				fmt.Sscan(after, &from)
			}
			if from == c.fails {
				return nil, broken
			}
			var batch []int
			for n := from + 1; n <= c.all && len(batch) < walkBatch; n++ {
				batch = append(batch, n)
			}
			return batch, nil
		}
		seen, failed := 0, false
		for n, err := range walk(list, func(n *int) string { return fmt.Sprint(*n) }) {
			if failed = err != nil; failed {
				continue
			}
			if seen++; *n != seen {
				t.Fatalf("%d is number %d", *n, seen)
			}
			if seen == c.stop {
				break
			}
		}
		if seen != c.want || failed != (c.fails > 0) {
			t.Errorf("%+v: %d seen, failed %t", c, seen, failed)
		}
	}
}
