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

	"colophon/internal/inquiry"
	"colophon/internal/notify"
	"colophon/internal/notify/webhook"
	"colophon/internal/origin"
	"colophon/internal/originsql"
)

// TestMain lets the test binary be the sender that a test kills.
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
	return originsql.New(db), db, originsql.Migrate(context.Background(), db)
}

func sender(store origin.Outbox, now func() time.Time) *notify.Sender {
	client := webhook.NewClient()
	client.RetryWaitMin, client.RetryWaitMax = time.Millisecond, 5*time.Millisecond
	return &notify.Sender{Outbox: store, Now: now, Post: webhook.Post(client)}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
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
	must(t, store.PutWebhook(ctx, origin.Webhook{WebhookID: "whk_a", SiteID: "site-a", URL: url, Secret: secret, State: "active", CreatedAt: at, ChangedAt: at}))
	must(t, store.PutWebhook(ctx, origin.Webhook{WebhookID: "whk_other", SiteID: "site-b", URL: "http://127.0.0.1:1/", Secret: secret, State: "active", CreatedAt: at, ChangedAt: at}))
	desk := inquiry.Desk{Store: store, Now: time.Now, Rand: rand.Reader}
	for i := range n {
		r, _, err := desk.Submit(ctx, origin.Request{SiteID: "site-a", Channel: "public", BuyerName: "Canary Person", BuyerEmail: "canary@private.example",
			IntendedUse: "use", RequestedScope: "scope", Message: fmt.Sprint("canary message ", i), TokenHash: fmt.Sprint(i), BudgetCents: -1, TermMonths: -1})
		must(t, err)
		must(t, desk.Deliver(ctx, r))
	}
	return store
}

// receiver keeps what it was sent; while down it answers 503.
type receiver struct {
	*httptest.Server
	mu   sync.Mutex
	down bool
	slow time.Duration
	got  map[string]int
	bad  []string
}

func newReceiver(t *testing.T) *receiver {
	r := &receiver{got: map[string]int{}}
	r.Server = httptest.NewServer(http.HandlerFunc(r.take))
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) take(w http.ResponseWriter, req *http.Request) {
	body, _ := io.ReadAll(req.Body)
	r.mu.Lock()
	down, slow := r.down, r.slow
	r.mu.Unlock()
	if down {
		w.WriteHeader(http.StatusServiceUnavailable)
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
	r.down, r.slow = down, slow
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
	if n, err := s.Once(ctx); n != 0 || err != nil {
		t.Fatalf("%d sent to a receiver that is down, %v", n, err)
	}
	due, err := store.DueEvents(ctx, "9999-01-01T00:00:00Z", 100)
	must(t, err)
	if len(due) != 3 || due[0].Attempts != 1 || due[0].LastError != "answered 503" {
		t.Fatalf("after a failure the outbox holds %+v", due)
	}
	r.set(false, 0)
	if n, _ := s.Once(ctx); n != 0 {
		t.Errorf("%d sent before their time", n)
	}
	now = now.Add(11 * time.Second)
	if n, err := s.Once(ctx); n != 3 || err != nil {
		t.Fatalf("%d sent, %v", n, err)
	}
	if n, _ := s.Once(ctx); n != 0 || r.count() != 3 {
		t.Errorf("%d sent twice; the receiver has %d", n, r.count())
	}
	r.check(t)
}

func TestGivesUpKeepsAndRetries(t *testing.T) {
	ctx := context.Background()
	r := newReceiver(t)
	r.set(true, 0)
	store := outbox(t, filepath.Join(t.TempDir(), "o.db"), r.URL, 1)
	now, rounds := time.Now(), 0
	s := sender(store, func() time.Time { return now })
	begin := now
	for ; rounds < 100; rounds++ {
		if _, err := s.Once(ctx); err != nil {
			t.Fatal(err)
		}
		all, err := store.Events(ctx, 10)
		must(t, err)
		if all[0].State == "failed" {
			break
		}
		now = now.Add(notify.Backoff(all[0].Attempts) + time.Second)
	}
	if days := now.Sub(begin).Hours() / 24; rounds > 30 || days < 2 || days > 7 {
		t.Fatalf("gave up after %d rounds and %.1f days", rounds, days)
	}
	n, err := store.RetryEvents(ctx, "whk_a", "2026-01-01T00:00:00Z")
	must(t, err)
	r.set(false, 0)
	sent, err := s.Once(ctx)
	if n != 1 || sent != 1 || err != nil {
		t.Errorf("%d waiting again, %d sent, %v", n, sent, err)
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	hit := false
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { hit = true }))
	defer elsewhere.Close()
	r := httptest.NewServer(http.RedirectHandler(elsewhere.URL, http.StatusTemporaryRedirect))
	defer r.Close()
	store := outbox(t, filepath.Join(t.TempDir(), "o.db"), r.URL, 1)
	if n, err := sender(store, time.Now).Once(context.Background()); n != 0 || err != nil || hit {
		t.Errorf("%d sent, %v, followed %v", n, err, hit)
	}
}

func TestEventsOfOneRequest(t *testing.T) {
	ctx := context.Background()
	r := newReceiver(t)
	store := outbox(t, filepath.Join(t.TempDir(), "o.db"), r.URL, 1)
	desk := inquiry.Desk{Store: store, Now: time.Now, Rand: rand.Reader}
	rows, err := store.RequestsOf(ctx, origin.RequestFilter{Limit: 1})
	must(t, err)
	id := rows[0].RequestID
	_, _, err = desk.Reply(ctx, id, inquiry.Words{Kind: inquiry.Text, Body: "Hello."})
	must(t, err)
	_, _, _, err = desk.Say(ctx, id, inquiry.Words{By: inquiry.Requester, Kind: inquiry.Text, Body: "Hello back."})
	must(t, err)
	_, err = inquiry.Tick(ctx, store, time.Now().Add(16*24*time.Hour))
	must(t, err)
	events, err := store.Events(ctx, 100)
	must(t, err)
	var kinds []string
	for i := len(events) - 1; i >= 0; i-- {
		kinds = append(kinds, events[i].Kind+" "+events[i].Status)
		if events[i].WebhookID != "whk_a" {
			t.Errorf("%s went to another site's receiver", events[i].EventID)
		}
	}
	got := strings.Join(kinds, ", ")
	want := "inquiry.state_changed delivered, inquiry.state_changed in_review, inquiry.state_changed in_discussion, inquiry.message in_discussion"
	if got != want {
		t.Errorf("events: %s", got)
	}
}

// TestKilledInTheMiddle kills the sender while a slow receiver takes its
// events, three times. Each event arrives at least once.
func TestKilledInTheMiddle(t *testing.T) {
	if testing.Short() {
		t.Skip("kills and restarts a sender")
	}
	const events = 60
	r := newReceiver(t)
	r.set(false, 20*time.Millisecond)
	path := filepath.Join(t.TempDir(), "o.db")
	store := outbox(t, path, r.URL, events)
	for kill := 1; kill <= 3; kill++ {
		cmd := start(t, path)
		waitFor(t, func() bool { return r.count() >= kill*events/5 })
		must(t, cmd.Process.Kill())
		cmd.Wait() //nolint:errcheck // killed
	}
	if r.count() == events {
		t.Fatal("everything was sent before the last kill: the test shows nothing")
	}
	cmd := start(t, path)
	waitFor(t, func() bool { return r.count() == events })
	waitFor(t, func() bool {
		all, err := store.Events(context.Background(), events)
		must(t, err)
		for _, e := range all {
			if e.State != "delivered" {
				return false
			}
		}
		return len(all) == events
	})
	must(t, cmd.Process.Kill())
	cmd.Wait() //nolint:errcheck // killed
	r.check(t)
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

// A brief sender asks a receiver that is down once; what else is due for it
// waits as long, and is sent when it is up again.
func TestBrief(t *testing.T) {
	r := newReceiver(t)
	store := outbox(t, filepath.Join(t.TempDir(), "outbox.db"), r.URL, 3)
	now, asked, down := time.Now(), 0, true
	post := webhook.Post(webhook.NewClient())
	s := &notify.Sender{Outbox: store, Now: func() time.Time { return now }, Brief: true, Batch: 30, Post: func(ctx context.Context, m notify.Message) (int, error) {
		asked++
		if down {
			return http.StatusServiceUnavailable, nil
		}
		return post(ctx, m)
	}}
	if n, err := s.Once(context.Background()); n != 0 || err != nil || asked != 1 {
		t.Errorf("down: %d sent, asked %d times, %v", n, asked, err)
	}
	events, err := store.Events(context.Background(), 100)
	must(t, err)
	for _, e := range events {
		if e.State != "waiting" || e.LastError != "answered 503" || e.DueAt != events[0].DueAt {
			t.Errorf("%+v", e)
		}
	}
	down, asked = false, 0
	if n, err := s.Once(context.Background()); n != 0 || err != nil || asked != 0 {
		t.Errorf("too early: %d sent, asked %d times, %v", n, asked, err)
	}
	now = now.Add(time.Minute)
	if n, err := s.Once(context.Background()); n != len(events) || err != nil || len(r.got) != len(events) || len(r.bad) > 0 {
		t.Errorf("up: %d of %d sent, %v, bad %v", n, len(events), err, r.bad)
	}
}
