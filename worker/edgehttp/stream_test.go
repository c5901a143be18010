package edgehttp

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"colophon/internal/assert"
	"colophon/worker/edge"
)

// endless streams pieces until a Write fails, and sends its error; it sends nil
// if none fails for seconds.
func endless(failed chan<- error, between time.Duration) edge.Handler {
	return func(context.Context, *edge.Request) *edge.Response {
		return &edge.Response{Status: 200, Stream: func(w edge.Writer) error {
			piece := bytes.Repeat([]byte("x"), 100<<10)
			for start := time.Now(); time.Since(start) < 5*time.Second; {
				if _, err := w.Write(piece); err != nil {
					failed <- err
					return err
				}
				time.Sleep(between)
			}
			failed <- nil
			return nil
		}}
	}
}

// TestStreamToAClientThatStopsReading checks that such a client is disconnected
// after the write timeout, however much of the stream's maximum duration is
// left.
func TestStreamToAClientThatStopsReading(t *testing.T) {
	failed := make(chan error, 1)
	s, _ := serve(t, endless(failed, 0), Options{StreamWriteTimeout: 50 * time.Millisecond, StreamLife: time.Hour})
	conn, err := net.Dial("tcp", s.Listener.Addr().String())
	must(t, err)
	defer conn.Close()
	must(t, assert.Err(io.WriteString(conn, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")))

	select {
	case got := <-failed:
		var timeout net.Error
		if !errors.As(got, &timeout) || !timeout.Timeout() {
			t.Errorf("cut by %v", got)
		}
	case <-time.After(10 * time.Second):
		t.Error("the client is waited for")
	}
}

// TestStreamEndsWithItsLife checks that even a client that keeps reading is
// disconnected at the end of the stream's maximum duration.
func TestStreamEndsWithItsLife(t *testing.T) {
	failed := make(chan error, 1)
	s, _ := serve(t, endless(failed, time.Millisecond), Options{StreamWriteTimeout: time.Hour, StreamLife: 100 * time.Millisecond})
	res, err := http.Get(s.URL)
	must(t, err)
	defer res.Body.Close()

	_, err = io.Copy(io.Discard, res.Body)

	assert.Fails(t, err, "the answer ended as if it were whole")
	if got := <-failed; got == nil {
		t.Error("the stream did not learn of it")
	}
}
