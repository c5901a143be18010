package openapi_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"colophon/exports"
	"colophon/internal/assert"
	"colophon/internal/openapi"
)

var must = assert.NoError

func description(t *testing.T) []byte {
	t.Helper()
	v := openapi.Document("Colophon", "https://registry.example")
	return v.Append(nil)
}

// TestSchemasCompile resolves every reference of every schema.
func TestSchemasCompile(t *testing.T) {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(description(t)))
	must(t, err)
	compiler := jsonschema.NewCompiler()
	must(t, compiler.AddResource("urn:openapi", v))
	schemas := at(v.(map[string]any), "components", "schemas")
	for name := range schemas {
		if _, err := compiler.Compile("urn:openapi#/components/schemas/" + name); err != nil {
			t.Error(err)
		}
	}
	if len(schemas) < 80 {
		t.Errorf("only %d schemas", len(schemas))
	}
}

// TestEveryOperationIsTyped requires an informative schema for every success,
// a code for every error status, and a description that says once that nothing is
// granted.
func TestEveryOperationIsTyped(t *testing.T) {
	var document map[string]any
	must(t, json.Unmarshal(description(t), &document))
	for i := range exports.Surface {
		e := &exports.Surface[i]
		operation := at(document, "paths", e.Path, strings.ToLower(e.Method))
		if words, _ := operation["description"].(string); strings.Count(strings.ToLower(words), "grants no rights") != 1 {
			t.Errorf("%s %s is described as %q", e.Method, e.Path, words)
		}
		successes, refusals := 0, 0
		responses, _ := operation["responses"].(map[string]any)
		for status, r := range responses {
			response := resolve(document, r)
			content, _ := response["content"].(map[string]any)
			switch {
			case status[0] == '2':
				successes++
				if len(content) == 0 && status != "202" {
					t.Errorf("%s %s: no body", e.ID, status)
				}
			case status[0] == '4':
				refusals++
			}
			if len(at(response, "headers")) == 0 {
				t.Errorf("%s %s: no headers", e.ID, status)
			}
			for name, media := range content {
				if !says(document, media.(map[string]any)["schema"]) {
					t.Errorf("%s %s: %s is untyped", e.ID, status, name)
				}
			}
		}
		if successes == 0 || refusals == 0 {
			t.Errorf("%s: %d successes, %d refusals", e.ID, successes, refusals)
		}
	}
}

// TestEveryOperationHasExamples requires an example for each request body and
// each successful answer, except the answer that is a JSON Schema.
func TestEveryOperationHasExamples(t *testing.T) {
	var document map[string]any
	must(t, json.Unmarshal(description(t), &document))
	want := func(what string, content map[string]any) {
		for name, media := range content {
			if _, ok := media.(map[string]any)["example"]; !ok {
				t.Errorf("%s: no example of %s", what, name)
			}
		}
	}
	for i := range exports.Surface {
		e := &exports.Surface[i]
		if e.ID == "intent_schema" {
			continue
		}
		operation := at(document, "paths", e.Path, strings.ToLower(e.Method))
		want(e.ID, at(operation, "requestBody", "content"))
		for status, r := range at(operation, "responses") {
			if status[0] == '2' {
				want(e.ID+" "+status, at(resolve(document, r), "content"))
			}
		}
	}
}

// TestParameters checks the parameters that a caller cannot guess.
func TestParameters(t *testing.T) {
	var document map[string]any
	must(t, json.Unmarshal(description(t), &document))
	for id, want := range map[string]string{
		"partner_create_request": "Idempotency-Key required",
		"create_request":         "Idempotency-Key Service-Proof",
		"delivery_snapshot":      "Idempotency-Key",
		"get_record":             "If-None-Match",
		"mcp":                    "MCP-Protocol-Version Mcp-Method Mcp-Name",
	} {
		var got []string
		operation := operationByID(document, id)
		parameters, _ := operation["parameters"].([]any)
		for _, p := range parameters {
			x := resolve(document, p)
			if x["in"] != "header" {
				continue
			}
			got = append(got, x["name"].(string))
			if x["required"] == true {
				got = append(got, "required")
			}
		}
		assert.Equal(t, strings.Join(got, " "), want, "%s takes the headers %q", id, got)
	}
	body := at(operationByID(document, "create_request"), "requestBody", "content")
	if body["application/x-www-form-urlencoded"] == nil {
		t.Error("create_request takes no form")
	}
	uses := at(operationByID(document, "rights_check"))["parameters"].([]any)
	found := false
	for _, p := range uses {
		if x := resolve(document, p); x["name"] == "use" {
			words, _ := at(x, "schema", "items")["enum"].([]any)
			found = len(words) == 8
		}
	}
	if !found {
		t.Error("rights_check does not list the eight uses")
	}
}

func operationByID(document map[string]any, id string) map[string]any {
	for _, e := range exports.Surface {
		if e.ID == id {
			return at(document, "paths", e.Path, strings.ToLower(e.Method))
		}
	}
	return nil
}

// at returns a nested object by the names of members.
func at(object map[string]any, names ...string) map[string]any {
	for _, name := range names {
		object, _ = object[name].(map[string]any)
	}
	return object
}

func resolve(document map[string]any, v any) map[string]any {
	object, _ := v.(map[string]any)
	reference, ok := object["$ref"].(string)
	if !ok {
		return object
	}
	return at(document, strings.Split(strings.TrimPrefix(reference, "#/"), "/")...)
}

// says reports whether a schema says more than that there is an object.
func says(document map[string]any, v any) bool {
	schema := resolve(document, v)
	if schema["type"] == "string" {
		return true
	}
	for _, union := range []string{"anyOf", "allOf"} {
		parts, _ := schema[union].([]any)
		for _, p := range parts {
			if says(document, p) {
				return true
			}
		}
	}
	return len(at(schema, "properties")) > 0
}
