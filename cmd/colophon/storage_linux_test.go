package main

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"colophon/internal/assert"
	"colophon/internal/cli"
	"colophon/internal/doctor"
	"colophon/internal/originsql/local"
	"colophon/internal/registrydir"
)

// smallDisk mounts a disk of this size; it needs root.
func smallDisk(t *testing.T, size string) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("needs root to mount a disk: %v", err)
	}
	t.Cleanup(func() { syscall.Unmount(dir, syscall.MNT_DETACH) }) //nolint:errcheck // a temporary folder
	return dir
}

// output collects a server's output.
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
	said = &output{}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan int, 1)
	go func() {
		ended <- runProgram(ctx, []string{"serve", "--dir", dir, "--addr", "127.0.0.1:0"}, strings.NewReader(""), io.Discard, said, emptyEnvironment)
	}()
	t.Cleanup(func() {
		cancel()
		<-ended
	})
	for { // for as long as it runs, since its speed depends on the machine
		if base := localAddress.FindString(said.String()); base != "" {
			return base, said
		}
		select {
		case code := <-ended:
			ended <- code
			t.Fatalf("the server ended with %d: %s", code, said)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func ask(t *testing.T, method, url string) (status int, retryAfter, body string) {
	t.Helper()
	req, err := http.NewRequest(method, url, strings.NewReader(`{}`))
	must(t, err)
	req.Header.Set("Authorization", "Bearer cpk_live_000000000000000000000000000000000000000000")
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	must(t, err)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	must(t, err)
	return res.StatusCode, res.Header.Get("Retry-After"), string(text)
}

// checkPublicOnly checks that published files are served, and that what needs
// the origin is reported as unavailable.
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

// TestReadOnlyRegistry serves a registry that cannot be written, and checks
// that commands say why they fail. It is not parallel: a process that another
// test is just starting holds the files of this one for a moment, and then the
// disk cannot be made read-only.
func TestReadOnlyRegistry(t *testing.T) {
	dir := t.TempDir()
	if os.Geteuid() == 0 { // modes do not restrict root
		dir = smallDisk(t, "64m")
	}
	dir = filepath.Join(dir, "reg")
	fixtures.local.copyTo(t, dir)
	if os.Geteuid() == 0 {
		must(t, syscall.Mount("tmpfs", filepath.Dir(dir), "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""))
	} else {
		must(t, os.Chmod(dir, 0o500))
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

// TestFullRegistry fills a registry's disk before it is served.
func TestFullRegistry(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(smallDisk(t, "16m"), "reg")
	fixtures.local.copyTo(t, dir)
	if _, err := (&cli.Env{Dir: registrydir.Dir{Path: dir}}).LoadSecret(); err != nil { // as after it was served once
		t.Fatal(err)
	}
	fillDisk(t, filepath.Join(filepath.Dir(dir), "filler"))

	code, _, told := operator{t, dir}.run("webhook", "list")
	if code != exitFailed || !strings.Contains(told, "is full") || strings.Contains(told, "damaged") || strings.Count(told, "\n") != 1 {
		t.Errorf("webhook list: %d %q", code, told)
	}
	base, said := serveRegistry(t, dir)
	checkPublicOnly(t, base)
	assert.Contains(t, "the server", said.String(), "is full")
}

func fillDisk(t *testing.T, path string) {
	t.Helper()
	f, err := os.Create(path)
	must(t, err)
	defer f.Close()
	for size := 1 << 20; size > 0; {
		if _, err := f.Write(make([]byte, size)); err != nil {
			size /= 2
		}
	}
}

// TestDamagedRegistry serves the published files of a registry whose origin is
// not a database any more, or has overwritten pages in the middle.
func TestDamagedRegistry(t *testing.T) {
	t.Parallel()
	damages := map[string]func(file []byte){
		"no database": func(file []byte) { copy(file, bytes.Repeat([]byte("no database "), 1000)) },
		"one page":    func(file []byte) { overwrite(file, len(file)/2, 4096) },
		"last half":   func(file []byte) { overwrite(file, len(file)/2, len(file)/2) },
		"first table": func(file []byte) { overwrite(file, 4096, 4*4096) },
	}
	for name, damage := range damages {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "reg")
			fixtures.local.copyTo(t, dir)
			path := filepath.Join(dir, registrydir.OriginFile)
			file, err := os.ReadFile(path)
			must(t, err)
			damage(file)
			must(t, os.WriteFile(path, file, 0o600))

			code, _, told := operator{t, dir}.run("webhook", "list")
			if code != exitFailed || !strings.Contains(told, "damaged") || strings.Count(told, "\n") != 1 {
				t.Errorf("webhook list: %d %q", code, told)
			}
			base, said := serveRegistry(t, dir)
			checkPublicOnly(t, base)
			assert.Contains(t, "the server", said.String(), "damaged", "restore it from a backup")
		})
	}
}

// overwrite overwrites n bytes with garbage from at, rounded down to the
// beginning of a page.
func overwrite(file []byte, at, n int) {
	at -= at % 4096
	for i := range n {
		file[at+i] = byte(1 + i*7)
	}
}

// newLargeStore makes a registry whose store is larger than what is checked at
// each opening, because of a table that no command reads.
func newLargeStore(t *testing.T) (o operator, path string, size int64) {
	t.Helper()
	o = operator{t, filepath.Join(t.TempDir(), "reg")}
	fixtures.local.copyTo(t, o.dir)
	o.sql("CREATE TABLE filler (text BLOB); INSERT INTO filler VALUES (zeroblob(" + strconv.Itoa(local.CheckedAlways) + "))")
	path = filepath.Join(o.dir, registrydir.OriginFile)
	info, err := os.Stat(path)
	must(t, err)
	return o, path, info.Size()
}

// bytesRead returns how much this process has read so far, as the system counts
// it.
func bytesRead(t *testing.T) int64 {
	t.Helper()
	text, err := os.ReadFile("/proc/self/io")
	if err != nil {
		t.Skip(err)
	}
	first, _, _ := strings.Cut(string(text), "\n")
	n, err := strconv.ParseInt(strings.TrimPrefix(first, "rchar: "), 10, 64)
	must(t, err)
	return n
}

// readsOf runs a command that must succeed, and returns the bytes that it read.
func (o operator) readsOf(args ...string) int64 {
	o.Helper()
	before := bytesRead(o.T)
	o.ok(args...)
	return bytesRead(o.T) - before
}

// TestLargeStoreIsNotReadWhole runs commands in sequence: only the first may
// read the whole store, even if a later one follows a write. It is not parallel,
// because the system counts what the process reads, in whichever test.
func TestLargeStoreIsNotReadWhole(t *testing.T) {
	o, path, size := newLargeStore(t)
	if n := o.readsOf("build"); n < size {
		t.Errorf("the first command read %d bytes of %d", n, size)
	}
	for _, command := range [][]string{
		{"build"}, {"webhook", "list"},
		{"publisher", "add", "harbor-ledger", "--name", "Harbor Ledger", "--site-url", "https://harbor-ledger.example/"},
		{"publisher", "list"}, {"build"},
	} {
		if n := o.readsOf(command...); n > size/2 {
			t.Errorf("%q read %d bytes of %d", command, n, size)
		}
	}

	if n := o.readsOf("doctor", "--offline"); n < size {
		t.Errorf("the doctor read %d bytes of %d", n, size)
	}
	o.sql("INSERT INTO filler VALUES (zeroblob(1000000))") // by another program
	if n := o.readsOf("webhook", "list"); n < size {
		t.Errorf("after another program wrote, %d bytes of %d were read", n, size)
	}
	if n := o.readsOf("webhook", "list"); n > size/2 {
		t.Errorf("%d bytes of %d were read", n, size)
	}
	if err := os.Chmod(path+local.NoteSuffix, 0o400); err == nil && os.Geteuid() != 0 {
		if n := o.readsOf("webhook", "list"); n < size {
			t.Errorf("with a note that cannot be kept, %d bytes of %d were read", n, size)
		}
	}
}

// rot damages a page of the store that no command needs, and makes the note of
// the last check say that the file is unchanged, as when a disk loses bytes.
func rot(t *testing.T, path string, size int64, checked time.Time) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	must(t, err)
	defer f.Close()
	page := make([]byte, 4096)
	overwrite(page, 0, len(page))
	must(t, assert.Err(f.WriteAt(page, size/2/4096*4096)))
	opening := local.BeginOpening(path, checked)
	defer opening.Close()
	must(t, opening.Check(func() error { return nil }))
}

// TestLargeStoreThatRots checks that damage of a page which no command reads is
// found: at once by commands that copy the store, by all others a day after the
// last check.
func TestLargeStoreThatRots(t *testing.T) {
	t.Parallel()
	o, path, size := newLargeStore(t)
	o.ok("build")
	rot(t, path, size, time.Now())
	o.ok("webhook", "list")
	if code, findings := o.examined("--offline"); code == 0 || findings["store"].Status != doctor.Failed {
		t.Errorf("the doctor says %+v", findings["store"])
	}

	backups := t.TempDir()
	for _, command := range [][]string{
		{"backup", "--to", backups, "--passphrase-file", filepath.Join(o.dir, "phrase")},
		{"origin", "copy", "--to", "sqlite:" + filepath.Join(t.TempDir(), "copy.db")},
	} {
		o.write("phrase", "a phrase of words\n")
		code, _, told := o.run(command...)
		if code != exitFailed || !strings.Contains(told, "damaged") || strings.Count(told, "\n") != 1 {
			t.Errorf("%q: %d %q", command, code, told)
		}
	}
	if left, err := os.ReadDir(backups); err != nil || len(left) > 0 {
		t.Errorf("a damaged store was backed up: %v, %v", left, err)
	}

	rot(t, path, size, time.Now().Add(-local.CheckedFor))
	for range 2 { // the failed check leaves no note
		code, _, told := o.run("webhook", "list")
		if code != exitFailed || !strings.Contains(told, "damaged") || strings.Count(told, "\n") != 1 {
			t.Errorf("a day later: %d %q", code, told)
		}
	}
}

// TestLargeStoreThatCannotBeRead lets a command read a damaged page within the
// day of a check: it must say so, and so must every later command.
func TestLargeStoreThatCannotBeRead(t *testing.T) {
	t.Parallel()
	o, path, _ := newLargeStore(t)
	o.ok("build")
	file, err := os.ReadFile(path)
	must(t, err)
	overwrite(file, 4096, 60*4096) // the tables and indexes of a new store
	must(t, os.WriteFile(path, file, 0o600))
	opening := local.BeginOpening(path, time.Now())
	must(t, opening.Check(func() error { return nil }))
	opening.Close()

	for _, command := range []string{"webhook list", "publisher list", "build"} {
		before := bytesRead(t)
		code, _, told := o.run(strings.Fields(command)...)
		if code != exitFailed || !strings.Contains(told, "damaged") || strings.Count(told, "\n") != 1 {
			t.Errorf("%q: %d %q", command, code, told)
		}
		t.Logf("%q read %d bytes", command, bytesRead(t)-before)
	}
	if note, err := os.ReadFile(path + local.NoteSuffix); err != nil || len(note) > 0 {
		t.Errorf("the note is %q, %v", note, err)
	}
}
