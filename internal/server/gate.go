package server

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"colophon/exports"
	"colophon/worker/edge"
	"colophon/worker/edgehttp"
)

// errShed is returned for a request turned away because too many others wait.
var errShed = errors.New("too many requests wait")

// A request waits at most patience for a slot, and at most queuePerSlot
// requests wait for each slot.
const (
	patience     = 2 * time.Second
	queuePerSlot = 32
)

// gate bounds how many requests of a class are processed at once. Others wait
// in the order of their arrival, and are turned away if the queue is full or
// they have waited too long, because a quick 503 is better than a late answer.
type gate struct {
	slots    *semaphore.Weighted
	queue    int64
	patience time.Duration

	waiting atomic.Int64
	working atomic.Int64
	shed    atomic.Int64
}

func newGate(slots int64) *gate {
	return &gate{slots: semaphore.NewWeighted(slots), queue: slots * queuePerSlot, patience: patience}
}

// enterGate waits for a slot and returns the function that leaves it, which may
// be called more than once. It returns errShed if the request is turned away.
func (g *gate) enterGate(ctx context.Context) (leave func(), err error) {
	if !g.slots.TryAcquire(1) {
		if err := g.waitSlot(ctx); err != nil {
			g.shed.Add(1)
			return nil, err
		}
	}
	g.working.Add(1)
	return sync.OnceFunc(func() {
		g.working.Add(-1)
		g.slots.Release(1)
	}), nil
}

func (g *gate) waitSlot(ctx context.Context) error {
	defer g.waiting.Add(-1)
	if g.waiting.Add(1) > g.queue {
		return errShed
	}
	ctx, cancel := context.WithTimeout(ctx, g.patience)
	defer cancel()
	if g.slots.Acquire(ctx, 1) != nil {
		return errShed
	}
	return nil
}

// gates are the gates of all classes of load.
type gates map[exports.Load]*gate

func newGates(slots map[string]int64) gates {
	g := gates{}
	for name, n := range slots {
		g[exports.Load(name)] = newGate(n)
	}
	return g
}

// limitHandler puts the gates and a deadline before a handler. A request that
// is turned away is answered 503 with Retry-After before any work is done for
// it. A slot is held until the handler has answered, or for a stream until the
// request has ended.
func (g gates) limitHandler(next edge.Handler, timeout time.Duration) edge.Handler {
	return func(ctx context.Context, r *edge.Request) *edge.Response {
		_, load := routeOf(r.Method, r.Path, r.Query)
		leave, err := g[load].enterGate(ctx)
		if err != nil {
			return edgehttp.Fault(503, r.Path, r.ID)
		}
		if load == exports.LoadStreams {
			context.AfterFunc(ctx, leave)
			return next(ctx, r)
		}
		defer leave()
		ctx, cancel := context.WithTimeout(ctx, timeout)
		defer cancel()
		return next(ctx, r)
	}
}
