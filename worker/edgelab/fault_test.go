//go:build edge

package edgelab_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"colophon/exports"
	"colophon/internal/assert"
	"colophon/internal/originsql/d1test"
	"colophon/worker/edge"
	"colophon/worker/edgelab/labhost"
)

// unharmed makes ordinary requests after a fault.
func (h host) unharmed(t *testing.T, after string) {
	t.Helper()
	if got := h.get(t, "/hello"); got.status != 200 || got.body != `{"ok":true}` {
		t.Errorf("after %s: %d %s", after, got.status, got.body)
	}
	if got := h.get(t, "/json"); got.status != 200 || !strings.HasSuffix(got.body, `"total":50}`) {
		t.Errorf("after %s: %d %.80s", after, got.status, got.body)
	}
}

func isFault(got answer, status int) bool {
	id := got.header.Get("request-id")
	want := edge.Fault(status, id)
	for _, f := range want.Header {
		if got.header.Get(f.Name) != f.Value {
			return false
		}
	}
	return ridForm.MatchString(id) && got.status == status && got.body == string(want.Body)
}

// TestFaultsAreSharedAsAnswersAre checks that scripts of other origins can read
// the script's own answers exactly where they can read Go's.
func TestFaultsAreSharedAsAnswersAre(t *testing.T) {
	h := start(t, labhost.Lab{Env: []string{"EDGE_MAX_LIVE=1"}})
	var wg sync.WaitGroup
	wg.Go(func() { h.get(t, "/sleep?ms=8000&token=x") })
	for h.pool(t).Live == 0 { // until the only instance is working
		time.Sleep(20 * time.Millisecond)
	}
	for _, path := range []string{"/hello", "/v1/public/rights/check", "/v1/partner/status", "/mcp", exports.PathInbox + "x", exports.PathConversationPage, exports.PathJoin + "x", exports.PathNeedPage + "x"} {
		wg.Go(func() {
			got := h.get(t, path)
			if !isFault(got, 503) {
				t.Errorf("%s: %d %s", path, got.status, got.body)
			}
			for _, f := range exports.PublicHeaders() {
				want := ""
				if exports.IsShared(path) {
					want = f[1]
				}
				if v := got.header.Get(f[0]); v != want {
					t.Errorf("%s: %s is %q, want %q", path, f[0], v, want)
				}
			}
		})
	}
	wg.Wait()
	if got := h.get(t, "/panic?kind=map"); !isFault(got, 500) || got.header.Get("access-control-allow-origin") != "*" {
		t.Errorf("after a panic: %d %v", got.status, got.header)
	}
}

func TestPanics(t *testing.T) {
	h := start(t, labhost.Lab{})
	n := 0
	for _, late := range []string{"", "&late=1"} {
		for _, kind := range []string{"explicit", "map", "index", "pointer", "stack", "memory"} {
			got := h.get(t, "/panic?kind="+kind+late)
			if !isFault(got, 500) {
				t.Errorf("%s%s: %d %s", kind, late, got.status, got.body)
			}
			h.unharmed(t, kind+late)
			n++
		}
	}
	if got := h.get(t, "/allocate?n=200000000"); !isFault(got, 500) {
		t.Errorf("allocation over the cap: %d %s", got.status, got.body)
	}
	if got := h.get(t, "/allocate?n=8000000"); got.status != 200 {
		t.Errorf("allocation under the cap: %d %s", got.status, got.body)
	}
	if p := h.settled(t); p.Died != n+1 {
		t.Errorf("%d panics, pool %+v", n+1, p)
	}
}

// TestInstanceThatGrewIsRetired checks that an instance whose memory exceeds
// the threshold is not reused.
func TestInstanceThatGrewIsRetired(t *testing.T) {
	h := start(t, labhost.Lab{})
	for range 3 {
		if got := h.get(t, "/allocate?n=5000000"); got.status != 200 {
			t.Fatalf("%d %s", got.status, got.body)
		}
	}
	p := h.settled(t)
	assert.Equal(t, p.Retired, 3, "no instance was retired: %+v", p)
	for _, bytes := range p.Memory {
		if bytes > 2<<20 {
			t.Errorf("an instance of %d bytes is kept: %+v", bytes, p)
		}
	}
	h.unharmed(t, "growth")
}

func TestPanicInStream(t *testing.T) {
	h := start(t, labhost.Lab{})
	for _, how := range []string{"panic", "fail"} {
		got := h.get(t, "/stream?n=2000&"+how+"=1")
		if got.status != 200 || got.err == nil {
			t.Errorf("%s: status %d, %d bytes with a clean end", how, got.status, len(got.body))
		}
		h.unharmed(t, how)
	}
	if p := h.settled(t); p.Died != 1 {
		t.Errorf("pool: %+v", p)
	}
}

func TestDeadline(t *testing.T) {
	h := start(t, labhost.Lab{Env: []string{"EDGE_DEADLINE_MS=700"}})
	began := time.Now()
	got := h.get(t, "/panic?kind=block")
	if !isFault(got, 504) || time.Since(began) > 10*time.Second { // sooner than the default
		t.Errorf("a handler that never ends: %d %s after %v", got.status, got.body, time.Since(began))
	}
	h.unharmed(t, "deadline")
	// A stream may take longer, as long as it continues.
	if got := h.get(t, "/stream?n=20&ms=80"); got.err != nil || strings.Count(got.body, "\n") != 20 {
		t.Errorf("a stream of 1.6 s: %v, %q", got.err, got.body)
	}
	if p := h.settled(t); p.Died != 1 {
		t.Errorf("pool: %+v", p)
	}
}

// TestStreamLife checks that even a stream that continues is cut after its
// maximum duration, which a setting can only shorten.
func TestStreamLife(t *testing.T) {
	h := start(t, labhost.Lab{Env: []string{"EDGE_STREAM_MS=1500"}})
	if got := h.get(t, "/stream?n=5&ms=20"); got.err != nil || strings.Count(got.body, "\n") != 5 {
		t.Errorf("a short stream: %v, %q", got.err, got.body)
	}
	got := h.get(t, "/stream?n=200&ms=50")
	if lines := strings.Count(got.body, "\n"); got.status != 200 || got.err == nil || lines == 0 || lines >= 200 {
		t.Errorf("a stream of 10 s: status %d, %d lines, error %v", got.status, lines, got.err)
	}
	h.unharmed(t, "the end of a stream")
	if p := h.settled(t); p.Died != 1 {
		t.Errorf("pool: %+v", p)
	}
}

// TestLongStreamAmongOthers checks that a stream may outlast the time after
// which an instance counts as lost, also while other requests look for room.
func TestLongStreamAmongOthers(t *testing.T) {
	h := start(t, labhost.Lab{Env: []string{"EDGE_DEADLINE_MS=300", "EDGE_MAX_LIVE=3"}})
	var streaming atomic.Bool
	streaming.Store(true)
	var wg sync.WaitGroup
	wg.Go(func() {
		defer streaming.Store(false)
		if got := h.get(t, "/stream?n=60&ms=50"); got.err != nil || strings.Count(got.body, "\n") != 60 {
			t.Errorf("a stream of 3 s: %v, %d lines", got.err, strings.Count(got.body, "\n"))
		}
	})
	for range 6 {
		wg.Go(func() {
			for streaming.Load() {
				h.get(t, "/sleep?ms=20&token=x")
			}
		})
	}
	wg.Wait()
	if p := h.settled(t); p.Lost != 0 {
		t.Errorf("pool: %+v", p)
	}
}

func TestOverload(t *testing.T) {
	h := start(t, labhost.Lab{Env: []string{"EDGE_MAX_LIVE=2"}})
	var ok, busy atomic.Int64
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() {
			switch got := h.get(t, "/sleep?ms=9000&token=x"); {
			case got.status == 200 && got.body == "x":
				ok.Add(1)
			case isFault(got, 503) && got.header.Get("retry-after") == "1":
				busy.Add(1)
			default:
				t.Errorf("%d %s", got.status, got.body)
			}
		})
	}
	wg.Wait()
	if ok.Load() != 2 || busy.Load() != 4 {
		t.Errorf("%d answered, %d refused; want 2 and 4", ok.Load(), busy.Load())
	}
	for range 20 { // short requests queue instead
		wg.Go(func() {
			if got := h.get(t, "/sleep?ms=20&token=y"); got.body != "y" {
				t.Errorf("%d %s", got.status, got.body)
			}
		})
	}
	wg.Wait()
	h.unharmed(t, "overload")
}

// TestAnswersStayWithTheirRequests checks that each request gets its own
// answer, although instances pass between requests and one request watches
// another's deadline, also once the script is hot and compiled.
func TestAnswersStayWithTheirRequests(t *testing.T) {
	const callers, rounds = 24, 2000
	h := start(t, labhost.Lab{Env: []string{"EDGE_MAX_LIVE=4", "EDGE_DEADLINE_MS=2000"}})
	var wrong atomic.Int64
	var wg sync.WaitGroup
	for caller := range callers {
		wg.Go(func() {
			token := fmt.Sprint("caller", caller)
			for range rounds {
				if got := h.get(t, "/sleep?ms=1&token="+token); got.status != 200 || got.body != token {
					wrong.Add(1)
				}
			}
		})
	}
	wg.Wait()
	if n := wrong.Load(); n > 0 {
		t.Errorf("%d of %d answers are wrong", n, callers*rounds)
	}
	for range 3 {
		wg.Go(func() {
			if got := h.get(t, "/sleep?ms=9000&token=x"); !isFault(got, 504) {
				t.Errorf("past its deadline: %d %s", got.status, got.body)
			}
		})
	}
	wg.Wait()
}

// origin is a D1 server that can be made to fail.
type origin struct {
	good http.Handler
	mode atomic.Value // "", "error", "status", "cut", "stall", "nonsense"
}

func (o *origin) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch mode, _ := o.mode.Load().(string); mode {
	case "error":
		fmt.Fprint(w, `{"success":false,"error":"disk I/O error"}`)
	case "status":
		http.Error(w, "overloaded", http.StatusServiceUnavailable)
	case "nonsense":
		fmt.Fprint(w, "<html>")
	case "cut":
		panic(http.ErrAbortHandler)
	case "stall":
		_, _ = io.Copy(io.Discard, r.Body)
		select {
		case <-r.Context().Done():
		case <-time.After(20 * time.Second):
		}
	default:
		o.good.ServeHTTP(w, r)
	}
}

func TestOriginFaults(t *testing.T) {
	db, err := labhost.OpenOrigin(t.TempDir())
	must(t, err)
	defer db.Close()
	o := &origin{good: d1test.NewBinding(db)}
	h := start(t, labhost.Lab{Origin: o, Env: []string{"EDGE_DEADLINE_MS=5000"}})
	for _, mode := range []string{"error", "status", "nonsense", "cut", "stall"} {
		for _, target := range []string{"/read?key=k1", "/write?key=k1"} {
			o.mode.Store(mode)
			got := h.get(t, target)
			switch {
			case mode == "stall":
				if !isFault(got, 504) {
					t.Errorf("%s %s: %d %s", mode, target, got.status, got.body)
				}
			case got.status != 503 || got.body != `{"code":"origin_unavailable","grants_rights":false,"status":503}` || got.header.Get("retry-after") != "30":
				t.Errorf("%s %s: %d %s", mode, target, got.status, got.body)
			}
			h.unharmed(t, mode)
			o.mode.Store("")
			if got := h.get(t, "/read?key=k1"); got.body != `{"state":"open"}` {
				t.Errorf("read after %s: %d %s", mode, got.status, got.body)
			}
		}
	}
	h.settled(t)
}

// assets fails depending on the name of the file.
func assets(w http.ResponseWriter, r *http.Request) {
	switch {
	case strings.Contains(r.URL.Path, "truncated"):
		w.Header().Set("content-length", "1000")
		_, _ = w.Write([]byte(`{"a":`))
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	case strings.Contains(r.URL.Path, "broken"):
		http.Error(w, "no", http.StatusInternalServerError)
	case strings.Contains(r.URL.Path, "cut"):
		panic(http.ErrAbortHandler)
	case strings.Contains(r.URL.Path, "small"):
		_, _ = w.Write([]byte(`{"small":true}`))
	default:
		http.NotFound(w, r)
	}
}

func TestAssetFaults(t *testing.T) {
	h := start(t, labhost.Lab{Config: "faulty", Assets: http.HandlerFunc(assets)})
	unavailable := `{"code":"asset_unavailable","grants_rights":false,"status":503}`
	for _, c := range []struct {
		target string
		status int
		body   string
	}{
		{"/asset?key=small.json", 200, `{"small":true}`},
		{"/asset?key=none.json", 404, notFound},
		{"/asset?key=truncated.json", 503, unavailable},
		{"/asset?key=broken.json", 503, unavailable},
		{"/asset?key=cut.json", 503, unavailable},
		{"/v1/small", 200, `{"small":true}`},
		{"/v1/none", 404, notFound},
		{"/v1/broken", 404, notFound}, // passed on to Go, which has nothing there
		{"/v1/cut", 404, notFound},
	} {
		if got := h.get(t, c.target); got.status != c.status || got.body != c.body || got.err != nil {
			t.Errorf("%s: %d %s %v", c.target, got.status, got.body, got.err)
		}
		h.unharmed(t, c.target)
	}
	// The script passes on a body as it arrives: the client sees that it broke
	// off, before the headers or after them.
	if resp, err := http.Get(h.url + "/v1/truncated"); err == nil {
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		assert.Fails(t, err, "truncated file: %d %q with a clean end", resp.StatusCode, body)
	}
	h.unharmed(t, "a truncated file")
	h.settled(t)
}

// raw sends text unchanged over a new connection.
func (h host) raw(t testing.TB, text string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", h.url[len("http://"):])
	must(t, err)
	t.Cleanup(func() { c.Close() })
	_ = c.SetDeadline(time.Now().Add(20 * time.Second))
	must(t, assert.Err(io.WriteString(c, text)))
	return c
}

func TestClientsThatLeave(t *testing.T) {
	h := start(t, labhost.Lab{})
	const gone = 1000
	var wg sync.WaitGroup
	turn := make(chan struct{}, 16)
	for i := range gone {
		turn <- struct{}{}
		wg.Go(func() {
			defer func() { <-turn }()
			target := "/stream?n=100000"
			if i%4 == 0 {
				target = "/stream?n=50&ms=5"
			}
			c := h.raw(t, "GET "+target+" HTTP/1.1\r\nHost: lab\r\n\r\n")
			_, _ = io.ReadFull(c, make([]byte, 200))
			_ = c.(*net.TCPConn).SetLinger(0)
			c.Close()
		})
	}
	wg.Wait()
	p := h.settled(t)
	if p.Live != 0 || p.Lost != 0 || p.Died != 0 {
		t.Errorf("after %d clients left: %+v", gone, p)
	}
	h.unharmed(t, "clients that left")
}

func TestClientThatLeavesBeforeTheAnswer(t *testing.T) {
	h := start(t, labhost.Lab{})
	for range 50 {
		c := h.raw(t, "GET /sleep?ms=100&token=x HTTP/1.1\r\nHost: lab\r\n\r\n")
		time.Sleep(2 * time.Millisecond)
		c.Close()
	}
	if p := h.settled(t); p.Lost != 0 || p.Died != 0 {
		t.Errorf("pool: %+v", p)
	}
	h.unharmed(t, "clients that left")
}

func TestBodies(t *testing.T) {
	h := start(t, labhost.Lab{})
	const tooLarge = `{"code":"body_too_large","grants_rights":false,"status":413}`
	for name, body := range map[string]io.Reader{
		"one byte over":       strings.NewReader(strings.Repeat("a", 65537)),
		"one byte over, cut":  unsized(strings.Repeat("a", 65537)),
		"far over":            strings.NewReader(strings.Repeat("a", 900_000)),
		"far over, in chunks": unsized(strings.Repeat("a", 900_000)),
	} {
		if got := h.call(t, "POST", "/echo", body); got.status != 413 || got.body != tooLarge {
			t.Errorf("%s: %d %s", name, got.status, got.body)
		}
		h.unharmed(t, name)
	}
	// The body is announced, far too large and never sent: the answer must not
	// wait for it.
	c := h.raw(t, "POST /echo HTTP/1.1\r\nHost: lab\r\nContent-Length: 1000000000\r\n\r\n")
	res, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil || res.StatusCode != 413 {
		t.Errorf("a body of 1 GB: %v %v", res, err)
	}
	h.unharmed(t, "a body of 1 GB")
}

func TestHostileJSON(t *testing.T) {
	h := start(t, labhost.Lab{Env: []string{"EDGE_BODY_LIMIT=4000000"}})
	for _, c := range []struct{ name, body, code string }{
		{"100,000 arrays", strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000), "json_too_deep"},
		{"100,000 objects", strings.Repeat(`{"a":`, 100_000) + "1" + strings.Repeat("}", 100_000), "json_too_deep"},
		{"100,000 never closed", strings.Repeat("[", 100_000), "json_too_deep"},
		{"a number of a million digits", strings.Repeat("7", 1_000_000), "json_number_not_safe_integer"},
		{"a fraction of a million digits", "0." + strings.Repeat("7", 1_000_000), "json_number_not_safe_integer"},
		{"an exponent of a million digits", "1e" + strings.Repeat("7", 1_000_000), "json_number_not_safe_integer"},
		{"a lone surrogate", `"\ud800"`, "json_ill_formed_unicode"},
		{"bytes that are no UTF-8", "\"a\xff\"", "json_ill_formed_unicode"},
	} {
		got := h.post(t, "/parse", c.body)
		if want := `{"code":"` + c.code + `","grants_rights":false,"status":400}`; got.status != 400 || got.body != want {
			t.Errorf("%s: %d %.200s, want %s", c.name, got.status, got.body, want)
		}
		h.unharmed(t, c.name)
	}
	if p := h.settled(t); p.Died != 0 {
		t.Errorf("pool: %+v", p)
	}
}

func TestHeaderThatIsNoUTF8(t *testing.T) {
	h := start(t, labhost.Lab{})
	c := h.raw(t, "GET /header?name=x-a HTTP/1.1\r\nHost: lab\r\nX-A: a\xff\xfeb\xc3\r\nConnection: close\r\n\r\n")
	res, err := http.ReadResponse(bufio.NewReader(c), nil)
	must(t, err)
	body, _ := io.ReadAll(res.Body)
	t.Logf("status %d, header arrived as %q", res.StatusCode, body)
	if res.StatusCode != 200 || !strings.HasPrefix(string(body), "a") || !strings.Contains(string(body), "b") {
		t.Errorf("%d %q", res.StatusCode, body)
	}
	assert.Equal(t, res.Header.Get("x-echo"), "", "bytes beyond ASCII were sent back in a header")
	h.unharmed(t, "a header that is no UTF-8")
}

// TestRandomNeverRepeats checks that instances forked from one image do not
// share random numbers.
func TestRandomNeverRepeats(t *testing.T) {
	h := start(t, labhost.Lab{})
	const requests = 4000
	var seen, ids sync.Map
	var wg sync.WaitGroup
	for range 40 {
		wg.Go(func() {
			for range requests / 40 {
				got := h.get(t, "/random")
				if _, twice := seen.LoadOrStore(got.body, true); twice || len(got.body) != 32 {
					t.Errorf("random %q repeats", got.body)
				}
				if _, twice := ids.LoadOrStore(got.header.Get("request-id"), true); twice {
					t.Errorf("request id %q repeats", got.header.Get("request-id"))
				}
			}
		})
	}
	wg.Wait()
	for range 40 { // all at once, so that many instances are working
		wg.Go(func() { h.get(t, "/sleep?ms=3000&token=x") })
	}
	time.Sleep(100 * time.Millisecond)
	h.get(t, "/random")
	wg.Wait()
	if p := h.settled(t); p.Forked < 10 {
		t.Errorf("only %d instances were forked", p.Forked)
	}
}

// TestNoMixUp checks that every answer belongs to its request, whatever else
// happens.
func TestNoMixUp(t *testing.T) {
	h := start(t, labhost.Lab{})
	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Second)
	defer cancel()
	var wg sync.WaitGroup
	for i := range 24 {
		wg.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				token := fmt.Sprintf("t%d-%d", i, n)
				switch n % 6 {
				case 4:
					if i%8 == 0 {
						h.get(t, "/panic?late=1&kind=map")
						continue
					}
					fallthrough
				default:
					target := fmt.Sprintf("/sleep?ms=%d&token=%s", n*7%20, token)
					if got := h.get(t, target); got.status != 200 || got.body != token {
						t.Errorf("%s: %d %s", target, got.status, got.body)
					}
				case 5:
					got := h.call(t, "GET", "/id", nil, "X-Token", token)
					id := got.header.Get("request-id")
					if !strings.HasPrefix(got.body, id+"\n") || !strings.HasSuffix(got.body, "\n"+token) {
						t.Errorf("/id as %s (%s): %s", id, token, got.body)
					}
				}
			}
		})
	}
	wg.Wait()
	if p := h.settled(t); p.Lost != 0 || p.Refused != 0 {
		t.Errorf("pool: %+v", p)
	}
}

func TestLogNamesTheRequest(t *testing.T) {
	lab := labhost.Lab{}
	w, stop, err := lab.Start(t.Context(), t.TempDir())
	must(t, err)
	defer stop()
	got := host{url: w.URL}.get(t, "/panic?kind=map")
	log, err := os.ReadFile(w.Log)
	must(t, err)
	if id := got.header.Get("request-id"); !strings.Contains(string(log), id) || !strings.Contains(string(log), "nil map") {
		t.Errorf("the log lacks %s or the cause:\n%s", id, log)
	}
}

// TestWithdrawnIsLeftToGo checks that the script leaves to Go what may have
// been withdrawn since the release, and everything if it cannot read the list.
func TestWithdrawnIsLeftToGo(t *testing.T) {
	for _, list := range []string{`{"entries":["ent_a"],"owners":["alpha"]}`, ""} {
		h := start(t, labhost.Lab{Config: "faulty", Assets: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch {
			case r.URL.Path != "/"+string(exports.WithdrawnKey):
				_, _ = w.Write([]byte("file"))
			case list == "":
				w.WriteHeader(http.StatusInternalServerError)
			default:
				_, _ = w.Write([]byte(list))
			}
		})})
		for path, named := range map[string]bool{
			exports.CitationPath("ent_a"): true, exports.CitationPath("ent_b"): false, exports.RecordPath("ent_a"): true,
			exports.CitationPage("ent_a"): true, exports.PublisherPage("alpha"): true, exports.PublisherPage("alpha-2"): false,
			exports.CitationSitemap("alpha", 1): true, exports.CitationSitemap("alpha", 2): true, exports.CitationSitemap("beta", 1): false,
		} {
			if got := h.get(t, path); (got.body == "file") == (named || list == "") {
				t.Errorf("%s with the list %s: %d %q", path, list, got.status, got.body)
			}
		}
	}
}
