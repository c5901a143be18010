package intake_test

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"

	"colophon/internal/intake"
)

func TestSitemapThatIsHTML(t *testing.T) {
	w := newWorld(t)
	w.page("/sitemap.xml", "Site map for people")
	_, err := w.run("/sitemap.xml")
	if !errors.Is(err, intake.ErrSource) || !strings.Contains(err.Error(), "HTML page where a sitemap or a feed was expected") {
		t.Errorf("error %v", err)
	}
	if n := len(w.all()); n != 0 {
		t.Errorf("%d pages came of it", n)
	}

	w.page("/a", "A")
	w.sitemap("/good.xml", "/a")
	w.serve("/index.xml", "text/xml", `<sitemapindex><sitemap><loc>`+w.url+`/sitemap.xml</loc></sitemap><sitemap><loc>`+w.url+`/good.xml</loc></sitemap></sitemapindex>`)
	sum := w.must("/index.xml")
	tally(t, sum, 1, 0, 0, 0, 1)
	reason(t, sum.Failed, "sitemap_is_html", "/sitemap.xml")
}

// TestSourcesThatAreNone checks the errors for documents that are not sources.
func TestSourcesThatAreNone(t *testing.T) {
	for _, c := range []struct{ name, path, media, body, part string }{
		{"empty", "/x.xml", "text/xml", "", "it is empty"},
		{"other XML", "/x.xml", "text/xml", "<?xml version='1.0'?><opml/>", "begins with <opml>"},
		{"other JSON", "/x", "application/json", `{"a":1}`, "NDJSON"},
		{"bytes", "/x", "application/octet-stream", "\x00\x01\x02", "begins with"},
		{"cut gzip", "/x.xml.gz", "application/gzip", "\x1f\x8b\x08", "not good gzip"},
		{"lists nothing", "/x.xml", "text/xml", "<urlset></urlset>", "lists nothing"},
		{"breaks off", "/x.xml", "text/xml", "<urlset><url><loc>", "not well-formed"},
		{"feed without items", "/x", "text/xml", "<rss version='2.0'><channel></channel></rss>", "no items"},
		{"broken feed", "/x", "text/xml", "<rss version='2.0'><channel><item>", "cannot be read"},
		{"index of itself", "/x.xml", "text/xml", "<sitemapindex><sitemap><loc>URL/x.xml</loc></sitemap></sitemapindex>", "listed_twice"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.serve(c.path, c.media, strings.ReplaceAll(c.body, "URL", w.url))
			_, err := w.run(c.path)
			if !errors.Is(err, intake.ErrSource) || !strings.Contains(err.Error(), c.part) {
				t.Errorf("error %v, want one about %q", err, c.part)
			}
			if w.count(c.path) != 1 {
				t.Errorf("it was fetched %d times", w.count(c.path))
			}
		})
	}
	t.Run("missing", func(t *testing.T) {
		if _, err := newWorld(t).run("/x.xml"); !errors.Is(err, intake.ErrSource) || !strings.Contains(err.Error(), "404") {
			t.Errorf("error %v", err)
		}
	})
}

// TestEndlessSitemap makes every index name another one, and then one document
// that never ends; what was listed before is still imported.
func TestEndlessSitemap(t *testing.T) {
	w := newWorld(t)
	w.page("/a", "A")
	w.sitemap("/pages.xml", "/a")
	deeper := func(rw http.ResponseWriter, r *http.Request) {
		var n int
		fmt.Sscanf(r.URL.Path, "/index%d.xml", &n)
		fmt.Fprintf(rw, `<sitemapindex><sitemap><loc>%[1]s/pages.xml</loc></sitemap><sitemap><loc>%[1]s/index%[2]d.xml</loc></sitemap></sitemapindex>`, w.url, n+1)
	}
	for n := range 50 {
		w.handle(fmt.Sprintf("/index%d.xml", n), deeper)
	}
	sum, err := w.run("/index0.xml")
	if !errors.Is(err, intake.ErrSource) || !strings.Contains(err.Error(), "has no end") {
		t.Errorf("error %v", err)
	}
	reason(t, sum.Failed, "sitemap_too_deep", "/index4.xml", "3 deep")
	if w.find("/a"); sum.New != 1 || w.count("/index5.xml") != 0 {
		t.Errorf("new %d, %d requests too many", sum.New, w.count("/index5.xml"))
	}

	w.handle("/long.xml", func(rw http.ResponseWriter, r *http.Request) {
		io.WriteString(rw, "<sitemapindex>")
		for n := 0; r.Context().Err() == nil; n++ {
			if _, err := fmt.Fprintf(rw, "<sitemap><loc>%s/s%d.xml</loc></sitemap>", w.url, n); err != nil {
				return
			}
		}
	})
	sum, err = w.run("/long.xml")
	if !errors.Is(err, intake.ErrSource) || !strings.Contains(err.Error(), "does not end") {
		t.Errorf("error %v", err)
	}
	reason(t, sum.Failed, "sitemap_too_long", "50000")
}

// allocated returns how many bytes a function allocates in total.
func allocated(fn func()) int64 {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	fn()
	runtime.ReadMemStats(&after)
	return int64(after.TotalAlloc - before.TotalAlloc)
}

// TestBombs serves 200 MB of zeros as a page in three ways, and as a sitemap.
// None may be read far beyond its limit, and the page after them must be
// imported.
func TestBombs(t *testing.T) {
	const size = 200 << 20
	w := newWorld(t)
	zeros := func(rw io.Writer) {
		chunk := make([]byte, 1<<16)
		for n := 0; n < size; n += len(chunk) {
			if _, err := rw.Write(chunk); err != nil {
				return
			}
		}
	}
	w.handle("/zeros", func(rw http.ResponseWriter, r *http.Request) {
		rw.Header().Set("Content-Type", "text/html")
		zeros(rw)
	})
	w.handle("/announced", func(rw http.ResponseWriter, r *http.Request) {
		rw.Header().Set("Content-Type", "text/html")
		rw.Header().Set("Content-Length", fmt.Sprint(size))
		zeros(rw)
	})
	w.handle("/bomb", func(rw http.ResponseWriter, r *http.Request) {
		rw.Header().Set("Content-Type", "text/html")
		rw.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(rw)
		defer z.Close()
		zeros(z)
	})
	w.handle("/bomb.xml.gz", func(rw http.ResponseWriter, r *http.Request) {
		z := gzip.NewWriter(rw)
		defer z.Close()
		io.WriteString(z, "<urlset><url><loc>"+w.url+"/last</loc></url><!--")
		zeros(z)
	})
	w.page("/last", "Last")
	w.sitemap("/sitemap.xml", "/zeros", "/announced", "/bomb", "/last")
	var sum intake.Summary
	used := allocated(func() { sum = w.must("/sitemap.xml") })
	tally(t, sum, 1, 0, 0, 0, 3)
	if r := sum.Failed.Of("too_large"); r.Count != 3 || !strings.Contains(fmt.Sprint(r.Samples), "limit") {
		t.Errorf("failed: %+v", sum.Failed)
	}
	if sum.Bytes > 20<<20 {
		t.Errorf("%d bytes were read", sum.Bytes)
	}
	// This includes the server's own buffers.
	if used > 160<<20 {
		t.Errorf("%d MiB were allocated", used>>20)
	}
	var err error
	used = allocated(func() { sum, err = w.run("/bomb.xml.gz") })
	if tally(t, sum, 0, 0, 1, 0, 1); !errors.Is(err, intake.ErrSource) {
		t.Errorf("error %v", err)
	}
	reason(t, sum.Failed, "sitemap_too_long", "/bomb.xml.gz", "a part of it has more than 1048576 bytes")
	if used > 64<<20 {
		t.Errorf("%d MiB were allocated for a sitemap", used>>20)
	}
}

func TestRedirects(t *testing.T) {
	w := newWorld(t)
	to := func(path, target string) {
		w.handle(path, func(rw http.ResponseWriter, r *http.Request) { http.Redirect(rw, r, target, http.StatusFound) })
	}
	to("/loop1", "/loop2")
	to("/loop2", "/loop1")
	to("/self", "/self")
	for n := range 9 {
		to(fmt.Sprintf("/far%d", n), fmt.Sprintf("/far%d", n+1))
	}
	to("/mail", "mailto:clerk@harbor.example")
	to("/old", "/new")
	w.handle("/nowhere", func(rw http.ResponseWriter, r *http.Request) { rw.WriteHeader(http.StatusFound) })
	w.page("/new", "New")
	w.sitemap("/sitemap.xml", "/loop1", "/far0", "/mail", "/nowhere", "/old")
	sum := w.must("/sitemap.xml")
	tally(t, sum, 1, 0, 0, 0, 4)
	reason(t, sum.Failed, "redirect_loop", "/loop1", "through 2 addresses")
	reason(t, sum.Failed, "too_many_redirects", "/far0", "more than 5", "/far6")
	if r := sum.Failed.Of("bad_redirect"); r.Count != 2 {
		t.Errorf("failed: %+v", sum.Failed)
	}
	w.find("/new")
}

// TestRedirectToPrivateAddress allows the importer exactly one listener. A
// redirect from it to another one on the same machine must be refused.
func TestRedirectToPrivateAddress(t *testing.T) {
	w := newWorld(t)
	secret := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		t.Errorf("the private server was asked for %s", r.URL)
	}))
	defer secret.Close()
	public := "http://www.harbor.example"
	for path, target := range map[string]string{
		"/to-literal": secret.URL + "/admin", "/to-name": strings.Replace(secret.URL, "127.0.0.1", "localhost", 1) + "/admin",
		"/to-metadata": "http://169.254.169.254/latest/", "/to-mapped": "http://[::ffff:127.0.0.1]:1/", "/to-decimal": "http://0x7f000001/",
	} {
		w.handle(path, func(rw http.ResponseWriter, r *http.Request) { http.Redirect(rw, r, target, http.StatusFound) })
	}
	w.page("/fine", "Fine")
	w.serve("/sitemap.xml", "text/xml", urlset(public, "/to-literal", "/to-name", "/to-metadata", "/to-mapped", "/fine", secret.URL+"/direct"))
	open := func(o *intake.Options) {
		o.AllowPrivate, o.Contact = false, "https://colophon.example/bot"
		o.ConnectTo = map[string]string{"www.harbor.example:80": strings.TrimPrefix(w.url, "http://")}
	}
	sum := w.must(public+"/sitemap.xml", open)
	tally(t, sum, 1, 0, 0, 1, 4)
	if r := sum.Failed.Of("private_address"); r.Count != 4 || !strings.Contains(fmt.Sprint(r.Samples), "loopback address, which is not public") {
		t.Errorf("failed: %+v", sum.Failed)
	}
	reason(t, sum.Skipped, "foreign_host", "/direct")
	if p := w.find("http://www.harbor.example/fine"); p.Title != "Fine" {
		t.Errorf("%+v", p)
	}
	_, err := w.run(secret.URL+"/sitemap.xml", open)
	if !errors.Is(err, intake.ErrSource) || !strings.Contains(err.Error(), "private_address") {
		t.Errorf("a private source: %v", err)
	}
}

func TestPagesThatDoNotComeIn(t *testing.T) {
	w := newWorld(t)
	w.serve("/utf8", "text/html; charset=utf-8", strings.Replace(article("Bytes", ""), "timber", "tim\xff\xfeber", 1))
	w.serve("/noise", "text/html; charset=utf-8", strings.Replace(article("Noise", ""), "Imprint", "Impr\xffint", 1))
	w.serve("/blank", "text/html", "<html><head><title>Blank</title></head><body><script>x()</script><div> &nbsp; </div></body></html>")
	w.serve("/image", "image/png", "\x89PNG")
	w.serve("/partial", "text/html", article("P", ""), "Content-Encoding", "br")
	w.handle("/cut", func(rw http.ResponseWriter, r *http.Request) {
		rw.Header().Set("Content-Type", "text/html")
		rw.Header().Set("Content-Length", "100000")
		io.WriteString(rw, article("Cut", ""))
	})
	w.serve("/deep", "text/html", strings.Repeat("<div>", 2000)+"text")
	w.sitemap("/sitemap.xml", "/utf8", "/noise", "/blank", "/image", "/partial", "/cut", "/deep", "/utf8", "mailto://x", "http://other.example/")
	sum := w.must("/sitemap.xml")
	reason(t, sum.Review, "suspected_mojibake", "/utf8", "could not be decoded")
	reason(t, sum.Skipped, "no_text", "/blank")
	reason(t, sum.Skipped, "not_a_page", "/image", "image/png")
	reason(t, sum.Failed, "content_encoding", "/partial", `"br"`)
	reason(t, sum.Failed, "unreachable", "/cut", "EOF")
	reason(t, sum.Failed, "bad_html", "/deep", "512")
	reason(t, sum.Skipped, "listed_twice", "/utf8")
	reason(t, sum.Failed, "bad_url", "mailto")
	if sum.New != 2 || len(w.all()) != 2 {
		t.Errorf("%+v", sum)
	}
	w.find("/noise")
}

func TestTwoPagesOneCanonical(t *testing.T) {
	w := newWorld(t)
	link := `<link rel="canonical" href="https://www.harbor.example/story">`
	w.page("/story", "Story")
	w.serve("/second", "text/html", article("Story", link))
	answered := make(chan bool)
	second := w.pages["/second"]
	w.handle("/second", func(rw http.ResponseWriter, r *http.Request) { second(rw, r); close(answered) })
	w.handle("/first", func(rw http.ResponseWriter, r *http.Request) {
		<-answered // so that the second is read before the first
		rw.Header().Set("Content-Type", "text/html")
		io.WriteString(rw, article("Story", link))
	})
	w.sitemap("/sitemap.xml", "/first", "/second")
	sum := w.must("/sitemap.xml")
	tally(t, sum, 1, 0, 0, 1, 0)
	reason(t, sum.Skipped, "canonical_taken", "/second", w.url+"/first", "https://www.harbor.example/story")
}

// TestCopyDoesNotReplaceOriginal imports a page by its own address, and later
// one that names the first as canonical.
func TestCopyDoesNotReplaceOriginal(t *testing.T) {
	w := newWorld(t)
	public := func(o *intake.Options) {
		o.Contact = "clerk@colophon.example"
		o.ConnectTo = map[string]string{"www.harbor.example:80": strings.TrimPrefix(w.url, "http://")}
	}
	w.page("/story", "Original")
	w.serve("/copy", "text/html", article("Original", `<link rel="canonical" href="/story">`))
	tally(t, w.must("http://www.harbor.example/story", public), 1, 0, 0, 0, 0)
	sum := w.must("http://www.harbor.example/copy", public)
	tally(t, sum, 0, 0, 0, 1, 0)
	reason(t, sum.Skipped, "canonical_taken", "/copy", "at that address")
	if p := w.find("http://www.harbor.example/story"); p.Title != "Original" {
		t.Errorf("the page is %q", p.Title)
	}
}
