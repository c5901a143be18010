package generator

import (
	"strings"

	"colophon/exports"
	"colophon/internal/wire"
)

// openAPI is the OpenAPI 3.1 description, made from the endpoint table and
// from the schemas of the records themselves.
func (b *build) openAPI() wire.Value {
	var paths []wire.Member
	for i := range exports.Surface {
		e := &exports.Surface[i]
		paths = addOperation(paths, e.Path, wire.M(strings.ToLower(e.Method), operation(e)))
	}
	return obj(
		m("openapi", str("3.1.0")),
		m("info", obj(
			m("title", str(b.opt.Name)), m("version", str(exports.Version)),
			m("description", str("Discovery, licensing inquiry, provenance and AI rights map. Nothing this service publishes or answers grants rights.")),
			m("license", obj(m("name", str("No rights are granted")), m("url", str(b.opt.BaseURL+"/developers/boundaries/")))),
		)),
		m("servers", arr(obj(m("url", str(b.opt.BaseURL))))),
		m("paths", obj(paths...)),
		m("components", obj(m("schemas", obj(schemas()...)), m("securitySchemes", securitySchemes()), m("responses", obj(m("Problem", problemResponse()))))),
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

func operation(e *exports.Endpoint) wire.Value {
	op := obj(
		m("operationId", str(e.ID)), m("summary", str(strings.TrimSuffix(e.Purpose, "."))), m("description", str(e.Purpose+" Grants no rights.")), m("tags", strs(e.Group)),
		m("responses", responses(e)),
	)
	if params := parameters(e); len(params) > 0 {
		op.Members = append(op.Members, m("parameters", arr(params...)))
	}
	if e.Body != "" {
		op.Members = append(op.Members, m("requestBody", obj(m("required", wire.Bool(true)), m("content", obj(m("application/json", obj(m("schema", ref(e.Body)))))))))
	}
	if s := security(e); s != nil {
		op.Members = append(op.Members, m("security", arr(s...)))
	} else {
		op.Members = append(op.Members, m("security", arr()))
	}
	return op
}

func security(e *exports.Endpoint) []wire.Value {
	switch e.Auth {
	case exports.ByPartner:
		return []wire.Value{obj(m("partnerBearer", arr())), obj(m("partnerHeader", arr()))}
	case exports.ByBuyer:
		return []wire.Value{obj(m("buyerBearer", arr()))}
	case exports.ByConversation:
		return []wire.Value{obj(m("conversationToken", arr()))}
	}
	return nil
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
		m("conversationToken", header("X-Conversation-Token", "Token of one conversation, shown once.")),
	)
}

func parameters(e *exports.Endpoint) []wire.Value {
	var out []wire.Value
	for _, name := range pathNames(e.Path) {
		out = append(out, obj(m("name", str(name)), m("in", str("path")), m("required", wire.Bool(true)), m("schema", obj(m("type", str("string"))))))
	}
	for _, p := range e.Query {
		schema := obj(m("type", str(p.Type)))
		if len(p.Values) > 0 && !p.List && p.Type == "string" {
			schema.Members = append(schema.Members, m("enum", strs(p.Values...)))
		}
		if p.Type == "integer" {
			schema.Members = append(schema.Members, m("minimum", wire.Int(0)))
			if p.Max > 0 {
				schema.Members = append(schema.Members, m("maximum", wire.Int(p.Max)))
			}
		}
		out = append(out, obj(m("name", str(p.Name)), m("in", str("query")), m("description", str(p.Purpose)), m("required", wire.Bool(false)), m("schema", schema)))
	}
	if e.ID == "partner_create_request" {
		out = append(out, obj(m("name", str("Idempotency-Key")), m("in", str("header")), m("required", wire.Bool(true)), m("schema", obj(m("type", str("string")), m("minLength", wire.Int(1)), m("maxLength", wire.Int(255))))))
	}
	return out
}

func pathNames(path string) []string {
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

func responses(e *exports.Endpoint) wire.Value {
	status := "200"
	if e.ID == "partner_create_request" || e.ID == "create_request" || e.ID == "post_message" || e.ID == "delivery_snapshot" {
		status = "201"
	}
	media, _, _ := strings.Cut(e.Media, ";")
	ok := obj(m("description", str(e.Purpose)), m("content", obj(m(media, obj(m("schema", answerSchema(e)))))))
	problem := obj(m("$ref", str("#/components/responses/Problem")))
	return obj(m(status, ok), m("default", problem))
}

func answerSchema(e *exports.Endpoint) wire.Value {
	if strings.HasPrefix(e.Media, "text/csv") || strings.HasPrefix(e.Media, "application/xml") || strings.HasPrefix(e.Media, "application/x-ndjson") {
		return obj(m("type", str("string")))
	}
	if name, ok := answers[e.ID]; ok {
		return ref(name)
	}
	return obj(m("type", str("object")))
}

func ref(name string) wire.Value { return obj(m("$ref", str("#/components/schemas/"+name))) }

func problemResponse() wire.Value {
	return obj(m("description", str("An error (RFC 9457) with a stable code.")), m("content", obj(m("application/problem+json", obj(m("schema", ref("problem")))))))
}

func tags() []wire.Value {
	var out []wire.Value
	seen := map[string]bool{}
	for _, e := range exports.Surface {
		if !seen[e.Group] {
			seen[e.Group] = true
			out = append(out, obj(m("name", str(e.Group))))
		}
	}
	return out
}
