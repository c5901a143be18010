package intake_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"colophon/internal/intake"
)

func TestInFlightForEachHost(t *testing.T) {
	for _, limit := range []int{1, 2, 3} {
		t.Run(fmt.Sprint(limit), func(t *testing.T) {
			w := newWorld(t)
			var now, most, begun atomic.Int32
			full := make(chan struct{}) // closed when the most allowed are in flight
			var paths []string
			for n := range 20 {
				paths = append(paths, fmt.Sprintf("/p%d", n))
				w.handle(paths[n], func(rw http.ResponseWriter, r *http.Request) {
					n := now.Add(1)
					for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
					}
					if begun.Add(1) == int32(limit) {
						close(full)
					}
					select {
					case <-full:
					case <-r.Context().Done():
					}
					time.Sleep(10 * time.Millisecond) // time for one too many to show
					now.Add(-1)
					rw.Header().Set("Content-Type", "text/html")
					io.WriteString(rw, article("P", ""))
				})
			}
			w.sitemap("/sitemap.xml", paths...)
			tally(t, w.must("/sitemap.xml", func(o *intake.Options) { o.PerHost = limit }), 20, 0, 0, 0, 0)
			if got := int(most.Load()); got != limit {
				t.Errorf("%d requests in flight at most, want %d", got, limit)
			}
		})
	}
}

func TestRobotsIsObeyed(t *testing.T) {
	w := newWorld(t)
	w.serve("/robots.txt", "text/plain", "User-agent: *\nDisallow: /\n\nUser-agent: colophon\nDisallow: /private\nAllow: /private/open\n")
	w.page("/a", "A")
	w.page("/private/b", "B")
	w.page("/private/open", "Open")
	w.handle("/moved", func(rw http.ResponseWriter, r *http.Request) { http.Redirect(rw, r, "/private/b", http.StatusFound) })
	w.sitemap("/sitemap.xml", "/a", "/private/b", "/private/open", "/moved")
	sum := w.must("/sitemap.xml")
	tally(t, sum, 2, 0, 0, 2, 0)
	if r := sum.Skipped.Of("robots_disallowed"); r.Count != 2 || w.count("/private/b") != 0 {
		t.Errorf("%+v, fetched %d times", sum.Skipped, w.count("/private/b"))
	}
	if n := w.count("/robots.txt"); n != 1 {
		t.Errorf("robots.txt fetched %d times", n)
	}
	for _, r := range w.seen {
		if ua := r.Header.Get("User-Agent"); ua != "Colophon/1.0" {
			t.Fatalf("User-Agent %q", ua)
		}
	}
}

func TestUserAgentHasContact(t *testing.T) {
	w := newWorld(t)
	w.page("/a", "A")
	w.must("/a", func(o *intake.Options) { o.Contact = "https://colophon.example/bot" })
	if ua := w.seen[len(w.seen)-1].Header.Get("User-Agent"); ua != "Colophon/1.0 (+https://colophon.example/bot)" {
		t.Errorf("User-Agent %q", ua)
	}
}

func TestRobotsInTrouble(t *testing.T) {
	w := newWorld(t)
	w.handle("/robots.txt", func(rw http.ResponseWriter, r *http.Request) { rw.WriteHeader(http.StatusServiceUnavailable) })
	w.page("/a", "A")
	w.sitemap("/sitemap.xml", "/a")
	if _, err := w.run("/sitemap.xml"); err == nil || !strings.Contains(err.Error(), "robots_unreachable") || w.count("/sitemap.xml") != 0 {
		t.Errorf("error %v, %d requests", err, w.count("/sitemap.xml"))
	}
}

func TestCrawlDelay(t *testing.T) {
	w := newWorld(t)
	w.serve("/robots.txt", "text/plain", "User-agent: *\nCrawl-delay: 0.2\n")
	var begin, last time.Time
	for n := range 4 {
		w.handle(fmt.Sprintf("/p%d", n), func(rw http.ResponseWriter, r *http.Request) {
			w.mu.Lock()
			last = time.Now()
			w.mu.Unlock()
			rw.Header().Set("Content-Type", "text/html")
			io.WriteString(rw, article("P", ""))
		})
	}
	w.handle("/sitemap.xml", func(rw http.ResponseWriter, r *http.Request) {
		begin = time.Now() // before the first page can be requested
		rw.Header().Set("Content-Type", "application/xml")
		io.WriteString(rw, urlset(w.url, "/p0", "/p1", "/p2", "/p3"))
	})
	tally(t, w.must("/sitemap.xml", func(o *intake.Options) { o.PerHost = 4 }), 4, 0, 0, 0, 0)
	if d := last.Sub(begin); d < 500*time.Millisecond {
		t.Errorf("four pages within %v in spite of a delay of 200 ms", d)
	}
}

func TestRetries(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct {
		path   string
		fails  int
		status int
	}{{"/twice", 2, 503}, {"/busy", 1, 429}, {"/always", 99, 500}, {"/gone", 99, 410}} {
		left := c.fails
		w.handle(c.path, func(rw http.ResponseWriter, r *http.Request) {
			if left--; left >= 0 {
				rw.Header().Set("Retry-After", "0")
				rw.WriteHeader(c.status)
				return
			}
			rw.Header().Set("Content-Type", "text/html")
			io.WriteString(rw, article("P", ""))
		})
	}
	w.sitemap("/sitemap.xml", "/twice", "/busy", "/always", "/gone")
	sum := w.must("/sitemap.xml", func(o *intake.Options) { o.Retries, o.RetryWait, o.PerHost = 2, time.Millisecond, 1 })
	tally(t, sum, 2, 0, 0, 0, 2)
	reason(t, sum.Failed, "http_500", "/always")
	for path, want := range map[string]int{"/twice": 3, "/busy": 2, "/always": 3, "/gone": 1} {
		if n := w.count(path); n != want {
			t.Errorf("%s was asked for %d times, want %d", path, n, want)
		}
	}
}

func TestTimeout(t *testing.T) {
	w := newWorld(t)
	w.handle("/slow", func(rw http.ResponseWriter, r *http.Request) {
		rw.Header().Set("Content-Type", "text/html")
		for r.Context().Err() == nil { // a byte now and then keeps the connection busy
			io.WriteString(rw, " ")
			rw.(http.Flusher).Flush()
			time.Sleep(20 * time.Millisecond)
		}
	})
	w.page("/a", "A")
	w.sitemap("/sitemap.xml", "/slow", "/a")
	start := time.Now()
	sum := w.must("/sitemap.xml", func(o *intake.Options) { o.Timeout = 3 * time.Second })
	tally(t, sum, 1, 0, 0, 0, 1)
	reason(t, sum.Failed, "timeout", "/slow")
	if d := time.Since(start); d > 25*time.Second { // less than the default
		t.Errorf("it took %v", d)
	}
}

// TestForeignPagesAreNotFetched lists pages of another site.
func TestForeignPagesAreNotFetched(t *testing.T) {
	w := newWorld(t)
	other := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) { t.Errorf("asked for %s", r.URL) }))
	defer other.Close()
	w.serve("/sitemap.xml", "text/xml", urlset("http://www.harbor.example", "/a", "http://other.example/b"))
	w.page("/a", "A")
	sum := w.must("http://www.harbor.example/sitemap.xml", func(o *intake.Options) {
		o.AllowPrivate, o.Contact = false, "clerk@colophon.example"
		o.ConnectTo = map[string]string{
			"www.harbor.example:80": strings.TrimPrefix(w.url, "http://"), "other.example:80": strings.TrimPrefix(other.URL, "http://"),
		}
	})
	tally(t, sum, 1, 0, 0, 1, 0)
	reason(t, sum.Skipped, "foreign_host", "other.example")
}
