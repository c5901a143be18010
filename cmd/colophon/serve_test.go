package main

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"colophon/internal/assert"
	"colophon/internal/registrydir"
)

// serverProcess is a server in a separate process.
type serverProcess struct {
	*exec.Cmd
	base, admin string      // addresses of the service and of monitoring
	log         chan string // lines that it prints; closed when the process ends
	stop        func()      // interrupts it, and requires that it ends well; the end of the test does so too
}

// serveProcess starts "colophon serve" with its monitoring.
func serveProcess(t *testing.T, dir string, args ...string) *serverProcess {
	t.Helper()
	return startServer(t, append([]string{"serve", "--admin-addr", "127.0.0.1:0", "--dir", dir}, args...)...)
}

// startServer runs a command that serves, on a port that the system chooses,
// and waits until it prints its addresses.
func startServer(t *testing.T, args ...string) *serverProcess {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run", "^$")
	cmd.Env = append(os.Environ(), "COLOPHON_TEST_ARGS="+strings.Join(append(args, "--addr", "127.0.0.1:0"), " "))
	out, in := io.Pipe()
	cmd.Stdout, cmd.Stderr = in, in
	must(t, cmd.Start())
	ended := make(chan error, 1)
	go func() {
		ended <- cmd.Wait()
		in.Close()
	}()
	s := &serverProcess{Cmd: cmd, log: make(chan string, 10_000)}
	s.stop = sync.OnceFunc(func() {
		cmd.Process.Signal(os.Interrupt) //nolint:errcheck // Wait returns the error
		if err := <-ended; err != nil {
			t.Errorf("the server did not end well: %v", err)
		}
	})
	t.Cleanup(s.stop)
	var said []string
	lines := bufio.NewScanner(out)
	for s.base == "" && lines.Scan() {
		said = append(said, lines.Text())
		switch address := localAddress.FindString(lines.Text()); {
		case strings.HasPrefix(lines.Text(), "monitoring "):
			s.admin = address
		default:
			s.base = address
		}
	}
	go func() {
		defer close(s.log)
		log := func(line string) {
			select {
			case s.log <- line:
			default: // nobody reads the log
			}
		}
		for lines.Scan() {
			log(lines.Text())
		}
		if err := lines.Err(); err != nil {
			log("the log cannot be read: " + err.Error())
		}
	}()
	if s.base == "" {
		t.Fatalf("the server does not print its address: %q", said)
	}
	return s
}

var localAddress = regexp.MustCompile(`http://127\.0\.0\.1:\d+`)

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

	assert.Equal(t, o.ok("doctor", "--ready", strings.TrimPrefix(admin, "http://")), "ready", "the health check")
	o.no(1, "/readyz answered 404", "doctor", "--ready", strings.TrimPrefix(base, "http://"))

	settings := filepath.Join(o.dir, registrydir.SettingsFile)
	before, err := os.ReadFile(settings)
	must(t, err)
	policy := func() string {
		return sendRequest(t, "GET", base+"/v1/public/rights/check?site_id=harbor-ledger").Header.Get("RateLimit-Policy")
	}
	assert.Equal(t, policy(), `"rights";q=600;w=60`, "at first")
	reload := func(text string) {
		must(t, os.WriteFile(settings, append(before[:len(before):len(before)], text...), 0o600))
		must(t, server.Process.Signal(syscall.SIGHUP))
	}
	reload("\n[limits]\nrights = 7\n")
	waitUntil(t, "the new settings", func() bool { return policy() == `"rights";q=7;w=60` })
	reload("\n[limits]\nnothing = 7\n")
	server.awaitLog(t, "settings stay as they were")
	assert.Equal(t, policy(), `"rights";q=7;w=60`, "after settings that are broken")
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
