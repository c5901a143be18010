package main

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"colophon/internal/registrydir"
)

// serverProcess is "colophon serve" in a separate process.
type serverProcess struct {
	*exec.Cmd
	base, admin string      // addresses of the service and of monitoring
	log         chan string // lines of the log; closed when the process ends
}

// serveProcess starts a server and waits until it logs its addresses.
func serveProcess(t *testing.T, dir string, args ...string) *serverProcess {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, os.Args[0], "-test.run", "^$")
	cmd.Env = append(os.Environ(), "COLOPHON_TEST_ARGS=serve --addr 127.0.0.1:0 --admin-addr 127.0.0.1:0 --dir "+dir+" "+strings.Join(args, " "))
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		cmd.Wait() //nolint:errcheck // it was asked to end
		if code := cmd.ProcessState.ExitCode(); code != 0 {
			t.Errorf("the server ended with %d", code)
		}
	})
	var base, admin string
	lines := bufio.NewScanner(stderr)
	for base == "" && lines.Scan() {
		_, address, found := strings.Cut(lines.Text(), " at http://")
		address, _, _ = strings.Cut(address, " ")
		switch {
		case !found:
		case strings.HasPrefix(lines.Text(), "monitoring "):
			admin = "http://" + address
		case strings.HasPrefix(lines.Text(), "serving "):
			base = "http://" + address
		}
	}
	if err := lines.Err(); err != nil || base == "" || admin == "" {
		t.Fatalf("the server does not note its addresses: %v", err)
	}
	log := make(chan string, 10_000)
	go func() {
		defer close(log)
		for lines.Scan() {
			select {
			case log <- lines.Text():
			default: // nobody reads the log
			}
		}
	}()
	return &serverProcess{cmd, base, admin, log}
}

// awaitLog waits for a line of the log that has text in it.
func (s *serverProcess) awaitLog(t *testing.T, text string) {
	t.Helper()
	limit := time.After(time.Minute)
	for {
		select {
		case line, ok := <-s.log:
			if !ok {
				t.Fatalf("the server ended before it logged %q", text)
			}
			if strings.Contains(line, text) {
				return
			}
		case <-limit:
			t.Fatalf("the server does not log %q", text)
		}
	}
}

// TestServeReloadsAndTellsHowItIs checks that a running server reports its
// state, loads settings at SIGHUP, keeps its own if the new ones are invalid,
// and exits cleanly.
func TestServeReloadsAndTellsHowItIs(t *testing.T) {
	t.Parallel()
	o := newBuilt(t)
	server := serveProcess(t, o.dir)
	base, admin := server.base, server.admin

	for path, want := range map[string]string{"/healthz": "ok", "/readyz": `"ready":true`, "/metrics": "go_sql_open_connections"} {
		if r := sendRequest(t, "GET", admin+path); r.StatusCode != 200 || !strings.Contains(string(r.body), want) {
			t.Errorf("%s: %d %s", path, r.StatusCode, r.body)
		}
		if r := sendRequest(t, "GET", base+path); r.StatusCode != 404 {
			t.Errorf("%s is answered %d to everybody", path, r.StatusCode)
		}
	}

	if got := o.ok("doctor", "--ready", strings.TrimPrefix(admin, "http://")); got != "ready" {
		t.Errorf("the health check says %q", got)
	}
	o.no(1, "/readyz answered 404", "doctor", "--ready", strings.TrimPrefix(base, "http://"))

	settings := filepath.Join(o.dir, registrydir.SettingsFile)
	before, err := os.ReadFile(settings)
	if err != nil {
		t.Fatal(err)
	}
	policy := func() string {
		return sendRequest(t, "GET", base+"/v1/public/rights/check?site_id=harbor-ledger").Header.Get("RateLimit-Policy")
	}
	if got := policy(); got != `"rights";q=600;w=60` {
		t.Errorf("at first: %s", got)
	}
	reload := func(text string) {
		if err := os.WriteFile(settings, append(before[:len(before):len(before)], text...), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := server.Process.Signal(syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
	}
	reload("\n[limits]\nrights = 7\n")
	for end := time.Now().Add(30 * time.Second); policy() != `"rights";q=7;w=60`; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("new settings are not taken over: %s", policy())
		}
	}
	reload("\n[limits]\nnothing = 7\n")
	server.awaitLog(t, "settings stay as they were")
	if got := policy(); got != `"rights";q=7;w=60` {
		t.Errorf("after settings that are broken: %s", got)
	}
}

func TestServeRefusesBadSettings(t *testing.T) {
	t.Parallel()
	o := newBuilt(t)
	for _, args := range [][]string{
		{"--trusted-proxy", "everybody"}, {"--log-format", "xml"}, {"--tls-cert", "nowhere.pem"}, {"--acme", "--tls-cert", "c", "--tls-key", "k"},
	} {
		o.no(2, "invalid server setting", append([]string{"serve", "--addr", "127.0.0.1:0"}, args...)...)
	}
}
