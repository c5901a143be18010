package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"sync"
	"time"
)

// client sends requests one after another over a single connection. It supports
// only as much HTTP as workerd answers with, so it costs little beside workerd.
type client struct {
	conn net.Conn
	in   *bufio.Reader
	body []byte
}

func dial(address string) (*client, error) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	return &client{conn: conn, in: bufio.NewReaderSize(conn, 64<<10)}, nil
}

func request(target string, header ...string) []byte {
	b := fmt.Appendf(nil, "GET %s HTTP/1.1\r\nHost: lab.local\r\nAccept: */*\r\n", target)
	for i := 0; i+1 < len(header); i += 2 {
		b = fmt.Appendf(b, "%s: %s\r\n", header[i], header[i+1])
	}
	return append(b, "\r\n"...)
}

// do sends a request and reads the whole answer. The body and the value of
// request-id are valid until the next call.
func (c *client) do(request []byte) (status int, id string, err error) {
	if _, err := c.conn.Write(request); err != nil {
		return 0, "", err
	}
	line, err := c.in.ReadSlice('\n')
	if err != nil || len(line) < 12 {
		return 0, "", fmt.Errorf("status line %q: %w", line, err)
	}
	if status, err = strconv.Atoi(string(line[9:12])); err != nil {
		return 0, "", err
	}
	length, chunked := 0, false
	for {
		line, err := c.in.ReadSlice('\n')
		if err != nil {
			return 0, "", err
		}
		name, value, ok := bytes.Cut(bytes.TrimRight(line, "\r\n"), []byte(": "))
		if !ok {
			break
		}
		switch {
		case bytes.EqualFold(name, []byte("content-length")):
			length, _ = strconv.Atoi(string(value))
		case bytes.EqualFold(name, []byte("transfer-encoding")):
			chunked = true
		case bytes.EqualFold(name, []byte("request-id")):
			id = string(value)
		}
	}
	return status, id, c.read(length, chunked)
}

func (c *client) read(length int, chunked bool) error {
	c.body = c.body[:0]
	for {
		if chunked {
			line, err := c.in.ReadSlice('\n')
			if err != nil {
				return err
			}
			n, err := strconv.ParseInt(string(bytes.TrimSpace(line)), 16, 32)
			if err != nil {
				return err
			}
			length = int(n)
		}
		at := len(c.body)
		c.body = slices.Grow(c.body, length)[:at+length]
		if _, err := io.ReadFull(c.in, c.body[at:]); err != nil {
			return err
		}
		if !chunked {
			return nil
		}
		if _, err := c.in.ReadSlice('\n'); err != nil || length == 0 {
			return err
		}
	}
}

// result holds how long each request of one or more measurements took, and how
// long the measurements lasted.
type result struct {
	times []time.Duration
	took  time.Duration
}

// and returns both results combined.
func (r result) and(o result) result {
	return result{append(o.times, r.times...), r.took + o.took}
}

// quantile returns the time within which so many hundredths of the requests
// were answered.
func (r result) quantile(hundredths int) time.Duration {
	sorted := slices.Sorted(slices.Values(r.times))
	return sorted[len(sorted)*hundredths/100]
}

func (r result) p50() time.Duration { return r.quantile(50) }

func (r result) p99() time.Duration { return r.quantile(99) }

// rate returns requests per second.
func (r result) rate() float64 { return float64(len(r.times)) / r.took.Seconds() }

// load sends a request repeatedly over n connections for the given time; each
// answer must have the wanted status.
func load(ctx context.Context, address string, request []byte, want, n int, d time.Duration) (result, error) {
	var mu sync.Mutex
	var all []time.Duration
	began := time.Now()
	err := each(n, func(int) error {
		times, err := ask(ctx, address, request, want, began.Add(d))
		mu.Lock()
		defer mu.Unlock()
		all = append(all, times...)
		return err
	})
	if err != nil {
		return result{}, fmt.Errorf("%.60q: %w", request, err)
	}
	return result{all, time.Since(began)}, nil
}

func ask(ctx context.Context, address string, request []byte, want int, until time.Time) ([]time.Duration, error) {
	c, err := dial(address)
	if err != nil {
		return nil, err
	}
	defer c.conn.Close()
	var times []time.Duration
	for t := time.Now(); t.Before(until) && ctx.Err() == nil; {
		status, _, err := c.do(request)
		if err != nil {
			return nil, err
		}
		if status != want {
			return nil, fmt.Errorf("answered %d: %.200s", status, c.body)
		}
		now := time.Now()
		times = append(times, now.Sub(t))
		t = now
	}
	return times, ctx.Err()
}
