package edgehttp

import (
	"bytes"
	"net"

	"colophon/exports"
	"colophon/internal/wire"
	"colophon/worker/edge"
)

// Listener turns what net/http refuses by itself, before any handler sees it,
// into a problem document like every other error: 400 malformed_request. That
// is a header over the limit of the server, which includes a query of
// megabytes, and anything that is not HTTP. base is the address of the service.
func Listener(l net.Listener, base string) net.Listener { return listener{l, base} }

type listener struct {
	net.Listener
	base string
}

// Accept waits for the next connection.
func (l listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if tcp, ok := c.(*net.TCPConn); ok {
		return connWith{tcp, l.base}, err
	}
	return c, err
}

type connWith struct {
	*net.TCPConn
	base string
}

// refusalHeader follows the status line if net/http answers by itself; the
// answer of a handler has a date there.
var refusalHeader = []byte("\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n")

// Write sends bytes to the client, or the problem document instead of a refusal
// by net/http.
func (c connWith) Write(b []byte) (int, error) {
	if !bytes.HasPrefix(b, []byte("HTTP/1.1 ")) || bytes.IndexByte(b, '\r') != bytes.Index(b, refusalHeader) {
		return c.TCPConn.Write(b)
	}
	if _, err := c.TCPConn.Write(refusalBody(c.base)); err != nil {
		return 0, err
	}
	return len(b), nil
}

func refusalBody(base string) []byte {
	kind, id := exports.KindOf("malformed_request"), requestID()
	body := wire.Append(nil, &exports.Problem{Base: base, Kind: kind, Detail: kind.Help, RequestID: id})
	resp := &edge.Response{Status: kind.Status, Body: body, Header: edge.Header{
		{Name: "content-type", Value: exports.MediaProblem},
		{Name: "cache-control", Value: "private, no-store"},
	}}
	return closingAnswer(withHeaders(resp, ""), id)
}
