package intake

import (
	"sync"
	"sync/atomic"
	"testing"
)

// TestTurns reads pages of both sizes: never more than most at once, and never
// another beside a large one.
func TestTurns(t *testing.T) {
	const most = 3
	turns := newTurns(most)
	var reading, large atomic.Int32
	var done sync.WaitGroup
	for i := range 400 {
		done.Go(func() {
			size := 1
			if i%7 == 0 {
				size = aloneFrom
			}
			leave := turns.take(size)
			defer leave()
			defer reading.Add(-1)
			if n := reading.Add(1); n > most {
				t.Errorf("%d pages are read at once", n)
			}
			if size == aloneFrom {
				large.Add(1)
				defer large.Add(-1)
			}
			if large.Load() > 0 && reading.Load() > 1 {
				t.Error("a page is read beside a large one")
			}
		})
	}
	done.Wait()
	if turns.reading != 0 || turns.large != 0 {
		t.Errorf("left over: %d reading, %d large", turns.reading, turns.large)
	}
}
