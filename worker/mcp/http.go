package mcp

import (
	"context"
	"strconv"
	"strings"

	"colophon/internal/wire"
	"colophon/worker/edge"
)

// serveEndpoint answers one HTTP request to an endpoint. It checks the rules of
// the transport first, all before it reads the body, then the message.
func (s *Server) serveEndpoint(ctx context.Context, r *edge.Request, e *endpoint) *edge.Response {
	origin, ok := s.callerOrigin(r)
	if !ok {
		resp := refuseTransport(403, codeForbidden, "This Origin is not allowed")
		resp.Header.Set("vary", "origin")
		return resp
	}
	resp := s.checkTransport(ctx, r, e)
	resp.Header.Set("vary", "origin")
	if origin != "" {
		resp.Header.Set("access-control-allow-origin", origin)
		resp.Header.Set("access-control-expose-headers", "WWW-Authenticate, MCP-Protocol-Version, Retry-After")
	}
	return resp
}

// callerOrigin returns the caller's Origin, "" if it sent none. A repeated
// header is refused, even if the host has joined it.
func (s *Server) callerOrigin(r *edge.Request) (string, bool) {
	values := r.Header.Values("origin")
	switch len(values) {
	case 0:
		return "", true
	case 1:
		return values[0], s.allowsOrigin(values[0])
	}
	return "", false
}

func (s *Server) checkTransport(ctx context.Context, r *edge.Request, e *endpoint) *edge.Response {
	switch r.Method {
	case "POST":
	case "OPTIONS":
		return preflightResponse(e)
	case "GET", "HEAD":
		// Clients of the older versions ask for an event stream here, and would
		// take any 200 for one.
		if e.metadata != nil && !strings.Contains(joinHeader(r, "accept"), "text/event-stream") {
			return e.metadata(ctx, r)
		}
		fallthrough
	default:
		resp := refuseTransport(405, codeInvalidRequest, "Use POST: this endpoint has no event stream and no sessions")
		resp.Header.Set("allow", e.allowedMethods())
		return resp
	}
	media, _, _ := strings.Cut(joinHeader(r, "content-type"), ";")
	if !strings.EqualFold(strings.TrimSpace(media), "application/json") {
		return refuseTransport(415, codeInvalidRequest, "Content-Type must be application/json")
	}
	if r.TooLarge || len(r.Body) > maxBody {
		return refuseTransport(413, codeInvalidRequest, "The body is larger than 1 MiB")
	}
	m, bad := decodeMessage(r.Body)
	if bad != nil {
		return errorResponse(bad, bad.httpStatus(), m.id)
	}
	if m.id == nil {
		return emptyResponse(202)
	}
	return s.answerRequest(ctx, r, e, &m)
}

// allowedMethods returns the value of Allow.
func (e *endpoint) allowedMethods() string {
	if e.metadata != nil {
		return "GET, POST, OPTIONS"
	}
	return "POST, OPTIONS"
}

func preflightResponse(e *endpoint) *edge.Response {
	resp := emptyResponse(204)
	resp.Header.Set("allow", e.allowedMethods())
	resp.Header.Set("access-control-allow-methods", e.allowedMethods())
	resp.Header.Set("access-control-allow-headers", "Authorization, Content-Type, Accept, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Last-Event-ID")
	return resp
}

// joinHeader returns a header as one line. It joins repeated ones, as the
// Workers runtime does, so that no second value is overlooked.
func joinHeader(r *edge.Request, name string) string {
	v := r.Header.Values(name)
	switch len(v) {
	case 0:
		return ""
	case 1:
		return strings.Trim(v[0], " \t")
	}
	return strings.Trim(strings.Join(v, ", "), " \t")
}

// refuseTransport answers a request without a valid message with an error that
// has no id.
func refuseTransport(status, code int, message string) *edge.Response {
	return errorResponse(&rpcError{code: code, message: message}, status, nil)
}

func errorResponse(e *rpcError, status int, id *wire.Value) *edge.Response {
	resp := jsonResponse(status, e.appendResponse(nil, id))
	for _, h := range e.header {
		resp.Header.Set(h[0], h[1])
	}
	return resp
}

func jsonResponse(status int, body []byte) *edge.Response {
	resp := emptyResponse(status)
	resp.Body = body
	resp.Header.Set("content-type", "application/json")
	return resp
}

// emptyResponse returns an answer without a body. How long an answer may be
// kept is in its ttlMs, not in headers for HTTP caches.
func emptyResponse(status int) *edge.Response {
	resp := &edge.Response{Status: status}
	resp.Header.Set("cache-control", "no-store")
	return resp
}

// rateError returns the error of a caller that is over its rate.
func rateError(wait int64) *rpcError {
	return &rpcError{code: codeBusy, message: "The rate limit is exceeded", status: 429, header: [][2]string{{"retry-after", strconv.FormatInt(max(wait, 1), 10)}}}
}
