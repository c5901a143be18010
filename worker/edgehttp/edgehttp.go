// Package edgehttp serves an edge.Handler over net/http: for the native server
// and for tests. It does what the script of worker/edgejs does in the Workers
// runtime, so that a handler cannot tell the two apart: a request id, a bound
// on the body, HEAD answered by the handler of GET, streams that are flushed
// as they are written, and a problem document when the handler panics.
package edgehttp

import (
	"crypto/rand"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	"colophon/worker/edge"
)

// DefaultBodyLimit is the bound on a request body if Options gives no other, in
// bytes. It fits the largest body of the service, a text to verify. Handlers
// that take less check it themselves.
const DefaultBodyLimit = 512 << 10

// Options of a server. The zero value serves.
type Options struct {
	// BodyLimit is the most bytes a request body may have. A longer one
	// reaches the handler as TooLarge, without its bytes.
	BodyLimit int64

	// Remote returns the client's address; nil takes it from the connection.
	// Behind a proxy, Remote must read the header that the proxy sets.
	Remote func(*http.Request) string

	// Bodies bounds the request bodies in flight; nil: no bound.
	Bodies *BodyBudget

	// BodyTimeout is how long a client may take to send a body. WriteTimeout is
	// how long it may take to read each writePiece of an answer that is not a
	// stream. 0 is no bound.
	BodyTimeout, WriteTimeout time.Duration

	// Observe is called after each request, even one that was cut off. It may
	// be nil.
	Observe func(*http.Request, Outcome)

	// StreamWriteTimeout is how long a client may take for each piece of a
	// stream; StreamLife is how long a stream may last before it is cut off. 0
	// means DefaultStreamWriteTimeout and DefaultStreamLife.
	StreamWriteTimeout, StreamLife time.Duration

	// Log receives a line for each panic; nil means slog.Default.
	Log *slog.Logger
}

// New returns the handler as net/http serves it.
func New(h edge.Handler, o Options) http.Handler {
	if o.BodyLimit <= 0 {
		o.BodyLimit = DefaultBodyLimit
	}
	if o.StreamWriteTimeout <= 0 {
		o.StreamWriteTimeout = DefaultStreamWriteTimeout
	}
	if o.StreamLife <= 0 {
		o.StreamLife = DefaultStreamLife
	}
	if o.Remote == nil {
		o.Remote = connectionAddress
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	return &server{h, o}
}

type server struct {
	handle edge.Handler
	Options
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	id := requestID()
	if s.Observe != nil {
		rec := &recorder{ResponseWriter: w, started: time.Now()}
		defer func() { s.Observe(r, rec.requestOutcome(id)) }()
		w = rec
	}
	defer s.recoverPanic(w, r, id)

	req := s.toEdgeRequest(r, id)
	lease, err := s.readBody(w, r, req)
	defer func() { lease.Close() }() // whatever the error, see readBody
	switch {
	case errors.Is(err, ErrBusy):
		w.Header().Set("connection", "close") // the body is not read any further
		s.sendResponse(w, r, s.faultResponse(http.StatusServiceUnavailable, r, id), id)
		return
	case err != nil:
		panic(http.ErrAbortHandler) // the body ended early: the client has gone
	}
	s.sendResponse(w, r, s.handle(r.Context(), req), id)
}

func (s *server) faultResponse(status int, r *http.Request, id string) *edge.Response {
	return Fault(status, r.URL.EscapedPath(), id)
}

// requestID returns an id that is unlikely to repeat, which is enough.
func requestID() string {
	var entropy [10]byte
	_, _ = rand.Read(entropy[:]) // never fails: see crypto/rand
	return edge.RequestID(time.Now().UnixMilli(), entropy)
}

func connectionAddress(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return ""
	}
	return host
}
