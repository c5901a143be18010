package openapitest

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"sync"
	"testing"

	"colophon/worker/edge"
)

// Handler is h, whose every answer is held against the contract: what is
// outside it fails the test or, where t is nil, the package whose tests Run
// runs.
func Handler(t testing.TB, h edge.Handler) edge.Handler {
	return func(ctx context.Context, r *edge.Request) *edge.Response {
		resp := h(ctx, r)
		a := &Answer{Method: r.Method, Path: r.Path, Status: resp.Status, Header: http.Header{}, Body: resp.Body}
		for _, f := range resp.Header {
			a.Header.Add(f.Name, f.Value)
		}
		if resp.Stream == nil {
			report(t, a)
			return resp
		}
		stream := resp.Stream
		resp.Stream = func(w edge.Writer) error {
			var body bytes.Buffer
			err := stream(tee{w, &body})
			a.Body, a.Cut = body.Bytes(), err != nil
			report(t, a)
			return err
		}
		return resp
	}
}

func report(t testing.TB, a *Answer) {
	if t == nil {
		everywhere.judge(a)
		return
	}
	if err := Ours().Check(a); err != nil {
		t.Error(err)
	}
}

// everywhere judges the answers of tests that have no testing.TB at hand.
var everywhere = &Transport{Marked: true}

type tee struct {
	edge.Writer
	copy *bytes.Buffer
}

// Write sends bytes on, and keeps what was sent.
func (w tee) Write(b []byte) (int, error) {
	n, err := w.Writer.Write(b)
	w.copy.Write(b[:n])
	return n, err
}

// Transport holds every answer that comes through it against the contract, and
// keeps what is outside it.
type Transport struct {
	http.RoundTripper

	// Marked leaves out answers without the header that marks all of the
	// service: tests also ask servers that only play a part.
	Marked bool

	mu     sync.Mutex
	faults []error
	judged int
}

// RoundTrip sends a request. Its answer is judged when its body is closed.
func (t *Transport) RoundTrip(r *http.Request) (*http.Response, error) {
	return t.pass(t.RoundTripper, r)
}

func (t *Transport) pass(next http.RoundTripper, r *http.Request) (*http.Response, error) {
	resp, err := next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	if t.Marked && resp.Header.Get("Service-Version") == "" {
		return resp, nil
	}
	a := &Answer{Method: r.Method, Path: r.URL.EscapedPath(), Status: resp.StatusCode, Header: resp.Header}
	resp.Body = &body{ReadCloser: resp.Body, answer: a, done: t.judge}
	return resp, nil
}

func (t *Transport) judge(a *Answer) {
	err := Ours().Check(a)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.judged++
	if err != nil {
		t.faults = append(t.faults, err)
	}
}

// Faults says how many answers were judged, and which were outside the
// contract.
func (t *Transport) Faults() (judged int, faults []error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.judged, t.faults
}

// Through returns next, and compares its answers with the contract while Run runs
// the tests. It is for clients that have a transport of their own.
func Through(next http.RoundTripper) http.RoundTripper {
	return roundTripper(func(r *http.Request) (*http.Response, error) { return everywhere.pass(next, r) })
}

type roundTripper func(*http.Request) (*http.Response, error)

// RoundTrip sends a request.
func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// Run runs the tests of a package with a Transport instead of
// http.DefaultTransport, and fails if an answer violated the contract.
func Run(m interface{ Run() int }) int {
	everywhere.RoundTripper = http.DefaultTransport
	http.DefaultTransport = everywhere
	code := m.Run()
	_, faults := everywhere.Faults()
	for _, err := range faults {
		fmt.Println("FAIL:", err)
	}
	if len(faults) > 0 && code == 0 {
		return 1
	}
	return code
}

// body keeps what is read through it.
type body struct {
	io.ReadCloser
	answer *Answer
	done   func(*Answer)
	kept   bytes.Buffer
	ended  bool
	once   sync.Once
}

// Read reads, and keeps what was read.
func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.kept.Write(p[:n])
	if err == io.EOF {
		b.ended = true
	}
	return n, err
}

// Close ends the answer, which is judged now.
func (b *body) Close() error {
	b.once.Do(func() {
		b.answer.Body, b.answer.Cut = b.kept.Bytes(), !b.ended
		b.done(b.answer)
	})
	return b.ReadCloser.Close()
}
