package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// endure measures how the worker behaves over time: the tail over 20,000
// requests in sequence, the memory of its process over many, and 64 connections
// at once.
func endure(ctx context.Context, w io.Writer, s *sides) error {
	edge := s.get("edge")
	for _, h := range handlers[:2] {
		if err := tail(w, edge, h.name, h.target); err != nil {
			return err
		}
	}
	for _, one := range []side{edge, s.get("plain")} {
		if err := memory(ctx, w, one); err != nil {
			return err
		}
	}
	return soak(ctx, w, edge, 64, soakTime)
}

// tail reports the best of three runs, since other work on the machine only
// makes a run slower.
func tail(w io.Writer, s side, name, target string) error {
	const requests = 20_000
	var p50, p99 time.Duration
	best := 0.0
	for range 3 {
		half, most, err := inTurn(s, target, requests)
		if err != nil {
			return err
		}
		if ratio := float64(most) / float64(half); best == 0 || ratio < best {
			best, p50, p99 = ratio, half, most
		}
	}
	row(w, fmt.Sprintf("p99 (%s) over p50 (%s), %d of %s", micro(p99), micro(p50), requests, name), best, 3, false)
	return nil
}

// inTurn sends requests in sequence over one connection.
func inTurn(s side, target string, requests int) (p50, p99 time.Duration, err error) {
	c, err := dial(s.host.Address())
	if err != nil {
		return 0, 0, err
	}
	defer c.conn.Close()
	times, ask := make([]time.Duration, requests), request(target)
	for i := range times {
		t := time.Now()
		if _, _, err := c.do(ask); err != nil {
			return 0, 0, err
		}
		times[i] = time.Since(t)
	}
	slices.Sort(times)
	return times[requests/2], times[requests*99/100], nil
}

// memory requests records over 16 connections and compares the process after a
// tenth of the requests with the process at the end. The engine's garbage
// collector makes resident memory vary, so each figure is the median of 20
// samples during the last part of its requests.
func memory(ctx context.Context, w io.Writer, s side) error {
	var early, late int64
	for _, step := range []struct {
		requests int
		resident *int64
	}{{requests / 10, &early}, {requests - requests/10, &late}} {
		const looks = 20
		last := requests / 20
		if err := repeat(ctx, s, "/json", step.requests-last, 16); err != nil {
			return err
		}
		var seen []int64
		for range looks {
			if err := repeat(ctx, s, "/json", last/looks, 16); err != nil {
				return err
			}
			kib, err := s.host.Resident()
			if err != nil {
				return err
			}
			seen = append(seen, kib)
		}
		slices.Sort(seen)
		*step.resident = seen[looks/2]
	}
	row(w, fmt.Sprintf("%s: %d MB at %d requests over %d MB at %d", s.name, late>>10, requests, early>>10, requests/10), float64(late)/float64(early), 1.2, false)
	return nil
}

func repeat(ctx context.Context, s side, target string, requests, connections int) error {
	var left atomic.Int64
	left.Store(int64(requests))
	return each(connections, func(int) error {
		c, err := dial(s.host.Address())
		if err != nil {
			return err
		}
		defer c.conn.Close()
		for ask := request(target); left.Add(-1) >= 0 && ctx.Err() == nil; {
			if _, _, err := c.do(ask); err != nil {
				return err
			}
		}
		return ctx.Err()
	})
}

func each(n int, f func(i int) error) error {
	var mu sync.Mutex
	var failed error
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			if err := f(i); err != nil {
				mu.Lock()
				defer mu.Unlock()
				failed = err
			}
		})
	}
	wg.Wait()
	return failed
}

// soak keeps connections busy with all handlers. Each answer must carry the
// token of its request and the request id of its own header.
func soak(ctx context.Context, w io.Writer, s side, connections int, d time.Duration) error {
	var count, slowest atomic.Int64
	until := time.Now().Add(d)
	err := each(connections, func(i int) error {
		c, err := dial(s.host.Address())
		if err != nil {
			return err
		}
		defer c.conn.Close()
		for n := 0; time.Now().Before(until) && ctx.Err() == nil; n++ {
			began := time.Now()
			_ = c.conn.SetDeadline(began.Add(10 * time.Second))
			if err := soakOne(c, fmt.Sprintf("t%d-%d", i, n), n); err != nil {
				return err
			}
			count.Add(1)
			slowest.Store(max(slowest.Load(), int64(time.Since(began))))
		}
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%d connections for %v: %d answers, none wrong, none 5xx, slowest %d ms\n", connections, d, count.Load(), time.Duration(slowest.Load()).Milliseconds())
	return nil
}

func soakOne(c *client, token string, n int) error {
	if n%4 == 3 { // now and then a handler that waits or writes
		h := handlers[n/4%len(handlers)]
		status, _, err := c.do(request(h.target))
		if err == nil && status != h.status {
			err = fmt.Errorf("%s answered %d: %.200s", h.target, status, c.body)
		}
		return err
	}
	status, id, err := c.do(request("/id", "X-Token", token))
	if err != nil {
		return err
	}
	if body := string(c.body); status != 200 || !strings.HasPrefix(body, id+"\n") || !strings.HasSuffix(body, "\n"+token) {
		return fmt.Errorf("asked as %q, answered %d %q with id %q", token, status, body, id)
	}
	return nil
}
