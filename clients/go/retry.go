package colophon

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// NewIdempotencyKey returns a key for one request. Keep it with the request, and
// send the same key with every retry.
func NewIdempotencyKey() string { return rand.Text() }

type harmlessKey struct{}

// harmless marks POST requests that may be sent twice because the service
// recognizes a repetition by its body.
func harmless(ctx context.Context) context.Context {
	return context.WithValue(ctx, harmlessKey{}, true)
}

// mayRepeat reports whether sending a request twice has the same effect as
// sending it once.
func mayRepeat(req *http.Request) bool {
	switch {
	case req.Method == http.MethodGet, req.Method == http.MethodHead:
		return true
	case req.Body != nil && req.GetBody == nil:
		return false
	case req.Header.Get("Idempotency-Key") != "", req.Context().Value(harmlessKey{}) != nil:
		return true
	}
	for _, path := range []string{"/v1/agent/licensing-intent/prepare", "/v1/public/contentdna-provenance/verify", "/v1/public/developer/sandbox/run"} {
		if strings.HasSuffix(req.URL.Path, path) { // these store nothing
			return true
		}
	}
	return false
}

// Do sends a request, and repeats it after a temporary failure if a repetition
// has no further effect. It reads the body of the answer before it returns, so
// that it also repeats a request whose answer was cut. It does not read streams
// of lines, because their iterators continue after a cut. The generated client
// sends its requests with Do.
func (c *Client) Do(req *http.Request) (*http.Response, error) {
	repeat := mayRepeat(req)
	for attempt := 1; ; attempt++ {
		res, err := c.send(req)
		last := !repeat || attempt >= c.attempts
		wait, again := c.pauseAfter(res, err, attempt)
		if last || !again || req.Context().Err() != nil {
			return res, err
		}
		if err := sleep(req.Context(), wait); err != nil {
			return nil, err
		}
		if req, err = rewound(req); err != nil {
			return nil, err
		}
	}
}

// rewound returns the same request with its body at the beginning.
func rewound(req *http.Request) (*http.Request, error) {
	out := req.Clone(req.Context())
	if req.GetBody == nil {
		return out, nil
	}
	body, err := req.GetBody()
	out.Body = body
	return out, err
}

// send sends a request once and reads the answer, unless that is a stream of
// lines.
func (c *Client) send(req *http.Request) (*http.Response, error) {
	res, err := c.http.Do(req)
	if err != nil || res.StatusCode/100 == 2 && isLines(res) {
		return res, err
	}
	defer res.Body.Close()
	data, err := io.ReadAll(io.LimitReader(res.Body, longestAnswer+1))
	if err != nil {
		return nil, fmt.Errorf("colophon: the answer to %s %s was cut: %w", req.Method, req.URL.Path, err)
	}
	res.Body = io.NopCloser(bytes.NewReader(data))
	return res, nil
}

func isLines(res *http.Response) bool {
	return strings.HasPrefix(res.Header.Get("Content-Type"), "application/x-ndjson")
}

// pauseAfter reports whether a request should be repeated after an answer or an
// error, and returns how long to wait before that.
func (c *Client) pauseAfter(res *http.Response, err error, attempt int) (time.Duration, bool) {
	wait := min(c.pause<<min(attempt-1, 16), c.longest)
	if err != nil {
		return wait, true
	}
	if res.StatusCode < 400 {
		return 0, false
	}
	data, err := io.ReadAll(res.Body)
	if err != nil {
		return wait, true
	}
	res.Body = io.NopCloser(bytes.NewReader(data))
	var p *Problem
	if !errors.As(problemOf(res.StatusCode, data), &p) {
		return wait, res.StatusCode == 502 || res.StatusCode == 503 || res.StatusCode == 504
	}
	if p.Retry.AfterSeconds != nil {
		wait = time.Duration(*p.Retry.AfterSeconds) * time.Second
	}
	return wait, p.Retry.Retryable && wait <= c.longest
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
