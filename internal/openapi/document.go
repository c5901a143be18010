// Package openapi makes the OpenAPI 3.1 description of the service: from the
// endpoint table of exports, from the records that operations answer with, and
// from the table of problems that each can answer.
package openapi

import (
	"slices"
	"strings"

	"colophon/exports"
	"colophon/exports/inquiries"
	"colophon/internal/wire"
)

// Shorthands of the document, which is written once and never read back here.
var (
	obj  = wire.Object
	arr  = wire.Array
	str  = wire.String
	strs = wire.Strings
)

func jsonMember(name string, v wire.Value) wire.Member { return wire.M(name, v) }

// Document returns the description of a service with that title at baseURL,
// which has no final slash. The same arguments give the same document.
func Document(title, baseURL string) wire.Value {
	var paths []wire.Member
	problems := &problemSet{}
	for i := range exports.Surface {
		e := &exports.Surface[i]
		paths = addOperation(paths, e.Path, jsonMember(strings.ToLower(e.Method), operationObject(e, problems)))
	}
	return obj(
		jsonMember("openapi", str("3.1.0")),
		jsonMember("info", obj(
			jsonMember("title", str(title)),
			jsonMember("version", str(exports.Version)),
			jsonMember("description", str("Discovery, licensing inquiry, provenance and AI rights map. Nothing this service publishes or answers grants rights.")),
			jsonMember("license", obj(jsonMember("name", str("No rights are granted")), jsonMember("url", str(baseURL+"/developers/boundaries/")))),
		)),
		jsonMember("servers", arr(obj(jsonMember("url", str(baseURL))))),
		jsonMember("paths", obj(paths...)),
		jsonMember("components", obj(
			jsonMember("schemas", obj(Schemas()...)),
			jsonMember("responses", obj(problems.responses...)),
			jsonMember("headers", obj(headerComponents()...)),
			jsonMember("parameters", obj(headerParameters()...)),
			jsonMember("securitySchemes", securitySchemes()),
		)),
		jsonMember("tags", arr(tagList()...)),
	)
}

func addOperation(paths []wire.Member, path string, op wire.Member) []wire.Member {
	for i := range paths {
		if paths[i].Name == path {
			paths[i].Value.Members = append(paths[i].Value.Members, op)
			return paths
		}
	}
	return append(paths, jsonMember(path, obj(op)))
}

func operationObject(e *exports.Endpoint, problems *problemSet) wire.Value {
	op := obj(
		jsonMember("operationId", str(e.ID)),
		jsonMember("summary", str(strings.TrimSuffix(e.Purpose, "."))),
		jsonMember("description", str(e.Purpose+" Grants no rights.")),
		jsonMember("tags", strs(e.Group)),
		jsonMember("responses", responseObjects(e, problems)),
		jsonMember("security", securityAlternatives(e)),
	)
	if list := parameterObjects(e); len(list) > 0 {
		op.Members = append(op.Members, jsonMember("parameters", arr(list...)))
	}
	if e.Body != "" {
		op.Members = append(op.Members, jsonMember("requestBody", requestBody(e)))
	}
	return op
}

// securityAlternatives lists the alternatives of credentials; an empty one is none.
func securityAlternatives(e *exports.Endpoint) wire.Value {
	none := obj()
	scheme := func(name string) wire.Value { return obj(jsonMember(name, arr())) }
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
		return obj(jsonMember("type", str("http")), jsonMember("scheme", str("bearer")), jsonMember("description", str(what)))
	}
	header := func(name, what string) wire.Value {
		return obj(jsonMember("type", str("apiKey")), jsonMember("in", str("header")), jsonMember("name", str(name)), jsonMember("description", str(what)))
	}
	return obj(
		jsonMember("partnerBearer", bearer("Partner key. It opens only the scopes of its organization.")),
		jsonMember("partnerHeader", header("X-Service-Partner-Key", "The same partner key in a header of its own.")),
		jsonMember("buyerBearer", bearer("Buyer credential. It names the buyer; it is not permission.")),
		jsonMember("conversationToken", header(inquiries.HeaderConversation, "Token of one conversation, shown once.")),
	)
}

// requestBody describes what a POST takes.
func requestBody(e *exports.Endpoint) wire.Value {
	content := obj(bodyMedia(e, "application/json", e.Body))
	if e.ID == "create_request" {
		content.Members = append(content.Members, bodyMedia(e, "application/x-www-form-urlencoded", "public_request_form"))
	}
	return obj(jsonMember("required", wire.Bool(e.ID != "delivery_snapshot")), jsonMember("content", content))
}

// bodyMedia returns one media type that a POST takes, with its example.
func bodyMedia(e *exports.Endpoint, name, component string) wire.Member {
	media := obj(jsonMember("schema", schemaRef(component)))
	if given, ok := exampleBody(e, name); ok {
		media.Members = append(media.Members, jsonMember("example", given))
	}
	return jsonMember(name, media)
}

func schemaRef(name string) wire.Value {
	return obj(jsonMember("$ref", str("#/components/schemas/"+name)))
}

func tagList() []wire.Value {
	var names []string
	for _, e := range exports.Surface {
		if !slices.Contains(names, e.Group) {
			names = append(names, e.Group)
		}
	}
	out := make([]wire.Value, 0, len(names))
	for _, name := range names {
		out = append(out, obj(jsonMember("name", str(name))))
	}
	return out
}
