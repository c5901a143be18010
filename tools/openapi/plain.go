package main

import (
	"strings"

	"colophon/internal/wire"
)

// plain rewrites a description for generators that support less of JSON Schema
// than OpenAPI 3.1 allows: a constant gets its type, a list of types becomes a
// union, and only successful answers are kept, without headers. The described
// calls and records stay the same.
func plain(document wire.Value) wire.Value {
	paths := *document.Get("paths")
	for _, path := range paths.Members {
		for i, operation := range path.Value.Members {
			path.Value.Members[i].Value = operation.Value.With("responses", successes(operation.Value.Get("responses")))
		}
	}
	components := *document.Get("components")
	components = components.Without("responses").Without("headers").With("schemas", plainSchemas(*components.Get("schemas")))
	return document.With("paths", plainSchemas(paths)).With("components", components)
}

func successes(responses *wire.Value) wire.Value {
	out := wire.Object()
	for _, response := range responses.Members {
		if strings.HasPrefix(response.Name, "2") {
			out.Members = append(out.Members, wire.M(response.Name, response.Value.Without("headers")))
		}
	}
	return out
}

func plainSchemas(v wire.Value) wire.Value {
	out := v
	out.Items, out.Members = nil, nil
	for _, item := range v.Items {
		out.Items = append(out.Items, plainSchemas(item))
	}
	for _, member := range v.Members {
		out.Members = append(out.Members, wire.M(member.Name, plainSchemas(member.Value)))
	}
	if out.Kind != wire.KindObject {
		return out
	}
	if constant := out.Get("const"); constant != nil && out.Get("type") == nil {
		return withTypeOf(out, constant)
	}
	if words := out.Get("enum"); words != nil && words.Kind == wire.KindArray && out.Get("type") == nil {
		return withTypeOf(out, &words.Items[0])
	}
	return splitTypes(out)
}

// withTypeOf adds the type of a sample value to a schema, if it is a simple
// one.
func withTypeOf(schema wire.Value, sample *wire.Value) wire.Value {
	names := map[wire.Kind]string{wire.KindBool: "boolean", wire.KindNumber: "integer", wire.KindString: "string"}
	if name := names[sample.Kind]; name != "" {
		return schema.With("type", wire.String(name))
	}
	return schema
}

// splitTypes turns a list of types into a union, without null.
func splitTypes(schema wire.Value) wire.Value {
	types := schema.Get("type")
	if types == nil || types.Kind != wire.KindArray {
		return schema
	}
	var union []wire.Value
	for _, t := range types.Items {
		if name, _ := t.Str(); name != "null" {
			union = append(union, wire.Object(wire.M("type", t)))
		}
	}
	if len(union) < 2 {
		return schema
	}
	return schema.Without("type").With("anyOf", wire.Array(union...))
}
