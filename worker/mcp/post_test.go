package mcp_test

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"colophon/internal/openapi/openapitest"
	"colophon/worker"
	"colophon/worker/edge"
	"colophon/worker/mcp/mcptest"
)

const base = "https://svc.example"

// TestMain checks the answers in all tests against the contract.
func TestMain(m *testing.M) { os.Exit(openapitest.Run(m)) }

// service returns the whole worker on the fixture.
func service() edge.Handler { return serviceAt(base) }

func serviceAt(baseURL string) edge.Handler {
	return openapitest.Handler(nil, worker.New(worker.Deps{
		BaseURL: baseURL, Assets: mcptest.Catalog(), Queries: mcptest.Scan{}, Gateway: mcptest.Gateway{}, Now: time.Now,
	}))
}

// post builds a request; header lines are "Name: value", added in order.
func post(path, body string, header ...string) *edge.Request {
	r := &edge.Request{Method: "POST", Path: path, Body: []byte(body), ID: "rid_test"}
	for _, h := range header {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Add(strings.ToLower(name), value)
	}
	if !r.Header.Has("content-type") {
		r.Header.Add("content-type", "application/json")
	}
	return r
}

const (
	versionHeader = "MCP-Protocol-Version: 2026-07-28"
	envelope      = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
)

// modern returns a request of the current version; params is what precedes the
// envelope, ending in a comma.
func modern(path, method, params string, header ...string) *edge.Request {
	body := `{"jsonrpc":"2.0","id":7,"method":"` + method + `","params":{` + params + envelope + `}}`
	return post(path, body, append([]string{versionHeader, "Mcp-Method: " + method}, header...)...)
}

// modernTool returns a call of a tool.
func modernTool(path, name, arguments string, header ...string) *edge.Request {
	return modern(path, "tools/call", `"name":"`+name+`","arguments":`+arguments+`,`, append([]string{"Mcp-Name: " + name}, header...)...)
}

func old(path, method, params string, header ...string) *edge.Request {
	return post(path, `{"jsonrpc":"2.0","id":7,"method":"`+method+`","params":`+params+`}`, header...)
}

// answer is a decoded JSON-RPC response.
type answer struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  map[string]any  `json:"result"`
	Error   *struct {
		Code    int            `json:"code"`
		Message string         `json:"message"`
		Data    map[string]any `json:"data"`
	} `json:"error"`
}

func send(t testing.TB, h edge.Handler, r *edge.Request) (*edge.Response, answer) {
	t.Helper()
	resp := h(context.Background(), r)
	var a answer
	if len(resp.Body) > 0 {
		if err := json.Unmarshal(resp.Body, &a); err != nil {
			t.Fatalf("%s %s answered %d with no JSON: %v\n%s", r.Method, r.Path, resp.Status, err, resp.Body)
		}
	}
	return resp, a
}

// code returns the error code of an answer, 0 for a result.
func (a answer) code() int {
	if a.Error == nil {
		return 0
	}
	return a.Error.Code
}

// texts returns the text blocks of a tool result.
func (a answer) texts() []string {
	var out []string
	content, _ := a.Result["content"].([]any)
	for _, c := range content {
		s, _ := c.(map[string]any)["text"].(string)
		out = append(out, s)
	}
	return out
}
