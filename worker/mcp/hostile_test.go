package mcp_test

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"colophon/worker/edge"
)

// checkHostile checks what must be true for any input: the answer is JSON-RPC
// in one of its two forms, or absent for a notification; its status fits; and
// it is never an internal error.
func checkHostile(t *testing.T, r *edge.Request, resp *edge.Response) {
	t.Helper()
	show := func() string {
		b := r.Body
		if len(b) > 300 {
			b = b[:300]
		}
		return r.Method + " " + r.Path + " " + string(b)
	}
	if resp.Status == 202 {
		if len(resp.Body) != 0 {
			t.Fatalf("%s: 202 with a body", show())
		}
		return
	}
	var a struct {
		JSONRPC string           `json:"jsonrpc"`
		ID      *json.RawMessage `json:"id"`
		Result  *json.RawMessage `json:"result"`
		Error   *struct {
			Code    int    `json:"code"`
			Message string `json:"message"`
		} `json:"error"`
	}
	if err := json.Unmarshal(resp.Body, &a); err != nil || a.JSONRPC != "2.0" || (a.Result == nil) == (a.Error == nil) {
		t.Fatalf("%s: %d is no response: %v %s", show(), resp.Status, err, resp.Body)
	}
	if a.ID != nil && string(*a.ID) == "null" {
		t.Fatalf("%s: id null: %s", show(), resp.Body)
	}
	if a.Result != nil {
		if resp.Status != 200 || a.ID == nil {
			t.Fatalf("%s: %d with a result %s", show(), resp.Status, resp.Body)
		}
		return
	}
	fits := map[int][]int{-32700: {400}, -32600: {400, 403, 405, 413, 415}, -32601: {404, 200}, -32602: {400, 200}, -32020: {400}, -32022: {400}, 40100: {401}, 40300: {403}, 40400: {404}}[a.Error.Code]
	for _, s := range fits {
		if s == resp.Status && a.Error.Message != "" {
			return
		}
	}
	t.Fatalf("%s: %d with %d: %s", show(), resp.Status, a.Error.Code, resp.Body)
}

// hostile makes messages that are nearly right, with random errors.
type hostile struct{ *rand.Rand }

func (h hostile) pick(s ...string) string { return s[h.IntN(len(s))] }

// value returns any JSON, mostly of the wrong type.
func (h hostile) value() string {
	switch h.IntN(14) {
	case 0:
		return "null"
	case 1:
		return h.pick("true", "false")
	case 2:
		return h.pick("0", "-0", "1.5", "1e999", "-1e-999", "1E+2", "9007199254740993", strings.Repeat("9", 1+h.IntN(3000)))
	case 3:
		return h.pick(`""`, `"x"`, `"\u0000"`, `"\ud83d\ude00"`, `"\ud800"`, "\"\xff\"", `"`+strings.Repeat("é", h.IntN(2000))+`"`)
	case 4:
		return "[" + strings.Repeat("0,", h.IntN(50)) + "0]"
	case 5:
		n := h.IntN(90)
		return strings.Repeat("[", n) + strings.Repeat("]", n) + strings.Repeat(" ", 1-min(n, 1)) + strings.Repeat("0", 1-min(n, 1))
	case 6:
		n := 1 + h.IntN(90)
		return strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n)
	case 7:
		return `{"a":1,"a":2}`
	case 8:
		return "{}"
	case 9:
		return "[]"
	case 10:
		return `"2026-07-28"`
	case 11:
		return `"` + h.pick("tools/call", "tools/list", "get_publisher", "harbor-ledger") + `"`
	case 12:
		return h.pick("nul", "{", "[1,", "01", "'x'", "\ufeff1", "1 2", `{"a"}`, `{a:1}`, "NaN", "/**/1", "")
	}
	return "{" + `"x":` + h.pick("1", `"y"`) + "}"
}

// or returns the right text most of the time.
func (h hostile) or(right string) string {
	if h.IntN(30) > 0 {
		return right
	}
	return h.value()
}

// member writes a member, omits it, or writes it twice.
func (h hostile) member(name, right string) string {
	s := `"` + name + `":` + h.or(right) + ","
	switch h.IntN(80) {
	case 0:
		return ""
	case 1:
		return s + s
	}
	return s
}

func (h hostile) object(members ...string) string {
	return "{" + strings.TrimSuffix(strings.Join(members, ""), ",") + "}"
}

func (h hostile) message() (body, version, method, name string) {
	version = h.pick("2026-07-28", "2026-07-28", "2026-07-28", "2025-11-25", "2099-01-01", "")
	method = h.pick("tools/list", "tools/call", "tools/call", "tools/call", "server/discover", "initialize", "ping", "resources/list", "resources/read", "prompts/get", "notifications/x", "x", "__proto__")
	name = h.pick("search_content_catalog", "list_marketplace_categories", "get_marketplace_category", "list_marketplace_publishers", "get_publisher", "get_publisher_inventory", "get_network_stats", "rights_overview", "search_licensed_content", "read_licensed_content", "toString")
	var args []string
	for _, n := range []string{"q", "limit", "offset", "cursor", "site_id", "category_slug", "category", "uri", "use", "x\\u0000"} {
		if h.IntN(4) == 0 {
			args = append(args, h.member(n, h.pick(`"tide"`, `"harbor-ledger"`, "5", "50.0", `"trade-logistics"`, `"c10"`)))
		}
	}
	claim := ""
	if version != "" {
		claim = h.member("io.modelcontextprotocol/protocolVersion", `"`+version+`"`)
	}
	meta := h.object(claim, h.member("io.modelcontextprotocol/clientCapabilities", "{}"), h.member("io.modelcontextprotocol/clientInfo", `{"name":"x","version":"1"}`))
	params := h.object(h.member("name", `"`+name+`"`), h.member("uri", `"licensed://x/y"`), h.member("arguments", h.object(args...)), h.member("_meta", meta))
	body = h.object(h.member("jsonrpc", `"2.0"`), h.member("id", h.pick("7", `"seven"`, strings.Repeat("7", 1+h.IntN(500)))), h.member("method", `"`+method+`"`), h.member("params", params))
	switch h.IntN(16) {
	case 0:
		body = "[" + body + "," + body + "]"
	case 1:
		body += body
	case 2:
		body = body[:h.IntN(len(body)+1)]
	case 3:
		b := []byte(body)
		for range 1 + h.IntN(4) {
			b[h.IntN(len(b))] = byte(h.IntN(256))
		}
		body = string(b)
	}
	return body, version, method, name
}

func (h hostile) request() *edge.Request {
	body, version, method, name := h.message()
	r := post(h.pick("/mcp", "/mcp", "/mcp/gateway", "/mcp/publisher/harbor-ledger", "/mcp/publisher/nobody-here"), body)
	add := func(n, right string) {
		for range h.pick("", "1", "1", "1", "1", "1", "1", "1", "1", "22") {
			v := right
			if h.IntN(20) == 0 {
				v = h.pick("", "x", "=?base64?"+name+"?=", "2026-07-28", "2025-06-18", strings.Repeat("y", h.IntN(300)))
			}
			r.Header.Add(n, v)
		}
	}
	if h.IntN(12) > 0 {
		add("mcp-protocol-version", version)
		add("mcp-method", method)
		add("mcp-name", name)
	}
	if h.IntN(3) == 0 {
		add("authorization", "Bearer "+h.pick("byr_test_valid", "byr_test_expired", ""))
	}
	if h.IntN(30) == 0 {
		add("origin", h.pick(base, "null", "https://evil.example"))
	}
	return r
}

func TestTenThousandHostileMessages(t *testing.T) {
	h := service()
	dice := hostile{rand.New(rand.NewPCG(20260728, 1))}
	seen := map[int]int{}
	for range 10_000 {
		r := dice.request()
		resp := h(context.Background(), r)
		checkHostile(t, r, resp)
		seen[resp.Status]++
	}
	for _, status := range []int{200, 202, 400, 401, 403, 404} {
		if seen[status] < 50 {
			t.Errorf("the dice hardly reach %d: %v", status, seen)
		}
	}
	t.Logf("answers by status: %v", seen)
}

// TestBombs checks that the worst input within the body limit costs little and
// gets a regular answer.
func TestBombs(t *testing.T) {
	h := service()
	const room = 1<<20 - 100
	wrap := func(s string) string { return `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":` + s + `}}` }
	members := make([]byte, 0, room)
	for i := 0; len(members) < room-30; i++ {
		members = append(members, `"`+strconv.Itoa(i)+`":0,`...)
	}
	for name, body := range map[string]string{
		"brackets":  strings.Repeat("[", room),
		"braces":    strings.Repeat(`{"a":`, room/5),
		"closed":    wrap(strings.Repeat("[", room/2-50) + strings.Repeat("]", room/2-50)),
		"flat list": wrap("[" + strings.Repeat("0,", room/2-50) + "0]"),
		"wide list": wrap("[" + strings.Repeat("[],", room/3-50) + "0]"),
		"members":   wrap("{" + string(members) + `"x":0}`),
		"digits":    wrap(strings.Repeat("9", room-100)),
		"text":      wrap(`"` + strings.Repeat("a", room-100) + `"`),
		"escapes":   wrap(`"` + strings.Repeat(`\u0000`, room/6-50) + `"`),
		"blanks":    strings.Repeat(" ", room),
		"long id":   `{"jsonrpc":"2.0","method":"ping","id":"` + strings.Repeat("i", room-100) + `"}`,
		"long name": `{"jsonrpc":"2.0","id":7,"method":"` + strings.Repeat("m", room-100) + `"}`,
	} {
		r := post("/mcp", body)
		resp := h(context.Background(), r)
		checkHostile(t, r, resp)
		if want := map[string]int{"digits": 200, "text": 200, "escapes": 200, "long id": 200, "long name": 200}[name]; resp.Status != max(want, 400*(1-min(want, 1))) {
			t.Errorf("%s: %d %.200s", name, resp.Status, resp.Body)
		}
		if limit := 1000; name != "long id" && len(resp.Body) > limit {
			t.Errorf("%s: an answer of %d bytes", name, len(resp.Body))
		}
	}
}

// TestLongFindings checks that many unknown arguments with long names are
// refused in a short answer.
func TestLongFindings(t *testing.T) {
	var args []string
	for i := range 900 {
		args = append(args, `"`+strings.Repeat("n", 1000)+strconv.Itoa(i)+`":1`)
	}
	resp, a := send(t, service(), modernTool("/mcp", "get_network_stats", "{"+strings.Join(args, ",")+"}"))
	checkFailure(t, "findings", resp, a, "validation_failed", "")
	if len(resp.Body) > 30_000 {
		t.Errorf("an answer of %d bytes", len(resp.Body))
	}
}

func FuzzMessage(f *testing.F) {
	dice := hostile{rand.New(rand.NewPCG(1, 2))}
	for range 200 {
		body, version, method, name := dice.message()
		f.Add([]byte(body), version, method, name)
	}
	f.Add([]byte(pingOld), "", "", "")
	h := service()
	f.Fuzz(func(t *testing.T, body []byte, version, method, name string) {
		for _, path := range []string{"/mcp", "/mcp/gateway"} {
			r := post(path, "", "Authorization: Bearer byr_test_valid")
			r.Body = body
			r.Header.Add("mcp-protocol-version", version)
			r.Header.Add("mcp-method", method)
			r.Header.Add("mcp-name", name)
			checkHostile(t, r, h(context.Background(), r))
		}
	})
}
