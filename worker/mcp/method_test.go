package mcp_test

import (
	"encoding/json"
	"strings"
	"testing"

	"colophon/exports"
	"colophon/internal/assert"
	"colophon/worker/mcp"
)

var endpoints = map[string]struct {
	tools        []mcp.Tool
	capabilities string
}{
	"/mcp":                         {mcp.PublicTools(), `{"tools":{}}`},
	"/mcp/publisher/harbor-ledger": {mcp.PublisherTools(), `{"tools":{}}`},
	"/mcp/gateway":                 {mcp.GatewayTools(), `{"resources":{},"tools":{}}`},
}

func marshal(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}

func TestDiscover(t *testing.T) {
	for path, e := range endpoints {
		resp, a := send(t, service(), modern(path, "server/discover", ""))
		r := a.Result
		if resp.Status != 200 || r["resultType"] != "complete" || r["ttlMs"] != 300000.0 || r["cacheScope"] != "public" {
			t.Fatalf("%s: %d %s", path, resp.Status, resp.Body)
		}
		assert.Equal(t, marshal(r["supportedVersions"]), `["2026-07-28","2025-11-25","2025-06-18"]`, "%s: versions", path)
		assert.Equal(t, marshal(r["capabilities"]), e.capabilities, "%s: capabilities", path)
		checkServerInfo(t, path, r)
		if _, ok := r["serverInfo"]; ok {
			t.Errorf("%s: serverInfo outside _meta", path)
		}
		if s, _ := r["instructions"].(string); s == "" || strings.Contains(s, e.tools[0].Description) {
			t.Errorf("%s: instructions %q", path, s)
		}
	}
}

func checkServerInfo(t *testing.T, name string, result map[string]any) {
	t.Helper()
	meta, _ := result["_meta"].(map[string]any)
	assert.Equal(t, marshal(meta["io.modelcontextprotocol/serverInfo"]), `{"name":"colophon","title":"Colophon","version":"`+exports.Version+`"}`, "%s: serverInfo", name)
}

func TestInitialize(t *testing.T) {
	h := service()
	for asked, want := range map[string]string{
		"2025-06-18": "2025-06-18", "2025-11-25": "2025-11-25",
		"2026-07-28": "2025-11-25", "2025-03-26": "2025-11-25", "2024-11-05": "2025-11-25", "2099-01-01": "2025-11-25", "": "2025-11-25",
	} {
		for path, e := range endpoints {
			resp, a := send(t, h, old(path, "initialize", `{"protocolVersion":"`+asked+`","capabilities":{},"clientInfo":{"name":"x","version":"1"}}`))
			if resp.Status != 200 || a.Result["protocolVersion"] != want || marshal(a.Result["capabilities"]) != e.capabilities {
				t.Errorf("%s asked %q: %s", path, asked, resp.Body)
			}
			if info, _ := a.Result["serverInfo"].(map[string]any); info["name"] != "colophon" || a.Result["instructions"] == "" {
				t.Errorf("%s: %s", path, resp.Body)
			}
			for _, word := range []string{"resultType", "ttlMs", "_meta"} {
				if _, ok := a.Result[word]; ok {
					t.Errorf("%s: %s in an old answer", path, word)
				}
			}
		}
	}
	if resp, a := send(t, h, old("/mcp", "initialize", `{}`)); resp.Status != 200 || a.code() != -32602 {
		t.Errorf("no version: %d %s", resp.Status, resp.Body)
	}
}

// TestMethods checks that in each era a method that is not declared is unknown,
// with a status that the era's clients understand.
func TestMethods(t *testing.T) {
	h := service()
	params := map[string]string{"resources/read": `"uri":"licensed://x/y",`, "prompts/get": `"name":"x",`, "tools/call": `"name":"x",`}
	names := map[string]string{"resources/read": "licensed://x/y", "prompts/get": "x", "tools/call": "x"}
	gone := []string{"prompts/list", "prompts/get", "completion/complete", "subscriptions/listen", "tasks/get", "tasks/list", "logging/setLevel", "resources/subscribe", "resources/unsubscribe", "roots/list", "sampling/createMessage", "TOOLS/LIST", "tools/list ", "x"}
	resources := []string{"resources/list", "resources/templates/list", "resources/read"}
	for path := range endpoints {
		unknownNew := append([]string{"initialize", "ping", "notifications/initialized"}, gone...)
		unknownOld := append([]string{"server/discover"}, gone...)
		if path != "/mcp/gateway" {
			unknownNew, unknownOld = append(unknownNew, resources...), append(unknownOld, resources...)
		}
		for _, m := range unknownNew {
			resp, a := send(t, h, modern(path, m, params[m], "Mcp-Name: "+names[m]))
			if m == "tools/list " { // a header cannot contain this name
				continue
			}
			if resp.Status != 404 || a.code() != -32601 || string(a.ID) != "7" {
				t.Errorf("%s %s: %d %s", path, m, resp.Status, resp.Body)
			}
		}
		for _, m := range unknownOld {
			resp, a := send(t, h, old(path, m, `{}`))
			if resp.Status != 200 || a.code() != -32601 || string(a.ID) != "7" {
				t.Errorf("%s %s, old: %d %s", path, m, resp.Status, resp.Body)
			}
		}
		if resp, _ := send(t, h, old(path, "ping", `{}`)); string(resp.Body) != `{"id":7,"jsonrpc":"2.0","result":{}}` {
			t.Errorf("%s ping: %s", path, resp.Body)
		}
	}
}

func TestToolsList(t *testing.T) {
	h := service()
	for path, e := range endpoints {
		_, a := send(t, h, modern(path, "tools/list", ""))
		first, _ := send(t, h, modern(path, "tools/list", ""))
		if again, _ := send(t, h, modern(path, "tools/list", "")); string(again.Body) != string(first.Body) {
			t.Errorf("%s: the list changes", path)
		}
		if a.Result["resultType"] != "complete" || a.Result["ttlMs"] != 300000.0 || a.Result["cacheScope"] != "public" || a.Result["nextCursor"] != nil {
			t.Errorf("%s: %v", path, a.Result)
		}
		checkServerInfo(t, path, a.Result)
		checkTools(t, path, a.Result["tools"].([]any), e.tools)
		_, legacy := send(t, h, old(path, "tools/list", `{}`))
		if marshal(legacy.Result["tools"]) != marshal(a.Result["tools"]) || len(legacy.Result) != 1 {
			t.Errorf("%s: old clients see another list", path)
		}
	}
}

func checkTools(t *testing.T, path string, got []any, want []mcp.Tool) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d tools, want %d", path, len(got), len(want))
	}
	for i := range want {
		tool := got[i].(map[string]any)
		if tool["name"] != want[i].Name || tool["title"] == "" || tool["description"] == "" {
			t.Errorf("%s: tool %d is %v", path, i, tool["name"])
		}
		in := tool["inputSchema"].(map[string]any)
		if in["type"] != "object" || in["additionalProperties"] != false {
			t.Errorf("%s: input schema %v", want[i].Name, in)
		}
		for name, p := range in["properties"].(map[string]any) {
			if s, _ := p.(map[string]any)["description"].(string); s == "" {
				t.Errorf("%s: argument %s has no description", want[i].Name, name)
			}
		}
		if n := len(in["properties"].(map[string]any)); n != len(want[i].Purpose) {
			t.Errorf("%s: %d arguments, %d documented", want[i].Name, n, len(want[i].Purpose))
		}
		hints := tool["annotations"].(map[string]any)
		if hints["readOnlyHint"] != true || hints["destructiveHint"] != false || hints["idempotentHint"] != true || hints["openWorldHint"] != false {
			t.Errorf("%s: hints %v", want[i].Name, hints)
		}
		if out, ok := tool["outputSchema"].(map[string]any); !ok || out["type"] != "object" {
			t.Errorf("%s: output schema %v", want[i].Name, out)
		}
	}
}

// TestToolNames checks that the tools are those of the specification.
func TestToolNames(t *testing.T) {
	for path, want := range map[string]string{
		"/mcp":                         "search_content_catalog list_marketplace_categories get_marketplace_category list_marketplace_publishers get_publisher get_publisher_inventory get_network_stats check_rights",
		"/mcp/publisher/harbor-ledger": "get_publisher get_publisher_inventory check_rights",
		"/mcp/gateway":                 "rights_overview list_licensed_sources search_licensed_content read_licensed_content",
	} {
		var names []string
		for _, tool := range endpoints[path].tools {
			names = append(names, tool.Name)
		}
		assert.Equal(t, strings.Join(names, " "), want, "%s", path)
	}
}

func TestCursorsAreRefused(t *testing.T) {
	h := service()
	for _, m := range []string{"tools/list", "resources/list", "resources/templates/list"} {
		for _, cursor := range []string{`""`, `"x"`, `null`, `7`} {
			resp, a := send(t, h, modern("/mcp/gateway", m, `"cursor":`+cursor+`,`))
			if resp.Status != 400 || a.code() != -32602 {
				t.Errorf("%s cursor %s: %d %s", m, cursor, resp.Status, resp.Body)
			}
			resp, a = send(t, h, old("/mcp/gateway", m, `{"cursor":`+cursor+`}`))
			if resp.Status != 200 || a.code() != -32602 {
				t.Errorf("%s cursor %s, old: %d %s", m, cursor, resp.Status, resp.Body)
			}
		}
	}
}
