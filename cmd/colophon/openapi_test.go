package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"colophon/exports"
	"colophon/internal/demo/guests"
	"colophon/internal/openapi"
	"colophon/internal/openapi/openapitest"
	"colophon/internal/registrydir"
	"colophon/worker/limit"
)

// contractHost is a server whose every answer is checked against the contract.
type contractHost struct {
	t      *testing.T
	base   string
	facts  guests.Facts
	client *http.Client
	judge  *openapitest.Transport
}

// startContractHost serves the demo with limits that no test reaches, or uses
// the server that COLOPHON_BASE and COLOPHON_DEMO name.
func startContractHost(t *testing.T) *contractHost {
	t.Helper()
	judge := &openapitest.Transport{RoundTripper: &http.Transport{MaxIdleConnsPerHost: 8}}
	h := &contractHost{t: t, judge: judge, client: &http.Client{
		Timeout:       60 * time.Second,
		Transport:     judge,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	if base := os.Getenv("COLOPHON_BASE"); base != "" {
		h.base, h.facts = base, readDemo(t, os.Getenv("COLOPHON_DEMO"))
		return h
	}
	dir := filepath.Join(t.TempDir(), "reg")
	fixtures.demo.copyTo(t, dir)
	h.facts = readDemo(t, filepath.Join(dir, registrydir.DemoFile))
	raiseLimits(t, filepath.Join(dir, registrydir.SettingsFile))

	h.base = startServer(t, "serve", "--dir", dir).base
	return h
}

// raiseLimits writes quotas that no test reaches into the settings.
func raiseLimits(t *testing.T, file string) {
	t.Helper()
	f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
	must(t, err)
	defer f.Close()
	fmt.Fprintln(f, "\n[limits]")
	for _, p := range limit.DefaultPolicies() {
		for _, q := range p.Quotas {
			fmt.Fprintf(f, "%q = 1000000000\n", q.Name)
		}
	}
}

// ask sends a request; header alternates names and values.
func (h *contractHost) ask(method, target, body string, header ...string) (status int, answer []byte, got http.Header) {
	h.t.Helper()
	req, err := http.NewRequest(method, h.base+target, strings.NewReader(body))
	if err != nil {
		h.t.Fatalf("%s %q: %v", method, target, err)
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Add(header[i], header[i+1])
	}
	res, err := h.client.Do(req)
	if err != nil {
		h.t.Fatalf("%s %q: %v", method, target, err)
	}
	defer res.Body.Close()
	answer, err = io.ReadAll(res.Body)
	if err != nil {
		h.t.Fatalf("%s %q: %v", method, target, err)
	}
	return res.StatusCode, answer, res.Header
}

// faults fails the test for every answer that breaks the contract.
func (h *contractHost) faults() (judged int) {
	h.t.Helper()
	judged, faults := h.judge.Faults()
	for i, err := range faults {
		if i == 20 {
			h.t.Errorf("and %d more", len(faults)-i)
			break
		}
		h.t.Error(err)
	}
	return judged
}

// exampleFile is where the examples of the description are kept.
const exampleFile = "../../internal/openapi/examples.json"

// exchanged is one recorded call. Sent is the media type of its body, "" for
// none.
type exchanged struct {
	Answer  any    `json:"answer"`
	Request any    `json:"request,omitempty"`
	Sent    string `json:"sent,omitempty"`
}

// TestExamplesAreGiven makes the calls of the description's examples, and
// requires the same status, media type and members. COLOPHON_RECORD=1 writes
// the examples again.
func TestExamplesAreGiven(t *testing.T) {
	t.Parallel()
	if os.Getenv("COLOPHON_BASE") != "" {
		t.Skip("the examples are those of the native demo")
	}
	h := startContractHost(t)
	got := h.exchangeAll()
	h.faults()
	if len(got) < len(exports.Surface) {
		t.Errorf("%d answers to %d operations", len(got), len(exports.Surface))
	}
	if os.Getenv("COLOPHON_RECORD") != "" {
		text, err := json.MarshalIndent(got, "", "\t")
		must(t, err)
		must(t, os.WriteFile(exampleFile, append(text, '\n'), 0o644))
		return
	}
	data, err := os.ReadFile(exampleFile)
	must(t, err)
	var want map[string]exchanged
	must(t, json.Unmarshal(data, &want))
	if len(want) != len(got) {
		t.Errorf("the description has %d examples, %d were given: run the test with COLOPHON_RECORD=1", len(want), len(got))
	}
	for key, x := range want {
		if g, ok := got[key]; !ok || g.Sent != x.Sent || shapeOf(g.Answer) != shapeOf(x.Answer) {
			t.Errorf("the example of %s was not given: run the test with COLOPHON_RECORD=1\n%s\n%s", key, shapeOf(g.Answer), shapeOf(x.Answer))
		}
	}
}

// shapeOf returns the members of a document with the kinds of their values.
func shapeOf(v any) string {
	switch x := v.(type) {
	case map[string]any:
		return fmt.Sprintf("%q", slices.Sorted(maps.Keys(x)))
	case nil:
		return "null"
	}
	return fmt.Sprintf("%T", v)
}

// exchangeAll calls every operation successfully, in every media type that it
// takes and answers with, and returns the calls by openapi.ExampleKey.
func (h *contractHost) exchangeAll() map[string]exchanged {
	h.t.Helper()
	out := map[string]exchanged{}
	partner := []string{"Authorization", "Bearer " + h.facts.PartnerKeys["full"]}
	buyer := []string{"Authorization", "Bearer " + h.facts.BuyerCredentials["granted"]}
	var request, thread, token string
	send := func(id string, x exchanged, text string, header ...string) any {
		e := endpointByID(h.t, id)
		target := concrete(e.Path, h.facts)
		target = strings.NewReplacer("{request_id}", request, "{thread_id}", thread).Replace(target) + exampleQuery(e, h.facts)
		if x.Sent != "" {
			header = append(header, "Content-Type", x.Sent)
		}
		status, answer, got := h.ask(e.Method, target, text, header...)
		if status/100 != 2 {
			h.t.Fatalf("%s: %s %s answered %d: %s", id, e.Method, target, status, answer)
		}
		media, _, _ := strings.Cut(got.Get("Content-Type"), ";")
		if !strings.HasSuffix(media, "json") || json.Unmarshal(answer, &x.Answer) != nil {
			x.Answer = string(answer)
		}
		out[openapi.ExampleKey(id, strconv.Itoa(status), media)] = x
		return x.Answer
	}
	once := func(id string, body any, header ...string) any {
		if body == nil {
			return send(id, exchanged{}, "", header...)
		}
		text, err := json.Marshal(body)
		must(h.t, err)
		return send(id, exchanged{Request: body, Sent: "application/json"}, string(text), header...)
	}
	for _, e := range exports.Surface {
		if e.Method == "GET" && e.Auth == exports.Open {
			once(e.ID, nil)
		}
	}
	wording := map[string]any{
		"intended_use": "Grounding of answers about harbours", "requested_scope": "/shipping/*",
		"message": "We would like to ground answers on your tide tables.",
	}
	with := func(more map[string]any) map[string]any {
		all := map[string]any{"site_id": h.facts.SiteID}
		for _, part := range []map[string]any{wording, more} {
			for name, v := range part {
				all[name] = v
			}
		}
		return all
	}
	for _, id := range []string{"partner_status", "partner_catalog_search", "partner_categories", "partner_publisher"} {
		once(id, nil, partner...)
	}
	created := once("partner_create_request", with(map[string]any{"buyer_name": "R. Example", "buyer_email": "r@example.org"}), append(partner, "Idempotency-Key", "example-1")...)
	request = member(created, "request_id")
	once("partner_list_requests", nil, partner...)
	once("partner_get_request", nil, partner...)

	use := map[string]any{"schema_version": "1.0", "document_type": "event_batch", "agent_id": "assistant.example", "events": []map[string]any{
		{"id": "770e8400-e29b-41d4-a716-446655440301", "type": "content_grounded", "timestamp": exports.Instant(time.Now().Truncate(24 * time.Hour)), "content_url": h.facts.URL},
	}}
	once("partner_report_use", use, partner...)
	once("delivery_report_use", use, buyer...)

	once("rights_check_batch", map[string]any{"urls": []string{h.facts.URL, "https://nobody.example/"}, "uses": []string{"training"}})
	once("prepare_intent", map[string]any{"resource": h.facts.URL, "requested_use": "rag"})
	receipt := once("create_request", with(map[string]any{"requester_name": "R. Example", "requester_email": "r@example.org"}), "Idempotency-Key", "example-1")
	conversation, _ := receipt.(map[string]any)["conversation"].(map[string]any)
	thread, token = member(conversation, "thread_id"), member(conversation, "token")
	for _, id := range []string{"get_conversation", "procurement_view"} {
		once(id, nil, "X-Conversation-Token", token)
	}
	for range 2 { // the second time the message exists already
		once("post_message", map[string]any{"body": "May the answers show the tables?", "kind": "question", "client_message_id": "m1"}, "X-Conversation-Token", token)
	}
	form := with(map[string]any{"requester_name": "F. Example", "requester_email": "f@example.org"})
	values := url.Values{}
	for name, v := range form {
		values.Set(name, v.(string))
	}
	send("create_request", exchanged{Request: form, Sent: "application/x-www-form-urlencoded"}, values.Encode(), "Accept", "text/html")
	for _, media := range []string{"application/x-bibtex", "application/vnd.citationstyles.csl+json", "text/html", "text/plain"} {
		once("get_citation", nil, "Accept", media)
	}

	once("verify_record", map[string]any{"record": out[openapi.ExampleKey("get_record", "200", "application/json")].Answer})
	once("sandbox_run", map[string]any{"example": "rights_check"})
	for _, id := range []string{"delivery_items", "delivery_feed"} {
		once(id, nil, buyer...)
	}
	once("delivery_snapshot", map[string]any{"label": "example", "scope": map[string]any{"uses": []string{"rag"}}}, append(buyer, "Idempotency-Key", "example-1")...)
	once("delivery_delta", nil, buyer...)

	list := map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{"name": "get_network_stats", "arguments": map[string]any{}}}
	once("mcp", list)
	list["params"] = map[string]any{"name": "get_publisher_inventory", "arguments": map[string]any{"limit": 1}}
	once("mcp_publisher", list)
	list["params"] = map[string]any{"name": "rights_overview", "arguments": map[string]any{}}
	once("mcp_gateway", list, buyer...)
	return out
}

// exampleQuery returns a query for a small answer about what the demo has.
func exampleQuery(e *exports.Endpoint, f guests.Facts) string {
	switch e.ID {
	case "rights_check":
		return "?use=rag&entry_id=" + f.EntryID
	case "similar_citations":
		return "?min=0.9&iscc=" + f.ISCC
	case "resolve_citation":
		return "?entry_id=" + f.EntryID
	case "search_content_catalog":
		return "?q=tide&limit=1"
	}
	for _, p := range e.Query {
		if p.Name == "limit" {
			return "?limit=1"
		}
	}
	return ""
}

func endpointByID(t *testing.T, id string) *exports.Endpoint {
	t.Helper()
	for i := range exports.Surface {
		if exports.Surface[i].ID == id {
			return &exports.Surface[i]
		}
	}
	t.Fatalf("no operation %q", id)
	return nil
}

// member returns a text member of a document, "" if there is none.
func member(v any, name string) string {
	object, _ := v.(map[string]any)
	text, _ := object[name].(string)
	return text
}
