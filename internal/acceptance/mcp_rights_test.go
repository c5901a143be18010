package acceptance_test

import (
	"context"
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"colophon/internal/openapi/openapitest"
	"colophon/worker"
	"colophon/worker/edge"
	"colophon/worker/limit"
)

// callTool calls a tool over MCP.
func (w *rightsWorld) callTool(path, name string, arguments map[string]any) (texts []string, structured json.RawMessage) {
	w.t.Helper()
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{"name": name, "arguments": arguments}})
	must(w.t, err)
	r := edge.Request{Method: "POST", Path: path, Body: body}
	r.Header.Set("content-type", "application/json")
	resp := w.handle(context.Background(), &r)
	var answer struct {
		Result struct {
			Content           []struct{ Text string }
			StructuredContent json.RawMessage
		}
	}
	if err := json.Unmarshal(resp.Body, &answer); err != nil || resp.Status != 200 {
		w.t.Fatalf("%d %s", resp.Status, resp.Body)
	}
	for _, c := range answer.Result.Content {
		texts = append(texts, c.Text)
	}
	return texts, answer.Result.StructuredContent
}

// TestCheckRightsOverMCP checks that the tool gives the rights check's answer,
// byte for byte, at both endpoints, and a short summary of it.
func TestCheckRightsOverMCP(t *testing.T) {
	w := newRightsWorld(t)
	w.deps.Signer, _ = rightsKey(t)
	w.handle = openapitest.Handler(t, worker.New(w.deps))
	type args = map[string]any
	for _, c := range []struct {
		arguments args
		query     string
		says      []string
	}{
		{args{"url": pageURL}, "url=" + url.QueryEscape(pageURL), []string{"Entry " + w.entry + " of harbor-ledger: ", "training declined (", "Valid until ", "This grants no rights."}},
		{args{"url": pageURL, "uses": []string{"rag"}}, "use=rag&url=" + url.QueryEscape(pageURL), []string{": rag license_required (offer_exists)."}},
		{args{"url": pageURL, "uses": []string{"grounding", "training"}, "territory": "US", "user_type": "commercial"}, "use=grounding,training&territory=US&user_type=commercial&url=" + url.QueryEscape(pageURL), []string{"rag declined (territory_excluded)"}},
		{args{"entry_id": w.entry, "agent": "ExampleBot", "uses": []string{"research"}}, "use=research&agent=ExampleBot&entry_id=" + w.entry, []string{"research declined (signal_disallows)"}},
		{args{"fingerprint": w.digest}, "fingerprint=" + w.digest, []string{"Entry " + w.entry}},
		{args{"fingerprint": strings.ToUpper(w.digest), "territory": ""}, "fingerprint=" + strings.ToUpper(w.digest), []string{"Entry " + w.entry}},
		{args{"url": "https://harbor-ledger.example/never-registered"}, "url=" + url.QueryEscape("https://harbor-ledger.example/never-registered"), []string{"The page is not registered; its site harbor-ledger: "}},
		{args{"url": "https://nobody.example/a"}, "url=" + url.QueryEscape("https://nobody.example/a"), []string{"every use is unknown, which is no permission"}},
	} {
		want := w.raw(c.query)
		if about := !strings.Contains(c.query, "nobody"); about != strings.Contains(string(want), `"receipt":{"kid":`) {
			t.Fatalf("receipt where something is known: %v, %s", about, want)
		}
		for _, path := range []string{"/mcp", "/mcp/publisher/harbor-ledger"} {
			texts, structured := w.callTool(path, "check_rights", c.arguments)
			if string(structured) != string(want) || len(texts) != 2 || texts[1] != string(want) {
				t.Errorf("%s %v: %s\nand GET: %s", path, c.arguments, structured, want)
				continue
			}
			for _, words := range c.says {
				if !strings.Contains(texts[0], words) {
					t.Errorf("%s %v: %q lacks %q", path, c.arguments, texts[0], words)
				}
			}
		}
	}
	texts, structured := w.callTool("/mcp/publisher/harbor-ledger", "check_rights", args{"uses": []string{"training"}})
	if want := w.raw("use=training&site_id=harbor-ledger"); string(structured) != string(want) || !strings.Contains(texts[0], "The site harbor-ledger: training declined (") {
		t.Errorf("a publisher as a whole: %v %s", texts, structured)
	}
}

// TestMCPQuotas checks that an address may make 600 calls in a minute, since
// hosted agents share addresses, and that a rights check over MCP counts as a
// rights check.
func TestMCPQuotas(t *testing.T) {
	w := newRightsWorld(t)
	counted := policyCounts{}
	w.deps.Limits.Limiter = counted
	w.handle = worker.New(w.deps)
	w.callTool("/mcp", "get_network_stats", nil)
	w.callTool("/mcp", "check_rights", map[string]any{"url": pageURL})
	w.callTool("/mcp/publisher/harbor-ledger", "check_rights", nil)
	w.callTool("/mcp/publisher/harbor-ledger", "get_publisher", nil)
	if counted["anon"] != 2 || counted["rights"] != 2 || len(counted) != 2 {
		t.Errorf("counted %v", counted)
	}
	if q := limit.QuotasOf(limit.DefaultPolicies(), "anon"); len(q) != 1 || q[0].Calls != 600 || q[0].Window != 60 {
		t.Errorf("anon has %v", q)
	}
}

// policyCounts counts calls by policy and allows them all.
type policyCounts map[string]int

func (c policyCounts) Allow(_ context.Context, policy, _ string) ([]limit.Quota, int64) {
	c[policy]++
	return nil, 0
}
