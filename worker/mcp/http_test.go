package mcp_test

import (
	"context"
	"strings"
	"testing"

	"colophon/internal/assert"
	"colophon/worker/edge"
)

const pingOld = `{"jsonrpc":"2.0","id":1,"method":"ping"}`

// TestTransport checks each row of the specification's section "HTTP layer" on
// all three endpoints.
func TestTransport(t *testing.T) {
	h := service()
	big := `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"` + strings.Repeat("a", 1<<20) + `"}}`
	for _, tc := range []struct {
		name   string
		method string
		body   string
		header []string
		status int
		allow  bool
	}{
		{name: "no origin", body: pingOld, status: 200},
		{name: "own origin", body: pingOld, header: []string{"Origin: https://svc.example"}, status: 200},
		{name: "own origin, port said", body: pingOld, header: []string{"Origin: https://svc.example:443"}, status: 200},
		{name: "own origin, letters", body: pingOld, header: []string{"Origin: HTTPS://SVC.example"}, status: 200},
		{name: "foreign origin", body: pingOld, header: []string{"Origin: https://evil.example"}, status: 403},
		{name: "other scheme", body: pingOld, header: []string{"Origin: http://svc.example"}, status: 403},
		{name: "other port", body: pingOld, header: []string{"Origin: https://svc.example:8443"}, status: 403},
		{name: "longer host", body: pingOld, header: []string{"Origin: https://svc.example.evil.example"}, status: 403},
		{name: "user part", body: pingOld, header: []string{"Origin: https://svc.example@evil.example"}, status: 403},
		{name: "path", body: pingOld, header: []string{"Origin: https://svc.example/"}, status: 403},
		{name: "null origin", body: pingOld, header: []string{"Origin: null"}, status: 403},
		{name: "empty origin", body: pingOld, header: []string{"Origin: "}, status: 403},
		{name: "loopback origin elsewhere", body: pingOld, header: []string{"Origin: http://localhost:3000"}, status: 403},
		{name: "origin twice", body: pingOld, header: []string{"Origin: https://svc.example", "Origin: https://svc.example"}, status: 403},
		{name: "origin joined", body: pingOld, header: []string{"Origin: https://svc.example, https://svc.example"}, status: 403},
		{name: "origin before method", method: "DELETE", header: []string{"Origin: https://evil.example"}, status: 403},
		{name: "origin before media type", body: pingOld, header: []string{"Origin: https://evil.example", "Content-Type: text/plain"}, status: 403},
		{name: "preflight", method: "OPTIONS", header: []string{"Origin: https://svc.example"}, status: 204, allow: true},
		{name: "foreign preflight", method: "OPTIONS", header: []string{"Origin: https://evil.example"}, status: 403},
		{name: "options without origin", method: "OPTIONS", status: 204, allow: true},
		{name: "event stream", method: "GET", header: []string{"Accept: text/event-stream"}, status: 405, allow: true},
		{name: "delete", method: "DELETE", status: 405, allow: true},
		{name: "put", method: "PUT", status: 405, allow: true},
		{name: "text", body: pingOld, header: []string{"Content-Type: text/plain"}, status: 415},
		{name: "form", body: pingOld, header: []string{"Content-Type: application/x-www-form-urlencoded"}, status: 415},
		{name: "near JSON", body: pingOld, header: []string{"Content-Type: application/json-rpc"}, status: 415},
		{name: "no type", body: pingOld, header: []string{"Content-Type: "}, status: 415},
		{name: "type with charset", body: pingOld, header: []string{"Content-Type: Application/JSON ; charset=utf-8"}, status: 200},
		{name: "type twice", body: pingOld, header: []string{"Content-Type: application/json", "Content-Type: text/plain"}, status: 415},
		{name: "type before size", body: big, header: []string{"Content-Type: text/plain"}, status: 415},
		{name: "too large", body: big, status: 413},
		{name: "accept missing", body: pingOld, status: 200},
		{name: "accept of pages", body: pingOld, header: []string{"Accept: text/html"}, status: 200},
		{name: "session of the past", body: pingOld, header: []string{"Mcp-Session-Id: x", "Last-Event-ID: 7"}, status: 200},
	} {
		for _, path := range []string{"/mcp", "/mcp/gateway", "/mcp/publisher/harbor-ledger"} {
			r := post(path, tc.body, tc.header...)
			if tc.method != "" {
				r.Method = tc.method
			}
			resp, a := send(t, h, r)
			if resp.Status != tc.status {
				t.Errorf("%s %s: status %d, want %d: %s", path, tc.name, resp.Status, tc.status, resp.Body)
			}
			if tc.status >= 400 && (a.code() == 0 || a.Error.Message == "" || a.ID != nil) {
				t.Errorf("%s %s: %s is no error without id", path, tc.name, resp.Body)
			}
			want := ""
			if tc.allow {
				want = "POST, OPTIONS"
				if path == "/mcp/publisher/harbor-ledger" {
					want = "GET, POST, OPTIONS"
				}
			}
			assert.Equal(t, resp.Header.Get("allow"), want, "%s %s: Allow", path, tc.name)
			checkCORS(t, path+" "+tc.name, r, resp)
		}
	}
}

// checkCORS checks every answer, including errors, against the rules for
// browsers.
func checkCORS(t *testing.T, name string, r *edge.Request, resp *edge.Response) {
	t.Helper()
	origin := r.Header.Get("origin")
	if resp.Status == 403 {
		origin = ""
	}
	assert.Equal(t, resp.Header.Get("access-control-allow-origin"), origin, "%s: Access-Control-Allow-Origin", name)
	if origin != "" && !strings.Contains(resp.Header.Get("access-control-expose-headers"), "WWW-Authenticate") {
		t.Errorf("%s: nothing exposed", name)
	}
	if resp.Header.Has("access-control-allow-credentials") {
		t.Errorf("%s: credentials mode", name)
	}
	vary := "origin"
	if len(resp.Body) > 0 {
		vary = "origin, accept-encoding" // text may be compressed
	}
	if resp.Header.Get("vary") != vary || resp.Header.Get("cache-control") != "no-store" {
		t.Errorf("%s: Vary %q, Cache-Control %q", name, resp.Header.Get("vary"), resp.Header.Get("cache-control"))
	}
	if resp.Header.Has("mcp-session-id") {
		t.Errorf("%s: a session was made", name)
	}
	if resp.Status == 204 {
		assert.Contains(t, name+": fields that are allowed", resp.Header.Get("access-control-allow-headers"), "Authorization", "MCP-Protocol-Version", "Mcp-Method", "Mcp-Name")
	}
}

func TestTooLargeAtTheHost(t *testing.T) {
	r := post("/mcp", "")
	r.TooLarge = true
	if resp, a := send(t, service(), r); resp.Status != 413 || a.code() != -32600 {
		t.Errorf("%d %s", resp.Status, resp.Body)
	}
}

// TestLoopbackOrigins checks that a server on loopback may be called by pages
// on loopback, at any port, and by no others.
func TestLoopbackOrigins(t *testing.T) {
	h := serviceAt("http://127.0.0.1:8787")
	for origin, want := range map[string]int{
		"http://127.0.0.1:8787": 200, "http://localhost:3000": 200, "http://localhost": 200, "http://[::1]:9": 200,
		"http://evil.example.com": 403, "http://localhost.evil.example": 403, "http://localhost:": 403, "http://localhost:1x": 403,
		"https://localhost:3000": 403, "http://127.0.0.1.evil.example": 403,
	} {
		if resp, _ := send(t, h, post("/mcp", pingOld, "Origin: "+origin)); resp.Status != want {
			t.Errorf("%s: %d, want %d", origin, resp.Status, want)
		}
	}
}

func TestQueryIsIgnored(t *testing.T) {
	r := post("/mcp", pingOld)
	r.Query = "utm=1&utm=2"
	if resp := service()(context.Background(), r); resp.Status != 200 {
		t.Errorf("%d %s", resp.Status, resp.Body)
	}
}
