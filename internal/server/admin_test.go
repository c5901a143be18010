package server

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"colophon/internal/assert"
	"colophon/worker/edge"
)

// lockedBuffer is a log that several goroutines may write.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// TestLogsHoldNoSecret checks that nothing a client sends appears in the log or
// in the metrics: no secrets from paths, queries, headers and bodies, not after
// a panic or a malformed request, in neither format, even at the lowest level.
func TestLogsHoldNoSecret(t *testing.T) {
	const secret = "s3cretWord"
	for _, format := range []string{"text", "json"} {
		t.Run(format, func(t *testing.T) {
			var log lockedBuffer
			logger, err := NewLogger(&log, format, "debug")
			must(t, err)
			s, err := New(Options{BaseURL: "https://service.example", Log: logger, Handler: func(_ context.Context, r *edge.Request) *edge.Response {
				if strings.Contains(r.Path, "panic") {
					panic("asked to")
				}
				return &edge.Response{Status: 200, Body: []byte(secret)}
			}})
			must(t, err)
			addr := serveOn(t, s)
			for _, path := range []string{
				"/inbox/" + secret, "/inbox/" + secret + "/req_1", "/inbox/" + secret + "/panic", "/nowhere/" + secret,
				"/v1/public/rights/check?url=" + secret, "/v1/public/licensing-conversations/" + secret, "/%2Finbox/" + secret, "/panic?" + secret,
			} {
				for _, method := range []string{"GET", "POST", strings.ToUpper(secret)} {
					req, err := http.NewRequest(method, "http://"+addr+path, strings.NewReader(secret))
					must(t, err)
					for _, name := range []string{"Authorization", "X-Conversation-Token", "X-Service-Partner-Key", "Cookie", "User-Agent", "Referer", "X-Forwarded-For"} {
						req.Header.Set(name, secret)
					}
					res, err := http.DefaultClient.Do(req)
					must(t, err)
					res.Body.Close()
				}
			}
			for _, text := range []string{secret + "\r\n\r\n", "GET /" + secret + " HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost: x\r\n" + secret + "\r\n\r\n"} {
				isClosed(t, dial(t, addr, text))
			}
			metrics := adminGet(t, s, "/metrics").Body.String()
			if strings.Contains(strings.ToLower(log.String()), strings.ToLower(secret)) {
				t.Errorf("the log holds a secret:\n%s", log.String())
			}
			assert.Lacks(t, "the metrics hold a secret", strings.ToLower(metrics), strings.ToLower(secret))
			assert.Contains(t, "the log lacks request ids or routes", log.String(), "rid_", "/inbox/{link...}")
		})
	}
}

func TestLogOfARequest(t *testing.T) {
	var log lockedBuffer
	logger, err := NewLogger(&log, "json", "")
	must(t, err)
	s, err := New(Options{Log: logger, Handler: answer("hello"), Config: Config{LogClients: true}})
	must(t, err)
	res, err := http.Get("http://" + serveOn(t, s) + "/v1/public/rights/check?url=x")
	must(t, err)
	res.Body.Close()
	waitFor(t, "the line", func() bool { return strings.Contains(log.String(), "\n") })
	assert.Contains(t, "the log", log.String(),
		`"level":"INFO"`, `"msg":"request"`, `"request_id":"`+res.Header.Get("Request-Id")+`"`, `"method":"GET"`,
		`"route":"/v1/public/rights/check"`, `"class":"reads"`, `"status":200`, `"bytes":5`, `"seconds":`, `"client":"127.0.0.1/32"`,
	)
}

func TestNewLoggerRefuses(t *testing.T) {
	for _, words := range [][2]string{{"xml", ""}, {"json", "loud"}} {
		assert.ErrorIs(t, assert.Err(NewLogger(io.Discard, words[0], words[1])), ErrConfig, "%q", words)
	}
}

func adminGet(t *testing.T, s *HTTP, path string) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	s.AdminHandler().ServeHTTP(w, httptest.NewRequest("GET", path, nil))
	return w
}

func TestReadiness(t *testing.T) {
	var failing error
	var log lockedBuffer
	s, err := New(Options{
		Handler: answer("ok"), Log: slog.New(slog.NewTextHandler(&log, nil)),
		Checks: []Check{{"files", func(context.Context) error { return nil }}, {"store", func(context.Context) error { return failing }}},
	})
	must(t, err)
	if w := adminGet(t, s, "/readyz"); w.Code != 200 || w.Body.String() != `{"checks":{"files":"ok","store":"ok"},"ready":true}`+"\n" {
		t.Errorf("in order: %d %s", w.Code, w.Body)
	}
	failing = errors.New("the disk is gone")
	if w := adminGet(t, s, "/readyz"); w.Code != 503 || w.Body.String() != `{"checks":{"files":"ok","store":"failed"},"ready":false}`+"\n" {
		t.Errorf("without its store: %d %s", w.Code, w.Body)
	}
	assert.Contains(t, "the log does not tell why", log.String(), "the disk is gone")
	if w := adminGet(t, s, "/healthz"); w.Code != 200 {
		t.Errorf("it lives all the same, and answers %d", w.Code)
	}
	failing = nil
	s.draining.Store(true)
	if w := adminGet(t, s, "/readyz"); w.Code != 503 {
		t.Errorf("while it ends: %d %s", w.Code, w.Body)
	}
	if w := adminGet(t, s, "/v1/public/network-stats"); w.Code != 404 {
		t.Errorf("the service itself is at the admin address: %d", w.Code)
	}
}

func TestMetrics(t *testing.T) {
	addr, s := start(t, Config{}, answer("hello"))
	for range 3 {
		get(t, "http://"+addr+"/v1/public/rights/check?url=x")
	}
	want := `colophon_http_requests_total{method="GET",route="/v1/public/rights/check",status="200"} 3`
	var text string
	waitFor(t, want, func() bool {
		text = adminGet(t, s, "/metrics").Body.String()
		return strings.Contains(text, want)
	})
	for _, line := range []string{
		`colophon_http_request_duration_seconds_count{class="reads"} 3`, `colophon_http_response_bytes_total{class="reads"} 15`,
		`colophon_requests_shed_total{class="writes"} 0`, `colophon_requests_waiting{class="streams"} 0`, `colophon_connections_open 1`,
		`colophon_bodies_in_flight 0`, `colophon_build_info{version=`, `go_goroutines`, `process_open_fds`,
	} {
		if !strings.Contains(text, "\n"+line) {
			t.Errorf("no %s", line)
		}
	}
}
