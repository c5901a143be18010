package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"colophon/internal/demo/guests"
	"colophon/internal/openapi"
	"colophon/internal/openapi/openapitest"
)

// mcpTool is a tool as tools/list describes it.
type mcpTool struct {
	Name                      string
	InputSchema, OutputSchema map[string]any
}

// mcpAsk sends one JSON-RPC request and returns its result.
func mcpAsk(t *testing.T, url, bearer, method string, params, result any) {
	t.Helper()
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	must(t, err)
	req, err := http.NewRequestWithContext(t.Context(), "POST", url, bytes.NewReader(body))
	must(t, err)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	if bearer != "" {
		req.Header.Set("Authorization", "Bearer "+bearer)
	}
	resp, err := http.DefaultClient.Do(req)
	must(t, err)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	must(t, err)
	var got struct{ Result json.RawMessage }
	if err := json.Unmarshal(text, &got); err != nil || got.Result == nil {
		t.Fatalf("%s %s: %s %s", url, method, resp.Status, text)
	}
	must(t, json.Unmarshal(got.Result, result))
}

// toolResult is the result of a tool.
type toolResult struct {
	IsError           bool
	Content           []struct{ Text string }
	StructuredContent map[string]any
}

// walkedTools returns calls of every tool that the demo can answer. A URI is
// filled in once a search has found one.
func walkedTools(f guests.Facts) map[string]map[string][]map[string]any {
	public := map[string][]map[string]any{
		"search_content_catalog":      {{"q": "tide"}, {"q": "harbor", "limit": 3}, {"q": "tide", "limit": 0}, {"q": "nothing-has-this-word"}},
		"list_marketplace_categories": {{}},
		"get_marketplace_category":    {{"category_slug": f.Category}},
		"list_marketplace_publishers": {{}, {"category": f.Category}, {"limit": 2, "offset": 1}, {"limit": 50, "offset": 10000}},
		"get_publisher":               {{"site_id": f.SiteID}},
		"get_publisher_inventory":     {{"site_id": f.SiteID}, {"site_id": f.SiteID, "q": "tide", "limit": 3}, {"site_id": f.SiteID, "limit": 50, "offset": 5}},
		"get_network_stats":           {{}},
		"check_rights": {
			{"url": f.URL}, {"entry_id": f.EntryID, "uses": []string{"training"}, "territory": "DE", "user_type": "commercial"}, {"fingerprint": f.Fingerprint, "agent": "gptbot"}, {"url": "https://nobody.example/"},
		},
	}
	scoped := map[string][]map[string]any{
		"get_publisher":           {{}},
		"get_publisher_inventory": {{}, {"q": "tide"}, {"offset": 20}},
		"check_rights":            {{}, {"url": f.URL}, {"uses": []string{"rag", "training"}}},
	}
	licensed := map[string][]map[string]any{
		"rights_overview":         {{}},
		"list_licensed_sources":   {{}, {"type": "direct"}, {"type": "enterprise", "limit": 1}},
		"search_licensed_content": {{"q": "tide"}, {"q": "tide", "limit": 1}, {"q": "tide", "use": "rag", "source_ids": []string{f.SiteID}}},
		"read_licensed_content":   {{"uri": ""}, {"uri": "", "format": "text"}, {"uri": "", "format": "html"}},
	}
	return map[string]map[string][]map[string]any{"/mcp": public, "/mcp/publisher/" + f.SiteID: scoped, "/mcp/gateway": licensed}
}

// walkTools checks that each tool's results match its output schema, and that
// this schema is the description's for the operation of the same name.
func walkTools(t *testing.T, f guests.Facts) {
	bearer := f.BuyerCredentials["granted"]
	for path, calls := range walkedTools(f) {
		url := f.BaseURL + path
		var listed struct{ Tools []mcpTool }
		mcpAsk(t, url, "", "tools/list", map[string]any{}, &listed)
		if len(listed.Tools) != len(calls) {
			t.Errorf("%s: %d tools, %d are called", path, len(listed.Tools), len(calls))
		}
		uri := ""
		for _, tool := range listed.Tools {
			sharesSchema(t, f.BaseURL, &tool)
			in, out := strictSchema(t, tool.InputSchema), strictSchema(t, tool.OutputSchema)
			for _, arguments := range calls[tool.Name] {
				if _, wanted := arguments["uri"]; wanted {
					arguments["uri"] = uri
				}
				text, err := json.Marshal(arguments)
				must(t, err)
				name := path + " " + tool.Name + " " + string(text)
				if err := validJSON(in, text); err != nil {
					t.Errorf("%s: the arguments are not as the input schema says: %v", name, err)
				}
				var got toolResult
				mcpAsk(t, url, bearer, "tools/call", map[string]any{"name": tool.Name, "arguments": arguments}, &got)
				if got.IsError || got.StructuredContent == nil || len(got.Content) != 2 {
					t.Fatalf("%s: %+v", name, got)
				}
				if err := validJSON(out, []byte(got.Content[1].Text)); err != nil {
					t.Errorf("%s: the answer is not as the output schema says: %v", name, err)
				}
				var mirror map[string]any
				if err := json.Unmarshal([]byte(got.Content[1].Text), &mirror); err != nil || !reflect.DeepEqual(mirror, got.StructuredContent) {
					t.Errorf("%s: text and structured content differ", name)
				}
				if tool.Name == "search_licensed_content" {
					uri = got.StructuredContent["data"].([]any)[0].(map[string]any)["uri"].(string)
				}
			}
		}
	}
}

// componentOfTool returns the component of the description that a tool answers
// with, "" for tools without such an operation.
func componentOfTool(name string) string {
	switch name {
	case "search_licensed_content":
		return "item_list"
	case "read_licensed_content":
		return "item"
	case "check_rights":
		return openapi.Answers()["rights_check"]
	}
	return openapi.Answers()[name]
}

// sharesSchema compares a tool's output schema with the operation's published
// one.
func sharesSchema(t *testing.T, base string, tool *mcpTool) {
	t.Helper()
	component := componentOfTool(tool.Name)
	if component == "" {
		if tool.Name != "rights_overview" && tool.Name != "list_licensed_sources" {
			t.Errorf("%s answers like no operation", tool.Name)
		}
		return
	}
	var document map[string]any
	must(t, json.Unmarshal(sendRequest(t, "GET", base+"/openapi.json").body, &document))
	schemas := document["components"].(map[string]any)["schemas"].(map[string]any)
	want := resolved(schemas, schemas[component])
	if tool.Name == "check_rights" { // only the description says what a receipt signs
		receipt := want.(map[string]any)["properties"].(map[string]any)["receipt"].(map[string]any)["anyOf"].([]any)[0]
		receipt.(map[string]any)["properties"].(map[string]any)["payload"] = map[string]any{}
	}
	if !reflect.DeepEqual(want, any(tool.OutputSchema)) {
		t.Errorf("%s: the output schema is not that of %s", tool.Name, component)
	}
}

// resolved replaces references by the components.
func resolved(schemas map[string]any, v any) any {
	switch x := v.(type) {
	case map[string]any:
		if ref, ok := x["$ref"].(string); ok {
			return resolved(schemas, schemas[strings.TrimPrefix(ref, "#/components/schemas/")])
		}
		out := map[string]any{}
		for name, inner := range x {
			out[name] = resolved(schemas, inner)
		}
		return out
	case []any:
		out := make([]any, len(x))
		for i := range x {
			out[i] = resolved(schemas, x[i])
		}
		return out
	}
	return v
}

// strictSchema compiles a schema and forbids members that it does not define.
func strictSchema(t *testing.T, schema map[string]any) *jsonschema.Schema {
	t.Helper()
	text, err := json.Marshal(schema)
	must(t, err)
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	must(t, err)
	openapitest.CloseObjects(v)
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	must(t, compiler.AddResource("urn:tool", v))
	compiled, err := compiler.Compile("urn:tool")
	must(t, err)
	return compiled
}

func validJSON(schema *jsonschema.Schema, text []byte) error {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return err
	}
	return schema.Validate(v)
}
