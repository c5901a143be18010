package edgehttp

import (
	"net/http"
	"time"
)

// Outcome is the result of a request.
type Outcome struct {
	ID       string // request id
	Status   int    // 0 if the connection was cut before an answer
	Bytes    int64  // of the body sent
	Duration time.Duration
}

// recorder records what is sent.
type recorder struct {
	http.ResponseWriter
	started time.Time
	status  int
	bytes   int64
}

// WriteHeader sends the head of an answer.
func (r *recorder) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
	r.ResponseWriter.WriteHeader(status)
}

// Write sends bytes of its body.
func (r *recorder) Write(p []byte) (int, error) {
	n, err := r.ResponseWriter.Write(p)
	r.bytes += int64(n)
	return n, err
}

// Unwrap lets http.ResponseController reach the connection.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

func (r *recorder) requestOutcome(id string) Outcome {
	return Outcome{ID: id, Status: r.status, Bytes: r.bytes, Duration: time.Since(r.started)}
}
