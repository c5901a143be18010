package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	_ "modernc.org/sqlite"

	"colophon/internal/originsql/d1test"
	"colophon/worker/edgelab/labhost"
)

// target is a running server with its processes.
type target struct {
	base   string
	entry  string // of a registered page
	pids   []int
	ending []func()
}

func (t *target) stop() {
	for i := len(t.ending) - 1; i >= 0; i-- {
		t.ending[i]()
	}
}

// wideLimits lifts the limit for the checks, which all come from one address.
const wideLimits = "\n[limits]\nrights = 1000000000\n"

// startTarget makes a demo in a temporary folder and serves it.
func startTarget(ctx context.Context, workerd bool) (t *target, err error) {
	dir, err := os.MkdirTemp("", "colophon-soak")
	if err != nil {
		return nil, err
	}
	t = &target{ending: []func(){func() { os.RemoveAll(dir) }}}
	defer func() {
		if err != nil {
			t.stop()
		}
	}()
	address, err := labhost.FreeAddress()
	if err != nil {
		return nil, err
	}
	t.base = "http://" + address
	if out, err := exec.CommandContext(ctx, program, "demo", "--no-serve", "--addr", address, "--dir", dir).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("the demo: %w: %s", err, out)
	}
	if t.entry, err = entryOf(filepath.Join(dir, "demo.json")); err != nil {
		return nil, err
	}
	if workerd {
		return t, t.startWorkerd(ctx, dir, address)
	}

	settings, err := os.OpenFile(filepath.Join(dir, "colophon.toml"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return nil, err
	}
	if _, err := settings.WriteString(wideLimits); err != nil {
		return nil, err
	}
	if err := settings.Close(); err != nil {
		return nil, err
	}
	return t, t.start(ctx, program, address, "serve", "--addr", address, "--dir", dir)
}

func entryOf(file string) (string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	var facts struct {
		EntryID string `json:"entry_id"`
	}
	return facts.EntryID, json.Unmarshal(text, &facts)
}

// startWorkerd starts workerd over the demo, and the server of its origin in
// this process.
func (t *target) startWorkerd(ctx context.Context, dir, address string) error {
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "origin.db")+"?_pragma=busy_timeout(5000)")
	if err != nil {
		return err
	}
	origin := httptest.NewServer(d1test.NewBinding(db))
	t.ending = append(t.ending, func() {
		origin.Close()
		db.Close()
	})
	secret, err := os.ReadFile(filepath.Join(dir, "secret"))
	if err != nil {
		return err
	}
	bodies := filepath.Join(dir, "bodies")
	if err := os.Mkdir(bodies, 0o700); err != nil {
		return err
	}
	host, err := labhost.Workerd{
		File: "worker/edgelab/product.capnp", Config: "config",
		Listen: map[string]string{"http": address},
		Remote: map[string]string{"origin": origin.Listener.Addr().String()},
		Files:  map[string]string{"dist": filepath.Join(dir, "dist"), "bodies": bodies},
		Env:    []string{"BASE_URL=" + t.base, "SERVICE_SECRET=" + string(bytes.TrimSpace(secret)), "RATE_LIMITS=rights=1000000000"},
		Ready:  "/v1/public/network-stats",
	}.Start(ctx, dir)
	if err != nil {
		return err
	}
	t.pids = append(t.pids, host.PID())
	t.ending = append(t.ending, func() { host.Stop() }) //nolint:errcheck // it has ended
	return nil
}

// start runs a program until the target ends, and waits until it listens.
func (t *target) start(ctx context.Context, program, address string, args ...string) error {
	var log bytes.Buffer
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Stdout, cmd.Stderr = &log, &log
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	if err := cmd.Start(); err != nil {
		return err
	}
	t.pids = append(t.pids, cmd.Process.Pid)
	t.ending = append(t.ending, func() {
		cmd.Process.Signal(os.Interrupt) //nolint:errcheck // Wait returns the error
		cmd.Wait()                       //nolint:errcheck // it has ended
	})
	for range 200 {
		if c, err := net.Dial("tcp", address); err == nil {
			return c.Close()
		}
		time.Sleep(50 * time.Millisecond)
	}
	return fmt.Errorf("%s does not listen on %s: %s", args[0], address, &log)
}

// usage is what the processes of a target use.
type usage struct {
	megabytes   float64 // resident memory
	descriptors int
}

func (u usage) String() string {
	return fmt.Sprintf("%.0f MB, %d descriptors", u.megabytes, u.descriptors)
}

// measure returns the usage of all processes (Linux).
func (t *target) measure() (usage, error) {
	var sum usage
	for _, pid := range t.pids {
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		if err != nil {
			return sum, err
		}
		_, rest, _ := strings.Cut(string(status), "VmRSS:")
		kilobytes, err := strconv.Atoi(strings.Fields(rest)[0])
		if err != nil {
			return sum, err
		}
		open, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
		if err != nil {
			return sum, err
		}
		sum.megabytes += float64(kilobytes) / 1000
		sum.descriptors += len(open)
	}
	return sum, nil
}

// probe sends one request over a new connection, as another client would, and
// returns how long it took. Its error says how far the request got.
func (t *target) probe(ctx context.Context) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	var stage atomic.Value // the transport runs its own goroutines
	stage.Store("connecting")
	trace := &httptrace.ClientTrace{
		GotConn:              func(httptrace.GotConnInfo) { stage.Store("sending the request") },
		WroteRequest:         func(httptrace.WroteRequestInfo) { stage.Store("waiting for the answer") },
		GotFirstResponseByte: func() { stage.Store("reading the answer") },
	}
	req, err := http.NewRequestWithContext(httptrace.WithClientTrace(ctx, trace), "GET", t.checkURL(), nil)
	if err != nil {
		return 0, err
	}
	req.Close = true
	start := time.Now()
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return time.Since(start), fmt.Errorf("%s: %w", stage.Load(), err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return time.Since(start), fmt.Errorf("%s: %w", stage.Load(), err)
	}
	if res.StatusCode != 200 {
		return time.Since(start), fmt.Errorf("answered %d: %.200s", res.StatusCode, body)
	}
	return time.Since(start), nil
}

func (t *target) checkURL() string {
	return t.base + "/v1/public/rights/check?entry_id=" + t.entry + "&use=rag"
}
