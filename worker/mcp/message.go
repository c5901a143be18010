package mcp

import (
	"errors"
	"strings"

	"colophon/internal/wire"
)

const maxBody = 1 << 20

// limits of a message. Values bounds what a small body can cost in memory.
var limits = wire.Limits{Bytes: maxBody, Depth: 64, Members: 1024, Values: 1 << 14, Floats: true}

// message is one JSON-RPC 2.0 request or notification.
type message struct {
	id     *wire.Value // a string, or a number whose token is an integer; nil in a notification
	method string
	params *wire.Value // an object, or nil
}

// decodeMessage decodes one message. Even if it refuses the message, the result
// has what is known about its id.
func decodeMessage(body []byte) (message, *rpcError) {
	var m message
	v, err := wire.Parse(body, limits)
	if err != nil {
		return m, unreadableError(err)
	}
	if v.Kind == wire.KindArray {
		return m, &rpcError{code: codeInvalidRequest, message: "Batches are not supported: send one message in a request"}
	}
	if v.Kind != wire.KindObject {
		return m, &rpcError{code: codeInvalidRequest, message: "A message must be an object"}
	}
	bad := m.readMembers(&v) // on its own: which comes first in a return is not specified
	return m, bad
}

// unreadableError returns the error for text that is not JSON, or for JSON that
// is refused.
func unreadableError(err error) *rpcError {
	var e *wire.Error
	if errors.As(err, &e) {
		switch e.Code {
		case "json_too_deep":
			return &rpcError{code: codeInvalidRequest, message: "The message is nested too deeply"}
		case "json_too_many_members":
			return &rpcError{code: codeInvalidRequest, message: "The message has too many values"}
		case "json_duplicate_member":
			return &rpcError{code: codeInvalidRequest, message: "The message names a member twice"}
		}
	}
	return &rpcError{code: codeParse, message: "The body is not one JSON value in UTF-8"}
}

func (m *message) readMembers(v *wire.Value) *rpcError {
	id := v.Get("id")
	if id != nil && !validID(id) {
		return &rpcError{code: codeInvalidRequest, message: "id must be a string or an integer"}
	}
	m.id = id
	if s, ok := v.Get("jsonrpc").Str(); !ok || s != "2.0" {
		return &rpcError{code: codeInvalidRequest, message: `jsonrpc must be "2.0"`}
	}
	method := v.Get("method")
	if method == nil && (v.Get("result") != nil || v.Get("error") != nil) {
		return &rpcError{code: codeInvalidRequest, message: "This server sends no requests and takes no responses"}
	}
	s, ok := method.Str()
	if !ok || s == "" {
		return &rpcError{code: codeInvalidRequest, message: "method must be a non-empty string"}
	}
	m.method, m.params = s, v.Get("params")
	if m.params != nil && m.params.Kind != wire.KindObject {
		return &rpcError{code: codeInvalidRequest, message: "params must be an object"}
	}
	return nil
}

func validID(v *wire.Value) bool {
	return v.Kind == wire.KindString || v.Kind == wire.KindNumber && !strings.ContainsAny(v.Text, ".eE")
}
