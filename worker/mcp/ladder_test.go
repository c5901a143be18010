package mcp_test

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"
)

const meta = `"io.modelcontextprotocol/`

// TestLadder checks each step of the decision ladder, and that an earlier step
// takes precedence.
func TestLadder(t *testing.T) {
	h := service()
	list := func(metaJSON string) string {
		return `{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"_meta":` + metaJSON + `}}`
	}
	good := `{` + meta + `protocolVersion":"2026-07-28",` + meta + `clientCapabilities":{}}`
	future := `{` + meta + `protocolVersion":"2099-01-01",` + meta + `clientCapabilities":{}}`
	with := func(more string) string { return strings.TrimSuffix(good, "}") + "," + more + "}" }
	M := "Mcp-Method: tools/list"
	V := versionHeader
	for _, tc := range []struct {
		name   string
		body   string
		header []string
		status int
		code   int
		id     string
	}{
		// 4. Reading.
		{"empty body", "", nil, 400, -32700, ""},
		{"not JSON", "{", nil, 400, -32700, ""},
		{"trailing bytes", pingOld + "x", nil, 400, -32700, ""},
		{"two messages", pingOld + pingOld, nil, 400, -32700, ""},
		{"ill-formed text", "{\"jsonrpc\":\"2.0\",\"id\":\"\xff\",\"method\":\"ping\"}", nil, 400, -32700, ""},
		{"lone surrogate", `{"jsonrpc":"2.0","id":"\ud800","method":"ping"}`, nil, 400, -32700, ""},
		{"byte order mark", "\ufeff" + pingOld, nil, 400, -32700, ""},
		{"nested 64", `{"jsonrpc":"2.0","id":7,"method":"ping","params":` + strings.Repeat(`{"a":`, 62) + "{}" + strings.Repeat("}", 63), nil, 200, 0, "7"},
		{"nested 65", `{"jsonrpc":"2.0","id":7,"method":"ping","params":` + strings.Repeat(`{"a":`, 63) + "{}" + strings.Repeat("}", 64), nil, 400, -32600, ""},
		{"brackets", strings.Repeat("[", 100_000), nil, 400, -32600, ""},
		{"many values", `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":[` + strings.Repeat("0,", 40_000) + `0]}}`, nil, 400, -32600, ""},
		{"member twice", `{"jsonrpc":"2.0","id":7,"id":8,"method":"ping"}`, nil, 400, -32600, ""},
		// 5. Shape.
		{"batch", "[" + pingOld + "]", nil, 400, -32600, ""},
		{"empty batch", "[]", nil, 400, -32600, ""},
		{"string", `"ping"`, nil, 400, -32600, ""},
		{"null", `null`, nil, 400, -32600, ""},
		{"no jsonrpc", `{"id":7,"method":"ping"}`, nil, 400, -32600, "7"},
		{"jsonrpc 1.0", `{"jsonrpc":"1.0","id":7,"method":"ping"}`, nil, 400, -32600, "7"},
		{"jsonrpc number", `{"jsonrpc":2.0,"id":7,"method":"ping"}`, nil, 400, -32600, "7"},
		{"id null", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, nil, 400, -32600, ""},
		{"id fraction", `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, nil, 400, -32600, ""},
		{"id power", `{"jsonrpc":"2.0","id":1e3,"method":"ping"}`, nil, 400, -32600, ""},
		{"id object", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, nil, 400, -32600, ""},
		{"id list", `{"jsonrpc":"2.0","id":[1],"method":"ping"}`, nil, 400, -32600, ""},
		{"id true", `{"jsonrpc":"2.0","id":true,"method":"ping"}`, nil, 400, -32600, ""},
		{"no method", `{"jsonrpc":"2.0","id":7}`, nil, 400, -32600, "7"},
		{"method empty", `{"jsonrpc":"2.0","id":7,"method":""}`, nil, 400, -32600, "7"},
		{"method number", `{"jsonrpc":"2.0","id":7,"method":1}`, nil, 400, -32600, "7"},
		{"params list", `{"jsonrpc":"2.0","id":7,"method":"ping","params":[]}`, nil, 400, -32600, "7"},
		{"params null", `{"jsonrpc":"2.0","id":7,"method":"ping","params":null}`, nil, 400, -32600, "7"},
		{"params string", `{"jsonrpc":"2.0","id":7,"method":"ping","params":"x"}`, nil, 400, -32600, "7"},
		{"response", `{"jsonrpc":"2.0","id":7,"result":{}}`, nil, 400, -32600, "7"},
		{"error response", `{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"x"}}`, nil, 400, -32600, "7"},
		{"response without id", `{"jsonrpc":"2.0","result":{}}`, nil, 400, -32600, ""},
		{"string id echoed", `{"jsonrpc":"2.0","id":"a\"é\u0007","method":"ping"}`, nil, 200, 0, `"a\"é\u0007"`},
		{"empty id echoed", `{"jsonrpc":"2.0","id":"","method":"ping"}`, nil, 200, 0, `""`},
		{"huge id echoed", `{"jsonrpc":"2.0","id":123456789012345678901234567890,"method":"ping"}`, nil, 200, 0, "123456789012345678901234567890"},
		{"negative id echoed", `{"jsonrpc":"2.0","id":-0,"method":"ping"}`, nil, 200, 0, "-0"},
		{"notification", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, nil, 202, 0, ""},
		{"notification of anything", `{"jsonrpc":"2.0","method":"tools/call","params":{"_meta":7}}`, []string{"MCP-Protocol-Version: nonsense"}, 202, 0, ""},
		// 6. Era.
		{"no version: old", `{"jsonrpc":"2.0","id":7,"method":"ping"}`, nil, 200, 0, "7"},
		{"old header: old", `{"jsonrpc":"2.0","id":7,"method":"ping"}`, []string{"MCP-Protocol-Version: 2025-06-18"}, 200, 0, "7"},
		{"tolerated header", `{"jsonrpc":"2.0","id":7,"method":"ping"}`, []string{"MCP-Protocol-Version: 2025-03-26"}, 200, 0, "7"},
		{"older header", `{"jsonrpc":"2.0","id":7,"method":"ping"}`, []string{"MCP-Protocol-Version: 2024-11-05"}, 400, -32022, "7"},
		{"old body, no header: old", `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"_meta":{` + meta + `protocolVersion":"2025-11-25"}}}`, nil, 200, 0, "7"},
		{"old body, same header: old", `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"_meta":{` + meta + `protocolVersion":"2025-11-25"}}}`, []string{"MCP-Protocol-Version: 2025-11-25"}, 200, 0, "7"},
		{"old body, other header", list(`{` + meta + `protocolVersion":"2025-11-25",` + meta + `clientCapabilities":{}}`), []string{"MCP-Protocol-Version: 2025-06-18", M}, 400, -32020, "7"},
		{"new header alone", `{"jsonrpc":"2.0","id":7,"method":"ping"}`, []string{V}, 400, -32602, "7"},
		{"new header, _meta without version", list(`{}`), []string{V, M}, 400, -32602, "7"},
		{"header of the future alone", `{"jsonrpc":"2.0","id":7,"method":"ping"}`, []string{"MCP-Protocol-Version: 2099-01-01"}, 400, -32602, "7"},
		// 7. Envelope.
		{"_meta missing", `{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{}}`, []string{V, M}, 400, -32602, "7"},
		{"_meta list", list(`[]`), []string{V, M}, 400, -32602, "7"},
		{"version number", list(`{` + meta + `protocolVersion":1,` + meta + `clientCapabilities":{}}`), []string{V, M}, 400, -32602, "7"},
		{"capabilities missing", list(`{` + meta + `protocolVersion":"2026-07-28"}`), []string{V, M}, 400, -32602, "7"},
		{"capabilities null", list(`{` + meta + `protocolVersion":"2026-07-28",` + meta + `clientCapabilities":null}`), []string{V, M}, 400, -32602, "7"},
		{"client without version", list(with(meta + `clientInfo":{"name":"x"}`)), []string{V, M}, 400, -32602, "7"},
		{"client text", list(with(meta + `clientInfo":"x"`)), []string{V, M}, 400, -32602, "7"},
		{"client", list(with(meta + `clientInfo":{"name":"x","version":"1","title":"X"}`)), []string{V, M}, 200, 0, "7"},
		{"log level", list(with(meta + `logLevel":"emergency"`)), []string{V, M}, 200, 0, "7"},
		{"log level unknown", list(with(meta + `logLevel":"loud"`)), []string{V, M}, 400, -32602, "7"},
		{"log level number", list(with(meta + `logLevel":3`)), []string{V, M}, 400, -32602, "7"},
		{"further keys", list(with(`"progressToken":1.5,"traceparent":"00-x","baggage":7,"com.example/x":null`)), []string{V, M}, 200, 0, "7"},
		{"envelope before header", list(`{` + meta + `protocolVersion":"2026-07-28"}`), nil, 400, -32602, "7"},
		// 8. Version header.
		{"header missing", list(good), []string{M}, 400, -32020, "7"},
		{"header differs", list(good), []string{"MCP-Protocol-Version: 2025-11-25", M}, 400, -32020, "7"},
		{"header twice", list(good), []string{V, V, M}, 400, -32020, "7"},
		{"header with blanks", list(good), []string{"MCP-Protocol-Version:  2026-07-28\t", M}, 200, 0, "7"},
		{"mismatch before version", list(future), []string{V, M}, 400, -32020, "7"},
		// 9. Version.
		{"version not served", list(future), []string{"MCP-Protocol-Version: 2099-01-01", M}, 400, -32022, "7"},
		{"version before method", `{"jsonrpc":"2.0","id":7,"method":"nonsense","params":{"_meta":` + future + `}}`, []string{"MCP-Protocol-Version: 2099-01-01"}, 400, -32022, "7"},
		// 10. Method header.
		{"method header missing", list(good), []string{V}, 400, -32020, "7"},
		{"method header differs", list(good), []string{V, "Mcp-Method: tools/call"}, 400, -32020, "7"},
		{"method header in capitals", list(good), []string{V, "Mcp-Method: TOOLS/LIST"}, 400, -32020, "7"},
		{"method header twice", list(good), []string{V, M, M}, 400, -32020, "7"},
		{"surplus name", list(good), []string{V, M, "Mcp-Name: anything"}, 200, 0, "7"},
		{"good", list(good), []string{V, M}, 200, 0, "7"},
		// 13. Method.
		{"unknown method", `{"jsonrpc":"2.0","id":7,"method":"nonsense","params":{` + envelope + `}}`, []string{V, "Mcp-Method: nonsense"}, 404, -32601, "7"},
	} {
		resp, a := send(t, h, post("/mcp", tc.body, tc.header...))
		if resp.Status != tc.status || a.code() != tc.code || string(a.ID) != tc.id {
			t.Errorf("%s: %d %d id %s, want %d %d id %s\n%s", tc.name, resp.Status, a.code(), a.ID, tc.status, tc.code, tc.id, resp.Body)
		}
		if tc.status == 202 && (len(resp.Body) > 0 || resp.Header.Has("content-type")) {
			t.Errorf("%s: 202 with %q", tc.name, resp.Body)
		}
	}
}

// TestNameHeader checks step 11: Mcp-Name must match the body.
func TestNameHeader(t *testing.T) {
	h := service()
	coded := func(s string) string {
		return "Mcp-Name: =?base64?" + base64.StdEncoding.EncodeToString([]byte(s)) + "?="
	}
	for _, tc := range []struct {
		name   string
		body   string // params.name, JSON
		header []string
		code   int
	}{
		{"same", `"get_network_stats"`, []string{"Mcp-Name: get_network_stats"}, 0},
		{"blanks around", `"get_network_stats"`, []string{"Mcp-Name:  get_network_stats\t "}, 0},
		{"base64", `"get_network_stats"`, []string{coded("get_network_stats")}, 0},
		{"base64 of another", `"get_network_stats"`, []string{coded("get_publisher")}, -32020},
		{"base64 with blanks inside differs", `"get_network_stats"`, []string{coded(" get_network_stats")}, -32020},
		{"not base64", `"get_network_stats"`, []string{"Mcp-Name: =?base64?***?="}, -32020},
		{"base64 without padding", `"get_network_stats"`, []string{"Mcp-Name: =?base64?eA?="}, -32020},
		{"base64 of no text", `"get_network_stats"`, []string{"Mcp-Name: =?base64?/w==?="}, -32020},
		{"open base64 is plain", `"=?base64?eA=="`, []string{"Mcp-Name: =?base64?eA=="}, -32602},
		{"looks coded, and is", `"=?base64?eA==?="`, []string{coded("=?base64?eA==?=")}, -32602},
		{"not ASCII", `"näme"`, []string{coded("näme")}, -32602},
		{"missing", `"get_network_stats"`, nil, -32020},
		{"empty and absent", `""`, nil, -32020},
		{"empty and empty", `""`, []string{"Mcp-Name: "}, -32602},
		{"differs", `"get_network_stats"`, []string{"Mcp-Name: get_publisher"}, -32020},
		{"case differs", `"get_network_stats"`, []string{"Mcp-Name: GET_NETWORK_STATS"}, -32020},
		{"twice", `"get_network_stats"`, []string{"Mcp-Name: get_network_stats", "Mcp-Name: get_network_stats"}, -32020},
		{"name no string", `7`, []string{"Mcp-Name: 7"}, -32020},
	} {
		resp, a := send(t, h, modern("/mcp", "tools/call", `"name":`+tc.body+`,`, tc.header...))
		if a.code() != tc.code || (resp.Status == 200) != (tc.code == 0) {
			t.Errorf("%s: %d %s, want %d", tc.name, resp.Status, resp.Body, tc.code)
		}
	}
	for _, method := range []string{"resources/read", "prompts/get"} {
		member := map[string]string{"resources/read": "uri", "prompts/get": "name"}[method]
		if _, a := send(t, h, modern("/mcp", method, `"`+member+`":"x",`)); a.code() != -32020 {
			t.Errorf("%s without Mcp-Name: %d", method, a.code())
		}
		if resp, a := send(t, h, modern("/mcp", method, `"`+member+`":"x",`, "Mcp-Name: x")); a.code() != -32601 || resp.Status != 404 {
			t.Errorf("%s is declared nowhere: %d %d", method, resp.Status, a.code())
		}
	}
}

func TestUnsupportedVersionNamesThoseServed(t *testing.T) {
	body := `{"jsonrpc":"2.0","id":9,"method":"tools/list","params":{"_meta":{` + meta + `protocolVersion":"2099-01-01",` + meta + `clientCapabilities":{}}}}`
	_, a := send(t, service(), post("/mcp", body, "MCP-Protocol-Version: 2099-01-01", "Mcp-Method: tools/list"))
	got, _ := json.Marshal(a.Error.Data)
	if string(got) != `{"requested":"2099-01-01","supported":["2026-07-28","2025-11-25","2025-06-18"]}` {
		t.Errorf("data %s", got)
	}
}

// TestEnvelopeFaultNamesTheKey checks that an error in the envelope names the
// key, so that it can be corrected.
func TestEnvelopeFaultNamesTheKey(t *testing.T) {
	body := `{"jsonrpc":"2.0","id":9,"method":"tools/list","params":{"_meta":{` + meta + `protocolVersion":"2026-07-28"}}}`
	if _, a := send(t, service(), post("/mcp", body, versionHeader)); !strings.Contains(a.Error.Message, "io.modelcontextprotocol/clientCapabilities") {
		t.Errorf("message %q", a.Error.Message)
	}
}
