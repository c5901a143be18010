// Package edge is the HTTP of the worker: a request, a response, an ordered
// header list and the Handler between them. It is a small, value-only
// counterpart of net/http that does not import it, so that one handler serves
// three hosts: the Workers runtime (worker/edgejs), the native server
// (worker/edgehttp) and a direct call in a test.
package edge

import "context"

// Handler answers one request. It returns a response for every input, never
// nil, and starts nothing that outlives the call.
type Handler func(ctx context.Context, r *Request) *Response

// Request is one HTTP request, fully read.
type Request struct {
	Method   string // upper case
	Path     string // as sent, still percent-encoded, beginning with "/"
	Query    string // raw, without "?"
	Header   Header
	Body     []byte
	TooLarge bool   // the host refused to read the body: answer 413
	Remote   string // client address without port, "" if unknown
	ID       string // request id made by the host, "rid_" + 26 characters
}

// Response is one HTTP response. Exactly one of Body and Stream is used: a
// non-nil Stream is called once by the host after the headers are sent.
type Response struct {
	Status int
	Header Header
	Body   []byte
	Stream func(w Writer) error
}

// Writer is the destination of a streaming response. Write blocks while the
// client is slow and fails once it has gone; the stream function must then
// return at once.
type Writer interface {
	Write(p []byte) (int, error)
}
