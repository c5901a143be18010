package intake

import "sync"

// aloneFrom is the size from which on a page is read alone. The tree of a page
// takes ten to twenty times its bytes.
const aloneFrom = 256 << 10

// turns lets a few pages be read at once, and a large one only alone.
type turns struct {
	most    int
	mu      sync.Mutex
	changed *sync.Cond
	reading int
	large   int // pages that wait to be read alone, or are
}

func newTurns(most int) *turns {
	t := &turns{most: most}
	t.changed = sync.NewCond(&t.mu)
	return t
}

// take waits for the turn of a page of size bytes; leave must be called once.
func (t *turns) take(size int) (leave func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if size < aloneFrom {
		for t.large > 0 || t.reading >= t.most {
			t.changed.Wait()
		}
		t.reading++
		return func() { t.finish(1, 0) }
	}
	t.large++ // small ones that come later wait
	for t.reading > 0 {
		t.changed.Wait()
	}
	t.reading = t.most
	return func() { t.finish(t.most, 1) }
}

func (t *turns) finish(read, large int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.reading -= read
	t.large -= large
	t.changed.Broadcast()
}
