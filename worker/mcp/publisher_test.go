package mcp_test

import (
	"context"
	"strings"
	"testing"

	"colophon/internal/assert"
	"colophon/internal/wire"
	"colophon/worker/edge"
)

func get(h edge.Handler, path string, header ...string) *edge.Response {
	r := post(path, "", header...)
	r.Method = "GET"
	return h(context.Background(), r)
}

func TestPublisherMetadata(t *testing.T) {
	h := service()
	resp := get(h, "/mcp/publisher/harbor-ledger", "Accept: application/json")
	v, err := wire.Parse(resp.Body, wire.Default)
	if resp.Status != 200 || err != nil || resp.Header.Get("content-type") != "application/json; charset=utf-8" {
		t.Fatalf("%d %s: %v", resp.Status, resp.Body, err)
	}
	assert.Equal(t, string(v.Append(nil)), string(resp.Body), "not canonical")
	for name, want := range map[string]string{
		"site_id": `"harbor-ledger"`, "endpoint": `"https://svc.example/mcp/publisher/harbor-ledger"`, "transport": `"http-stateless"`,
		"protocol_version": `"2026-07-28"`, "licensed_content": `"credential-gated"`, "gateway": `"https://svc.example/mcp/gateway"`,
		"rights_check": `"https://svc.example/v1/public/rights/check?site_id=harbor-ledger"`, "grants_rights": "false",
	} {
		if got := v.Get(name); got == nil || string(got.Append(nil)) != want {
			t.Errorf("%s: want %s in %s", name, want, resp.Body)
		}
	}
	tools := v.Get("tools")
	if len(tools.Items) != 3 {
		t.Fatalf("tools %s", tools.Append(nil))
	}
	if name, _ := tools.Items[1].Get("name").Str(); name != "get_publisher_inventory" {
		t.Errorf("tool %s", name)
	}
	assert.Equal(t, get(h, "/mcp/publisher/harbor-ledger").Status, 200, "without Accept")
}

func TestPublisherMetadataIsNoEventStream(t *testing.T) {
	h := service()
	for _, accept := range []string{"text/event-stream", "application/json, text/event-stream", "text/event-stream;q=0.5"} {
		resp := get(h, "/mcp/publisher/harbor-ledger", "Accept: "+accept)
		if resp.Status != 405 || resp.Header.Get("allow") != "GET, POST, OPTIONS" {
			t.Errorf("%s: %d", accept, resp.Status)
		}
	}
	assert.Equal(t, get(h, "/mcp/publisher/harbor-ledger", "Origin: https://evil.example").Status, 403, "foreign origin")
}

func TestUnknownPublisher(t *testing.T) {
	h := service()
	for _, id := range []string{"nobody-here", "x", "Harbor-Ledger", "%2e%2e", strings.Repeat("a", 65), "harbor-ledger.json"} {
		path := "/mcp/publisher/" + id
		if resp := get(h, path); resp.Status != 404 || !strings.Contains(string(resp.Body), `"code":"site_not_found"`) {
			t.Errorf("GET %s: %d %s", path, resp.Status, resp.Body)
		}
		for _, r := range []*edge.Request{modern(path, "server/discover", ""), modern(path, "tools/list", ""), old(path, "initialize", `{"protocolVersion":"2025-11-25"}`), old(path, "ping", `{}`)} {
			resp, a := send(t, h, r)
			if resp.Status != 404 || a.code() != 40400 || string(a.ID) != "7" {
				t.Errorf("POST %s: %d %s", path, resp.Status, resp.Body)
			}
		}
		if resp, a := send(t, h, modern(path, "tools/list", "", "Mcp-Method: other")); resp.Status != 400 || a.code() != -32020 {
			t.Errorf("a fault of the protocol at %s: %d %s", path, resp.Status, resp.Body)
		}
	}
	if resp := get(h, "/mcp/publisher/"); resp.Status != 404 {
		t.Errorf("no id: %d", resp.Status)
	}
}

// TestPublisherScope checks that the endpoint of one publisher cannot be used
// for another.
func TestPublisherScope(t *testing.T) {
	h := service()
	resp, a := send(t, h, modernTool("/mcp/publisher/orchard-post", "get_publisher", `{"site_id":"harbor-ledger"}`))
	checkFailure(t, "other site", resp, a, "validation_failed", "#/site_id")
	if _, a = send(t, h, modernTool("/mcp/publisher/orchard-post", "get_publisher_inventory", `{"q":"tide"}`)); strings.Contains(a.texts()[1], "harbor-ledger") {
		t.Error("pages of another publisher")
	}
	if _, a = send(t, h, modern("/mcp/publisher/orchard-post", "tools/call", `"name":"get_network_stats",`, "Mcp-Name: get_network_stats")); a.code() != -32602 {
		t.Errorf("tool of the whole network: %v", a.Error)
	}
}
