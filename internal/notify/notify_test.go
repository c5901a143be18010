package notify_test

import (
	"bufio"
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	_ "modernc.org/sqlite"

	"colophon/exports"
	"colophon/internal/assert"
	"colophon/internal/inquiry"
	"colophon/internal/intake"
	"colophon/internal/notify"
	"colophon/internal/notify/webhook"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/originsql/schematest"
)

var must = assert.NoError

// TestMain lets the test binary act as the sender that a test kills.
func TestMain(m *testing.M) {
	path := os.Getenv("COLOPHON_TEST_OUTBOX")
	if path == "" {
		os.Exit(m.Run())
	}
	store, _, err := openDatabase(path)
	if err != nil {
		fmt.Println("error", err)
		return
	}
	fmt.Println("ready")
	s := sender(store, time.Now)
	s.Lease, s.Pause = 2*time.Second, 100*time.Millisecond
	fmt.Println(s.Run(context.Background()))
}

func openDatabase(path string) (*originsql.Store, *sql.DB, error) {
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=foreign_keys(1)&_pragma=journal_mode(WAL)&_pragma=busy_timeout(20000)")
	if err != nil {
		return nil, nil, err
	}
	return originsql.New(db), db, schematest.Write(path)
}

func sender(store origin.Outbox, now func() time.Time) *notify.Sender {
	return &notify.Sender{Outbox: store, Now: now, Post: postTo(2 * time.Second)}
}

// postTo posts with the product's guard, which refuses the loopback addresses
// of tests as private unless a webhook allows them.
func postTo(timeout time.Duration) notify.PostFunc {
	return webhook.Post(intake.PublicClient(timeout, false, nil), intake.PublicClient(timeout, true, nil))
}

// once sends what is due, and fails the test if the outbox has an error.
func once(t *testing.T, s *notify.Sender) notify.Result {
	t.Helper()
	result, err := s.Once(context.Background())
	must(t, err)
	return result
}

const secret = "whsec_test"

// outbox makes a store with one receiver and n delivered requests.
func outbox(t *testing.T, path, url string, n int) *originsql.Store {
	t.Helper()
	ctx := context.Background()
	store, db, err := openDatabase(path)
	must(t, err)
	t.Cleanup(func() { db.Close() })
	const at = "2026-01-01T00:00:00Z"
	must(t, store.PutPublisher(ctx, origin.Publisher{PublisherID: "pub_a", LegalName: "A", CreatedAt: at}))
	must(t, store.PutSite(ctx, origin.Site{SiteID: "site-a", PublisherID: "pub_a", Name: "A", SiteURL: "https://a.example/", State: origin.Approved, CreatedAt: at, ChangedAt: at}))
	must(t, store.PutWebhook(ctx, origin.Webhook{WebhookID: "whk_a", SiteID: "site-a", URL: url, Secret: secret, State: "active", AllowPrivate: true, CreatedAt: at, ChangedAt: at}))
	must(t, store.PutWebhook(ctx, origin.Webhook{WebhookID: "whk_other", SiteID: "site-b", URL: "http://127.0.0.1:1/", Secret: secret, State: "active", CreatedAt: at, ChangedAt: at}))
	addRequests(t, store, n)
	return store
}

func addReceiver(t *testing.T, store *originsql.Store, id, url string) {
	t.Helper()
	const at = "2026-01-01T00:00:00Z"
	must(t, store.PutWebhook(context.Background(), origin.Webhook{WebhookID: id, URL: url, Secret: secret, State: "active", AllowPrivate: true, CreatedAt: at, ChangedAt: at}))
}

// addRequests delivers n requests; each makes an event for each receiver.
func addRequests(t *testing.T, store *originsql.Store, n int) {
	t.Helper()
	ctx := context.Background()
	service := inquiry.Service{Store: store, Now: time.Now, Rand: rand.Reader}
	for i := range n {
		r, _, err := service.Submit(ctx, origin.Request{SiteID: "site-a", Channel: "public", BuyerName: "Canary Person", BuyerEmail: "canary@private.example",
			IntendedUse: "use", RequestedScope: "scope", Message: fmt.Sprint("canary message ", i), TokenHash: fmt.Sprint(i), BudgetCents: -1, TermMonths: -1})
		must(t, err)
		must(t, service.Deliver(ctx, r))
	}
}

// receiver keeps what it is sent.
type receiver struct {
	*httptest.Server
	mu     sync.Mutex
	status int // status of every answer; 0 means 200
	slow   time.Duration
	refuse string // event that is answered 422
	asked  int
	got    map[string]int
	bad    []string

	retryAfter string
}

func newReceiver(t *testing.T) *receiver {
	r := &receiver{got: map[string]int{}}
	// Tests of other packages may call ports of this machine to see whether
	// their own server is up, so only requests to this path are counted.
	mux := http.NewServeMux()
	mux.HandleFunc("/events", r.take)
	r.Server = httptest.NewServer(mux)
	r.URL += "/events"
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) take(w http.ResponseWriter, req *http.Request) {
	body, _ := io.ReadAll(req.Body)
	r.mu.Lock()
	r.asked++
	status, slow := r.status, r.slow
	refused := r.refuse != "" && r.refuse == req.Header.Get("Webhook-Id")
	r.mu.Unlock()
	if refused {
		w.WriteHeader(http.StatusUnprocessableEntity)
		return
	}
	if status != 0 {
		if r.retryAfter != "" {
			w.Header().Set("Retry-After", r.retryAfter)
		}
		w.WriteHeader(status)
		return
	}
	time.Sleep(slow)
	r.mu.Lock()
	defer r.mu.Unlock()
	id := req.Header.Get("Webhook-Id")
	if want := notify.Signature(secret, id, req.Header.Get("Webhook-Timestamp"), body); req.Header.Get("Webhook-Signature") != want {
		r.bad = append(r.bad, "signature of "+id)
	}
	var doc map[string]any
	if json.Unmarshal(body, &doc) != nil || doc["event_id"] != id || doc["grants_rights"] != false || strings.Contains(string(body), "canary") {
		r.bad = append(r.bad, string(body))
	}
	r.got[id]++
}

func (r *receiver) set(down bool, slow time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.status, r.slow = 0, slow
	if down {
		r.status = http.StatusServiceUnavailable
	}
}

// attempts returns how many requests reached the receiver, whatever it
// answered.
func (r *receiver) attempts() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.asked
}

func (r *receiver) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.got)
}

func (r *receiver) check(t *testing.T) {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, b := range r.bad {
		t.Error(b)
	}
}

func TestDownThenUp(t *testing.T) {
	ctx := context.Background()
	r := newReceiver(t)
	store := outbox(t, filepath.Join(t.TempDir(), "o.db"), r.URL, 3)
	now := time.Now()
	s := sender(store, func() time.Time { return now })

	r.set(true, 0)
	if got := once(t, s); got != (notify.Result{Failed: 1}) || r.attempts() != 1 {
		t.Fatalf("a receiver that is down: %+v, asked %d times", got, r.asked)
	}
	due, err := store.DueEvents(ctx, "whk_a", "9999-01-01T00:00:00Z", 100)
	must(t, err)
	if len(due) != 3 || due[2].Attempts != 1 || due[2].LastError != "answered 503" || due[0].Attempts != 0 {
		t.Fatalf("after a failure the outbox holds %+v", due)
	}

	r.set(false, 0)
	if got := once(t, s); got.Delivered != 0 || r.attempts() != 1 {
		t.Errorf("before its time: %+v", got)
	}
	now = now.Add(11 * time.Second)
	if got := once(t, s); got != (notify.Result{Delivered: 3}) {
		t.Fatalf("up again: %+v", got)
	}
	if got := once(t, s); got.Delivered != 0 || r.count() != 3 {
		t.Errorf("sent twice: %+v; the receiver has %d", got, r.count())
	}
	r.check(t)
}

// TestGivesUpKeepsAndRetries checks that events for a receiver that fails for
// five days are given up, that newer ones keep waiting, and that an operator
// can retry the rest.
func TestGivesUpKeepsAndRetries(t *testing.T) {
	ctx := context.Background()
	r := newReceiver(t)
	r.set(true, 0)
	store := outbox(t, filepath.Join(t.TempDir(), "o.db"), r.URL, 40)
	begin := time.Now()
	now, rounds := begin, 0
	s := sender(store, func() time.Time { return now })

	for ; rounds < 100; rounds++ {
		once(t, s)
		failed, err := store.Events(ctx, origin.EventFilter{State: origin.EventFailed, Limit: 100})
		must(t, err)
		if len(failed) > 0 {
			break
		}
		now = now.Add(notify.Backoff(int64(rounds+1)) + time.Second)
	}
	failed, err := store.Events(ctx, origin.EventFilter{ReceiverID: "whk_a", State: origin.EventFailed, Limit: 100})
	must(t, err)
	if days := now.Sub(begin).Hours() / 24; len(failed) != 40 || rounds > 30 || days < 5 || days > 5.6 {
		t.Fatalf("gave up %d of 40 after %d rounds and %.1f days", len(failed), rounds, days)
	}

	n, err := store.RetryEvents(ctx, "whk_a", exports.Instant(now))
	must(t, err)
	if got := once(t, s); n != 40 || got.Failed != 1 {
		t.Fatalf("%d waiting again, %+v", n, got)
	}
	failed, err = store.Events(ctx, origin.EventFilter{State: origin.EventFailed, Limit: 100})
	must(t, err)
	assert.Equal(t, len(failed), 0, "are given up at the first failure after they were retried")

	r.set(false, 0)
	_, err = store.RetryEvents(ctx, "whk_a", exports.Instant(now))
	must(t, err)
	delivered := 0
	for range 2 {
		delivered += once(t, s).Delivered
	}
	if delivered != 40 {
		t.Errorf("%d sent", delivered)
	}
}

// TestSenderThatWasAway checks that a receiver which was not contacted for a
// week, because no sender ran, is not given up at its first failure.
func TestSenderThatWasAway(t *testing.T) {
	r := newReceiver(t)
	r.set(true, 0)
	store := outbox(t, filepath.Join(t.TempDir(), "o.db"), r.URL, 2)
	now := time.Now().Add(7 * 24 * time.Hour)
	once(t, sender(store, func() time.Time { return now }))
	failed, err := store.Events(context.Background(), origin.EventFilter{State: origin.EventFailed, Limit: 100})
	must(t, err)
	assert.Equal(t, len(failed), 0, "events are given up")
}

// TestPoisonedEvent checks that one event which its receiver never accepts does
// not delay the others and is given up alone.
func TestPoisonedEvent(t *testing.T) {
	ctx := context.Background()
	r := newReceiver(t)
	store := outbox(t, filepath.Join(t.TempDir(), "o.db"), r.URL, 5)
	all, err := store.Events(ctx, origin.EventFilter{Limit: 10})
	must(t, err)
	poisoned := all[len(all)-1].EventID
	r.refuse = poisoned
	now := time.Now()
	s := sender(store, func() time.Time { return now })

	once(t, s)
	now = now.Add(11 * time.Second)
	once(t, s)
	if r.count() != 4 {
		t.Fatalf("the receiver has %d of the other 4", r.count())
	}
	begin := now
	for range 40 {
		failed, err := store.Events(ctx, origin.EventFilter{State: origin.EventFailed, Limit: 10})
		must(t, err)
		if len(failed) > 0 {
			break
		}
		now = now.Add(notify.MaxWait + time.Second)
		once(t, s)
	}
	failed, err := store.Events(ctx, origin.EventFilter{State: origin.EventFailed, Limit: 10})
	must(t, err)
	if days := now.Sub(begin).Hours() / 24; len(failed) != 1 || failed[0].EventID != poisoned || days < 5 || days > 6 {
		t.Errorf("given up after %.1f days: %+v", days, failed)
	}
}

func TestEventsOfOneRequest(t *testing.T) {
	ctx := context.Background()
	r := newReceiver(t)
	store := outbox(t, filepath.Join(t.TempDir(), "o.db"), r.URL, 1)
	service := inquiry.Service{Store: store, Now: time.Now, Rand: rand.Reader}
	rows, err := store.RequestsOf(ctx, origin.RequestFilter{Limit: 1})
	must(t, err)
	id := rows[0].RequestID
	_, _, err = service.Reply(ctx, id, inquiry.MessageDraft{Kind: inquiry.Text, Body: "Hello."})
	must(t, err)
	_, _, _, err = service.PostMessage(ctx, id, inquiry.MessageDraft{By: inquiry.Requester, Kind: inquiry.Text, Body: "Hello back."})
	must(t, err)
	_, err = inquiry.RunMaintenance(ctx, store, time.Now().Add(16*24*time.Hour))
	must(t, err)
	events, err := store.Events(ctx, origin.EventFilter{Limit: 100})
	must(t, err)
	var kinds []string
	for i := len(events) - 1; i >= 0; i-- {
		kinds = append(kinds, events[i].Kind+" "+events[i].Status)
		assert.Equal(t, events[i].ReceiverID, "whk_a", "%s went to another site's receiver", events[i].EventID)
	}
	got := strings.Join(kinds, ", ")
	want := "inquiry.state_changed delivered, inquiry.state_changed in_review, inquiry.state_changed in_discussion, inquiry.message in_discussion"
	assert.Equal(t, got, want, "events")
}

// TestKilledInTheMiddle kills the sender three times while slow receivers take
// their events and another has asked not to be called for an hour. Each event
// arrives at least once, a kill repeats at most the event in progress, and
// every new sender respects the hour.
func TestKilledInTheMiddle(t *testing.T) {
	const events, kills = 60, 3
	ctx := context.Background()
	slow, other, busy := newReceiver(t), newReceiver(t), newReceiver(t)
	slow.set(false, 20*time.Millisecond)
	other.set(false, 10*time.Millisecond)
	busy.status, busy.retryAfter = http.StatusTooManyRequests, "3600"
	path := filepath.Join(t.TempDir(), "o.db")
	store := outbox(t, path, slow.URL, 0)
	addReceiver(t, store, "whk_b", other.URL)
	addReceiver(t, store, "whk_c", busy.URL)
	addRequests(t, store, events)

	for kill := 1; kill <= kills; kill++ {
		cmd := start(t, path)
		waitFor(t, func() bool { return slow.count() >= kill*events/5 && busy.attempts() > 0 })
		must(t, cmd.Process.Kill())
		cmd.Wait() //nolint:errcheck // killed
	}
	if slow.count() == events {
		t.Fatal("everything was sent before the last kill: the test shows nothing")
	}
	cmd := start(t, path)
	waitFor(t, func() bool { return slow.count() == events && other.count() == events })
	waitFor(t, func() bool {
		waiting, err := store.Events(ctx, origin.EventFilter{ReceiverID: "whk_a", State: origin.EventWaiting, Limit: 1})
		must(t, err)
		return len(waiting) == 0
	})
	must(t, cmd.Process.Kill())
	cmd.Wait() //nolint:errcheck // killed

	for _, r := range []*receiver{slow, other} {
		r.check(t)
		if n := r.attempts(); n > events+kills {
			t.Errorf("%d deliveries of %d events with %d kills", n, events, kills)
		}
	}
	if n := busy.attempts(); n > 1+kills {
		t.Errorf("the receiver that asked for an hour was asked %d times", n)
	}
	waiting, err := store.Events(ctx, origin.EventFilter{ReceiverID: "whk_c", State: origin.EventWaiting, Limit: 100})
	must(t, err)
	if len(waiting) != events {
		t.Errorf("%d of %d events wait for it", len(waiting), events)
	}
}

func start(t *testing.T, path string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "COLOPHON_TEST_OUTBOX="+path)
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	if line, _ := bufio.NewReader(out).ReadString('\n'); line != "ready\n" {
		t.Fatalf("the sender did not start: %q", line)
	}
	return cmd
}

func waitFor(t *testing.T, done func() bool) {
	t.Helper()
	for range 1500 {
		if done() {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatal("it did not happen within 30 seconds")
}

// TestSendAll checks that everything that is due is sent, in as many rounds as
// that takes, and counted, and that a failing receiver ends it.
func TestSendAll(t *testing.T) {
	r := newReceiver(t)
	store := outbox(t, filepath.Join(t.TempDir(), "outbox.db"), r.URL, 5)
	s := sender(store, time.Now)
	s.Batch = 2
	total, err := s.SendAll(t.Context())
	if err != nil || total.Delivered != 5 || total.Failed != 0 || len(r.got) != 5 {
		t.Errorf("%+v, %v; the receiver got %d", total, err, len(r.got))
	}
	r.status = 500
	addRequests(t, store, 3)
	if total, err = s.SendAll(t.Context()); err != nil || total.Delivered != 0 || total.Failed != 1 {
		t.Errorf("a receiver that fails: %+v, %v", total, err)
	}
}
