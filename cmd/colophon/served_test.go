package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"colophon/internal/demo/guests"
	"colophon/internal/notify"
)

// d1Path is the path at which wrangler dev answers for its worker's database as
// Cloudflare's API does.
const d1Path = "/cdn-cgi/local/explorer/api/d1/database/ORIGIN"

// servedOperator runs commands on the origin in D1 of the demo under workerd.
type servedOperator struct {
	operator
	base string
}

func (o servedOperator) with(args ...string) []string {
	return append(args, "--origin", "d1:"+o.base+d1Path)
}

// TestOperatorOnD1 lets a buyer use the worker under workerd and the operator
// answer from the command line, through D1's API; the worker's cron trigger
// sends the notifications. Run it with "make test-served", which sets the
// address.
func TestOperatorOnD1(t *testing.T) {
	t.Parallel()
	base := os.Getenv("COLOPHON_BASE")
	if base == "" {
		t.Skip("needs COLOPHON_BASE: make test-served")
	}
	var demo guests.Facts
	if data, err := os.ReadFile(os.Getenv("COLOPHON_DEMO")); err != nil || json.Unmarshal(data, &demo) != nil {
		t.Fatalf("COLOPHON_DEMO names no demo.json: %v", err)
	}
	o := servedOperator{operator{t, filepath.Join(t.TempDir(), "reg")}, base}
	o.ok("init", "--base-url", base)
	hook := newHook(t)
	secret := o.ok(o.with("webhook", "add", hook.URL, "--site", "harbor-ledger", "--allow-private")...)
	hooks := struct {
		Webhooks []struct {
			ID  string `json:"webhook_id"`
			URL string `json:"url"`
		} `json:"webhooks"`
	}{}
	o.data(&hooks, o.with("webhook", "list")...)
	hookID := ""
	for _, h := range hooks.Webhooks {
		if h.URL == hook.URL {
			hookID = h.ID
		}
	}
	t.Cleanup(func() { o.ok(o.with("webhook", "pause", hookID)...) })

	var asked struct {
		RequestID    string `json:"request_id"`
		Conversation struct{ Token, Href string }
	}
	mark := strconv.FormatInt(time.Now().UnixNano(), 36)
	o.call("POST", "/v1/partner/licensing/requests", []string{"Authorization", "Bearer " + demo.PartnerKeys["full"], "Idempotency-Key", mark},
		`{"site_id":"harbor-ledger","buyer_name":"R. Example","buyer_email":"r@example.org","intended_use":"Grounding of answers `+mark+`","requested_scope":"/shipping/*","message":"We would like to ground answers on your tide tables."}`, 201, &asked)
	token := []string{"X-Conversation-Token", asked.Conversation.Token}
	id := asked.RequestID
	if _, out, _ := o.run(o.with("inquiry", "list", "--site", "harbor-ledger")...); !strings.Contains(out, id+"  ") {
		t.Errorf("the list lacks %s:\n%s", id, out)
	}
	if got := o.ok(o.with("inquiry", "reply", id, "--kind", "question", "--body", "How many answers a month?")...); !strings.HasSuffix(got, " info_requested") {
		t.Errorf("reply: %q", got)
	}
	var conversation struct {
		Status   string
		Messages []struct{ Body string }
	}
	o.call("GET", asked.Conversation.Href, token, "", 200, &conversation)
	if n := len(conversation.Messages); conversation.Status != "info_requested" || n != 2 || conversation.Messages[1].Body != "How many answers a month?" {
		t.Errorf("conversation: %+v", conversation)
	}
	o.call("POST", asked.Conversation.Href+"/messages", token, `{"kind":"answer","body":"About a thousand."}`, 201, nil)
	if _, out, _ := o.run(o.with("inquiry", "show", id)...); !strings.Contains(out, "About a thousand.") {
		t.Errorf("show: %s", out)
	}
	o.no(1, "does not allow this", o.with("inquiry", "hold", id)...)
	if got := o.ok(o.with("inquiry", "move", id, "decline", "--reason", "territory")...); !strings.HasPrefix(got, id+" declined") {
		t.Errorf("decline: %q", got)
	}
	o.call("GET", asked.Conversation.Href, token, "", 200, &conversation)
	if conversation.Status != "declined" {
		t.Errorf("conversation after the decline: %+v", conversation)
	}
	o.no(2, "works on the store in --dir only", o.with("origin", "dump")...)
	o.no(1, "", "inquiry", "list", "--origin", "d1:"+base+"/cdn-cgi/local/explorer/api/d1/database/11111111-1111-1111-1111-111111111111")
	o.notified(hook, secret, id)
}

// notified runs the cron trigger, first with a receiver that is down, and
// requires each event once.
func (o servedOperator) notified(hook *hook, secret, id string) {
	o.Helper()
	hook.set(http.StatusServiceUnavailable)
	o.cron()
	first := hook.take()
	if len(first) != 1 || !first[0].signed(secret) { // one is tried, the others wait until then
		o.Errorf("a receiver that is down got %+v", first)
	}
	var list struct {
		Events []struct {
			State     string
			RequestID string `json:"request_id"`
			LastError string `json:"last_error"`
		}
	}
	o.data(&list, o.with("webhook", "list")...)
	waiting, tried := 0, 0
	for _, e := range list.Events {
		if e.RequestID == id && e.State == "waiting" {
			waiting++
		}
		if e.LastError == "answered 503" {
			tried++
		}
	}
	if tried != 1 {
		o.Errorf("%d events were tried", tried)
	}
	if waiting < 3 {
		o.Fatalf("%d events of the inquiry wait: %+v", waiting, list.Events)
	}
	hook.set(http.StatusNoContent)
	got := map[string]bool{}
	for end := time.Now().Add(2 * time.Minute); len(got) < waiting && time.Now().Before(end); {
		o.cron()
		for _, m := range hook.take() {
			if !m.signed(secret) || got[m.id] || m.doc["grants_rights"] != false {
				o.Errorf("notification %+v", m)
			}
			if m.doc["request_id"] == id {
				got[m.id] = true
			}
		}
		if len(got) < waiting {
			time.Sleep(500 * time.Millisecond) // until they are due again
		}
	}
	if len(got) != waiting {
		o.Errorf("%d of %d notifications came", len(got), waiting)
	}
}

// cron runs the worker's trigger.
func (o servedOperator) cron() {
	o.Helper()
	res, err := http.Get(o.base + "/cdn-cgi/handler/scheduled?cron=*/5+*+*+*+*")
	if err != nil {
		o.Fatal(err)
	}
	defer res.Body.Close()
	if b, _ := io.ReadAll(res.Body); res.StatusCode != 200 {
		o.Fatalf("the cron trigger answered %d: %s", res.StatusCode, b)
	}
}

func (o servedOperator) call(method, path string, header []string, body string, want int, v any) {
	o.Helper()
	req, err := http.NewRequest(method, o.base+path, strings.NewReader(body))
	if err != nil {
		o.Fatal(err)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		o.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != want {
		o.Fatalf("%s %s answered %d, not %d: %s %v", method, path, res.StatusCode, want, b, err)
	}
	if v != nil {
		if err := json.Unmarshal(b, v); err != nil {
			o.Fatalf("%v in %s", err, b)
		}
	}
}

// hook is a receiver of notifications.
type hook struct {
	*httptest.Server
	mu     sync.Mutex
	status int
	got    []message
}

type message struct {
	id, stamp, signature string
	body                 []byte
	doc                  map[string]any
}

func (m message) signed(secret string) bool {
	return m.signature == notify.Signature(secret, m.id, m.stamp, m.body) && m.doc["event_id"] == m.id
}

func newHook(t *testing.T) *hook {
	h := &hook{status: http.StatusNoContent}
	h.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m := message{id: r.Header.Get("Webhook-Id"), stamp: r.Header.Get("Webhook-Timestamp"), signature: r.Header.Get("Webhook-Signature")}
		m.body, _ = io.ReadAll(r.Body)
		_ = json.NewDecoder(bytes.NewReader(m.body)).Decode(&m.doc) // an empty document fails below
		h.mu.Lock()
		defer h.mu.Unlock()
		h.got = append(h.got, m)
		w.WriteHeader(h.status)
	}))
	t.Cleanup(h.Close)
	return h
}

func (h *hook) set(status int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.status = status
}

// take returns what arrived since the last call.
func (h *hook) take() []message {
	h.mu.Lock()
	defer h.mu.Unlock()
	got := h.got
	h.got = nil
	return got
}
