package openapi

import (
	"slices"
	"strconv"
	"strings"

	"colophon/exports"
	"colophon/internal/wire"
)

// parameterObjects returns those of path, query and header of an operation.
func parameterObjects(e *exports.Endpoint) []wire.Value {
	var out []wire.Value
	for _, name := range PathNames(e.Path) {
		out = append(out, pathParameter(name))
	}
	for i := range e.Query {
		out = append(out, queryParameter(e, &e.Query[i]))
	}
	for _, name := range requestHeaders(e) {
		out = append(out, obj(jsonMember("$ref", str("#/components/parameters/"+name))))
	}
	return out
}

func pathParameter(name string) wire.Value {
	return obj(
		jsonMember("name", str(name)),
		jsonMember("in", str("path")),
		jsonMember("required", wire.Bool(true)),
		jsonMember("schema", obj(jsonMember("type", str("string")), jsonMember("minLength", wire.Int(1)))),
	)
}

func queryParameter(e *exports.Endpoint, p *exports.Param) wire.Value {
	purpose := p.Purpose
	if p.List {
		purpose += " A value may be a comma list (any of them); given again, all must hold."
	}
	if isUse(p) {
		purpose += " Other names of the eight uses are understood too."
	}
	out := obj(jsonMember("name", str(p.Name)), jsonMember("in", str("query")), jsonMember("description", str(purpose)), jsonMember("required", wire.Bool(false)))
	value := valueSchema(p)
	if !p.List {
		if def, ok := defaultOf(p); ok {
			value.Members = append(value.Members, jsonMember("default", def))
		}
		return out.With("schema", value)
	}
	out.Members = append(out.Members,
		jsonMember("style", str("form")),
		jsonMember("explode", wire.Bool(true)),
		jsonMember("schema", obj(jsonMember("type", str("array")), jsonMember("items", value))),
	)
	return out
}

func isUse(p *exports.Param) bool { return slices.Equal(p.Values, exports.UseWords()) }

// valueSchema returns the schema of one value of a parameter. Booleans are
// words, because 1 and 0 are understood as well.
func valueSchema(p *exports.Param) wire.Value {
	switch {
	case p.Type == "integer":
		out := obj(jsonMember("type", str("integer")), jsonMember("minimum", wire.Int(0)))
		if p.Max > 0 {
			out.Members = append(out.Members, jsonMember("maximum", wire.Int(p.Max)))
		}
		return out
	case p.Name == "readiness":
		levels := obj(jsonMember("type", str("string")), jsonMember("enum", strs(p.Values...)))
		from := obj(jsonMember("type", str("string")), jsonMember("pattern", str("^min:("+strings.Join(p.Values, "|")+")$")))
		return obj(jsonMember("anyOf", arr(levels, from)))
	case len(p.Values) > 0:
		return obj(jsonMember("type", str("string")), jsonMember("enum", strs(p.Values...)))
	case p.Name == "fingerprint":
		return obj(jsonMember("type", str("string")), jsonMember("pattern", str("^[0-9A-Fa-f]{64}$")))
	case p.Name == "territory":
		return obj(jsonMember("type", str("string")), jsonMember("pattern", str("^[A-Z]{2}$")))
	case p.Name == "at", strings.HasSuffix(p.Name, "_after"), p.Name == "updated_since":
		return obj(jsonMember("type", str("string")), jsonMember("format", str("date-time")))
	}
	return obj(jsonMember("type", str("string")))
}

func defaultOf(p *exports.Param) (wire.Value, bool) {
	if p.Default == "" {
		return wire.Null(), false
	}
	if p.Type != "integer" {
		return str(p.Default), true
	}
	n, err := strconv.ParseInt(p.Default, 10, 64)
	return wire.Int(n), err == nil
}

// PathNames lists the parameters of a path such as /v1/records/{entry_id}.
func PathNames(path string) []string {
	var out []string
	for {
		_, rest, ok := strings.Cut(path, "{")
		if !ok {
			return out
		}
		name, after, _ := strings.Cut(rest, "}")
		out, path = append(out, name), after
	}
}

// requestHeaders names the components of the headers that an operation reads,
// besides those of credentials.
func requestHeaders(e *exports.Endpoint) []string {
	switch e.ID {
	case "partner_create_request":
		return []string{"idempotency_key_required"}
	case "create_request":
		return []string{"idempotency_key", "service_proof"}
	case "delivery_snapshot":
		return []string{"idempotency_key"}
	case "delivery_items", "delivery_feed", "delivery_delta":
		return []string{"content_telemetry_id"}
	}
	if e.Group == "mcp" && e.Method == "POST" {
		return []string{"mcp_protocol_version", "mcp_method", "mcp_name"}
	}
	if hasRanges(e) {
		return []string{"if_none_match", "range"}
	}
	if isCacheable(e) {
		return []string{"if_none_match"}
	}
	return nil
}

// isCacheable reports whether the answers of an operation have an ETag.
func isCacheable(e *exports.Endpoint) bool {
	return e.Method == "GET" && e.Made != exports.FromOrigin && e.Group != "mcp"
}

// hasRanges reports whether the answers of an operation can be read in parts.
func hasRanges(e *exports.Endpoint) bool {
	return isCacheable(e) && (e.Media == exports.MediaNDJSON || e.Media == exports.MediaCSV)
}

// headerParameters returns the request headers, as components.
func headerParameters() []wire.Member {
	text := func(more ...wire.Member) wire.Value {
		return obj(append([]wire.Member{jsonMember("type", str("string"))}, more...)...)
	}
	key := text(jsonMember("minLength", wire.Int(1)), jsonMember("maxLength", wire.Int(255)), jsonMember("pattern", str("^[!-~]+$")))
	row := func(component, name string, required bool, purpose string, schema wire.Value) wire.Member {
		return jsonMember(component, obj(
			jsonMember("name", str(name)),
			jsonMember("in", str("header")),
			jsonMember("required", wire.Bool(required)),
			jsonMember("description", str(purpose)),
			jsonMember("schema", schema),
		))
	}
	again := "A key of the caller for one new request: the same key with the same body answers what was created first. It is kept for " + strconv.Itoa(exports.IdempotencyDays) + " days."
	return []wire.Member{
		row("idempotency_key", "Idempotency-Key", false, again, key),
		row("idempotency_key_required", "Idempotency-Key", true, again, key),
		row("service_proof", "Service-Proof", false, "Answer to the challenge of anti_spam_challenge: nonce=…;answer=…, where SHA-256(nonce \":\" answer) begins with as many zero bits as the challenge asks.", text()),
		row("content_telemetry_id", "Content-Telemetry-Id", false, "Comes back in the answer.", text(jsonMember("maxLength", wire.Int(128)))),
		row("if_none_match", "If-None-Match", false, "Entity tags that the caller has: 304 says that one of them is current.", text()),
		row("range", "Range", false, "One part of the answer, in bytes (RFC 9110, section 14): bytes=1000-.", text()),
		row("mcp_protocol_version", "MCP-Protocol-Version", false, "Version of the protocol, as in the body.", text()),
		row("mcp_method", "Mcp-Method", false, "The method of the message, by which intermediaries route.", text()),
		row("mcp_name", "Mcp-Name", false, "The tool or resource of the message, by which intermediaries route.", text()),
	}
}
