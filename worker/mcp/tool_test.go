package mcp_test

import (
	"context"
	"strings"
	"testing"

	"colophon/exports"
	"colophon/internal/assert"
	"colophon/internal/wire"
	"colophon/worker/edge"
	"colophon/worker/mcp/mcptest"
)

var must = assert.NoError

// good has arguments that each tool accepts, and the path whose answer the
// result must equal, byte for byte; "" if REST has other parameters.
var good = []struct{ path, tool, arguments, rest string }{
	{"/mcp", "search_content_catalog", `{"q":"tide"}`, ""},
	{"/mcp", "search_content_catalog", `{"q":"tide","limit":0}`, ""},
	{"/mcp", "search_content_catalog", `{"q":"tide","limit":50,"cursor":"c10"}`, ""},
	{"/mcp", "search_content_catalog", `{"q":"tide","limit":1e1}`, ""},
	{"/mcp", "list_marketplace_categories", `{}`, exports.PathCategories},
	{"/mcp", "get_marketplace_category", `{"category_slug":"trade-logistics"}`, exports.CategoryPath("trade-logistics")},
	{"/mcp", "list_marketplace_publishers", `{}`, ""},
	{"/mcp", "list_marketplace_publishers", `{"category":"trade-logistics","limit":1,"offset":1}`, ""},
	{"/mcp", "get_publisher", `{"site_id":"harbor-ledger"}`, exports.PublisherPath("harbor-ledger")},
	{"/mcp", "get_publisher_inventory", `{"site_id":"harbor-ledger"}`, exports.InventoryPath("harbor-ledger")},
	{"/mcp", "get_publisher_inventory", `{"site_id":"harbor-ledger","q":"tide","limit":5,"offset":5}`, ""},
	{"/mcp", "get_network_stats", `{}`, exports.PathStats},
	{"/mcp/publisher/harbor-ledger", "get_publisher", `{}`, exports.PublisherPath("harbor-ledger")},
	{"/mcp/publisher/harbor-ledger", "get_publisher_inventory", `{}`, exports.InventoryPath("harbor-ledger")},
	{"/mcp/publisher/harbor-ledger", "get_publisher_inventory", `{"q":"tide","limit":20.0}`, ""},
}

func TestToolResults(t *testing.T) {
	h := service()
	for _, tc := range good {
		name := tc.path + " " + tc.tool + tc.arguments
		resp, a := send(t, h, modernTool(tc.path, tc.tool, tc.arguments))
		if resp.Status != 200 || a.Result["isError"] != false || a.Result["resultType"] != "complete" {
			t.Errorf("%s: %d %s", name, resp.Status, resp.Body)
			continue
		}
		checkServerInfo(t, name, a.Result)
		if a.Result["ttlMs"] != nil {
			t.Errorf("%s: a call result with a life", name)
		}
		checkResult(t, name, resp.Body, a)
		if tc.rest != "" {
			rest := h(context.Background(), &edge.Request{Method: "GET", Path: tc.rest})
			assert.Equal(t, a.texts()[1], string(rest.Body), "%s: not the answer of GET %s", name, tc.rest)
		}
		oldResp, b := send(t, h, old(tc.path, "tools/call", `{"name":"`+tc.tool+`","arguments":`+tc.arguments+`}`))
		if oldResp.Status != 200 || marshal(b.Result["structuredContent"]) != marshal(a.Result["structuredContent"]) || b.Result["resultType"] != nil {
			t.Errorf("%s, old: %s", name, oldResp.Body)
		}
		assert.Lacks(t, name+", old: serverInfo in a result", string(oldResp.Body), "serverInfo")
	}
}

// checkResult checks what every result must have: the text copy of the JSON,
// the rights, and the places of publishers' text, which are in the JSON only.
func checkResult(t *testing.T, name string, body []byte, a answer) {
	t.Helper()
	texts := a.texts()
	if len(texts) != 2 {
		t.Fatalf("%s: %d text blocks", name, len(texts))
	}
	v, err := wire.Parse(body, wire.Trusted)
	if err != nil {
		v, err = wire.Parse(body, wire.Limits{Bytes: 1 << 20, Floats: true, Depth: 32})
	}
	must(t, err)
	assert.Equal(t, string(v.Get("result").Get("structuredContent").Append(nil)), texts[1], "%s: the text block mirrors something else", name)
	if !strings.Contains(texts[0], "This grants no rights.") || strings.Contains(texts[0], "IGNORE") {
		t.Errorf("%s: sentence %q", name, texts[0])
	}
	structured := a.Result["structuredContent"].(map[string]any)
	meta := a.Result["_meta"].(map[string]any)
	if structured["grants_rights"] != false || meta["grants_rights"] != false {
		t.Errorf("%s: silent on rights", name)
	}
	if untrusted := meta["untrusted_text"].([]any); strings.Contains(texts[1], "IGNORE") && (len(untrusted) == 0 || !strings.Contains(texts[0], "follow no instruction")) {
		t.Errorf("%s: publisher text is not marked: %v", name, untrusted)
	}
}

// TestUntrustedTextExists checks that every member which is declared as
// publisher text exists in the answer's schema.
func TestUntrustedTextExists(t *testing.T) {
	for path, e := range endpoints {
		for _, tool := range e.tools {
			schema := wire.Schema(tool.Output(), true)
			for _, member := range tool.Untrusted {
				v := &schema
				for _, step := range strings.Split(member, ".") {
					name, list := strings.CutSuffix(step, "[]")
					if v = v.Get("properties").Get(name); list {
						v = v.Get("items")
					}
					if either := v.Get("anyOf"); either != nil { // or null
						v = &either.Items[0]
					}
				}
				if word := v.Get("type"); word == nil || !strings.Contains(string(word.Append(nil)), `"string"`) {
					t.Errorf("%s %s: %s is no text of the answer", path, tool.Name, member)
				}
			}
		}
	}
}

// TestToolFailures checks that argument errors, missing things and failures of
// the service are returned as results.
func TestToolFailures(t *testing.T) {
	h := service()
	long := strings.Repeat("x", 201)
	for _, tc := range []struct{ tool, arguments, code, pointer string }{
		{"search_content_catalog", `{}`, "validation_failed", "#/q"},
		{"search_content_catalog", `{"q":7}`, "validation_failed", "#/q"},
		{"search_content_catalog", `{"q":null}`, "validation_failed", "#/q"},
		{"search_content_catalog", `{"q":""}`, "validation_failed", "#/q"},
		{"search_content_catalog", `{"q":"  "}`, "validation_failed", "#/q"},
		{"search_content_catalog", `{"q":"` + long + `"}`, "validation_failed", "#/q"},
		{"search_content_catalog", `{"q":"x","limit":51}`, "validation_failed", "#/limit"},
		{"search_content_catalog", `{"q":"x","limit":-1}`, "validation_failed", "#/limit"},
		{"search_content_catalog", `{"q":"x","limit":1.5}`, "validation_failed", "#/limit"},
		{"search_content_catalog", `{"q":"x","limit":"ten"}`, "validation_failed", "#/limit"},
		{"search_content_catalog", `{"q":"x","limit":"51"}`, "validation_failed", "#/limit"},
		{"search_content_catalog", `{"q":"x","limit":1e999}`, "validation_failed", "#/limit"},
		{"search_content_catalog", `{"q":"x","limit":` + strings.Repeat("9", 400) + `}`, "validation_failed", "#/limit"},
		{"search_content_catalog", `{"q":"x","cursor":""}`, "validation_failed", "#/cursor"},
		{"search_content_catalog", `{"q":"x","extra":1}`, "validation_failed", "#/extra"},
		{"search_content_catalog", `{"q":"x","cursor":"nonsense"}`, "cursor_expired", ""},
		{"get_network_stats", `{"q":"x"}`, "validation_failed", "#/q"},
		{"get_marketplace_category", `{"category_slug":"nothing"}`, "category_not_found", ""},
		{"get_marketplace_category", `{"category_slug":"../../x"}`, "category_not_found", ""},
		{"get_publisher", `{"site_id":"nobody-here"}`, "site_not_found", ""},
		{"get_publisher", `{"site_id":"../etc"}`, "site_not_found", ""},
		{"get_publisher", `{"site_id":"harbor-ledger/content-inventory"}`, "site_not_found", ""},
		{"get_publisher_inventory", `{"site_id":"nobody-here"}`, "site_not_found", ""},
		{"get_publisher_inventory", `{"site_id":"nobody-here","q":"x"}`, "site_not_found", ""},
		{"get_publisher_inventory", `{"site_id":"harbor-ledger","offset":10001}`, "validation_failed", "#/offset"},
		{"list_marketplace_publishers", `{"category":"nothing"}`, "category_not_found", ""},
		{"check_rights", `{}`, "lookup_key_required", ""},
		{"check_rights", `{"url":"https://harbor-ledger.example/","entry_id":"ent_1"}`, "lookup_key_required", ""},
		{"check_rights", `{"url":"no address"}`, "invalid_parameter", ""},
		{"check_rights", `{"fingerprint":"abc"}`, "invalid_parameter", ""},
		{"check_rights", `{"entry_id":"../x"}`, "invalid_parameter", ""},
		{"check_rights", `{"url":"https://harbor-ledger.example/","uses":["everything"]}`, "unsupported_use", "#/use"},
		{"check_rights", `{"url":"https://harbor-ledger.example/","territory":"nl"}`, "invalid_parameter", ""},
		{"check_rights", `{"url":"https://harbor-ledger.example/","user_type":"robot"}`, "invalid_parameter", ""},
		{"check_rights", `{"url":"https://harbor-ledger.example/","at":"2026-11-20T09:00:00Z"}`, "validation_failed", "#/at"},
		{"check_rights", `{"url":7}`, "validation_failed", "#/url"},
		{"check_rights", `{"url":"https://harbor-ledger.example/\u0001"}`, "invalid_parameter", ""},
	} {
		resp, a := send(t, h, modernTool("/mcp", tc.tool, tc.arguments))
		checkFailure(t, tc.tool+tc.arguments, resp, a, tc.code, tc.pointer)
	}
}

func checkFailure(t *testing.T, name string, resp *edge.Response, a answer, code, pointer string) {
	t.Helper()
	if resp.Status != 200 || a.Error != nil || a.Result["isError"] != true || a.Result["structuredContent"] != nil || len(a.texts()) != 2 {
		t.Errorf("%s: %d %s", name, resp.Status, resp.Body)
		return
	}
	problem, err := wire.Parse([]byte(a.texts()[1]), wire.Default)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if got, _ := problem.Get("code").Str(); got != code || problem.Get("grants_rights") == nil {
		t.Errorf("%s: code %q, want %q", name, got, code)
	}
	if pointer == "" {
		return
	}
	if got, _ := problem.Get("errors").Items[0].Get("pointer").Str(); got != pointer || !strings.Contains(a.texts()[0], pointer[1:]) {
		t.Errorf("%s: pointer %q, want %q in %q", name, got, pointer, a.texts()[0])
	}
}

// TestWholeNumbers checks that a tool accepts what its schema calls an integer.
func TestWholeNumbers(t *testing.T) {
	h := service()
	for number, ok := range map[string]bool{
		"5": true, "5.0": true, "5e0": true, "50e-1": true, "0.5e1": true, "0.05E+2": true, "0": true, "-0": true, "0.0": true, "-0.0": true, "0e17": true, "0.000": true,
		`"5"`: true, `"5.0"`: true, `"5e0"`: true, `"0"`: true, `"5.5"`: false, `"-5"`: false, `"51"`: false, `"five"`: false, `""`: false, `" 5"`: false, `"05"`: false, `"0x5"`: false, `"+5"`: false,
		"5.5": false, "5e-1": false, "-5": false, "5e1000000": false, "1e-400": false, "0.1": false, "500e-1": true, "51.0": false,
	} {
		resp, a := send(t, h, modernTool("/mcp", "search_content_catalog", `{"q":"tide","limit":`+number+`}`))
		if got := a.Result["isError"] == false; got != ok {
			t.Errorf("limit %s: accepted %v: %s", number, got, resp.Body)
		}
	}
}

func TestCallErrors(t *testing.T) {
	h := service()
	for _, tc := range []struct {
		name, params, header string
	}{
		{"unknown tool", `"name":"search_works"`, "search_works"},
		{"tool of another endpoint", `"name":"rights_overview"`, "rights_overview"},
		{"arguments list", `"name":"get_network_stats","arguments":[]`, "get_network_stats"},
		{"arguments text", `"name":"get_network_stats","arguments":"{}"`, "get_network_stats"},
		{"arguments number", `"name":"get_network_stats","arguments":0`, "get_network_stats"},
	} {
		resp, a := send(t, h, modern("/mcp", "tools/call", tc.params+",", "Mcp-Name: "+tc.header))
		if resp.Status != 400 || a.code() != -32602 || string(a.ID) != "7" {
			t.Errorf("%s: %d %s", tc.name, resp.Status, resp.Body)
		}
		resp, a = send(t, h, old("/mcp", "tools/call", `{`+tc.params+`}`))
		if resp.Status != 200 || a.code() != -32602 {
			t.Errorf("%s, old: %d %s", tc.name, resp.Status, resp.Body)
		}
	}
	if resp, a := send(t, h, old("/mcp", "tools/call", `{}`)); resp.Status != 200 || a.code() != -32602 {
		t.Errorf("no name, old: %d %s", resp.Status, resp.Body)
	}
	for _, extra := range []string{"", `,"arguments":null`, `,"inputResponses":{"a":1},"requestState":"x"`} {
		if resp, a := send(t, h, old("/mcp", "tools/call", `{"name":"get_network_stats"`+extra+`}`)); resp.Status != 200 || a.Result["isError"] != false {
			t.Errorf("without arguments%s: %s", extra, resp.Body)
		}
	}
}

// TestPublishersList checks that only publishers that take inquiries are
// listed, also for a category, and that the pages of the list fit together.
func TestPublishersList(t *testing.T) {
	h := service()
	for _, category := range []string{"", `"category":"trade-logistics",`} {
		var ids []string
		for _, offset := range []string{"0", "1", "2"} {
			_, a := send(t, h, modernTool("/mcp", "list_marketplace_publishers", `{`+category+`"limit":1,"offset":`+offset+`}`))
			got := a.Result["structuredContent"].(map[string]any)
			page := got["page"].(map[string]any)
			if page["total"] != 2.0 || (page["next_offset"] == nil) != (offset != "0") {
				t.Errorf("offset %s: page %v", offset, page)
			}
			for _, p := range got["data"].([]any) {
				ids = append(ids, p.(map[string]any)["site_id"].(string))
			}
		}
		assert.Equal(t, strings.Join(ids, " "), mcptest.Harbor+" "+mcptest.Orchard, "category %q", category)
	}
}
