//go:build edge

package worker_test

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"colophon/exports"
	"colophon/internal/assert"
	"colophon/internal/inquiry"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/originsql/d1test"
	"colophon/worker/edgelab/labhost"
)

const (
	mailKey      = "re_canary-key-of-the-mail-api"
	publisherBox = "desk@harbor-ledger.example"
	askerBox     = "ada@asker-works.example"
	askedText    = "What would the secret tide tables cost us?"
)

// subrequestLimit is how many subrequests a cron trigger of Workers may make.
const subrequestLimit = 1000

// mailAPI is a mail API on loopback. It keeps what is posted, and answers as
// configured.
type mailAPI struct {
	*httptest.Server
	mu         sync.Mutex
	status     int
	retryAfter string
	got        []postedLetter
}

// postedLetter is one POST.
type postedLetter struct {
	To, Key, Authorization, Text, Whole string
}

func newMailAPI(t *testing.T) *mailAPI {
	a := &mailAPI{status: http.StatusAccepted}
	a.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		var letter struct {
			To   []string
			Text string
		}
		a.mu.Lock()
		defer a.mu.Unlock()
		if r.Method != "POST" || r.URL.Path != "/emails" || json.Unmarshal(raw, &letter) != nil || len(letter.To) != 1 {
			t.Errorf("the mail API got %s %s: %s", r.Method, r.URL, raw)
			w.WriteHeader(http.StatusNotFound)
			return
		}
		a.got = append(a.got, postedLetter{letter.To[0], r.Header.Get("Idempotency-Key"), r.Header.Get("Authorization"), letter.Text, string(raw)})
		if a.retryAfter != "" {
			w.Header().Set("Retry-After", a.retryAfter)
		}
		w.WriteHeader(a.status)
	}))
	t.Cleanup(a.Close)
	return a
}

// answers sets the API's answer from now on.
func (a *mailAPI) answers(status int, retryAfter string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.status, a.retryAfter = status, retryAfter
}

// take returns what arrived since the last call, by receiver.
func (a *mailAPI) take(t *testing.T) map[string][]postedLetter {
	t.Helper()
	a.mu.Lock()
	defer a.mu.Unlock()
	by := map[string][]postedLetter{}
	for _, l := range a.got {
		if l.Authorization != "Bearer "+mailKey {
			t.Errorf("a letter came with the authorization %q", l.Authorization)
		}
		by[l.To] = append(by[l.To], l)
	}
	a.got = nil
	return by
}

// mailService is the worker under workerd with a mail API.
type mailService struct {
	*testing.T
	base    string
	trigger string // path that runs the cron trigger
	log     string
	store   *originsql.Store
	api     *mailAPI
	asked   func() int64 // number of calls of the origin so far; nil: not counted

	answered strings.Builder // everything that the worker answered
	most     int64           // most subrequests of one trigger
}

func mailVars(api *mailAPI) map[string]string {
	return map[string]string{
		"BASE_URL": testBase, "PROOF_BITS": "10", "RATE_LIMITS": wideWords(),
		"MAIL_URL": api.URL + "/emails", "MAIL_KEY": mailKey, "MAIL_FROM": "notices@registry.example",
	}
}

// TestLettersAtTheEdge sends letters through a mail API from the cron trigger
// of the deployed worker, with a real D1 under wrangler dev.
func TestLettersAtTheEdge(t *testing.T) {
	api := newMailAPI(t)
	dir := t.TempDir()
	h, err := labhost.Product{Dist: writeDist(t, dir), Secret: testSecret, WideBinds: true, Vars: mailVars(api)}.Start(context.WithoutCancel(t.Context()), dir)
	must(t, err)
	t.Cleanup(func() { _ = h.Stop() })
	s := edgeService(t, h)
	d := &mailService{T: t, base: h.URL, trigger: "/cdn-cgi/handler/scheduled?cron=*/5+*+*+*+*", log: h.Log, store: s.store, api: api}
	d.followLetters()
}

// TestLettersUnderWorkerd does the same over SQLite under plain workerd, where
// calls of the origin are counted.
func TestLettersUnderWorkerd(t *testing.T) {
	api := newMailAPI(t)
	dir := t.TempDir()
	store := openStore(t, filepath.Join(dir, "origin.db"))
	must(t, seed(t.Context(), store))
	database := d1test.NewBinding(store.DB())
	var asked atomic.Int64
	served := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		database.ServeHTTP(w, r)
	}))
	t.Cleanup(served.Close)
	address, err := labhost.FreeAddress()
	must(t, err)
	env := []string{"SERVICE_SECRET=" + base64.RawURLEncoding.EncodeToString(testSecret)}
	for name, value := range mailVars(api) {
		env = append(env, name+"="+value)
	}
	h, err := labhost.Workerd{
		File: "worker/edgelab/clocked.capnp", Config: "config", Ready: "/-shift/0", Env: env,
		Listen: map[string]string{"http": address}, Remote: map[string]string{"origin": served.Listener.Addr().String()},
		Files: map[string]string{"dist": writeDist(t, dir)},
	}.Start(context.WithoutCancel(t.Context()), dir)
	must(t, err)
	t.Cleanup(func() { _ = h.Stop() })
	d := &mailService{T: t, base: h.URL, trigger: "/-cron", log: h.Log, store: store, api: api, asked: asked.Load}
	d.followLetters()
	d.fillQueues()
	for range 3 {
		if came := d.cron(); len(came) < 9 {
			t.Errorf("a trigger over full queues sent letters to %d addresses", len(came))
		}
	}
	t.Logf("at most %d subrequests of a trigger", d.most)
}

// fillQueues queues more than a trigger can send: for receivers of each notice,
// receivers of digests, and requesters.
func (d *mailService) fillQueues() {
	d.Helper()
	db := d.store.DB()
	execute := func(query string, args ...any) {
		d.Helper()
		_, err := db.ExecContext(d.Context(), query, args...)
		must(d, err)
	}
	at := exports.Instant(time.Now())
	execute("UPDATE webhooks SET state = 'paused'")
	for i := range 60 {
		id := "whk_full" + strconv.Itoa(i)
		must(d, d.store.PutWebhook(d.Context(), origin.Webhook{WebhookID: id, SiteID: "harbor-ledger", URL: "mailto:desk" + strconv.Itoa(i) + "@harbor-ledger.example", State: "active", Digest: i%2 == 0, CreatedAt: at, ChangedAt: at}))
		asked, _, err := d.service().Submit(d.Context(), origin.Request{SiteID: "harbor-ledger", Channel: "public", BuyerName: "B", BuyerEmail: "b" + strconv.Itoa(i) + "@example.org", IntendedUse: "Grounding", RequestedScope: "/", Message: "Hello.", BudgetCents: -1, TermMonths: -1, TokenHash: "x", Letters: origin.LettersConfirmed})
		must(d, err)
		for j := range 12 {
			event := "evt_full" + strconv.Itoa(i) + "_" + strconv.Itoa(j)
			const insert = "INSERT INTO outbox (receiver_kind, receiver_id, event_id, kind, site_id, request_id, status, at, due_at) VALUES (?1, ?2, ?3, 'inquiry.message', 'harbor-ledger', ?4, 'in_review', ?5, ?5)"
			execute(insert, origin.ReceiverWebhook, id, event, asked.RequestID, at)
			execute(insert, origin.ReceiverAsker, asked.RequestID, event, asked.RequestID, at)
		}
	}
}

func (d *mailService) service() inquiry.Service {
	return inquiry.Service{Store: d.store, Now: time.Now, Rand: rand.Reader}
}

// writeDist writes the published files into a folder below dir.
func writeDist(t *testing.T, dir string) string {
	t.Helper()
	dist := filepath.Join(dir, "dist")
	for key, text := range publishedFiles() {
		file := filepath.Join(dist, key)
		must(t, os.MkdirAll(filepath.Dir(file), 0o755))
		must(t, os.WriteFile(file, text, 0o644))
	}
	return dist
}

// send sends a request to the worker and keeps the answer.
func (d *mailService) send(method, target, media, body string) (int, string) {
	d.Helper()
	req, err := http.NewRequest(method, d.base+target, strings.NewReader(body))
	must(d, err)
	if media != "" {
		req.Header.Set("Content-Type", media)
	}
	if media == "application/json" {
		req.Header.Set("Idempotency-Key", "letters-1")
	}
	client := &http.Client{Timeout: 60 * time.Second, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := client.Do(req)
	must(d, err)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	must(d, err)
	fmt.Fprintln(&d.answered, res.Header, string(text))
	return res.StatusCode, string(text)
}

func (d *mailService) form(target, body string, want int) {
	d.Helper()
	if status, text := d.send("POST", target, "application/x-www-form-urlencoded", body); status != want {
		d.Fatalf("%s with %s is answered %d: %.400s", target, body, status, text)
	}
}

// cron runs the trigger and returns the letters that arrived.
func (d *mailService) cron() map[string][]postedLetter {
	d.Helper()
	var before int64
	if d.asked != nil {
		before = d.asked()
	}
	if status, text := d.send("GET", d.trigger, "", ""); status != http.StatusOK {
		d.Fatalf("the trigger is answered %d: %s", status, text)
	}
	came := d.api.take(d.T)
	if d.asked == nil {
		return came
	}
	n := d.asked() - before
	for _, letters := range came {
		n += int64(len(letters))
	}
	d.most = max(d.most, n)
	if n > subrequestLimit {
		d.Errorf("a trigger made %d subrequests", n)
	}
	return came
}

// shift sets the worker's clock ahead.
func (d *mailService) shift(by time.Duration) {
	d.Helper()
	if status, text := d.send("GET", "/-shift/"+strconv.FormatInt(by.Milliseconds(), 10), "", ""); status != http.StatusOK {
		d.Fatalf("the clock: %d %s", status, text)
	}
}

// wantLetters fails unless the publisher and the requester got exactly that
// many letters.
func (d *mailService) wantLetters(when string, came map[string][]postedLetter, publisher, asker int) {
	d.Helper()
	if len(came[publisherBox]) != publisher || len(came[askerBox]) != asker {
		d.Fatalf("%s: %d letters to the publisher, not %d, and %d to the asker, not %d", when, len(came[publisherBox]), publisher, len(came[askerBox]), asker)
	}
}

// ask sends the inquiry, or sends it again, and returns what its receipt says
// about the address.
func (d *mailService) ask() (requestID, emailCheck string) {
	d.Helper()
	status, text := d.send("POST", "/v1/public/licensing-request", "application/json", `{"site_id":"harbor-ledger","requester_name":"Ada Asker","requester_email":"`+askerBox+
		`","intended_use":"Grounding of answers","requested_scope":"/secret-plans/*","message":"`+askedText+`"}`)
	var receipt struct {
		RequestID         string `json:"request_id"`
		EmailVerification string `json:"email_verification"`
	}
	if err := json.Unmarshal([]byte(text), &receipt); status != http.StatusCreated || err != nil {
		d.Fatalf("the inquiry is answered %d: %s", status, text)
	}
	return receipt.RequestID, receipt.EmailVerification
}

var (
	askerLink = regexp.MustCompile(testBase + `(/letters/req_\w+/[\w-]+)`)
	inboxLink = regexp.MustCompile(testBase + `(/inbox/ibx_[\w-]+/req_\w+)`)
	readLink  = regexp.MustCompile(testBase + `/conversation/#thread=\w+&token=cvt_[\w-]+`)
)

// followLetters follows an inquiry and the letters about it: deferred by the
// API, accepted once, confirmed, answered, refused for good, and sent while
// other receivers are down.
func (d *mailService) followLetters() {
	now := exports.Instant(time.Now())
	must(d, d.store.PutWebhook(d.Context(), origin.Webhook{WebhookID: "whk_desk", SiteID: "harbor-ledger", URL: "mailto:" + publisherBox, State: "active", CreatedAt: now, ChangedAt: now}))
	requestID, check := d.ask()
	if check != "pending" {
		d.Errorf("before anybody confirmed, the receipt says %q", check)
	}

	inbox, letters := d.putOff()
	d.confirm(letters, requestID)

	d.form(inbox, "act=question&body=Which+of+the+secret+plans%3F", http.StatusSeeOther)
	came := d.cron()
	d.wantLetters("after the publisher's question", came, 1, 1)
	if !readLink.MatchString(came[askerBox][0].Text) {
		d.Errorf("the letter has no link to the conversation: %s", came[askerBox][0].Text)
	}
	d.refuse(inbox, requestID)
	d.sendBesideOthers(inbox)
	d.keepsSecrets()
}

// putOff makes the API defer the first two letters and then accept them. It
// returns the links in them: to the inbox, and to the choice of letters.
func (d *mailService) putOff() (inbox, letters string) {
	d.Helper()
	d.api.answers(http.StatusTooManyRequests, "120")
	first := d.cron()
	d.wantLetters("the first attempt", first, 1, 1)
	d.shift(90 * time.Second)
	d.wantLetters("before the time that the API asked for", d.cron(), 0, 0)

	d.api.answers(http.StatusServiceUnavailable, "")
	d.shift(150 * time.Second)
	d.wantLetters("after it", d.cron(), 1, 1)
	d.wantLetters("at once after a failure", d.cron(), 0, 0)

	d.api.answers(http.StatusAccepted, "")
	d.shift(300 * time.Second)
	taken := d.cron()
	d.wantLetters("when the API takes letters", taken, 1, 1)
	for _, to := range []string{publisherBox, askerBox} {
		was, is := first[to][0], taken[to][0]
		if was.Key == "" || was.Key != is.Key || was.Text != is.Text {
			d.Errorf("the attempts at one letter to %s differ: %q and %q\n%s\n%s", to, was.Key, is.Key, was.Text, is.Text)
		}
		if strings.Contains(is.Whole, "secret") || strings.Contains(is.Whole, "Ada") || strings.Contains(is.Whole, "Grounding") {
			d.Errorf("the letter to %s repeats what was written: %s", to, is.Whole)
		}
	}
	d.shift(26 * time.Hour / 2)
	d.wantLetters("once they were taken", d.cron(), 0, 0)

	atInbox, choice := inboxLink.FindStringSubmatch(taken[publisherBox][0].Text), askerLink.FindStringSubmatch(taken[askerBox][0].Text)
	if atInbox == nil || choice == nil || readLink.MatchString(taken[askerBox][0].Text) {
		d.Fatalf("the links of the letters: %s\n%s", taken[publisherBox][0].Text, taken[askerBox][0].Text)
	}
	return atInbox[1], choice[1]
}

// confirm confirms the requester's address; opening the link does not.
func (d *mailService) confirm(letters, requestID string) {
	d.Helper()
	d.send("GET", letters, "", "")
	if again, check := d.ask(); again != requestID || check != "pending" {
		d.Errorf("after a look at the link the receipt of %s says %q", again, check)
	}
	d.form(letters, "act=confirm", http.StatusOK)
	if again, check := d.ask(); again != requestID || check != "passed" {
		d.Errorf("once the address is confirmed, the receipt of %s says %q", again, check)
	}
}

// refuse makes the API refuse a letter for its content: it must not be sent
// again, but the next one must be.
func (d *mailService) refuse(inbox, requestID string) {
	d.Helper()
	d.api.answers(http.StatusUnprocessableEntity, "")
	d.form(inbox, "act=text&body=And+how+many%3F", http.StatusSeeOther)
	d.wantLetters("a letter that is refused", d.cron(), 0, 1)
	failed, err := d.store.Events(d.Context(), origin.EventFilter{ReceiverID: requestID, State: origin.EventFailed, Limit: 9})
	if err != nil || len(failed) != 1 || failed[0].LastError != "answered 422" || failed[0].Attempts != 1 {
		d.Errorf("letters that failed: %+v %v", failed, err)
	}
	d.api.answers(http.StatusAccepted, "")
	d.shift(14 * time.Hour)
	d.wantLetters("after a refusal", d.cron(), 0, 0)
}

// sendBesideOthers has more receivers that are down than a trigger can call:
// letters to the requester must not wait for them.
func (d *mailService) sendBesideOthers(inbox string) {
	d.Helper()
	var posts atomic.Int64
	down := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		posts.Add(1)
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	defer down.Close()
	at := exports.Instant(time.Now())
	const many = 30
	for i := range many {
		id := "whk_down" + strconv.Itoa(i)
		must(d, d.store.PutWebhook(d.Context(), origin.Webhook{WebhookID: id, SiteID: "harbor-ledger", URL: down.URL + "/" + id, Secret: "whsec_down", State: "active", AllowPrivate: true, CreatedAt: at, ChangedAt: at}))
	}
	d.form(inbox, "act=decline&decline_reason=territory", http.StatusSeeOther)
	came := d.cron()
	if n := posts.Load(); n == 0 || n >= many {
		d.Errorf("a trigger asked %d of %d receivers that are down", n, many)
	}
	if len(came[askerBox]) != 1 {
		d.Errorf("beside receivers that are down %d letters came to the asker, not 1", len(came[askerBox]))
	}
}

// keepsSecrets fails if the worker's answers or log, or the attempts in the
// origin, contain the mail API's key, or if a log contains an address.
func (d *mailService) keepsSecrets() {
	d.Helper()
	printed, err := os.ReadFile(d.log)
	must(d, err)
	events, err := d.store.Events(d.Context(), origin.EventFilter{ReceiverKind: origin.ReceiverWebhook, Limit: 500})
	must(d, err)
	toAskers, err := d.store.Events(d.Context(), origin.EventFilter{ReceiverKind: origin.ReceiverAsker, Limit: 500})
	must(d, err)
	if len(printed) == 0 || !strings.Contains(string(printed), "answered 429") || len(events) == 0 || len(toAskers) < 4 {
		d.Errorf("nothing to look at: %d bytes of log, %d notifications, %d letters\n%s", len(printed), len(events), len(toAskers), printed)
	}
	for where, text := range map[string]string{"an answer": d.answered.String(), "the log": string(printed), "the origin": fmt.Sprint(events, toAskers)} {
		if strings.Contains(text, mailKey) || strings.Contains(text, strings.TrimPrefix(d.api.URL, "http://")+"/emails") {
			d.Errorf("%s has the key or the address of the mail API", where)
		}
	}
	assert.Lacks(d, "the log", string(printed), askerBox, publisherBox, "secret", "ibx_")
}
