package edgehttp

import (
	"errors"
	"net/http"
	"time"
)

// The defaults of Options for streams.
const (
	DefaultStreamLife         = 5 * time.Minute
	DefaultStreamWriteTimeout = 30 * time.Second
)

// streamPiece is what a client must be able to take within StreamWriteTimeout.
const streamPiece = 64 << 10

// streamWriter sends each Write to the client at once. It cuts off a client
// that reads nothing during a write timeout, and a stream that exceeds its
// life. net/http removes the deadline from the connection before its next
// request.
type streamWriter struct {
	to      http.ResponseWriter
	control *http.ResponseController
	timeout time.Duration
	end     time.Time
}

func (s *server) newStreamWriter(w http.ResponseWriter) *streamWriter {
	return &streamWriter{
		to:      w,
		control: http.NewResponseController(w),
		timeout: s.StreamWriteTimeout,
		end:     time.Now().Add(s.StreamLife),
	}
}

// Write fails when the client has gone, and with a timeout when it is too slow
// or the stream has lasted too long.
func (w *streamWriter) Write(p []byte) (int, error) {
	sent := 0
	for sent < len(p) {
		piece := p[sent:min(sent+streamPiece, len(p))]
		n, err := w.writePiece(piece)
		sent += n
		if err != nil {
			return sent, err
		}
	}
	return sent, nil
}

func (w *streamWriter) writePiece(p []byte) (int, error) {
	deadline := time.Now().Add(w.timeout)
	if deadline.After(w.end) {
		deadline = w.end
	}
	if err := w.setDeadline(deadline); err != nil {
		return 0, err
	}
	n, err := w.to.Write(p)
	if err != nil {
		return n, err
	}
	return n, w.control.Flush()
}

// setDeadline does nothing if the host does not support deadlines, as a
// recorder in tests.
func (w *streamWriter) setDeadline(at time.Time) error {
	err := w.control.SetWriteDeadline(at)
	if errors.Is(err, http.ErrNotSupported) {
		return nil
	}
	return err
}
