package intake

import (
	"context"
	"sync"
	"time"

	"colophon/internal/pause"
)

// gate bounds the concurrent requests for each host and, if a site asks for it,
// spaces them in time.
type gate struct {
	perHost int
	mu      sync.Mutex
	lanes   map[string]*lane
}

type lane struct {
	slots chan struct{}
	mu    sync.Mutex
	next  time.Time // no request before it
}

func newGate(perHost int) *gate { return &gate{perHost: perHost, lanes: map[string]*lane{}} }

func (g *gate) laneOf(host string) *lane {
	g.mu.Lock()
	defer g.mu.Unlock()
	l := g.lanes[host]
	if l == nil {
		l = &lane{slots: make(chan struct{}, g.perHost)}
		g.lanes[host] = l
	}
	return l
}

// enterLane waits for a turn with the host; leave must be called once.
func (g *gate) enterLane(ctx context.Context, host string, delay time.Duration) (leave func(), err error) {
	l := g.laneOf(host)
	select {
	case l.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if err := pause.For(ctx, l.bookTurn(delay)); err != nil {
		<-l.slots
		return nil, err
	}
	var once sync.Once
	return func() { once.Do(func() { <-l.slots }) }, nil
}

// bookTurn books the next start and returns how long to wait for it.
func (l *lane) bookTurn(delay time.Duration) time.Duration {
	if delay <= 0 {
		return 0
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	start := l.next
	if start.Before(now) {
		start = now
	}
	l.next = start.Add(delay)
	return start.Sub(now)
}
