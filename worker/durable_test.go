package worker_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"colophon/internal/openapi/openapitest"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/originsql/faulttest"
	"colophon/internal/originsql/local"
	"colophon/worker"
	"colophon/worker/edgehttp"
)

// durablePosts returns how many requests are sent while servers die; "make
// test-durable" sends 2,000.
func durablePosts(t *testing.T) int {
	t.Helper()
	text := os.Getenv("COLOPHON_DURABLE_POSTS")
	if text == "" {
		return 150
	}
	n, err := strconv.Atoi(text)
	must(t, err)
	return n
}

const deaths = 4

// posts sends requests, each until it is acknowledged, and records which are.
type posts struct {
	n    int
	base func() string // the current address of the server

	mu    sync.Mutex
	acked map[int]string // request ids, by number
	count atomic.Int64
}

func (p *posts) acknowledged() map[int]string {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := map[int]string{}
	for k, v := range p.acked {
		out[k] = v
	}
	return out
}

// waitFor waits until n requests have been answered, successfully or not.
func (p *posts) waitFor(n int) {
	for p.count.Load() < int64(n) {
		time.Sleep(time.Millisecond)
	}
}

// send sends all requests over 64 connections.
func (p *posts) send(t *testing.T) {
	client := &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 64, MaxConnsPerHost: 64}}
	defer client.CloseIdleConnections()
	numbers := make(chan int)
	var group sync.WaitGroup
	for range 64 {
		group.Go(func() {
			for i := range numbers {
				if err := p.post(client, i); err != nil {
					t.Error(err)
				}
				p.count.Add(1)
			}
		})
	}
	for i := range p.n {
		numbers <- i
	}
	close(numbers)
	group.Wait()
}

// post repeats a request with its Idempotency-Key until it is answered.
func (p *posts) post(client *http.Client, i int) error {
	for range 10_000 {
		req, err := http.NewRequest("POST", p.base()+"/v1/partner/licensing/requests", strings.NewReader(raceBody(i, 0)))
		if err != nil {
			return err
		}
		req.Header.Set("Authorization", "Bearer "+seedKeys["key_alpha"])
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Idempotency-Key", postKey(i))
		res, err := client.Do(req)
		if err != nil {
			time.Sleep(5 * time.Millisecond)
			continue
		}
		body, err := io.ReadAll(res.Body)
		res.Body.Close()
		if err != nil || res.StatusCode == http.StatusServiceUnavailable || res.StatusCode == http.StatusConflict && strings.Contains(string(body), "idempotency_in_progress") {
			time.Sleep(5 * time.Millisecond)
			continue
		}
		var view struct {
			RequestID string `json:"request_id"`
		}
		if err := json.Unmarshal(body, &view); err != nil || res.StatusCode != http.StatusCreated {
			return fmt.Errorf("request %d was answered %d: %s", i, res.StatusCode, body)
		}
		p.mu.Lock()
		p.acked[i] = view.RequestID
		p.mu.Unlock()
		return nil
	}
	return fmt.Errorf("request %d was never answered", i)
}

func postKey(i int) string { return fmt.Sprintf("durable-%05d", i) }

// checkAcknowledged checks that a store holds each acknowledged request once,
// completely, and under the id in the answer.
func checkAcknowledged(t *testing.T, when string, store *originsql.Store, acked map[int]string) {
	t.Helper()
	ctx := context.Background()
	var verdict string
	if err := store.DB().QueryRow("PRAGMA integrity_check").Scan(&verdict); err != nil || verdict != "ok" {
		t.Errorf("%s: integrity: %s %v", when, verdict, err)
	}
	rows, err := store.RequestsOf(ctx, origin.RequestFilter{Limit: 1_000_000})
	must(t, err)
	byKey := map[string]origin.Request{}
	for _, r := range rows {
		if _, twice := byKey[r.Key]; twice {
			t.Errorf("%s: %s is stored twice", when, r.Key)
		}
		byKey[r.Key] = r
		messages, err := store.MessagesOf(ctx, r.ThreadID, 0, 10)
		must(t, err)
		if len(messages) != 1 || r.Messages != 1 {
			t.Errorf("%s: %s has %d messages and counts %d", when, r.RequestID, len(messages), r.Messages)
		}
	}
	lost := 0
	for i, id := range acked {
		if byKey[postKey(i)].RequestID != id {
			lost++
		}
	}
	if lost > 0 {
		t.Errorf("%s: %d of %d acknowledged requests are lost", when, lost, len(acked))
	}
}

// TestAcknowledgedSurvivesKill kills the server four times.
func TestAcknowledgedSurvivesKill(t *testing.T) {
	path := filepath.Join(t.TempDir(), "origin.db")
	store := openStore(t, path)
	must(t, seed(context.Background(), store))
	server, err := startServer(path, "127.0.0.1:0")
	must(t, err)
	addr := server.addr
	p := &posts{n: durablePosts(t), acked: map[int]string{}, base: func() string { return "http://" + addr }}

	killed := make(chan struct{})
	go func() {
		defer close(killed)
		for i := range deaths {
			p.waitFor((i + 1) * p.n / (deaths + 1))
			server.kill()
			acked := p.acknowledged()
			checkAcknowledged(t, fmt.Sprint("kill ", i+1), store, acked)
			next, err := startServer(path, addr)
			if err != nil {
				t.Error(err) // the remaining requests are given up
				return
			}
			server = next
		}
	}()
	p.send(t)
	<-killed
	server.kill()
	checkAcknowledged(t, "at the end", store, p.acknowledged())
	if n, err := store.CountRequests(context.Background(), origin.RequestFilter{}); err != nil || n != int64(p.n) {
		t.Errorf("%d requests stored of %d, %v", n, p.n, err)
	}
}

// life is a server in this process, on a disk that records what was synced.
type life struct {
	disk   *faulttest.Disk
	dir    string
	db     *sql.DB
	store  *originsql.Store
	server *httptest.Server

	power sync.RWMutex // held by each answer while it is sent
	dead  bool
}

func beginLife(t *testing.T, dir string) *life {
	t.Helper()
	l := &life{disk: faulttest.New(t), dir: dir}
	db, err := sql.Open("sqlite", local.Address(filepath.Join(dir, "origin.db"))+"&vfs="+l.disk.Name())
	must(t, err)
	db.SetMaxIdleConns(8)
	must(t, originsql.Migrate(context.Background(), db))
	l.db, l.store = db, originsql.New(db)
	return l
}

// serve answers requests until power is lost: no answer is sent after that.
func (l *life) serve() {
	inner := edgehttp.New(openapitest.Handler(nil, worker.New(depsOf(l.store, time.Now))), edgehttp.Options{})
	l.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rec := httptest.NewRecorder()
		inner.ServeHTTP(rec, r)
		l.power.RLock()
		defer l.power.RUnlock()
		if l.dead {
			panic(http.ErrAbortHandler)
		}
		w.WriteHeader(rec.Code)
		w.Write(rec.Body.Bytes()) //nolint:errcheck // the client has gone
		w.(http.Flusher).Flush()  // before the power can be lost
	}))
}

func (l *life) losePower(t *testing.T, into string, random *rand.Rand) {
	l.power.Lock()
	defer l.power.Unlock()
	l.dead = true
	if err := l.disk.PowerLoss(l.dir, into, random); err != nil {
		t.Error(err)
	}
}

// end closes what remains of a server that lost power.
func (l *life) end() {
	l.server.CloseClientConnections()
	l.server.Close()
	l.db.Close()
}

// TestAcknowledgedSurvivesPowerLoss simulates four losses of power: what was
// not synced at that moment is lost, torn or reordered at random, and the next
// server runs on what is left.
func TestAcknowledgedSurvivesPowerLoss(t *testing.T) {
	seedNumber := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seedNumber)
	random := rand.New(rand.NewPCG(seedNumber, 0))
	now := beginLife(t, t.TempDir())
	must(t, seed(context.Background(), now.store))
	now.serve()
	var base atomic.Value
	base.Store(now.server.URL)
	p := &posts{n: durablePosts(t), acked: map[int]string{}, base: func() string { return base.Load().(string) }}

	lost := make(chan struct{})
	go func() {
		defer close(lost)
		for i := range deaths {
			p.waitFor((i + 1) * p.n / (deaths + 1))
			after := t.TempDir()
			acked := p.acknowledged()
			now.losePower(t, after, random)
			next := beginLife(t, after)
			checkAcknowledged(t, fmt.Sprint("power loss ", i+1), next.store, acked)
			next.serve()
			base.Store(next.server.URL)
			now.end()
			now = next
		}
	}()
	p.send(t)
	<-lost
	now.server.Close()
	checkAcknowledged(t, "at the end", now.store, p.acknowledged())
	now.db.Close()
}
