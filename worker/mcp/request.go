package mcp

import (
	"context"
	"encoding/base64"
	"strings"
	"unicode/utf8"

	"colophon/internal/wire"
	"colophon/worker/edge"
)

const (
	metaVersion      = "io.modelcontextprotocol/protocolVersion"
	metaCapabilities = "io.modelcontextprotocol/clientCapabilities"
	metaClient       = "io.modelcontextprotocol/clientInfo"
	metaLogLevel     = "io.modelcontextprotocol/logLevel"
	metaServer       = "io.modelcontextprotocol/serverInfo"
)

// request answers a well-formed request.
func (s *Server) request(ctx context.Context, r *edge.Request, e *endpoint, m *message) *edge.Response {
	c := &call{server: s, endpoint: e, http: r, message: m, modern: era(r, m)}
	result, err := c.run(ctx)
	switch {
	case err == nil:
		return reply(200, c.response(result))
	case c.modern:
		return failed(err, err.httpStatus(), m.id)
	}
	return failed(err, err.legacyStatus(), m.id)
}

// legacyStatus is 200 for every error that older clients must be able to
// read: they turn other statuses into a failure of the connection.
func (e *rpcError) legacyStatus() int {
	if e.status != 0 {
		return e.status
	}
	return 200
}

// era reports whether a request belongs to the present version. A request
// that claims no version, or an old one without contradiction, is an old one.
func era(r *edge.Request, m *message) bool {
	in := header(r, "mcp-protocol-version")
	v := m.params.Get("_meta").Get(metaVersion)
	if v == nil {
		return in >= Version
	}
	body, _ := v.Str()
	return !legacy(body) || in != "" && in != body
}

// check holds a request against the rules of its era.
func (c *call) check() *rpcError {
	in := header(c.http, "mcp-protocol-version")
	if !c.modern {
		if in == "" || legacy(in) || in == tolerated {
			return nil
		}
		e := unsupportedVersion(in)
		e.status = 400
		return e
	}
	version, err := envelope(c.message.params)
	if err != nil {
		return err
	}
	switch {
	case in != version:
		return mismatch("MCP-Protocol-Version")
	case version != Version:
		return unsupportedVersion(version)
	case header(c.http, "mcp-method") != c.message.method:
		return mismatch("Mcp-Method")
	}
	return c.named()
}

func mismatch(name string) *rpcError {
	return &rpcError{code: codeHeader, message: "Header mismatch: " + name + " is missing or differs from the body"}
}

// envelope checks what each request says of itself, and returns its version.
func envelope(params *wire.Value) (string, *rpcError) {
	meta := params.Get("_meta")
	if meta == nil || meta.Kind != wire.KindObject {
		return "", invalidParams("params._meta must be an object")
	}
	version, ok := meta.Get(metaVersion).Str()
	if !ok {
		return "", invalidParams("_meta needs " + metaVersion + ", a string")
	}
	if v := meta.Get(metaCapabilities); v == nil || v.Kind != wire.KindObject {
		return "", invalidParams("_meta needs " + metaCapabilities + ", an object")
	}
	if v := meta.Get(metaClient); v != nil {
		_, name := v.Get("name").Str()
		_, release := v.Get("version").Str()
		if !name || !release {
			return "", invalidParams(metaClient + " must be an object with name and version")
		}
	}
	if v := meta.Get(metaLogLevel); v != nil && !logLevel(v) {
		return "", invalidParams(metaLogLevel + " is not a log level")
	}
	return version, nil
}

func logLevel(v *wire.Value) bool {
	word, _ := v.Str()
	switch word {
	case "debug", "info", "notice", "warning", "error", "critical", "alert", "emergency":
		return true
	}
	return false
}

// named checks Mcp-Name, by which intermediaries route.
func (c *call) named() *rpcError {
	member := "name"
	switch c.message.method {
	case "tools/call", "prompts/get":
	case "resources/read":
		member = "uri"
	default:
		return nil
	}
	want, ok := c.message.params.Get(member).Str()
	got, decoded := headerText(header(c.http, "mcp-name"))
	if !ok || !decoded || !c.http.Header.Has("mcp-name") || got != want {
		return mismatch("Mcp-Name")
	}
	return nil
}

// headerText undoes the form =?base64?…?= in which a header carries what it
// cannot carry as it is.
func headerText(s string) (string, bool) {
	rest, ok := strings.CutPrefix(s, "=?base64?")
	if !ok {
		return s, true
	}
	coded, ok := strings.CutSuffix(rest, "?=")
	if !ok {
		return s, true
	}
	b, err := base64.StdEncoding.DecodeString(coded)
	if err != nil || !utf8.Valid(b) {
		return "", false
	}
	return string(b), true
}
