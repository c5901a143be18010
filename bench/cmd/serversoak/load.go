package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// soakChecks sends rights checks over all connections.
func soakChecks(ctx context.Context, t *target, out io.Writer) (faults []string) {
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: connections, MaxConnsPerHost: connections}}
	defer client.CloseIdleConnections()
	times := make([][]time.Duration, connections)
	var failures atomic.Int64
	var firstFailure atomic.Value
	var group sync.WaitGroup
	for i := range connections {
		group.Go(func() {
			for ctx.Err() == nil {
				start := time.Now()
				if err := ask(ctx, client, t.checkURL()); err != nil {
					if ctx.Err() == nil {
						failures.Add(1)
						firstFailure.CompareAndSwap(nil, err.Error())
					}
					continue
				}
				times[i] = append(times[i], time.Since(start))
			}
		})
	}
	samples, err := sample(ctx, t)
	group.Wait()
	if err != nil {
		return []string{err.Error()}
	}

	all := slices.Concat(times...)
	if len(all) == 0 {
		return []string{fmt.Sprintf("checks: no answer, %v", firstFailure.Load())}
	}
	slices.Sort(all)
	p50, p99 := all[len(all)/2], all[len(all)*99/100]
	early, late := samples[len(samples)/4], samples[len(samples)-1]
	fmt.Fprintf(out, "checks: %d connections, %d answers (%.0f/s), %d errors; p50 %v, p99 %v, slowest %v; %v, at last %v\n",
		connections, len(all), float64(len(all))/checkTime.Seconds(), failures.Load(), p50.Round(10*time.Microsecond), p99.Round(10*time.Microsecond), all[len(all)-1].Round(time.Millisecond), early, late)
	if n := failures.Load(); n > 0 {
		faults = append(faults, fmt.Sprintf("checks: %d errors, the first: %v", n, firstFailure.Load()))
	}
	if p99 > 10*p50 {
		faults = append(faults, fmt.Sprintf("checks: p99 %v is more than ten times p50 %v", p99, p50))
	}
	if late.descriptors > early.descriptors+8 {
		faults = append(faults, fmt.Sprintf("checks: descriptors grow from %d to %d", early.descriptors, late.descriptors))
	}
	if late.megabytes > 1.25*early.megabytes+10 {
		faults = append(faults, fmt.Sprintf("checks: memory grows from %.0f to %.0f MB", early.megabytes, late.megabytes))
	}
	return faults
}

func ask(ctx context.Context, client *http.Client, url string) error {
	req, err := http.NewRequestWithContext(ctx, "GET", url, nil)
	if err != nil {
		return err
	}
	res, err := client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return err
	}
	if res.StatusCode != 200 {
		return fmt.Errorf("answered %d: %.200s", res.StatusCode, body)
	}
	return nil
}

// sample measures the target every half second until ctx ends.
func sample(ctx context.Context, t *target) (samples []usage, err error) {
	for ctx.Err() == nil {
		select {
		case <-time.After(500 * time.Millisecond):
		case <-ctx.Done():
		}
		u, err := t.measure()
		if err != nil {
			return nil, err
		}
		samples = append(samples, u)
	}
	return samples, nil
}

// soakBodies sends half of a request body over many connections, from many
// addresses.
func soakBodies(ctx context.Context, t *target, out io.Writer) []string {
	const half = 256 << 10
	head := fmt.Sprintf("POST /v1/public/licensing-request HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n", 2*half)
	return crowd(ctx, t, out, "bodies", bodies, func(c net.Conn) {
		if _, err := io.WriteString(c, head+strings.Repeat(" ", half)); err == nil {
			io.Copy(io.Discard, c) //nolint:errcheck // until it is closed
		}
	})
}

// soakSlow sends the head of a request byte by byte.
func soakSlow(ctx context.Context, t *target, out io.Writer) []string {
	return crowd(ctx, t, out, "slow", slow, func(c net.Conn) {
		for _, b := range []byte("GET / HTTP/1.1\r\nHost: " + strings.Repeat("x", 1000)) {
			if _, err := c.Write([]byte{b}); err != nil || ctx.Err() != nil {
				return
			}
			time.Sleep(2 * time.Second)
		}
	})
}

// mostMegabytes is the most memory that a server may use under any crowd.
const mostMegabytes = 200

// crowd opens connections from a hundred addresses, runs behave on each, and
// meanwhile sends requests as an ordinary client.
func crowd(ctx context.Context, t *target, out io.Writer, name string, connections int, behave func(net.Conn)) (faults []string) {
	before, err := t.measure()
	if err != nil {
		return []string{err.Error()}
	}
	address := strings.TrimPrefix(t.base, "http://")
	ctx, cancel := context.WithTimeout(ctx, holdTime)
	defer cancel()
	var group sync.WaitGroup
	var opened atomic.Int64
	for i := range connections {
		group.Go(func() {
			dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 1, byte(1+i%100))}}
			c, err := dialer.DialContext(ctx, "tcp", address)
			if err != nil {
				return
			}
			opened.Add(1)
			context.AfterFunc(ctx, func() { c.Close() })
			behave(c)
		})
	}

	var worst usage
	var slowest time.Duration
	var failed []string
	begin := time.Now()
	for call := 1; ctx.Err() == nil; call++ {
		sent := time.Since(begin)
		took, err := t.probe(ctx)
		if err != nil && ctx.Err() == nil {
			failed = append(failed, fmt.Sprintf("call %d, sent after %v with %d connections open, failed after %v: %v",
				call, sent.Round(time.Millisecond), opened.Load(), took.Round(time.Millisecond), err))
		}
		slowest = max(slowest, took)
		u, err := t.measure()
		if err != nil {
			return []string{err.Error()}
		}
		worst.megabytes, worst.descriptors = max(worst.megabytes, u.megabytes), max(worst.descriptors, u.descriptors)
		time.Sleep(100 * time.Millisecond)
	}
	group.Wait()

	fmt.Fprintf(out, "%s: %d connections; %v before, at most %v; other clients: slowest answer %v, %d failed\n",
		name, opened.Load(), before, worst, slowest.Round(time.Millisecond), len(failed))
	for _, line := range failed {
		fmt.Fprintf(out, "%s: %s\n", name, line)
	}
	if worst.megabytes > mostMegabytes {
		faults = append(faults, fmt.Sprintf("%s: %.0f MB", name, worst.megabytes))
	}
	if len(failed) > 0 {
		faults = append(faults, fmt.Sprintf("%s: %d calls of other clients failed, the first: %s", name, len(failed), failed[0]))
	}
	return faults
}
