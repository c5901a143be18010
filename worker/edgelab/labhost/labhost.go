//go:build unix

// Package labhost runs the lab where the worker runs for real: under plain
// workerd and under wrangler dev, with an origin of SQLite behind it. It is
// for tests and measurements; WORKERD, NODE, WRANGLER and ROOT in the
// environment name the tools (tools/edge/with-tools.sh sets them).
package labhost

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// Host is a running worker.
type Host struct {
	URL string // "http://127.0.0.1:8930"
	Log string // file of what it printed
	cmd *exec.Cmd
}

// Address returns the host and port of URL.
func (h *Host) Address() string { return h.URL[len("http://"):] }

// Tool returns the tool that the environment names.
func Tool(name string) (string, error) {
	if v := os.Getenv(name); v != "" {
		return v, nil
	}
	return "", fmt.Errorf("%s is not set: run through tools/edge/with-tools.sh", name)
}

// FreeAddress finds a port on loopback that nobody listens on.
func FreeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	return l.Addr().String(), nil
}

// start runs a command in its own process group and waits until ready gives any
// answer.
func start(cmd *exec.Cmd, address, ready, log string) (*Host, error) {
	out, err := os.Create(log)
	if err != nil {
		return nil, err
	}
	defer out.Close()
	cmd.Stdout, cmd.Stderr = out, out
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	h := &Host{URL: "http://" + address, Log: log, cmd: cmd}
	if err := h.await(ready, 3*time.Minute); err != nil {
		text, _ := os.ReadFile(log)
		return nil, errors.Join(err, h.Stop(), errors.New(string(text)))
	}
	return h, nil
}

// await sends requests until there is an answer, whatever it is. It uses its
// own transport, because tests check what passes through the usual one.
func (h *Host) await(path string, most time.Duration) error {
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for end := time.Now().Add(most); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		res, err := client.Get(h.URL + path)
		if err == nil {
			_, _ = io.Copy(io.Discard, res.Body)
			res.Body.Close()
			return nil
		}
	}
	return fmt.Errorf("%s did not answer within %v", h.URL, most)
}

// Stop ends the worker and all processes it started.
func (h *Host) Stop() error {
	_ = syscall.Kill(-h.cmd.Process.Pid, syscall.SIGTERM)
	done := make(chan error, 1)
	go func() { done <- h.cmd.Wait() }()
	select {
	case <-done:
	case <-time.After(5 * time.Second):
		_ = syscall.Kill(-h.cmd.Process.Pid, syscall.SIGKILL)
		<-done
	}
	return nil
}

// PID returns the process that serves.
func (h *Host) PID() int { return h.cmd.Process.Pid }

// Resident returns the memory of the process in KiB that is in RAM.
func (h *Host) Resident() (int64, error) {
	text, err := os.ReadFile(filepath.Join("/proc", fmt.Sprint(h.cmd.Process.Pid), "statm"))
	if err != nil {
		return 0, err
	}
	var size, resident int64
	if _, err := fmt.Sscan(string(text), &size, &resident); err != nil {
		return 0, err
	}
	return resident * int64(os.Getpagesize()) / 1024, nil
}

// Workerd is a configuration of plain workerd.
type Workerd struct {
	File   string            // .capnp file, below ROOT
	Config string            // name of the constant in it
	Listen map[string]string // socket -> address; "http" is the worker's
	Remote map[string]string // external service -> address
	Files  map[string]string // disk service -> folder
	Env    []string
	Ready  string // path asked until it answers
}

// Start runs workerd. Its log is kept in dir.
func (w Workerd) Start(ctx context.Context, dir string) (*Host, error) {
	workerd, err := Tool("WORKERD")
	if err != nil {
		return nil, err
	}
	root, err := Tool("ROOT")
	if err != nil {
		return nil, err
	}
	args := []string{"serve", filepath.Join(root, w.File), w.Config}
	for _, set := range []struct {
		flag string
		of   map[string]string
	}{{"--socket-addr", w.Listen}, {"--external-addr", w.Remote}, {"--directory-path", w.Files}} {
		for name, value := range set.of {
			args = append(args, set.flag+"="+name+"="+value)
		}
	}
	cmd := exec.CommandContext(ctx, workerd, args...)
	cmd.Env = append(os.Environ(), w.Env...)
	return start(cmd, w.Listen["http"], w.Ready, filepath.Join(dir, "workerd.log"))
}
