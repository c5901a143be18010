package mcp

import (
	"strconv"

	"colophon/internal/wire"
)

// Codes of JSON-RPC and of the protocol, then the service's own, which lie
// outside the reserved ranges.
const (
	codeParse          = -32700
	codeInvalidRequest = -32600
	codeUnknownMethod  = -32601
	codeInvalidParams  = -32602
	codeInternal       = -32603
	codeHeader         = -32020
	codeVersion        = -32022

	codeUnauthorized = 40100
	codeForbidden    = 40300
	codeNotFound     = 40400
	codeBusy         = 42900
)

// retryAfter is how many seconds a caller should wait for what is unavailable.
const retryAfter = 30

// rpcError is the error of one request. Data is JSON, or empty. A Status of 0
// means the one that belongs to the code.
type rpcError struct {
	code    int
	message string
	data    []byte
	status  int
	header  [][2]string
}

// httpStatus returns the status of an error to a modern request, or to a body
// that could not be read as a request.
func (e *rpcError) httpStatus() int {
	switch {
	case e.status != 0:
		return e.status
	case e.code == codeUnknownMethod:
		return 404
	case e.code == codeInternal:
		return 500
	}
	return 400
}

// appendResponse writes the error response canonically. An unknown id is left out.
func (e *rpcError) appendResponse(b []byte, id *wire.Value) []byte {
	b = append(b, `{"error":{"code":`...)
	b = strconv.AppendInt(b, int64(e.code), 10)
	if len(e.data) > 0 {
		b = append(b, `,"data":`...)
		b = append(b, e.data...)
	}
	b = append(b, `,"message":`...)
	b = wire.AppendString(b, e.message)
	b = append(b, '}')
	if id != nil {
		b = append(b, `,"id":`...)
		b = id.Append(b)
	}
	return append(b, `,"jsonrpc":"2.0"}`...)
}

func unsupportedVersion(requested string) *rpcError {
	data := wire.Object(wire.M("supported", wire.Strings(Supported...)), wire.M("requested", wire.String(requested)))
	return &rpcError{code: codeVersion, message: "Unsupported protocol version", data: data.Append(nil)}
}

func unknownMethod(method string) *rpcError {
	return &rpcError{code: codeUnknownMethod, message: "Method not found: " + shortenPrintable(method)}
}

func invalidParams(message string) *rpcError {
	return &rpcError{code: codeInvalidParams, message: message}
}

// shortenPrintable shortens a caller's text for a message.
func shortenPrintable(s string) string {
	b := make([]byte, 0, 64)
	for i := 0; i < len(s) && len(b) < 64; i++ {
		if s[i] > ' ' && s[i] < 0x7f {
			b = append(b, s[i])
		}
	}
	return string(b)
}
