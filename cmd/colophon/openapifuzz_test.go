package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"colophon/exports"
	"colophon/exports/inquiries"
	"colophon/internal/openapi/openapitest"
)

// TestContractFuzz requires the served description to be the one that the
// contract is made from. It sends requests made from it, well-formed and not,
// and requires no 5xx and no answer outside the contract. COLOPHON_FUZZ is the
// number of requests, COLOPHON_FUZZ_SEED the seed.
func TestContractFuzz(t *testing.T) {
	t.Parallel()
	requests := fromEnvironment(t, "COLOPHON_FUZZ", 600)
	seed := fromEnvironment(t, "COLOPHON_FUZZ_SEED", 1)
	h := startContractHost(t)
	status, served, _ := h.ask("GET", exports.PathOpenAPI, "")
	if _, err := openapitest.New(served); err != nil || status != http.StatusOK || !bytes.HasPrefix(served, []byte(`{"components":`)) {
		t.Fatalf("the description: %d %v %.80s", status, err, served)
	}
	f := &fuzzer{contractHost: h, random: rand.New(rand.NewPCG(uint64(seed), 20))}
	must(t, json.Unmarshal(served, &f.document))
	f.learn()
	statuses := map[int]int{}
	reached := map[string]bool{}
	for n := range requests {
		e := &exports.Surface[n%len(exports.Surface)]
		status := f.send(e)
		statuses[status]++
		if status/100 == 2 {
			reached[e.ID] = true
		}
		if t.Failed() {
			t.Fatalf("request %d of seed %d", n, seed)
		}
	}
	judged := h.faults()
	t.Logf("%d requests, %d answers judged, by status %v", requests, judged, statuses)
	if judged < requests {
		t.Errorf("%d of %d answers were judged", judged, requests)
	}
	if len(reached) < len(exports.Surface)*2/3 {
		t.Errorf("only %d operations succeeded once: the requests are too bad", len(reached))
	}
}

func fromEnvironment(t *testing.T, name string, otherwise int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}

// fuzzer makes requests from a description.
type fuzzer struct {
	*contractHost
	document map[string]any
	random   *rand.Rand

	requestID, threadID, token string // of a real request
}

// learn makes a partner request, so that there is something to find.
func (f *fuzzer) learn() {
	body := `{"site_id":"` + f.facts.SiteID + `","buyer_name":"F. Uzz","buyer_email":"f@example.org","intended_use":"Grounding of answers","requested_scope":"/shipping/*","message":"We would like to ground answers on tide tables."}`
	status, answer, _ := f.ask("POST", inquiries.PathPartnerRequests, body,
		"Authorization", "Bearer "+f.facts.PartnerKeys["full"], "Idempotency-Key", "fuzz-"+strconv.FormatUint(f.random.Uint64(), 36), "Content-Type", "application/json")
	if status != 201 {
		f.t.Fatalf("%d: %s", status, answer)
	}
	var created struct {
		RequestID    string `json:"request_id"`
		Conversation struct {
			ThreadID string `json:"thread_id"`
			Token    string
		}
	}
	must(f.t, json.Unmarshal(answer, &created))
	f.requestID, f.threadID, f.token = created.RequestID, created.Conversation.ThreadID, created.Conversation.Token
}

// send makes one request for an operation. Each part of it may independently be
// wrong.
func (f *fuzzer) send(e *exports.Endpoint) (status int) {
	operation := f.object("paths", e.Path, strings.ToLower(e.Method))
	method := e.Method
	if f.once(20) {
		method = pick(f.random, []string{"HEAD", "PUT", "DELETE", "OPTIONS", "GET", "POST"})
	}
	body, header := f.body(operation)
	header = append(header, f.credentials(e)...)
	header = append(header, f.headers(operation)...)
	status, answer, _ := f.ask(method, f.path(e)+f.query(operation), body, header...)
	if status >= 500 && status != 501 {
		f.t.Errorf("%s %s answered %d: %s", method, e.Path, status, answer)
	}
	return status
}

func (f *fuzzer) object(names ...string) map[string]any {
	v := f.document
	for _, name := range names {
		v, _ = v[name].(map[string]any)
	}
	return v
}

func (f *fuzzer) resolve(v any) map[string]any {
	object, _ := v.(map[string]any)
	if reference, ok := object["$ref"].(string); ok {
		return f.object(strings.Split(strings.TrimPrefix(reference, "#/"), "/")...)
	}
	return object
}

// once returns true one time in n.
func (f *fuzzer) once(n int) bool { return f.random.IntN(n) == 0 }

func pick[T any](random *rand.Rand, list []T) T { return list[random.IntN(len(list))] }

// oddTexts are values that nobody expects.
var oddTexts = []string{
	"", " ", "*", "0", "-1", "1e9", "99999999999999999999", "null", "true", "tide", "ent_", "../../etc/passwd", "%", "\x00", "\u202e", "\ufffd", "é", "日本語", "'\"<script>",
	"{{7*7}}", "a,b", ",", "min:", "min:listed", "2026-11-20T09:00:00Z", "https://harbor-ledger.example/", strings.Repeat("a", 300), strings.Repeat("語", 3000),
}

func (f *fuzzer) text() string { return pick(f.random, oddTexts) }

func (f *fuzzer) path(e *exports.Endpoint) string {
	known := map[string]string{
		"{site_id}": f.facts.SiteID, "{entry_id}": f.facts.EntryID, "{category_slug}": f.facts.Category, "{request_id}": f.requestID, "{thread_id}": f.threadID,
	}
	path := e.Path
	for name, value := range known {
		if f.once(5) {
			value = url.PathEscape(f.text() + "x")
		}
		path = strings.ReplaceAll(path, name, value)
	}
	return path
}

func (f *fuzzer) query(operation map[string]any) string {
	q := url.Values{}
	parameters, _ := operation["parameters"].([]any)
	for _, p := range parameters {
		x := f.resolve(p)
		if x["in"] != "query" || !f.once(3) {
			continue
		}
		name, _ := x["name"].(string)
		for range 1 + f.random.IntN(8)/7 {
			q.Add(name, f.parameter(name, f.resolve(x["schema"])))
		}
	}
	if f.once(25) {
		q.Add(f.text(), f.text())
	}
	text := q.Encode()
	if f.once(40) {
		text += "&q=%zz"
	}
	if text == "" {
		return ""
	}
	return "?" + text
}

// parameter returns a value for a parameter: from the demo, from its schema, or
// any.
func (f *fuzzer) parameter(name string, schema map[string]any) string {
	known := map[string]string{
		"url": f.facts.URL, "entry_id": f.facts.EntryID, "fingerprint": f.facts.Fingerprint, "site_id": f.facts.SiteID, "category": f.facts.Category, "q": "tide", "cursor": "*",
	}
	if value, ok := known[name]; ok && !f.once(4) {
		return value
	}
	if f.once(5) {
		return f.text()
	}
	value := f.value(schema, 0)
	if list, ok := value.([]any); ok {
		if len(list) == 0 {
			return ""
		}
		value = list[0]
	}
	return fmt.Sprint(value)
}

func (f *fuzzer) headers(operation map[string]any) []string {
	var out []string
	parameters, _ := operation["parameters"].([]any)
	for _, p := range parameters {
		x := f.resolve(p)
		if x["in"] != "header" || x["required"] != true && !f.once(3) || f.once(10) {
			continue
		}
		name, _ := x["name"].(string)
		out = append(out, name, f.headerText())
	}
	if f.once(6) {
		out = append(out, "Accept", pick(f.random, []string{"text/html", "*/*", "image/png", "application/json;q=0", "application/x-bibtex", "", "text/*;q=0.5, */*;q=0.1", ";;"}))
	}
	if f.once(8) {
		out = append(out, "Accept-Encoding", pick(f.random, []string{"gzip", "gzip;q=0", "br", "identity"}))
	}
	if f.once(30) {
		out = append(out, "Origin", pick(f.random, []string{"https://evil.example", "null", f.base}))
	}
	return out
}

// headerText returns a text that is valid in a header.
func (f *fuzzer) headerText() string {
	if f.once(2) {
		return "k" + strconv.FormatUint(f.random.Uint64(), 36)
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return -1
		}
		return r
	}, f.text())
}

func (f *fuzzer) credentials(e *exports.Endpoint) []string {
	keys := []string{f.facts.PartnerKeys["full"], f.facts.PartnerKeys["status_only"], f.facts.PartnerKeys["suspended"], f.facts.BuyerCredentials["granted"], f.facts.BuyerCredentials["none"], f.facts.BuyerCredentials["expired"], "nobody"}
	if f.once(8) {
		return []string{"Authorization", pick(f.random, []string{"Bearer ", "Basic eDp5", "Bearer"}) + pick(f.random, keys), "X-Service-Partner-Key", pick(f.random, keys)}
	}
	switch {
	case e.Auth == exports.ByPartner:
		return []string{"Authorization", "Bearer " + keys[0]}
	case e.Auth == exports.ByBuyer:
		return []string{"Authorization", "Bearer " + keys[3]}
	case e.Auth == exports.ByConversation && !f.once(6):
		return []string{"X-Conversation-Token", f.token}
	}
	return nil
}

func (f *fuzzer) body(operation map[string]any) (text string, header []string) {
	request, _ := operation["requestBody"].(map[string]any)
	content, _ := request["content"].(map[string]any)
	if len(content) == 0 {
		if f.once(30) {
			return "{}", []string{"Content-Type", "application/json"}
		}
		return "", nil
	}
	media := pick(f.random, slices.Sorted(maps.Keys(content)))
	schema := f.resolve(f.resolve(content[media])["schema"])
	header = []string{"Content-Type", media}
	if f.once(20) {
		header[1] = pick(f.random, []string{"text/plain", "application/xml", "", "application/json; charset=utf-16"})
	}
	if f.once(12) {
		return pick(f.random, []string{"", "{", "[]", "null", "{}", `{"a":1,"a":2}`, "\ufeff{}", strings.Repeat("[", 4000), `{"x":1e400}`, "\xff", strings.Repeat(" ", 70_000)}), header
	}
	value := f.value(schema, 0)
	if example, ok := f.resolve(content[media])["example"]; ok && f.once(3) {
		value = example
	}
	if strings.HasSuffix(media, "urlencoded") {
		form := url.Values{}
		object, _ := value.(map[string]any)
		for name, v := range object {
			form.Set(name, fmt.Sprint(v))
		}
		return form.Encode(), header
	}
	data, err := json.Marshal(value)
	must(f.t, err)
	return string(data), header
}

// value returns a value of a schema, and now and then another value.
func (f *fuzzer) value(schema map[string]any, depth int) any {
	schema = f.resolve(schema)
	if f.once(25) || depth > 12 {
		return pick(f.random, []any{nil, true, 1, -1, 1.5, 1e30, "", []any{}, map[string]any{}, f.text()})
	}
	if c, ok := schema["const"]; ok {
		return c
	}
	if words, ok := schema["enum"].([]any); ok {
		return pick(f.random, words)
	}
	if union, ok := schema["anyOf"].([]any); ok {
		return f.value(f.resolve(pick(f.random, union)), depth+1)
	}
	kind := schema["type"]
	if list, ok := kind.([]any); ok {
		kind = pick(f.random, list)
	}
	switch kind {
	case "object":
		return f.members(schema, depth)
	case "array":
		out := []any{}
		for range f.random.IntN(3) {
			out = append(out, f.value(f.resolve(schema["items"]), depth+1))
		}
		return out
	case "integer", "number":
		return f.number(schema)
	case "boolean":
		return f.once(2)
	case "string":
		return f.string(schema)
	}
	return pick(f.random, []any{nil, 1.25, "text", map[string]any{"deep": []any{1e300, -0.5}}})
}

func (f *fuzzer) members(schema map[string]any, depth int) any {
	required, _ := schema["required"].([]any)
	properties, _ := schema["properties"].(map[string]any)
	out := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		needed := slices.Contains(required, any(name)) && !f.once(20)
		if !needed && !f.once(4) {
			continue
		}
		switch {
		case name == "site_id" && !f.once(5):
			out[name] = f.facts.SiteID
		case strings.HasSuffix(name, "_email") && !f.once(5):
			out[name] = "f" + strconv.Itoa(f.random.IntN(1e9)) + "@example.org"
		case name == "resource" && !f.once(5):
			out[name] = f.facts.URL
		case name == "authorized_by_buyer":
			out[name] = true
		default:
			out[name] = f.value(f.resolve(properties[name]), depth+1)
		}
	}
	if f.once(25) {
		out[f.text()] = f.text()
	}
	return out
}

func (f *fuzzer) number(schema map[string]any) any {
	low, high := 0.0, 1000.0
	if n, ok := schema["minimum"].(float64); ok {
		low = n
	}
	if n, ok := schema["maximum"].(float64); ok {
		high = n
	}
	if f.once(8) {
		return pick(f.random, []any{low - 1, high + 1, high, low, 0.5, 1e18})
	}
	return int64(low) + f.random.Int64N(min(int64(high-low), 50)+1)
}

func (f *fuzzer) string(schema map[string]any) string {
	if f.once(10) {
		return f.text()
	}
	low, _ := schema["minLength"].(float64)
	high, bounded := schema["maxLength"].(float64)
	word := pick(f.random, []string{"tide tables ", "Grounding of answers ", "日本語 ", "a ", "/shipping/* "})
	n := max(int(low), 1+f.random.IntN(60))
	if bounded {
		n = min(n, int(high))
	}
	return string([]rune(strings.Repeat(word, n+1))[:n])
}
