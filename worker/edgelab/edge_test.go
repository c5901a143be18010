//go:build edge

package edgelab_test

import (
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"colophon/exports"
	"colophon/worker/edgelab/labhost"
)

// start runs the lab under plain workerd for one test.
func start(t *testing.T, lab labhost.Lab) host {
	t.Helper()
	w, stop, err := lab.Start(t.Context(), t.TempDir())
	must(t, err)
	t.Cleanup(func() {
		stop()
		if t.Failed() {
			log, _ := os.ReadFile(w.Log)
			t.Logf("workerd printed:\n%.4000s", log)
		}
	})
	return host{url: w.URL}
}

// wranglerDev runs the lab under wrangler dev for one test, with a deadline
// that is long enough on a slow machine.
func wranglerDev(t *testing.T, vars ...string) host {
	t.Helper()
	w, err := labhost.StartWrangler(t.Context(), memoryDir(t), append(vars, "EDGE_DEADLINE_MS:60000")...)
	must(t, err)
	t.Cleanup(func() { _ = w.Stop() })
	return host{url: w.URL}
}

// productDev runs the product under wrangler dev for one test.
func productDev(t *testing.T) host {
	t.Helper()
	product := labhost.Product{Dist: filepath.Join(os.Getenv("ROOT"), "worker/edgelab/testdata/assets"), Secret: make([]byte, 32)}
	w, err := product.Start(t.Context(), memoryDir(t))
	must(t, err)
	t.Cleanup(func() { _ = w.Stop() })
	return host{url: w.URL}
}

// memoryDir returns a temporary folder, in memory if the system has one there:
// the local D1 waits for the disk after every statement.
func memoryDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "edgelab")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func (h host) post(t testing.TB, target, body string) answer {
	t.Helper()
	return h.call(t, "POST", target, strings.NewReader(body))
}

// pool is the answer of /pool.
type pool struct {
	Booted, Forked, Reset, Retired, Died, Refused, Lost int
	Idle, Live, Waiting, Image                          int
	Memory                                              []int
}

func (h host) pool(t testing.TB) pool {
	t.Helper()
	var p pool
	must(t, json.Unmarshal([]byte(h.get(t, "/pool").body), &p))
	return p
}

// settled waits until no instance is at work.
func (h host) settled(t testing.TB) pool {
	t.Helper()
	var p pool
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if p = h.pool(t); p.Live == 0 {
			return p
		}
	}
	t.Errorf("instances stay at work: %+v", p)
	return p
}

func TestWorkerd(t *testing.T) {
	for _, mode := range []string{"lazy", "reset", "fresh"} {
		t.Run(mode, func(t *testing.T) {
			h := start(t, labhost.Lab{Env: []string{"EDGE_MODE=" + mode}})
			h.runProbes(t)
			h.bodies(t)
			h.files(t, true)
			p := h.settled(t)
			if p.Died != 0 || p.Lost != 0 || p.Refused != 0 {
				t.Errorf("pool: %+v", p)
			}
			if mode == "reset" && p.Reset == 0 {
				t.Errorf("nothing was reset: %+v", p)
			}
		})
	}
}

func TestWranglerDev(t *testing.T) {
	h := wranglerDev(t)
	h.runProbes(t)
	h.files(t, false)
	h.rateLimit(t)
	h.cron(t)
	if got := h.get(t, "/body?key=none"); got.status != 404 {
		t.Errorf("missing body in R2: %d %s", got.status, got.body)
	}
	if p := h.settled(t); p.Died != 0 || p.Lost != 0 {
		t.Errorf("pool: %+v", p)
	}
}

// bodies tests that bodies come from a file service if there is no R2.
func (h host) bodies(t *testing.T) {
	for target, want := range map[string]int{"/body?key=small.json": 200, "/body?key=none": 404, "/body?key=v1/public": 404} {
		if got := h.get(t, target); got.status != want {
			t.Errorf("%s: %d %s, want %d", target, got.status, got.body, want)
		}
	}
}

// files tests the answers from ASSETS without Go. Under plain workerd every
// path reaches the script; on Workers the asset server answers exact paths
// before it, except those of run_worker_first.
func (h host) files(t *testing.T, all bool) {
	for _, c := range []struct {
		target, file, want string
		first              bool // the script answers on Workers too
	}{
		{"/v1/public/network-stats", "v1/public/network-stats.json", "{\"release\":\"lab\"}\n", true},
		{"/v1/public/network-stats.json", "v1/public/network-stats.json", "{\"release\":\"lab\"}\n", true},
		{"/v1/public/feed.ndjson", "v1/public/feed.ndjson", "{\"feed\":1}\n", true},
		{"/.well-known/lab.json", ".well-known/lab.json", "{\"manifest\":true}\n", true},
		{"/.well-known/lab", ".well-known/lab.json", "{\"manifest\":true}\n", true},
		{"/", "index.html", "<!doctype html><title>Lab</title>\n", true},
		{"/?utm=1", "index.html", "<!doctype html><title>Lab</title>\n", true},
		{"/small.json", "small.json", "{\"small\":true}\n", false},
	} {
		got := h.get(t, c.target)
		if got.status != 200 || got.body != c.want {
			t.Errorf("%s: %d %q", c.target, got.status, got.body)
		}
		if c.first || all {
			h.filePolicy(t, c.target, exports.Key(c.file), got)
		}
	}
	for target, status := range map[string]int{
		"/v1/public/network-stats?q=1": 404, "/v1/public/none": 404, "/v1/public/": 404, "/v1/public": 404,
		"/v1/../small.json%00": 404, "/v1/%6eetwork": 404, "/.hidden": 404, "/v1//public": 404,
	} {
		if got := h.get(t, target); got.status != status || got.body != notFound {
			t.Errorf("%s: %d %.100s, want Go's own %d", target, got.status, got.body, status)
		}
	}
	if got := h.post(t, "/v1/public/network-stats", "{}"); got.status != 404 || got.body != notFound {
		t.Errorf("POST to a file: %d %.100s", got.status, got.body)
	}
}

// filePolicy compares the headers with what exports says about the file, and
// repeats the request with the ETag and with HEAD.
func (h host) filePolicy(t *testing.T, target string, key exports.Key, got answer) {
	t.Helper()
	p := exports.PolicyOf(key)
	want := append([][2]string{{"content-type", p.ContentType}, {"cache-control", p.CacheControl}, {"content-disposition", p.Disposition},
		{"access-control-allow-origin", "*"}}, exports.SecurityHeaders(target, p.ContentType)...)
	for _, f := range want {
		if v := got.header.Get(f[0]); v != f[1] {
			t.Errorf("%s: %s is %q, want %q", target, f[0], v, f[1])
		}
	}
	// This client accepts gzip for GET but not for HEAD, so the tag is a weak
	// one for GET.
	bare := func(a answer) string { return strings.TrimPrefix(a.header.Get("etag"), "W/") }
	etag := bare(got)
	if !strings.HasPrefix(etag, `"`) || got.header.Get("etag") == etag || !ridForm.MatchString(got.header.Get("request-id")) {
		t.Errorf("%s: etag %q, request id %q", target, etag, got.header.Get("request-id"))
	}
	same := h.call(t, "GET", target, nil, "If-None-Match", `"other", W/`+etag)
	if same.status != 304 || same.body != "" || bare(same) != etag || same.header.Get("cache-control") != p.CacheControl {
		t.Errorf("%s with its ETag: %d %q %v", target, same.status, same.body, same.header)
	}
	if other := h.call(t, "GET", target, nil, "If-None-Match", `"other"`); other.status != 200 {
		t.Errorf("%s with another ETag: %d", target, other.status)
	}
	head := h.call(t, "HEAD", target, nil)
	if head.status != 200 || head.body != "" || head.header.Get("etag") != etag || head.header.Get("content-type") != p.ContentType {
		t.Errorf("HEAD %s: %d %v", target, head.status, head.header)
	}
}

func (h host) rateLimit(t *testing.T) {
	time.Sleep(time.Until(time.Now().Truncate(time.Minute).Add(time.Minute)) % time.Minute % (5 * time.Second)) // stay inside one window
	var got []string
	for range 8 {
		got = append(got, word(h.get(t, "/limit?policy=lab&key="+url.QueryEscape(t.Name())).status))
	}
	if s := strings.Join(got, " "); s != "200 200 200 200 200 429 429 429" {
		t.Errorf("rate limit of 5: %s", s)
	}
}

func word(status int) string { return strconv.Itoa(status) }

func (h host) cron(t *testing.T) {
	if got := h.get(t, "/cdn-cgi/handler/scheduled?cron=*/5+*+*+*+*"); got.status != 200 {
		t.Errorf("cron: %d %s", got.status, got.body)
	}
	if got := h.get(t, "/count?key=cron"); got.body != "1" {
		t.Errorf("cron ran %s times", got.body)
	}
}

// TestOwnRateLimit checks that the script counts by itself without a Rate
// Limiting binding.
func TestOwnRateLimit(t *testing.T) {
	h := start(t, labhost.Lab{})
	counts := map[int]int{}
	window := func() int { return int(time.Now().Unix() / 60) }
	first := window()
	for range 11 { // more than two windows allow, since one may end meanwhile
		counts[h.get(t, "/limit?policy=lab&key=a").status]++
	}
	if most := 5 * (1 + window() - first); counts[200] < 5 || counts[200] > most || counts[200]+counts[429] != 11 {
		t.Errorf("rate limit of 5, of which at most %d may pass: %v", most, counts)
	}
	if got := h.get(t, "/limit?policy=lab&key=b"); got.status != 200 {
		t.Errorf("another key: %d", got.status)
	}
}
