package edgehttp

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"colophon/internal/assert"
	"colophon/worker/edge"
)

var must = assert.NoError

// serve serves h on loopback and returns the server and its log.
func serve(t *testing.T, h edge.Handler, o Options) (*httptest.Server, *bytes.Buffer) {
	t.Helper()
	var log bytes.Buffer
	o.Log = slog.New(slog.NewTextHandler(&log, nil))
	s := httptest.NewServer(New(h, o))
	t.Cleanup(s.Close)
	return s, &log
}

func call(t *testing.T, method, url string, body io.Reader, header ...string) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequest(method, url, body)
	must(t, err)
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Add(header[i], header[i+1])
	}
	res, err := http.DefaultTransport.RoundTrip(req)
	must(t, err)
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	must(t, err)
	return res, string(b)
}

var ridForm = regexp.MustCompile(`^rid_[0-9a-hjkmnp-tv-z]{26}$`)

// show answers with what the handler received.
func show(_ context.Context, r *edge.Request) *edge.Response {
	s := fmt.Sprintf("%s %s ?%s from %s, %d bytes, too large %v, x-two %q, host %v, accept %q",
		r.Method, r.Path, r.Query, r.Remote, len(r.Body), r.TooLarge, r.Header.Values("x-two"), r.Header.Has("host"), r.Header.Get("x-utf"))
	return &edge.Response{Status: 200, Header: edge.Header{{Name: "x-id", Value: r.ID}}, Body: []byte(s)}
}

func TestRequest(t *testing.T) {
	s, _ := serve(t, show, Options{BodyLimit: 100})
	for _, c := range []struct {
		name, method, target, body string
		header                     []string
		want                       string
	}{
		{"get", "GET", "/a", "", nil, `GET /a ? from 127.0.0.1, 0 bytes, too large false, x-two [], host true, accept ""`},
		{"escapes and query stay", "GET", "/a%2Fb%20c?q=1%202&r", "", nil, `GET /a%2Fb%20c ?q=1%202&r from 127.0.0.1, 0 bytes, too large false, x-two [], host true, accept ""`},
		{"repeated field", "GET", "/", "", []string{"X-Two", "a", "X-Two", "b"}, `GET / ? from 127.0.0.1, 0 bytes, too large false, x-two ["a, b"], host true, accept ""`},
		{"bad UTF-8 in a field", "GET", "/", "", []string{"X-Utf", "a\xff\xfeb"}, `GET / ? from 127.0.0.1, 0 bytes, too large false, x-two [], host true, accept "a` + "\ufffd\ufffd" + `b"`},
		{"body at the limit", "POST", "/", strings.Repeat("a", 100), nil, `POST / ? from 127.0.0.1, 100 bytes, too large false, x-two [], host true, accept ""`},
		{"body over the limit", "POST", "/", strings.Repeat("a", 101), nil, `POST / ? from 127.0.0.1, 0 bytes, too large true, x-two [], host true, accept ""`},
		{"hopeless body", "POST", "/", strings.Repeat("a", 10_000), nil, `POST / ? from 127.0.0.1, 0 bytes, too large true, x-two [], host true, accept ""`},
		{"head is get", "HEAD", "/", "", nil, ""},
	} {
		res, got := call(t, c.method, s.URL+c.target, strings.NewReader(c.body), c.header...)
		if got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
		id := res.Header.Get("request-id")
		if !ridForm.MatchString(id) || id != res.Header.Get("x-id") {
			t.Errorf("%s: request id %q, the handler saw %q", c.name, id, res.Header.Get("x-id"))
		}
	}
}

func TestChunkedBodyOverTheLimit(t *testing.T) {
	s, _ := serve(t, show, Options{BodyLimit: 100})
	unsized := io.MultiReader(strings.NewReader(strings.Repeat("a", 60)), strings.NewReader(strings.Repeat("b", 60)))
	if _, got := call(t, "POST", s.URL, unsized); !strings.Contains(got, "too large true") {
		t.Errorf("got %s", got)
	}
}

func TestRemote(t *testing.T) {
	s, _ := serve(t, show, Options{Remote: func(r *http.Request) string { return r.Header.Get("x-real-ip") }})
	if _, got := call(t, "GET", s.URL, nil, "X-Real-Ip", "192.0.2.7"); !strings.Contains(got, "from 192.0.2.7,") {
		t.Errorf("remote: %s", got)
	}
}

func TestResponse(t *testing.T) {
	s, _ := serve(t, func(_ context.Context, r *edge.Request) *edge.Response {
		return &edge.Response{Status: 418, Body: []byte("short and stout"), Header: edge.Header{
			{Name: "link", Value: "<a>"}, {Name: "link", Value: "<b>"},
			{Name: "x-bad", Value: "a\r\nx-injected: yes"}, {Name: "content-type", Value: "text/tea"},
		}}
	}, Options{})
	res, body := call(t, "GET", s.URL, nil)
	if res.StatusCode != 418 || body != "short and stout" || res.Header.Get("content-type") != "text/tea" {
		t.Errorf("answer %d %q %v", res.StatusCode, body, res.Header)
	}
	assert.Equal(t, strings.Join(res.Header["Link"], ","), "<a>,<b>", "link")
	if res.Header.Get("x-bad") != "" || res.Header.Get("x-injected") != "" {
		t.Errorf("a broken field got through: %v", res.Header)
	}
	if res, body := call(t, "HEAD", s.URL, nil); res.StatusCode != 418 || body != "" || res.Header.Get("content-type") != "text/tea" {
		t.Errorf("HEAD: %d %q %v", res.StatusCode, body, res.Header)
	}
}

func assign(m map[string]int, key string) { m[key] = 1 }

func TestPanicIsAnswered(t *testing.T) {
	s, log := serve(t, func(_ context.Context, r *edge.Request) *edge.Response {
		if r.Path == "/nil" {
			assign(nil, "x")
		}
		return &edge.Response{Status: 204}
	}, Options{})
	res, body := call(t, "GET", s.URL+"/nil", nil)
	id := res.Header.Get("request-id")
	if res.StatusCode != 500 || body != string(edge.Fault(500, id).Body) || res.Header.Get("content-type") != "application/problem+json; charset=utf-8" {
		t.Errorf("answer %d %s", res.StatusCode, body)
	}
	assert.Lacks(t, "the answer tells the cause", body, "map")
	if !strings.Contains(log.String(), id) || !strings.Contains(log.String(), "nil map") {
		t.Errorf("the log lacks id or cause: %s", log)
	}
	if res, _ := call(t, "GET", s.URL, nil); res.StatusCode != 204 {
		t.Errorf("the next request got %d", res.StatusCode)
	}
}

// TestStreamIsFlushed checks that the client receives a stream before it ends.
func TestStreamIsFlushed(t *testing.T) {
	seen := make(chan struct{})
	s, _ := serve(t, func(context.Context, *edge.Request) *edge.Response {
		return &edge.Response{Status: 200, Stream: func(w edge.Writer) error {
			if _, err := w.Write([]byte("first\n")); err != nil {
				return err
			}
			<-seen
			_, err := w.Write([]byte("second\n"))
			return err
		}}
	}, Options{})
	res, err := http.Get(s.URL)
	must(t, err)
	defer res.Body.Close()
	lines := bufio.NewReader(res.Body)
	if l, err := lines.ReadString('\n'); err != nil || l != "first\n" {
		t.Fatalf("first line %q, %v", l, err)
	}
	close(seen)
	if l, err := lines.ReadString('\n'); err != nil || l != "second\n" {
		t.Fatalf("second line %q, %v", l, err)
	}
}

func TestBrokenStreamIsCut(t *testing.T) {
	for name, end := range map[string]func() error{
		"error": func() error { return errors.New("origin gone") },
		"panic": func() error { panic("mid-stream") },
	} {
		s, _ := serve(t, func(context.Context, *edge.Request) *edge.Response {
			return &edge.Response{Status: 200, Stream: func(w edge.Writer) error {
				if _, err := w.Write([]byte("first\n")); err != nil {
					return err
				}
				return end()
			}}
		}, Options{})
		res, err := http.Get(s.URL)
		must(t, err)
		if b, err := io.ReadAll(res.Body); err == nil {
			t.Errorf("%s: a clean end after %q", name, b)
		}
		res.Body.Close()
	}
}

func TestWriteFailsOnceTheClientHasGone(t *testing.T) {
	failed := make(chan error, 1)
	s, _ := serve(t, func(context.Context, *edge.Request) *edge.Response {
		return &edge.Response{Status: 200, Stream: func(w edge.Writer) error {
			for {
				if _, err := w.Write(make([]byte, 16<<10)); err != nil {
					failed <- err
					return err
				}
			}
		}}
	}, Options{})
	c, err := net.Dial("tcp", s.Listener.Addr().String())
	must(t, err)
	fmt.Fprintf(c, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
	_, _ = io.ReadFull(c, make([]byte, 4096))
	c.Close()
	assert.Fails(t, <-failed, "no error")
}

// wantHeaders checks the headers that every answer has; those for scripts of
// other origins must be there if shared is set, and only then.
func wantHeaders(t *testing.T, what string, h http.Header, shared bool) {
	t.Helper()
	for name, want := range map[string]bool{
		"Content-Security-Policy":     true,
		"Referrer-Policy":             true,
		"Strict-Transport-Security":   true,
		"X-Content-Type-Options":      true,
		"Service-Version":             true,
		"Access-Control-Allow-Origin": shared,
	} {
		if n := len(h.Values(name)); n > 1 || (n == 1) != want {
			t.Errorf("%s: %s %q", what, name, h.Values(name))
		}
	}
}

// TestFaultsHaveTheHeadersOfOthers checks that the answers to a panic and to an
// overload have the headers that all answers have.
func TestFaultsHaveTheHeadersOfOthers(t *testing.T) {
	panics := func(context.Context, *edge.Request) *edge.Response { panic("asked") }
	crowded, _ := serve(t, show, Options{Bodies: NewBodyBudget(1, 0, 0)})
	broken, _ := serve(t, panics, Options{})
	for _, c := range []struct {
		path   string
		shared bool
	}{
		{"/", true},
		{"/v1/public/licensing-inquiries", true},
		{"/v1/partner/licensing/requests", false},
		{"/v1/rag-delivery/feed", false},
		{"/mcp", false},
		{"/inbox/abc", false},
		{"/v1/public/licensing-conversations/thr_1/messages", false},
	} {
		res, body := call(t, "POST", broken.URL+c.path, nil)
		if res.StatusCode != 500 {
			t.Fatalf("%s: %d %s", c.path, res.StatusCode, body)
		}
		wantHeaders(t, c.path, res.Header, c.shared)

		res, body = call(t, "POST", crowded.URL+c.path, strings.NewReader("more than a byte"))
		if res.StatusCode != 503 {
			t.Fatalf("%s: %d %s", c.path, res.StatusCode, body)
		}
		wantHeaders(t, c.path, res.Header, c.shared)
	}
}

// TestRefusals checks that requests which net/http refuses before the handler
// get a problem document, and that the next connection is served.
func TestRefusals(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	s := &http.Server{Handler: New(show, Options{}), MaxHeaderBytes: 64 << 10}
	go func() { _ = s.Serve(Listener(l, "https://service.example")) }()
	defer s.Close()
	long := strings.Repeat("a", 10<<20)
	for _, c := range []struct{ name, request string }{
		{"a query of 10 MB", "GET /?q=" + long + " HTTP/1.1\r\nHost: x\r\n\r\n"},
		{"a header of 10 MB", "GET / HTTP/1.1\r\nHost: x\r\nX: " + long + "\r\n\r\n"},
		{"no host", "GET / HTTP/1.1\r\n\r\n"},
		{"no HTTP", "hello\r\n\r\n"},
		{"a newer HTTP", "GET / HTTP/3.0\r\nHost: x\r\n\r\n"},
		{"two lengths", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"},
		{"a control character", "GET /\x01 HTTP/1.1\r\nHost: x\r\n\r\n"},
	} {
		conn, err := net.Dial("tcp", l.Addr().String())
		must(t, err)
		go func() { _, _ = io.WriteString(conn, c.request) }()
		res, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		b, err := io.ReadAll(res.Body)
		conn.Close()
		wantHeaders(t, c.name, res.Header, true)
		if err != nil || res.StatusCode != 400 || res.Header.Get("content-type") != "application/problem+json; charset=utf-8" ||
			!strings.Contains(string(b), `"code":"malformed_request"`) || !ridForm.MatchString(res.Header.Get("request-id")) {
			t.Errorf("%s: %d %v %s %v", c.name, res.StatusCode, res.Header, b, err)
		}
	}
	if res, body := call(t, "GET", "http://"+l.Addr().String()+"/next", nil); res.StatusCode != 200 || !strings.Contains(body, "/next") {
		t.Errorf("the next request: %d %s", res.StatusCode, body)
	}
}
