package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"colophon/internal/assert"
	"colophon/internal/openapi/openapitest"
	"colophon/worker"
	"colophon/worker/edge"
	"colophon/worker/files"
	"colophon/worker/limit"
	"colophon/worker/mcp"
	"colophon/worker/mcp/mcptest"
	"colophon/worker/problem"
)

// TestGatewayCredentials checks who may call what on the gateway, in both eras.
func TestGatewayCredentials(t *testing.T) {
	h := service()
	bearer := "Authorization: Bearer "
	const metadata = `, resource_metadata="https://svc.example/.well-known/oauth-protected-resource/mcp/gateway"`
	for _, tc := range []struct {
		name   string
		header []string
		open   int // status of methods that need no credential
		closed int // status of methods that need one
		proof  string
	}{
		{"none", nil, 200, 401, `Bearer realm="buyer"` + metadata},
		{"other scheme", []string{"Authorization: Basic eDp5"}, 200, 401, `Bearer realm="buyer"` + metadata},
		{"good", []string{bearer + mcptest.Token}, 200, 200, ""},
		{"good, scheme in capitals", []string{"Authorization: BEARER " + mcptest.Token}, 200, 200, ""},
		{"unknown", []string{bearer + "byr_test_other"}, 401, 401, `Bearer realm="buyer", error="invalid_token"` + metadata},
		{"expired", []string{bearer + mcptest.Expired}, 401, 401, `Bearer realm="buyer", error="invalid_token"` + metadata},
		{"empty", []string{bearer}, 401, 401, `Bearer realm="buyer", error="invalid_token"` + metadata},
		{"twice", []string{bearer + mcptest.Token, bearer + mcptest.Token}, 401, 401, `Bearer realm="buyer", error="invalid_token"` + metadata},
	} {
		calls := []struct {
			r    *edge.Request
			want int
		}{
			{modern("/mcp/gateway", "server/discover", "", tc.header...), tc.open},
			{modern("/mcp/gateway", "tools/list", "", tc.header...), tc.open},
			{modern("/mcp/gateway", "resources/list", "", tc.header...), tc.open},
			{modern("/mcp/gateway", "resources/templates/list", "", tc.header...), tc.open},
			{old("/mcp/gateway", "initialize", `{"protocolVersion":"2025-11-25"}`, tc.header...), tc.open},
			{old("/mcp/gateway", "ping", `{}`, tc.header...), tc.open},
			{modernTool("/mcp/gateway", "rights_overview", `{}`, tc.header...), tc.closed},
			{old("/mcp/gateway", "tools/call", `{"name":"rights_overview"}`, tc.header...), tc.closed},
			{modern("/mcp/gateway", "resources/read", `"uri":"`+mcptest.URI+`",`, append([]string{"Mcp-Name: " + mcptest.URI}, tc.header...)...), tc.closed},
			{old("/mcp/gateway", "resources/read", `{"uri":"`+mcptest.URI+`"}`, tc.header...), tc.closed},
		}
		for _, c := range calls {
			resp, a := send(t, h, c.r)
			if resp.Status != c.want {
				t.Errorf("%s, %s: %d, want %d: %s", tc.name, c.r.Body, resp.Status, c.want, resp.Body)
			}
			if c.want == 401 && (a.code() != 40100 || string(a.ID) != "7" || resp.Header.Get("www-authenticate") != tc.proof) {
				t.Errorf("%s, %s: %s, %q", tc.name, c.r.Body, resp.Body, resp.Header.Get("www-authenticate"))
			}
		}
	}
}

// TestNoOAuth checks that a client which follows a 401 is told what kind of
// credential is needed (RFC 9728), and that clients cannot register, before it
// tries to.
func TestNoOAuth(t *testing.T) {
	h := service()
	get := func(path string) *edge.Response {
		return h(context.Background(), &edge.Request{Method: "GET", Path: path, ID: "rid_test"})
	}
	var doc struct {
		Resource       string
		BearerMethods  []string `json:"bearer_methods_supported"`
		Documentation  string   `json:"resource_documentation"`
		Authorizations any      `json:"authorization_servers"`
	}
	resp := get("/.well-known/oauth-protected-resource/mcp/gateway")
	if err := json.Unmarshal(resp.Body, &doc); err != nil || resp.Status != 200 || doc.Resource != "https://svc.example/mcp/gateway" || len(doc.BearerMethods) != 1 || doc.BearerMethods[0] != "header" || doc.Authorizations != nil || doc.Documentation != "https://svc.example/developers/mcp/" {
		t.Errorf("%d %s", resp.Status, resp.Body)
	}
	for path, want := range map[string]int{
		"/.well-known/oauth-authorization-server": 501, "/.well-known/oauth-authorization-server/mcp/gateway": 501, "/.well-known/openid-configuration": 501, "/.well-known/openid-configuration/mcp/gateway": 501,
		"/.well-known/oauth-protected-resource": 404, "/.well-known/oauth-protected-resource/mcp": 404, "/.well-known/oauth-authorization-servers": 404, "/register": 404,
	} {
		if resp := get(path); resp.Status != want {
			t.Errorf("%s: %d, want %d", path, resp.Status, want)
		}
	}
	if _, a := send(t, h, modernTool("/mcp/gateway", "rights_overview", `{}`)); !strings.Contains(a.Error.Message, "no OAuth") {
		t.Errorf("a person reads %q", a.Error.Message)
	}
}

// TestGatewayProtocolBeforeCredential checks that protocol errors are reported
// before credential errors, and that a notification needs no credential.
func TestGatewayProtocolBeforeCredential(t *testing.T) {
	h := service()
	r := modernTool("/mcp/gateway", "rights_overview", `{}`, "Mcp-Name: other")
	if resp, a := send(t, h, r); resp.Status != 400 || a.code() != -32020 {
		t.Errorf("%d %s", resp.Status, resp.Body)
	}
	if resp, _ := send(t, h, post("/mcp/gateway", `{"jsonrpc":"2.0","method":"tools/call"}`, "Authorization: Bearer nonsense")); resp.Status != 202 {
		t.Errorf("notification: %d %s", resp.Status, resp.Body)
	}
	if resp, _ := send(t, h, modernTool("/mcp", "get_network_stats", `{}`, "Authorization: Bearer nonsense")); resp.Status != 200 {
		t.Errorf("the public endpoint asked for a credential: %d", resp.Status)
	}
}

func TestGatewayTools(t *testing.T) {
	h := service()
	auth := "Authorization: Bearer " + mcptest.Token
	for tool, arguments := range map[string][]string{
		"rights_overview":         {`{}`},
		"list_licensed_sources":   {`{}`, `{"type":"direct","limit":50,"cursor":"x"}`},
		"search_licensed_content": {`{"q":"x"}`, `{"q":"x","use":"training","source_ids":["grt_1"],"limit":20,"cursor":"x"}`},
		"read_licensed_content":   {`{"uri":"` + mcptest.URI + `"}`, `{"uri":"` + mcptest.URI + `","format":"html"}`},
	} {
		for _, args := range arguments {
			resp, a := send(t, h, modernTool("/mcp/gateway", tool, args, auth))
			if resp.Status != 200 || a.Result["isError"] != false || len(a.texts()) != 2 {
				t.Errorf("%s%s: %d %s", tool, args, resp.Status, resp.Body)
			}
			assert.Lacks(t, tool+": an answer under a grant denies it", string(resp.Body), "grants_rights")
		}
	}
	for _, tc := range []struct{ tool, arguments, code, pointer string }{
		{"list_licensed_sources", `{"type":"other"}`, "validation_failed", "#/type"},
		{"search_licensed_content", `{}`, "validation_failed", "#/q"},
		{"search_licensed_content", `{"q":"x","limit":21}`, "validation_failed", "#/limit"},
		{"search_licensed_content", `{"q":"x","use":"copying"}`, "validation_failed", "#/use"},
		{"search_licensed_content", `{"q":"x","source_ids":"grt_1"}`, "validation_failed", "#/source_ids"},
		{"read_licensed_content", `{}`, "validation_failed", "#/uri"},
		{"read_licensed_content", `{"uri":"` + mcptest.URI + `","format":"pdf"}`, "validation_failed", "#/format"},
		{"read_licensed_content", `{"uri":"` + mcptest.Denied + `"}`, "grant_inactive", ""},
		{"read_licensed_content", `{"uri":"licensed://x/y"}`, "entry_not_found", ""},
	} {
		resp, a := send(t, h, modernTool("/mcp/gateway", tc.tool, tc.arguments, auth))
		checkFailure(t, tc.tool+tc.arguments, resp, a, tc.code, tc.pointer)
	}
}

func TestResources(t *testing.T) {
	h := service()
	auth := "Authorization: Bearer " + mcptest.Token
	read := func(uri string) *edge.Request {
		return modern("/mcp/gateway", "resources/read", `"uri":"`+uri+`",`, "Mcp-Name: "+uri, auth)
	}
	resp, a := send(t, h, modern("/mcp/gateway", "resources/list", "", auth))
	if got := marshal(a.Result["resources"]); got != `[{"mimeType":"text/markdown","name":"Tide tables","uri":"`+mcptest.URI+`"}]` || a.Result["ttlMs"] != 0.0 || a.Result["cacheScope"] != "private" {
		t.Errorf("list: %s", resp.Body)
	}
	if _, a := send(t, h, modern("/mcp/gateway", "resources/list", "")); marshal(a.Result["resources"]) != "[]" {
		t.Errorf("a stranger sees %v", a.Result)
	}
	if _, a := send(t, h, modern("/mcp/gateway", "resources/templates/list", "")); marshal(a.Result["resourceTemplates"]) != "[]" || a.Result["ttlMs"] == nil {
		t.Errorf("templates: %v", a.Result)
	}
	resp, a = send(t, h, read(mcptest.URI))
	if got := marshal(a.Result["contents"]); got != `[{"mimeType":"text/markdown","text":"# Tide tables","uri":"`+mcptest.URI+`"}]` || a.Result["ttlMs"] != 0.0 || a.Result["cacheScope"] != "private" || a.Result["resultType"] != "complete" {
		t.Errorf("read: %s", resp.Body)
	}
	resp, a = send(t, h, read("licensed://x/y"))
	if resp.Status != 400 || a.code() != -32602 || a.Error.Data["uri"] != "licensed://x/y" {
		t.Errorf("unknown: %d %s", resp.Status, resp.Body)
	}
	if resp, a = send(t, h, read(mcptest.Denied)); resp.Status != 403 || a.code() != 40300 || a.Error.Data != nil {
		t.Errorf("denied: %d %s", resp.Status, resp.Body)
	}
	if resp, a = send(t, h, old("/mcp/gateway", "resources/read", `{}`, auth)); resp.Status != 200 || a.code() != -32602 {
		t.Errorf("no uri: %d %s", resp.Status, resp.Body)
	}
	resp, _ = send(t, h, old("/mcp/gateway", "resources/list", `{}`, auth))
	assert.Lacks(t, "old list", string(resp.Body), "ttlMs", "_meta")
}

// TestNoGateway checks that a server without licensed content declares no
// resources, but still asks for a credential and then says what is missing.
func TestNoGateway(t *testing.T) {
	h := openapitest.Handler(t, worker.New(worker.Deps{BaseURL: base, Assets: mcptest.Catalog()}))
	auth := "Authorization: Bearer anything"
	if _, a := send(t, h, modern("/mcp/gateway", "server/discover", "")); marshal(a.Result["capabilities"]) != `{"tools":{}}` {
		t.Errorf("capabilities %v", a.Result["capabilities"])
	}
	if resp, a := send(t, h, modernTool("/mcp/gateway", "rights_overview", `{}`)); resp.Status != 401 || a.code() != 40100 {
		t.Errorf("no credential: %d %s", resp.Status, resp.Body)
	}
	for tool, arguments := range map[string]string{"rights_overview": `{}`, "list_licensed_sources": `{}`, "search_licensed_content": `{"q":"x"}`, "read_licensed_content": `{"uri":"x"}`} {
		resp, a := send(t, h, modernTool("/mcp/gateway", tool, arguments, auth))
		checkFailure(t, tool, resp, a, "not_implemented", "")
	}
	if resp, a := send(t, h, modern("/mcp/gateway", "resources/list", "", auth)); resp.Status != 404 || a.code() != -32601 {
		t.Errorf("resources: %d %s", resp.Status, resp.Body)
	}
}

// broken fails behind the endpoint, with errors that have a code and with
// errors that have none.
type broken struct {
	mcp.Gateway
	err error
}

func (b broken) Authenticate(context.Context, string) (mcp.Buyer, error) { return mcp.Buyer{}, b.err }
func (b broken) read(context.Context, string) ([]byte, error)            { return nil, b.err }

// readFunc reads published files.
type readFunc func(ctx context.Context, key string) ([]byte, error)

func (f readFunc) Read(ctx context.Context, key string) ([]byte, error) { return f(ctx, key) }

func filesOf(read readFunc) *mcp.Files { return &mcp.Files{Service: &files.Service{Assets: read}} }

func TestFailuresBehind(t *testing.T) {
	secret := errors.New("dial tcp 10.0.0.7: secret")
	for _, tc := range []struct {
		err    error
		code   string
		status int // of a request that cannot be decided
		rpc    int
	}{
		{secret, "internal_error", 500, -32603},
		{&problem.Failure{Code: "origin_unavailable"}, "origin_unavailable", 503, -32603},
		{&problem.Failure{Code: "key_disabled"}, "key_disabled", 403, 40300},
	} {
		var logged []string
		b := broken{err: tc.err}
		s := mcp.New(mcp.Config{BaseURL: base, Catalog: filesOf(b.read), Gateway: b, Log: func(line string) { logged = append(logged, line) }})
		resp, a := send(t, s.Public, modernTool("/mcp", "get_network_stats", `{}`))
		checkFailure(t, tc.code, resp, a, tc.code, "")
		publisher := func(ctx context.Context, r *edge.Request) *edge.Response { return s.Publisher(ctx, r, "harbor-ledger") }
		for _, try := range []struct {
			h edge.Handler
			r *edge.Request
		}{
			{publisher, modern("/mcp/publisher/harbor-ledger", "tools/list", "")},
			{s.Buyers, modern("/mcp/gateway", "tools/list", "", "Authorization: Bearer x")},
		} {
			resp, a := send(t, try.h, try.r)
			if resp.Status != tc.status || a.code() != tc.rpc || string(a.ID) != "7" {
				t.Errorf("%s: %d %s", tc.code, resp.Status, resp.Body)
			}
			if resp.Header.Has("retry-after") != (tc.status == 503) {
				t.Errorf("%s: Retry-After %q", tc.code, resp.Header.Get("retry-after"))
			}
			assert.Lacks(t, tc.code+": a secret got out", string(resp.Body), "secret")
		}
		assert.Equal(t, (len(logged) == 3), tc.err == secret, "%s: log %q", tc.code, logged)
	}
}

// TestDamagedFile checks that a damaged published file is a fault of the
// service, not an error in the caller's arguments.
func TestDamagedFile(t *testing.T) {
	var logged []string
	read := func(context.Context, string) ([]byte, error) {
		return []byte(`{"catalog":{},"data":[{"site_id":7}]}`), nil
	}
	s := mcp.New(mcp.Config{BaseURL: base, Catalog: filesOf(read), Log: func(line string) { logged = append(logged, line) }})
	calls := map[string]string{
		"list_marketplace_categories": `{}`, "get_marketplace_category": `{"category_slug":"a-b"}`, "list_marketplace_publishers": `{}`,
		"get_publisher": `{"site_id":"harbor-ledger"}`, "get_publisher_inventory": `{"site_id":"harbor-ledger"}`, "get_network_stats": `{}`,
	}
	for tool, arguments := range calls {
		resp, a := send(t, s.Public, modernTool("/mcp", tool, arguments))
		checkFailure(t, tool, resp, a, "internal_error", "")
	}
	if len(logged) != len(calls) || !strings.Contains(logged[0], "cannot read /v1/") {
		t.Errorf("log %q", logged)
	}
}

type limiter struct{ policies []string }

func (l *limiter) Allow(_ context.Context, policy, key string) ([]limit.Quota, int64) {
	l.policies = append(l.policies, policy+" "+key)
	return []limit.Quota{{Name: policy}}, 21
}

func TestRateLimit(t *testing.T) {
	l := &limiter{}
	h := openapitest.Handler(t, worker.New(worker.Deps{BaseURL: base, Assets: mcptest.Catalog(), Limits: limit.Limits{Limiter: l}}))
	for path, tool := range map[string]string{"/mcp": "get_network_stats", "/mcp/gateway": "rights_overview"} {
		for _, m := range []string{"server/discover", "tools/list"} {
			if resp, _ := send(t, h, modern(path, m, "")); resp.Status != 200 {
				t.Errorf("%s %s is refused: %s", path, m, resp.Body)
			}
		}
		r := modernTool(path, tool, `{}`)
		r.Remote = "192.0.2.7"
		r.Header.Add("authorization", "Bearer x")
		resp, a := send(t, h, r)
		if resp.Status != 429 || a.code() != 42900 || string(a.ID) != "7" || resp.Header.Get("retry-after") != "21" {
			t.Errorf("%s: %d %s", path, resp.Status, resp.Body)
		}
	}
	slices.Sort(l.policies)
	if len(l.policies) != 2 || !strings.HasPrefix(l.policies[0], "anon ") || !strings.HasPrefix(l.policies[1], "gateway ") || strings.Contains(l.policies[0], "192.0.2") {
		t.Errorf("policies %q", l.policies)
	}
}
