package edgehttp

import (
	"net/http"
	"runtime/debug"
	"strconv"
	"time"

	"colophon/worker/edge"
)

func (s *server) sendResponse(w http.ResponseWriter, r *http.Request, res *edge.Response, id string) {
	if res.Stream == nil {
		s.setWriteDeadline(w, len(res.Body))
	}
	writeHead(w, res, id)
	switch {
	case r.Method == http.MethodHead:
	case res.Stream == nil:
		_, _ = w.Write(res.Body) // an error means that the client has gone
	default:
		if err := res.Stream(s.newStreamWriter(w)); err != nil {
			panic(http.ErrAbortHandler) // cuts the answer, so that the client notices
		}
	}
}

// writePiece is what a client must be able to read within WriteTimeout.
const writePiece = 1 << 20

// setWriteDeadline gives a client time to read an answer of so many bytes.
func (s *server) setWriteDeadline(w http.ResponseWriter, size int) {
	if s.WriteTimeout <= 0 {
		return
	}
	pieces := time.Duration(1 + size/writePiece)
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(pieces * s.WriteTimeout)) // a writer without deadlines is a test's
}

func writeHead(w http.ResponseWriter, res *edge.Response, id string) {
	h := w.Header()
	for _, f := range res.Header {
		if f.Valid() {
			h.Add(f.Name, f.Value)
		}
	}
	h.Set("request-id", id)
	if res.Stream == nil && res.Status != http.StatusNoContent && res.Status != http.StatusNotModified {
		h.Set("content-length", strconv.Itoa(len(res.Body))) // HEAD sends it too
	}
	w.WriteHeader(res.Status)
}

// recoverPanic turns a panic of the handler into a problem document. Once the
// head has been sent, it can only cut the answer off.
func (s *server) recoverPanic(w http.ResponseWriter, r *http.Request, id string) {
	cause := recover()
	if cause == nil {
		return
	}
	if cause == http.ErrAbortHandler {
		panic(cause)
	}
	s.Log.ErrorContext(r.Context(), "handler panicked", "request_id", id, "cause", cause, "stack", string(debug.Stack()))
	if w.Header().Get("request-id") != "" {
		panic(http.ErrAbortHandler)
	}
	s.sendResponse(w, r, s.faultResponse(http.StatusInternalServerError, r, id), id)
}
