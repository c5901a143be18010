package server

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
	"time"

	"colophon/internal/assert"
	"colophon/worker/edge"
)

// TestServeBeside checks that monitoring and redirects are served where the
// configuration says, and no longer after the end, and that an address in use
// is named with its flag.
func TestServeBeside(t *testing.T) {
	s, err := New(Options{Config: Config{AdminAddr: "127.0.0.1:0", RedirectAddr: "127.0.0.1:0"}, BaseURL: "https://service.example", Handler: answer("")})
	must(t, err)
	at := map[string]string{}
	stop, err := s.ServeBeside(t.Context(), func(format string, args ...any) {
		what, address, _ := strings.Cut(fmt.Sprintf(format, args...), " at ")
		at[what] = address
	})
	must(t, err)
	if status, _, body := get(t, at["monitoring"]+"/healthz"); status != 200 || body != "ok\n" {
		t.Errorf("monitoring: %d %q", status, body)
	}
	resp, err := http.DefaultTransport.RoundTrip(httptest.NewRequest("GET", at["plain HTTP"]+"/page", nil))
	must(t, err)
	resp.Body.Close()
	if resp.StatusCode/100 != 3 || resp.Header.Get("Location") != "https://service.example/page" {
		t.Errorf("plain HTTP: %d %v", resp.StatusCode, resp.Header)
	}
	stop()
	for what, address := range at {
		assert.Fails(t, assert.Err(net.Dial("tcp", strings.TrimPrefix(address, "http://"))), "%s is still served", what)
	}

	taken, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer taken.Close()
	s.config.RedirectAddr = taken.Addr().String()
	_, err = s.ServeBeside(t.Context(), func(_ string, args ...any) { at["monitoring"] = fmt.Sprint(args[1]) })
	if err == nil || !strings.HasPrefix(err.Error(), "cannot listen on "+taken.Addr().String()) || !strings.HasSuffix(err.Error(), "; choose another with --redirect-addr") {
		t.Errorf("an address in use: %v", err)
	}
	assert.Fails(t, assert.Err(net.Dial("tcp", at["monitoring"])), "monitoring is served although plain HTTP cannot be")
}

// TestReloadOnHangup checks that a signal replaces the handler, and that
// settings that cannot be used change nothing.
func TestReloadOnHangup(t *testing.T) {
	var log lockedBuffer
	s, err := New(Options{BaseURL: "https://service.example", Handler: answer("before"), Log: slog.New(slog.NewTextHandler(&log, nil))})
	must(t, err)
	base := "http://" + serveOn(t, s)
	type settings struct {
		config Config
		text   string
		broken error
	}
	next := make(chan settings, 1)
	defer s.ReloadOnHangup(t.Context(), func() (Config, edge.Handler, error) {
		read := <-next
		return read.config, answer(read.text), read.broken
	})()
	hangUp := func(read settings, want string) {
		t.Helper()
		next <- read
		must(t, syscall.Kill(syscall.Getpid(), syscall.SIGHUP))
		for end := time.Now().Add(10 * time.Second); !strings.Contains(log.String(), want); time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("not logged: %q\n%s", want, log.String())
			}
		}
	}
	if _, _, body := get(t, base); body != "before" {
		t.Errorf("at first: %q", body)
	}
	hangUp(settings{text: "after"}, "settings read again")
	if _, _, body := get(t, base); body != "after" {
		t.Errorf("after a signal: %q", body)
	}
	hangUp(settings{text: "broken", broken: errors.New("no settings")}, `"settings stay as they were" error="no settings"`)
	hangUp(settings{text: "broken", config: Config{TrustedProxies: []string{"everybody"}}}, "everybody")
	if _, _, body := get(t, base); body != "after" {
		t.Errorf("after settings that cannot be used: %q", body)
	}
}
