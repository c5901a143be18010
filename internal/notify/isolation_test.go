package notify_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"colophon/internal/assert"
	"colophon/internal/notify"
	"colophon/internal/origin"
	"colophon/internal/originsql"
)

// newWorking adds nine working receivers to a store.
func newWorking(t *testing.T, store *originsql.Store) []*receiver {
	t.Helper()
	var list []*receiver
	for i := range 9 {
		r := newReceiver(t)
		addReceiver(t, store, fmt.Sprint("whk_works_", i), r.URL)
		list = append(list, r)
	}
	return list
}

// serveReceiver returns a receiver that consists of its handler and is closed
// by force.
func serveReceiver(t *testing.T, handler http.HandlerFunc) *httptest.Server {
	srv := httptest.NewServer(handler)
	t.Cleanup(func() {
		srv.CloseClientConnections()
		srv.Close()
	})
	return srv
}

// hang does not answer until its client disconnects.
func hang(_ http.ResponseWriter, r *http.Request) {
	io.Copy(io.Discard, r.Body) //nolint:errcheck // the server notices a disconnect only after it has read the body
	<-r.Context().Done()
}

// run runs a sender until the test ends.
func run(t *testing.T, s *notify.Sender) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.Run(ctx) //nolint:errcheck // it ends with ctx
	}()
	t.Cleanup(func() {
		cancel()
		<-ended
	})
}

// TestOneReceiverInTrouble checks that nine receivers are notified of
// everything while a tenth is in trouble, and that what waits for the tenth
// stays in the outbox and is sent later.
func TestOneReceiverInTrouble(t *testing.T) {
	inside := newReceiver(t) // target of a redirect
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	must(t, closed.Close())

	for _, tc := range []struct {
		name    string
		handler http.HandlerFunc // nil means that nothing listens
		want    string           // part of the error that is kept; "" means that the attempt continues
	}{
		{"asks for an hour", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "3600")
			w.WriteHeader(http.StatusTooManyRequests)
		}, "answered 429"},
		{"asks for an hour by 503", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", time.Now().Add(time.Hour).UTC().Format(http.TimeFormat))
			w.WriteHeader(http.StatusServiceUnavailable)
		}, "answered 503"},
		{"never answers", hang, ""},
		{"stalls in its header", func(w http.ResponseWriter, _ *http.Request) {
			conn, _, err := w.(http.Hijacker).Hijack()
			if err != nil {
				return
			}
			fmt.Fprint(conn, "HTTP/1.1 200 OK\r\nX-")
			conn.SetReadDeadline(time.Now().Add(time.Minute)) //nolint:errcheck // it ends with the test
			conn.Read(make([]byte, 1))                        //nolint:errcheck // it ends with the test
		}, ""},
		{"redirects to this machine", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, inside.URL, http.StatusTemporaryRedirect)
		}, "answered 307"},
		{"hangs up", func(w http.ResponseWriter, _ *http.Request) {
			conn, _, err := w.(http.Hijacker).Hijack()
			if err == nil {
				conn.Close()
			}
		}, "EOF"},
		{"is not there", nil, "refused"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			ctx := context.Background()
			url := "http://" + closed.Addr().String()
			if tc.handler != nil {
				url = serveReceiver(t, tc.handler).URL
			}
			store := outbox(t, filepath.Join(t.TempDir(), "o.db"), url, 0)
			working := newWorking(t, store)
			addRequests(t, store, 3)

			s := &notify.Sender{Outbox: store, Now: time.Now, Post: postTo(time.Minute), Pause: 50 * time.Millisecond}
			run(t, s)
			for _, r := range working {
				waitFor(t, func() bool { return r.count() == 3 })
				r.check(t)
			}
			addRequests(t, store, 2)
			for _, r := range working {
				waitFor(t, func() bool { return r.count() == 5 })
			}

			if tc.want != "" {
				waitFor(t, func() bool { return healthOf(t, store, "whk_a").Failures >= 1 })
				if h := healthOf(t, store, "whk_a"); !strings.Contains(h.LastError, tc.want) {
					t.Errorf("kept as %q", h.LastError)
				}
			}
			waiting, err := store.Events(ctx, origin.EventFilter{ReceiverID: "whk_a", State: origin.EventWaiting, Limit: 10})
			must(t, err)
			assert.Equal(t, len(waiting), 5, "of 5 events wait for it")
			assert.Equal(t, inside.attempts(), 0, "a redirect was followed")
		})
	}
}

func healthOf(t *testing.T, store *originsql.Store, id string) origin.ReceiverHealth {
	t.Helper()
	all, err := store.Receivers(context.Background())
	must(t, err)
	for _, r := range all {
		if r.WebhookID == id {
			return r.Health
		}
	}
	t.Fatalf("there is no receiver %s", id)
	return origin.ReceiverHealth{}
}

// TestManyReceiversHang has more hanging receivers than workers. Since they
// have failed before, they have separate workers.
func TestManyReceiversHang(t *testing.T) {
	ctx := context.Background()
	hanging := serveReceiver(t, hang)
	store := outbox(t, filepath.Join(t.TempDir(), "o.db"), hanging.URL, 0)
	for i := range 20 {
		id := fmt.Sprint("whk_hangs_", i)
		addReceiver(t, store, id, hanging.URL)
		must(t, store.PutHealth(ctx, origin.ReceiverHealth{ReceiverID: id, AskedAt: "2026-01-01T00:00:00Z", Failures: 1, FailingSince: "2026-01-01T00:00:00Z"}))
	}
	working := newWorking(t, store)
	for i := range working { // due later than the hanging ones, which would therefore come first
		must(t, store.PutHealth(ctx, origin.ReceiverHealth{ReceiverID: fmt.Sprint("whk_works_", i), AskedAt: "2026-01-02T00:00:00Z"}))
	}
	addRequests(t, store, 1)
	run(t, &notify.Sender{Outbox: store, Now: time.Now, Post: postTo(time.Minute), Pause: 50 * time.Millisecond})
	for _, r := range working {
		waitFor(t, func() bool { return r.count() == 1 })
	}
}

// TestRetryAfterIsKept checks that a receiver is not asked again before the
// time that it requested; when it recovers, it gets one event first and then
// the rest.
func TestRetryAfterIsKept(t *testing.T) {
	r := newReceiver(t)
	r.status, r.retryAfter = http.StatusTooManyRequests, "3600"
	store := outbox(t, filepath.Join(t.TempDir(), "o.db"), r.URL, 5)
	begin := time.Now()
	now := begin
	s := sender(store, func() time.Time { return now })
	once(t, s)
	r.set(false, 0)
	for _, at := range []struct {
		after time.Duration
		want  int
	}{{time.Minute, 0}, {3590 * time.Second, 0}, {3602 * time.Second, 5}} {
		now = begin.Add(at.after)
		once(t, s)
		if r.count() != at.want {
			t.Errorf("after %s it has %d events, not %d", at.after, r.count(), at.want)
		}
	}
	if h := healthOf(t, store, "whk_a"); h.Failures != 0 || h.RetryAt != "" || h.LastError != "" {
		t.Errorf("its circuit is still open: %+v", h)
	}
}

// TestTwoSenders checks that two senders of one outbox send each event once.
func TestTwoSenders(t *testing.T) {
	r := newReceiver(t)
	r.set(false, time.Millisecond)
	store := outbox(t, filepath.Join(t.TempDir(), "o.db"), r.URL, 30)
	for range 2 {
		s := sender(store, time.Now)
		s.Pause = 10 * time.Millisecond
		run(t, s)
	}
	waitFor(t, func() bool { return r.count() == 30 })
	if r.attempts() != 30 {
		t.Errorf("30 events were sent %d times", r.attempts())
	}
}

// TestPrivateAddressesAreRefused checks that a receiver must have a public
// address, whatever its name, unless its webhook allows others.
func TestPrivateAddressesAreRefused(t *testing.T) {
	ctx := context.Background()
	r := newReceiver(t)
	_, port, err := net.SplitHostPort(r.Listener.Addr().String())
	must(t, err)
	store := outbox(t, filepath.Join(t.TempDir(), "o.db"), r.URL, 0)
	hooks := map[string]string{
		"whk_ip":       r.URL,
		"whk_name":     "http://localhost:" + port,
		"whk_mapped":   "http://[::ffff:127.0.0.1]:" + port,
		"whk_metadata": "http://169.254.169.254/",
	}
	for id, url := range hooks {
		must(t, store.PutWebhook(ctx, origin.Webhook{WebhookID: id, URL: url, Secret: secret, State: "active", AllowPrivate: id == "whk_metadata"}))
	}
	addRequests(t, store, 1)
	once(t, sender(store, time.Now))
	for id := range hooks {
		if h := healthOf(t, store, id); h.Failures != 1 || !strings.Contains(h.LastError, "not public") {
			t.Errorf("%s: %+v", id, h)
		}
	}
	if r.attempts() != 1 {
		t.Errorf("the receiver was asked %d times, once by the webhook that allows it", r.attempts())
	}
}

// TestPausedReceiver checks that a paused receiver gets nothing, not even
// events that were already waiting.
func TestPausedReceiver(t *testing.T) {
	ctx := context.Background()
	r := newReceiver(t)
	store := outbox(t, filepath.Join(t.TempDir(), "o.db"), r.URL, 2)
	w, err := store.Webhook(ctx, "whk_a")
	must(t, err)
	w.State = "paused"
	must(t, store.PutWebhook(ctx, w))
	once(t, sender(store, time.Now))
	assert.Equal(t, r.attempts(), 0, "a paused receiver was asked")
	w.State = "active"
	must(t, store.PutWebhook(ctx, w))
	once(t, sender(store, time.Now))
	if r.count() != 2 {
		t.Errorf("after it was resumed it has %d events", r.count())
	}
}

// TestLimitOfOnce checks that Once starts no attempt after its limit, and
// reports that there is more to do.
func TestLimitOfOnce(t *testing.T) {
	r := newReceiver(t)
	store := outbox(t, filepath.Join(t.TempDir(), "o.db"), r.URL, 5)
	now := time.Now()
	s := sender(store, func() time.Time { return now })
	post := s.Post
	s.Limit = 3 * time.Second
	s.Post = func(ctx context.Context, m notify.Message) (notify.Answer, error) {
		now = now.Add(2 * time.Second)
		return post(ctx, m)
	}
	assert.Equal(t, once(t, s), (notify.Result{Delivered: 2, More: true}), "got")
}
