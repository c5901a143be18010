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

// answerRequest answers a well-formed request.
func (s *Server) answerRequest(ctx context.Context, r *edge.Request, e *endpoint, m *message) *edge.Response {
	c := &call{server: s, endpoint: e, http: r, message: m, modern: isModern(r, m)}
	result, err := c.runCall(ctx)
	switch {
	case err == nil:
		return jsonResponse(200, c.wrapResult(result))
	case c.modern:
		return errorResponse(err, err.httpStatus(), m.id)
	}
	return errorResponse(err, err.legacyStatus(), m.id)
}

// legacyStatus returns 200 for every error that older clients must be able to
// read, because they turn other statuses into a failure of the connection.
func (e *rpcError) legacyStatus() int {
	if e.status != 0 {
		return e.status
	}
	return 200
}

// isModern reports whether a request belongs to the present version. A request
// that claims no version, or consistently an old one, does not.
func isModern(r *edge.Request, m *message) bool {
	in := joinHeader(r, "mcp-protocol-version")
	v := m.params.Get("_meta").Get(metaVersion)
	if v == nil {
		return in >= Version
	}
	body, _ := v.Str()
	return !isLegacy(body) || in != "" && in != body
}

// checkEra checks a request against the rules of its era.
func (c *call) checkEra() *rpcError {
	in := joinHeader(c.http, "mcp-protocol-version")
	if !c.modern {
		if in == "" || isLegacy(in) || in == tolerated {
			return nil
		}
		e := unsupportedVersion(in)
		e.status = 400
		return e
	}
	version, err := checkEnvelope(c.message.params)
	if err != nil {
		return err
	}
	switch {
	case in != version:
		return mismatchError("MCP-Protocol-Version")
	case version != Version:
		return unsupportedVersion(version)
	case joinHeader(c.http, "mcp-method") != c.message.method:
		return mismatchError("Mcp-Method")
	}
	return c.checkName()
}

func mismatchError(name string) *rpcError {
	return &rpcError{code: codeHeader, message: "Header mismatch: " + name + " is missing or differs from the body"}
}

// checkEnvelope checks the envelope of a request, and returns its version.
func checkEnvelope(params *wire.Value) (string, *rpcError) {
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

// checkName checks Mcp-Name, by which intermediaries route.
func (c *call) checkName() *rpcError {
	member := "name"
	switch c.message.method {
	case "tools/call", "prompts/get":
	case "resources/read":
		member = "uri"
	default:
		return nil
	}
	want, ok := c.message.params.Get(member).Str()
	got, decoded := headerText(joinHeader(c.http, "mcp-name"))
	if !ok || !decoded || !c.http.Header.Has("mcp-name") || got != want {
		return mismatchError("Mcp-Name")
	}
	return nil
}

// headerText decodes the form =?base64?…?=, in which a header carries
// characters that it cannot carry otherwise.
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
