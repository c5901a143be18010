// Package openapi makes the OpenAPI 3.1 description of the service: from the
// endpoint table of exports, from the records that operations answer with, and
// from the table of problems that each can answer.
package openapi

import (
	"slices"
	"strings"

	"colophon/exports"
	"colophon/internal/wire"
)

// Shorthands of the document, which is written once and never read back here.
var (
	obj  = wire.Object
	arr  = wire.Array
	str  = wire.String
	strs = wire.Strings
)

func m(name string, v wire.Value) wire.Member { return wire.M(name, v) }

// Document is the description of a service with that title at baseURL, which
// has no final slash. The same arguments give the same document.
func Document(title, baseURL string) wire.Value {
	var paths []wire.Member
	problems := &problemSet{}
	for i := range exports.Surface {
		e := &exports.Surface[i]
		paths = addOperation(paths, e.Path, m(strings.ToLower(e.Method), operation(e, problems)))
	}
	return obj(
		m("openapi", str("3.1.0")),
		m("info", obj(
			m("title", str(title)),
			m("version", str(exports.Version)),
			m("description", str("Discovery, licensing inquiry, provenance and AI rights map. Nothing this service publishes or answers grants rights.")),
			m("license", obj(m("name", str("No rights are granted")), m("url", str(baseURL+"/developers/boundaries/")))),
		)),
		m("servers", arr(obj(m("url", str(baseURL))))),
		m("paths", obj(paths...)),
		m("components", obj(
			m("schemas", obj(Schemas()...)),
			m("responses", obj(problems.responses...)),
			m("headers", obj(headerComponents()...)),
			m("parameters", obj(headerParameters()...)),
			m("securitySchemes", securitySchemes()),
		)),
		m("tags", arr(tags()...)),
	)
}

func addOperation(paths []wire.Member, path string, op wire.Member) []wire.Member {
	for i := range paths {
		if paths[i].Name == path {
			paths[i].Value.Members = append(paths[i].Value.Members, op)
			return paths
		}
	}
	return append(paths, m(path, obj(op)))
}

func operation(e *exports.Endpoint, problems *problemSet) wire.Value {
	op := obj(
		m("operationId", str(e.ID)),
		m("summary", str(strings.TrimSuffix(e.Purpose, "."))),
		m("description", str(e.Purpose+" Grants no rights.")),
		m("tags", strs(e.Group)),
		m("responses", responses(e, problems)),
		m("security", security(e)),
	)
	if list := parameters(e); len(list) > 0 {
		op.Members = append(op.Members, m("parameters", arr(list...)))
	}
	if e.Body != "" {
		op.Members = append(op.Members, m("requestBody", requestBody(e)))
	}
	return op
}

// security lists the alternatives of credentials; an empty one is none.
func security(e *exports.Endpoint) wire.Value {
	none := obj()
	scheme := func(name string) wire.Value { return obj(m(name, arr())) }
	switch {
	case e.ID == "rights_check", e.ID == "mcp_gateway":
		return arr(none, scheme("buyerBearer"))
	case e.Auth == exports.ByPartner:
		return arr(scheme("partnerBearer"), scheme("partnerHeader"))
	case e.Auth == exports.ByBuyer:
		return arr(scheme("buyerBearer"))
	case e.Auth == exports.ByConversation:
		return arr(scheme("conversationToken"))
	}
	return arr()
}

func securitySchemes() wire.Value {
	bearer := func(what string) wire.Value {
		return obj(m("type", str("http")), m("scheme", str("bearer")), m("description", str(what)))
	}
	header := func(name, what string) wire.Value {
		return obj(m("type", str("apiKey")), m("in", str("header")), m("name", str(name)), m("description", str(what)))
	}
	return obj(
		m("partnerBearer", bearer("Partner key. It opens only the scopes of its organization.")),
		m("partnerHeader", header("X-Service-Partner-Key", "The same partner key in a header of its own.")),
		m("buyerBearer", bearer("Buyer credential. It names the buyer; it is not permission.")),
		m("conversationToken", header(exports.HeaderConversation, "Token of one conversation, shown once.")),
	)
}

// requestBody describes what a POST takes.
func requestBody(e *exports.Endpoint) wire.Value {
	json := obj(m("schema", ref(e.Body)))
	if given, ok := examples()[e.ID]; ok && given.Request.Kind != wire.KindNull {
		json.Members = append(json.Members, m("example", given.Request))
	}
	content := obj(m("application/json", json))
	if e.ID == "create_request" {
		content.Members = append(content.Members, m("application/x-www-form-urlencoded", obj(m("schema", ref("public_request_form")))))
	}
	return obj(m("required", wire.Bool(e.ID != "delivery_snapshot")), m("content", content))
}

func ref(name string) wire.Value { return obj(m("$ref", str("#/components/schemas/"+name))) }

func tags() []wire.Value {
	var names []string
	for _, e := range exports.Surface {
		if !slices.Contains(names, e.Group) {
			names = append(names, e.Group)
		}
	}
	out := make([]wire.Value, 0, len(names))
	for _, name := range names {
		out = append(out, obj(m("name", str(name))))
	}
	return out
}
