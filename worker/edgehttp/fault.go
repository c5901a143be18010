package edgehttp

import (
	"bytes"
	"fmt"
	"net/http"

	"colophon/exports"
	"colophon/worker/edge"
)

// Fault is edge.Fault with the headers that every answer for a path has, so
// that scripts of other origins can read it if they can read the path's other
// answers.
func Fault(status int, path, id string) *edge.Response {
	return withHeaders(edge.Fault(status, id), path)
}

// withHeaders adds to an answer the headers that every answer to a path has.
func withHeaders(resp *edge.Response, path string) *edge.Response {
	headers := exports.SecurityHeaders(path, resp.Header.Get("content-type"))
	if exports.IsShared(path) {
		headers = append(headers, exports.PublicHeaders()...)
	}
	for _, h := range headers {
		if !resp.Header.Has(h[0]) {
			resp.Header.Add(h[0], h[1])
		}
	}
	return resp
}

// Overloaded returns a complete HTTP answer, 503 with Retry-After, for a
// connection that was not read.
func Overloaded() []byte {
	id := requestID()
	return closingAnswer(Fault(http.StatusServiceUnavailable, "", id), id)
}

// closingAnswer returns a complete HTTP answer after which the connection is
// closed.
func closingAnswer(resp *edge.Response, id string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "HTTP/1.1 %d %s\r\nConnection: close\r\n", resp.Status, http.StatusText(resp.Status))
	for _, f := range resp.Header {
		fmt.Fprintf(&b, "%s: %s\r\n", http.CanonicalHeaderKey(f.Name), f.Value)
	}
	fmt.Fprintf(&b, "Request-Id: %s\r\nContent-Length: %d\r\n\r\n%s", id, len(resp.Body), resp.Body)
	return b.Bytes()
}
