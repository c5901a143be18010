package intake

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/semaphore"
)

// TestMemoryOfExtractions extracts pages of both sizes: never more than a few at
// once, and never another beside a large one.
func TestMemoryOfExtractions(t *testing.T) {
	im := &importer{extract: semaphore.NewWeighted(readAtOnce)}
	var reading, large atomic.Int32
	var done sync.WaitGroup
	for i := range 400 {
		done.Go(func() {
			size := 1
			if i%7 == 0 {
				size = aloneFrom
			}
			im.runExtraction(t.Context(), size, func() (*draft, *evidence, *problem) {
				defer reading.Add(-1)
				if n := reading.Add(1); int64(n) > readAtOnce {
					t.Errorf("%d pages are read at once", n)
				}
				if size == aloneFrom {
					large.Add(1)
					defer large.Add(-1)
				}
				time.Sleep(20 * time.Microsecond)
				if large.Load() > 0 && reading.Load() > 1 {
					t.Error("a page is read beside a large one")
				}
				return nil, nil, nil
			})
		})
	}
	done.Wait()
	if !im.extract.TryAcquire(readAtOnce) {
		t.Error("turns are left over")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, p := im.runExtraction(ctx, 1, nil); p == nil || p.code != "interrupted" {
		t.Errorf("an import that was stopped waits: %v", p)
	}
}
