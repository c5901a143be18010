package main

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// registryOn makes a registry with a build, for what is done to its disk.
func registryOn(t *testing.T, dir string) {
	t.Helper()
	o := operator{t, dir}
	o.ok("init", "--base-url", "http://127.0.0.1:8787")
	o.ok("build")
}

// smallDisk mounts a disk of that many bytes; it needs root.
func smallDisk(t *testing.T, size string) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("needs root to mount a disk: %v", err)
	}
	t.Cleanup(func() { syscall.Unmount(dir, syscall.MNT_DETACH) }) //nolint:errcheck // a temporary folder
	return dir
}

// output collects what a server says.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(b)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// serveRegistry serves the registry in dir until the test ends.
func serveRegistry(t *testing.T, dir string) (base string, said *output) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	l.Close()

	said = &output{}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan int, 1)
	go func() {
		ended <- runProgram(ctx, []string{"serve", "--dir", dir, "--addr", addr}, strings.NewReader(""), io.Discard, said, func(string) string { return "" })
	}()
	t.Cleanup(func() {
		cancel()
		<-ended
	})
	for range 200 {
		if c, err := net.Dial("tcp", addr); err == nil {
			c.Close()
			return "http://" + addr, said
		}
		select {
		case code := <-ended:
			ended <- code
			t.Fatalf("the server ended with %d: %s", code, said)
		case <-time.After(50 * time.Millisecond):
		}
	}
	t.Fatalf("the server does not answer: %s", said)
	return "", nil
}

func ask(t *testing.T, method, url string) (status int, retryAfter, body string) {
	t.Helper()
	req, err := http.NewRequest(method, url, strings.NewReader(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer cpk_live_000000000000000000000000000000000000000000")
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, res.Header.Get("Retry-After"), string(text)
}

// checkPublicOnly checks that published files are served, and that what needs
// the origin says so.
func checkPublicOnly(t *testing.T, base string) {
	t.Helper()
	for _, path := range []string{"/", "/v1/public/ai-discovery", "/v1/public/content-catalog/search?q=port"} {
		if status, _, body := ask(t, "GET", base+path); status != 200 {
			t.Errorf("%s: %d %.300s", path, status, body)
		}
	}
	for _, c := range [][2]string{{"GET", "/v1/partner/status"}, {"GET", "/v1/rag-delivery/items"}} {
		status, retry, body := ask(t, c[0], base+c[1])
		if status != 503 || retry == "" || !strings.Contains(body, `"retryable":true`) || !strings.Contains(body, `"origin_unavailable"`) {
			t.Errorf("%s %s: %d, Retry-After %q, %s", c[0], c[1], status, retry, body)
		}
	}
}

// TestReadOnlyRegistry serves a registry that cannot be written, and has
// commands say why they cannot.
func TestReadOnlyRegistry(t *testing.T) {
	dir := t.TempDir()
	if os.Geteuid() == 0 { // whom no mode stops
		dir = smallDisk(t, "64m")
	}
	dir = filepath.Join(dir, "reg")
	registryOn(t, dir)
	if os.Geteuid() == 0 {
		if err := syscall.Mount("tmpfs", filepath.Dir(dir), "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
			t.Fatal(err)
		}
	} else {
		if err := os.Chmod(dir, 0o500); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.Chmod(dir, 0o700) }) //nolint:errcheck // a temporary folder
	}

	code, _, told := operator{t, dir}.run("webhook", "list")
	if code != exitFailed || !strings.Contains(told, "cannot be written") || strings.Contains(told, "damaged") || strings.Count(told, "\n") != 1 {
		t.Errorf("webhook list: %d %q", code, told)
	}
	base, said := serveRegistry(t, dir)
	checkPublicOnly(t, base)
	if got := said.String(); !strings.Contains(got, "cannot be written") || strings.Contains(got, "damaged") {
		t.Errorf("the server says %s", got)
	}
}

// TestFullRegistry fills the disk of a registry before it is served.
func TestFullRegistry(t *testing.T) {
	dir := filepath.Join(smallDisk(t, "16m"), "reg")
	registryOn(t, dir)
	if _, err := (&env{dir: dir}).loadSecret(); err != nil { // as it is once it was served
		t.Fatal(err)
	}
	fillDisk(t, filepath.Join(filepath.Dir(dir), "filler"))

	code, _, told := operator{t, dir}.run("webhook", "list")
	if code != exitFailed || !strings.Contains(told, "is full") || strings.Contains(told, "damaged") || strings.Count(told, "\n") != 1 {
		t.Errorf("webhook list: %d %q", code, told)
	}
	base, said := serveRegistry(t, dir)
	checkPublicOnly(t, base)
	if got := said.String(); !strings.Contains(got, "is full") {
		t.Errorf("the server says %s", got)
	}
}

func fillDisk(t *testing.T, path string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for size := 1 << 20; size > 0; {
		if _, err := f.Write(make([]byte, size)); err != nil {
			size /= 2
		}
	}
}

// TestDamagedRegistry serves the published files of a registry whose origin is
// no database any more, or one of which pages in the middle were overwritten.
func TestDamagedRegistry(t *testing.T) {
	damages := map[string]func(file []byte){
		"no database": func(file []byte) { copy(file, bytes.Repeat([]byte("no database "), 1000)) },
		"one page":    func(file []byte) { overwrite(file, len(file)/2, 4096) },
		"last half":   func(file []byte) { overwrite(file, len(file)/2, len(file)/2) },
		"first table": func(file []byte) { overwrite(file, 4096, 4*4096) },
	}
	for name, damage := range damages {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "reg")
			registryOn(t, dir)
			path := filepath.Join(dir, originFile)
			file, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			damage(file)
			if err := os.WriteFile(path, file, 0o600); err != nil {
				t.Fatal(err)
			}

			code, _, told := operator{t, dir}.run("webhook", "list")
			if code != exitFailed || !strings.Contains(told, "damaged") || strings.Count(told, "\n") != 1 {
				t.Errorf("webhook list: %d %q", code, told)
			}
			base, said := serveRegistry(t, dir)
			checkPublicOnly(t, base)
			if got := said.String(); !strings.Contains(got, "damaged") || !strings.Contains(got, "restore it from a backup") {
				t.Errorf("the server says %s", got)
			}
		})
	}
}

// overwrite puts bytes that mean nothing over n bytes from at, rounded down to
// the begin of a page.
func overwrite(file []byte, at, n int) {
	at -= at % 4096
	for i := range n {
		file[at+i] = byte(1 + i*7)
	}
}
