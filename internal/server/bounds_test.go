package server

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"colophon/exports"
	"colophon/internal/assert"
	"colophon/worker/edge"
)

var must = assert.NoError

// start serves h until the test ends and returns the server and its address.
func start(t *testing.T, c Config, h edge.Handler) (addr string, s *HTTP) {
	t.Helper()
	s, err := New(Options{Config: c, BaseURL: "https://service.example", Handler: h})
	must(t, err)
	return serveOn(t, s), s
}

// serveOn serves on a free port until the test ends.
func serveOn(t *testing.T, s *HTTP) (addr string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
	return l.Addr().String()
}

func answer(body string) edge.Handler {
	return func(context.Context, *edge.Request) *edge.Response {
		return &edge.Response{Status: 200, Body: []byte(body)}
	}
}

func dial(t *testing.T, addr, text string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	must(t, err)
	t.Cleanup(func() { c.Close() })
	must(t, assert.Err(io.WriteString(c, text)))
	return c
}

// isClosed waits until the server has closed a connection.
func isClosed(t *testing.T, c net.Conn) {
	t.Helper()
	must(t, c.SetReadDeadline(time.Now().Add(20*time.Second)))
	if _, err := io.Copy(io.Discard, c); errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error("the connection is still open")
	}
}

func get(t *testing.T, url string) (int, http.Header, string) {
	t.Helper()
	res, err := http.Get(url)
	must(t, err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	must(t, err)
	return res.StatusCode, res.Header, string(body)
}

// wantOverloaded checks a problem document that asks a client to try again
// later.
func wantOverloaded(t *testing.T, status int, header http.Header, body string) {
	t.Helper()
	var problem struct {
		Code  string
		Retry struct{ Retryable bool }
	}
	if err := json.Unmarshal([]byte(body), &problem); err != nil {
		t.Fatalf("%v in %q", err, body)
	}
	if status != 503 || problem.Code != "overloaded" || !problem.Retry.Retryable || header.Get("Retry-After") == "" {
		t.Errorf("answered %d %v %s", status, header, body)
	}
	for name, want := range map[string]string{
		"Access-Control-Allow-Origin":   "*",
		"Access-Control-Expose-Headers": "ETag, Idempotency-Replayed, Link, Location, RateLimit, RateLimit-Policy, Request-Id, Retry-After",
		"Cache-Control":                 "private, no-store",
		"Content-Security-Policy":       "default-src 'none'; frame-ancestors 'none'",
		"Cross-Origin-Resource-Policy":  "cross-origin",
		"Referrer-Policy":               "no-referrer",
		"Strict-Transport-Security":     "max-age=31536000; includeSubDomains",
		"X-Content-Type-Options":        "nosniff",
	} {
		if got := header.Values(name); len(got) != 1 || got[0] != want {
			t.Errorf("%s: %q", name, got)
		}
	}
	if id := header.Get("Request-Id"); !strings.Contains(body, `"request_id":"`+id+`"`) || strings.Trim(id, "rid_0") == "" {
		t.Errorf("Request-Id %q in %s", id, body)
	}
}

// TestTimeouts checks that connections with half a head, with half a body and
// idle ones are closed after their timeouts.
func TestTimeouts(t *testing.T) {
	short := Duration(100 * time.Millisecond)
	addr, _ := start(t, Config{HeaderTimeout: short, BodyTimeout: short, IdleTimeout: short}, answer("ok"))
	for name, text := range map[string]string{
		"no byte":         "",
		"half a head":     "GET / HTTP/1.1\r\nHost: x",
		"half a body":     "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf",
		"half a chunk":    "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n64\r\nhalf",
		"after an answer": "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			isClosed(t, dial(t, addr, text))
		})
	}
}

// TestWriteTimeout checks that a client which does not read its answer is
// disconnected, and that the rest of the answer is not kept for it.
func TestWriteTimeout(t *testing.T) {
	big := strings.Repeat("x", 32<<20)
	addr, s := start(t, Config{WriteTimeout: Duration(20 * time.Millisecond)}, answer(big))
	dial(t, addr, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
	waitFor(t, "the answer to be cut", func() bool {
		open, _, _, _ := s.conns.Counts()
		return open == 0 && s.gates[exports.LoadFiles].working.Load() == 0
	})
}

func waitFor(t *testing.T, what string, done func() bool) {
	t.Helper()
	for range 2000 {
		if done() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("waited in vain for %s", what)
}

// TestRequestTimeout checks that a request which takes too long is given up.
func TestRequestTimeout(t *testing.T) {
	addr, _ := start(t, Config{RequestTimeout: Duration(20 * time.Millisecond)}, func(ctx context.Context, r *edge.Request) *edge.Response {
		<-ctx.Done()
		return edge.Fault(504, r.ID)
	})
	if status, _, _ := get(t, "http://"+addr+"/v1/public/rights/check"); status != 504 {
		t.Errorf("answered %d", status)
	}
}

// TestSlowClientsMakeRoom checks that, when all connections are taken, the one
// that has waited longest is closed, so that ordinary clients are served.
func TestSlowClientsMakeRoom(t *testing.T) {
	addr, s := start(t, Config{MaxConnections: 10, HeaderTimeout: Duration(time.Hour)}, answer("ok"))
	first := dial(t, addr, "GET / HTTP/1.1\r\nHost:")
	waitFor(t, "the first", func() bool { open, _, _, _ := s.conns.Counts(); return open == 1 })
	for range 30 {
		dial(t, addr, "GET / HTTP/1.1\r\nHost:")
	}
	isClosed(t, first)
	for range 5 {
		if status, _, body := get(t, "http://"+addr+"/"); status != 200 || body != "ok" {
			t.Errorf("answered %d %q", status, body)
		}
	}
	if open, _, evicted, refused := s.conns.Counts(); open > 10 || evicted < 20 || refused != 0 {
		t.Errorf("%d open, %d evicted, %d refused", open, evicted, refused)
	}
}

// connFrom is a connection with a given remote address.
type connFrom struct {
	net.Conn
	ip     net.IP
	closed bool
}

func (c *connFrom) RemoteAddr() net.Addr { return &net.TCPAddr{IP: c.ip, Port: 1} }

func (c *connFrom) Close() error {
	c.closed = true
	return nil
}

// TestCrowdPushesOutItsOwn checks that a crowd of slow clients loses its own
// connections, and not another client's that has waited longest. Among clients
// with equally many connections, the one that has waited longest is closed.
func TestCrowdPushesOutItsOwn(t *testing.T) {
	proxies, err := ParseProxies(nil, "")
	must(t, err)
	l := newConnLimiter(10, 100, func() *Proxies { return proxies })
	honest := &connFrom{ip: net.IPv4(192, 0, 2, 1)}
	l.admitConn(honest)
	var crowd []*connFrom
	for i := range 1000 {
		c := &connFrom{ip: net.IPv4(198, 51, 100, byte(1+i%3))}
		crowd = append(crowd, c)
		l.admitConn(c)
	}
	if honest.closed {
		t.Error("the connection of somebody else was closed for the crowd")
	}
	if open, _, evicted, refused := l.Counts(); open != 10 || evicted != 991 || refused != 0 {
		t.Errorf("%d open, %d evicted, %d refused", open, evicted, refused)
	}
	for i, c := range crowd[:900] {
		if !c.closed {
			t.Fatalf("connection %d of the crowd is open after 1000", i)
		}
	}

	for i := range 100 { // each from a different address
		l.admitConn(&connFrom{ip: net.IPv4(203, 0, 113, byte(i))})
	}
	if !honest.closed {
		t.Error("the longest waiting connection stays for ever")
	}
}

// TestConnectionsAtWorkStay checks that connections with requests in progress
// are never closed for others: a further client is asked to try again later.
func TestConnectionsAtWorkStay(t *testing.T) {
	release := make(chan struct{})
	addr, s := start(t, Config{MaxConnections: 2}, func(context.Context, *edge.Request) *edge.Response {
		<-release
		return &edge.Response{Status: 200, Body: []byte("done")}
	})
	atWork := []net.Conn{dial(t, addr, "GET / HTTP/1.1\r\nHost: x\r\n\r\n"), dial(t, addr, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")}
	waitFor(t, "both at work", func() bool { open, waiting, _, _ := s.conns.Counts(); return open == 2 && waiting == 0 })

	res, err := http.ReadResponse(bufio.NewReader(dial(t, addr, "")), nil)
	must(t, err)
	body, err := io.ReadAll(res.Body)
	must(t, err)
	wantOverloaded(t, res.StatusCode, res.Header, string(body))

	close(release)
	for _, c := range atWork {
		res, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil || res.StatusCode != 200 {
			t.Fatalf("a connection at work was closed: %v", err)
		}
	}
	waitFor(t, "both to wait again", func() bool { _, waiting, _, _ := s.conns.Counts(); return waiting == 2 })
}

// TestConnectionsOfOneClient checks that one address cannot take all
// connections, but a trusted proxy can.
func TestConnectionsOfOneClient(t *testing.T) {
	for _, tc := range []struct {
		name    string
		proxies []string
		refused int64
	}{
		{"client", nil, 3},
		{"trusted proxy", []string{"127.0.0.1"}, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			addr, s := start(t, Config{MaxConnectionsPerClient: 4, TrustedProxies: tc.proxies}, answer("ok"))
			for range 7 {
				dial(t, addr, "")
			}
			waitFor(t, "all seven", func() bool {
				open, _, _, refused := s.conns.Counts()
				return int64(open)+refused == 7
			})
			if _, _, _, refused := s.conns.Counts(); refused != tc.refused {
				t.Errorf("%d refused, want %d", refused, tc.refused)
			}
		})
	}
}

// TestBodiesInFlight checks that half-sent bodies take a bounded amount of
// memory: one more is asked to try again later, and requests without a body are
// answered.
func TestBodiesInFlight(t *testing.T) {
	for _, tc := range []struct {
		name   string
		config Config
	}{
		{"memory", Config{MaxBodyMemory: 1}},
		{"number", Config{MaxBodies: 4}},
		{"of one client", Config{MaxBodiesPerClient: 4}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			addr, s := start(t, tc.config, answer("ok"))
			half := strings.Repeat("x", 300<<10)
			var refused []net.Conn
			for range 8 {
				refused = append(refused, dial(t, addr, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 400000\r\n\r\n"+half))
			}
			waitFor(t, "bodies to be refused", func() bool {
				count, bytes := s.bodies.InFlight()
				open, _, _, _ := s.conns.Counts()
				return bytes > 0 && count < 8 && open < 8
			})
			if count, bytes := s.bodies.InFlight(); bytes > 2<<20 && tc.config.MaxBodyMemory > 0 || count > 4 {
				t.Errorf("%d bodies with %d bytes", count, bytes)
			}
			told := 0
			for _, c := range refused {
				c.SetReadDeadline(time.Now().Add(100 * time.Millisecond)) //nolint:errcheck // the read would fail
				res, err := http.ReadResponse(bufio.NewReader(c), nil)
				if err != nil {
					continue // the server waits for its body, or the answer was lost with what the client still sends
				}
				body, err := io.ReadAll(res.Body)
				if err == nil {
					wantOverloaded(t, res.StatusCode, res.Header, string(body))
					told++
				}
			}
			if told == 0 {
				t.Error("nobody was told to come back")
			}
			if status, _, _ := get(t, "http://"+addr+"/"); status != 200 {
				t.Errorf("a request without body is answered %d", status)
			}
			for _, c := range refused {
				c.Close()
			}
			waitFor(t, "the memory", func() bool { count, bytes := s.bodies.InFlight(); return count == 0 && bytes == 0 })
		})
	}
}

// TestShedding checks that a full class refuses requests while other classes
// are answered.
func TestShedding(t *testing.T) {
	release := make(chan struct{})
	addr, s := start(t, Config{Concurrency: map[string]int64{"reads": 1}}, func(_ context.Context, r *edge.Request) *edge.Response {
		if strings.HasPrefix(r.Path, "/v1/public/rights/check") {
			<-release
		}
		return &edge.Response{Status: 200}
	})
	reads := s.gates[exports.LoadReads]
	reads.patience = time.Hour // the queue stays full however long the test takes
	var group sync.WaitGroup
	for range 1 + queuePerSlot {
		group.Go(func() {
			if res, err := http.Get("http://" + addr + "/v1/public/rights/check"); err == nil {
				res.Body.Close()
			}
		})
	}
	waitFor(t, "a full queue", func() bool { return reads.working.Load() == 1 && reads.waiting.Load() == queuePerSlot })

	status, header, body := get(t, "http://"+addr+"/v1/public/rights/check")
	wantOverloaded(t, status, header, body)
	if status, _, _ := get(t, "http://"+addr+"/"); status != 200 {
		t.Errorf("a published file is answered %d", status)
	}
	close(release)
	group.Wait()
	assert.Equal(t, reads.working.Load()+reads.waiting.Load(), 0, "slots are lost")
	if status, _, _ := get(t, "http://"+addr+"/v1/public/rights/check"); status != 200 {
		t.Errorf("afterwards answered %d", status)
	}
}

// TestFullQueue checks that a full queue refuses at once, however long the
// server would wait.
func TestFullQueue(t *testing.T) {
	g := newGate(1)
	g.queue, g.patience = 0, time.Hour
	leave, err := g.enterGate(t.Context())
	must(t, err)
	defer leave()
	if _, err := g.enterGate(t.Context()); !errors.Is(err, errShed) {
		t.Errorf("entered a full gate: %v", err)
	}
}

// TestPatienceEnds checks that a request which waits for a slot too long is
// asked to try again later.
func TestPatienceEnds(t *testing.T) {
	g := newGate(1)
	leave, err := g.enterGate(context.Background())
	must(t, err)
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	if _, err := g.enterGate(ctx); !errors.Is(err, errShed) {
		t.Errorf("entered a full gate: %v", err)
	}
	leave()
	leave()
	again, err := g.enterGate(context.Background())
	must(t, err)
	defer again()
	if g.slots.TryAcquire(1) {
		t.Error("leaving twice made a slot")
	}
}

// TestStreamsHoldTheirSlot checks that a stream holds its slot until it has
// ended, and that one requested by HEAD releases it.
func TestStreamsHoldTheirSlot(t *testing.T) {
	release := make(chan struct{})
	addr, s := start(t, Config{}, func(context.Context, *edge.Request) *edge.Response {
		return &edge.Response{Status: 200, Stream: func(w edge.Writer) error {
			<-release
			_, err := w.Write([]byte("end"))
			return err
		}}
	})
	streams := s.gates[exports.LoadStreams]
	done := make(chan string, 1)
	go func() {
		res, err := http.Get("http://" + addr + "/v1/rag-delivery/feed.ndjson")
		if err != nil {
			done <- err.Error()
			return
		}
		defer res.Body.Close()
		body, err := io.ReadAll(res.Body)
		done <- fmt.Sprint(string(body), err)
	}()
	waitFor(t, "the stream", func() bool { return streams.working.Load() == 1 })
	close(release)
	assert.Equal(t, <-done, "end<nil>", "the stream")
	res, err := http.Head("http://" + addr + "/v1/rag-delivery/feed.ndjson")
	must(t, err)
	res.Body.Close()
	waitFor(t, "the slots", func() bool { return streams.working.Load() == 0 })
}

// TestGracefulShutdown checks that requests in flight are answered when the
// server is asked to stop.
func TestGracefulShutdown(t *testing.T) {
	release := make(chan struct{})
	s, err := New(Options{BaseURL: "https://service.example", Handler: func(context.Context, *edge.Request) *edge.Response {
		<-release
		return &edge.Response{Status: 200, Body: []byte("done")}
	}})
	must(t, err)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	c := dial(t, l.Addr().String(), "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
	waitFor(t, "the request", func() bool { return s.gates[exports.LoadFiles].working.Load() == 1 })
	cancel()
	waitFor(t, "monitoring to tell", func() bool { return adminGet(t, s, "/readyz").Code == 503 })
	close(release)
	res, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil || res.StatusCode != 200 {
		t.Errorf("a request in flight was cut: %v", err)
	}
	if err := <-ended; err != nil {
		t.Errorf("ended with %v", err)
	}
	assert.Fails(t, assert.Err(net.Dial("tcp", l.Addr().String())), "it still listens")
}

// TestReload checks that another handler and other proxies take effect without
// a restart.
func TestReload(t *testing.T) {
	addr, s := start(t, Config{}, func(_ context.Context, r *edge.Request) *edge.Response {
		return &edge.Response{Status: 200, Body: []byte("old " + r.Remote)}
	})
	ask := func() string {
		req, err := http.NewRequest("GET", "http://"+addr+"/", nil)
		must(t, err)
		req.Header.Set("X-Real-IP", "192.0.2.1")
		res, err := http.DefaultClient.Do(req)
		must(t, err)
		defer res.Body.Close()
		body, err := io.ReadAll(res.Body)
		must(t, err)
		return string(body)
	}
	assert.Equal(t, ask(), "old 127.0.0.1", "before")
	next := func(_ context.Context, r *edge.Request) *edge.Response {
		return &edge.Response{Status: 200, Body: []byte("new " + r.Remote)}
	}
	assert.ErrorIs(t, s.Reload(Config{TrustedProxies: []string{"nowhere"}}, next), ErrConfig, "a bad setting")
	assert.Equal(t, ask(), "old 127.0.0.1", "after a bad reload")
	must(t, s.Reload(Config{TrustedProxies: []string{"127.0.0.1"}}, next))
	assert.Equal(t, ask(), "new 192.0.2.1", "after")
}

func TestConfig(t *testing.T) {
	for name, c := range map[string]Config{
		"negative number":  {MaxConnections: -1},
		"negative timeout": {BodyTimeout: -1},
		"unknown class":    {Concurrency: map[string]int64{"all": 1}},
		"no slot":          {Concurrency: map[string]int64{"reads": 0}},
		"proxy":            {TrustedProxies: []string{"everybody"}},
	} {
		assert.ErrorIs(t, assert.Err(New(Options{Config: c})), ErrConfig, "%s", name)
	}
	c, err := Config{MaxConnections: 7, Concurrency: map[string]int64{"reads": 3}}.withDefaults()
	must(t, err)
	d := Defaults()
	if c.MaxConnections != 7 || c.Concurrency["reads"] != 3 || c.Concurrency["writes"] != d.Concurrency["writes"] || c.HeaderTimeout != d.HeaderTimeout {
		t.Errorf("%+v", c)
	}
}

func TestRoutes(t *testing.T) {
	for _, tc := range []struct {
		method, path, query, route string
		class                      exports.Load
	}{
		{"GET", "/", "", "file", exports.LoadFiles},
		{"GET", "/nowhere/at/all", "x=1", "file", exports.LoadFiles},
		{"GET", "/v1/public/rights/check", "url=x", "/v1/public/rights/check", exports.LoadReads},
		{"HEAD", "/v1/public/rights/check", "url=x", "/v1/public/rights/check", exports.LoadReads},
		{"POST", "/v1/public/licensing-request", "", "/v1/public/licensing-request", exports.LoadWrites},
		{"GET", "/v1/public/licensing-conversations/thr_x", "", "/v1/public/licensing-conversations/{thread_id}", exports.LoadReads},
		{"POST", "/v1/public/licensing-conversations/thr_x/messages", "", "/v1/public/licensing-conversations/{thread_id}/messages", exports.LoadWrites},
		{"DELETE", "/v1/public/licensing-conversations/thr_x", "", "/v1/public/licensing-conversations/{thread_id}", exports.LoadFiles},
		{"GET", "/v1/rag-delivery/feed.ndjson", "", "/v1/rag-delivery/feed.ndjson", exports.LoadStreams},
		{"POST", "/v1/rag-delivery/snapshots", "", "/v1/rag-delivery/snapshots", exports.LoadWrites},
		{"GET", "/v1/public/content-catalog/search", "q=tide", "/v1/public/content-catalog/search", exports.LoadSearch},
		{"GET", "/inbox/ibx_secret/req_1", "", "/inbox/{link...}", exports.LoadReads},
		{"POST", "/inbox/ibx_secret/req_1", "", "/inbox/{link...}", exports.LoadWrites},
		{"POST", "/mcp", "", "/mcp", exports.LoadSearch},
	} {
		route, class := routeOf(tc.method, tc.path, tc.query)
		if route != tc.route || class != tc.class {
			t.Errorf("%s %s: %s, %s", tc.method, tc.path, route, class)
		}
	}
}
