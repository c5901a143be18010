package intake_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"colophon/internal/assert"
	"colophon/internal/canonicaltext"
	"colophon/internal/intake"
	"colophon/internal/iscc"
	"colophon/internal/origin"
	"colophon/internal/urlkey"
)

func TestSitemapBecomesPages(t *testing.T) {
	w := newWorld(t)
	w.serve("/news/quays", "text/html", article("Quays of the <i>east</i>", `
		<meta name="author" content="By Ada Tern and Bo Gull"><meta name="keywords" content="Harbour, Trade; harbour">
		<meta property="article:published_time" content="2026-03-04T05:06:07+02:00"><meta property="article:section" content="Shipping"></head><aside>By Ada Tern and Bo Gull</aside>`))
	w.page("/plain", "Plain page")
	w.sitemap("/sitemap.xml", "/news/quays", "/plain", "/missing")
	at := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	sum := w.must("/sitemap.xml", func(o *intake.Options) { o.Now = func() time.Time { return at } })
	tally(t, sum, 2, 0, 0, 0, 1)
	reason(t, sum.Failed, "http_404", "/missing")

	text := w.body("/news/quays").Text
	canonical, err := canonicaltext.CanonicalText(text)
	must(t, err)
	digest := canonicaltext.PortableDigest([]byte(canonical))
	id := entry("/news/quays")
	want := origin.Page{
		EntryID: id, SiteID: siteID, CanonicalURL: home + "/news/quays", Title: "Quays of the east", Byline: []string{"Ada Tern", "Bo Gull"},
		Section: "Shipping", Terms: []string{"harbour", "trade", "quays", "east"}, Language: "en", ContentFormat: "html",
		WordCount: w.find("/news/quays").WordCount, PublishedAt: "2026-03-04T03:06:07Z", RegisteredAt: "2026-11-20T10:00:00Z", ChangedAt: "2026-11-20T10:00:00Z",
		State: "active", Portable: digest, Registry: urlkey.RegistryDigest(siteID, id, home+"/news/quays", digest), Extraction: "service.main-text.v4",
		ISCC: iscc.Sum(canonical).String(),
	}
	if got := w.find("/news/quays"); !reflect.DeepEqual(got, want) {
		t.Errorf("page\n%+v, want\n%+v", got, want)
	}
	if n := want.WordCount; n < 90 || n > 110 {
		t.Errorf("%d words", n)
	}
	for _, part := range []string{"eastern quay before winter", "customs house"} {
		assert.Contains(t, "the text lacks", text, part)
	}
	assert.Lacks(t, "the text", text, "Imprint", "About")
	if b := w.body("/news/quays"); !strings.Contains(b.Markdown, "[customs house]("+home+"/customs)") || !strings.Contains(b.HTML, `<a href="`+home+`/customs">customs house</a>`) {
		t.Errorf("links of a private copy do not lead to the site:\n%s\n%s", b.Markdown, b.HTML)
	}
	if p := w.find("/plain"); p.Section != "" || p.PublishedAt != "" {
		t.Errorf("facts that nobody stated: %+v", p)
	}
}

// TestSources reads the same two pages from every kind of source.
func TestSources(t *testing.T) {
	const a, b = "/a/one", "/a/two"
	zipped := func(s string) string {
		var buf bytes.Buffer
		z := gzip.NewWriter(&buf)
		z.Write([]byte(s))
		z.Close()
		return buf.String()
	}
	index := func(base string, paths ...string) string {
		return strings.NewReplacer("urlset", "sitemapindex", "<url>", "<sitemap>", "</url>", "</sitemap>").Replace(urlset(base, paths...))
	}
	file := func(t *testing.T, name, body string) string {
		path := filepath.Join(t.TempDir(), name)
		must(t, os.WriteFile(path, []byte(body), 0o600))
		return path
	}
	rss := `<?xml version="1.0"?><rss version="2.0"><channel><title>t</title><link>%[1]s/</link><language>en-gb</language>
		<item><title>One</title><link>%[1]s/a/one</link><pubDate>Mon, 02 Feb 2026 10:00:00 GMT</pubDate></item><item><title>Two</title><link>/a/two</link></item></channel></rss>`
	atom := `<feed xmlns="http://www.w3.org/2005/Atom"><title>t</title><id>x</id><updated>2026-01-01T00:00:00Z</updated>
		<entry><title>One</title><id>1</id><link href="%[1]s/a/one"/></entry><entry><title>Two</title><id>2</id><link href="%[1]s/a/two"/></entry></feed>`
	json := `{"version":"https://jsonfeed.org/version/1.1","title":"t","items":[{"id":"1","url":"%[1]s/a/one"},{"id":"2","url":"%[1]s/a/two"}]}`
	for _, c := range []struct {
		name   string
		source func(t *testing.T, w *world) string
	}{
		{"sitemap", func(t *testing.T, w *world) string { w.sitemap("/s.xml", a, b); return "/s.xml" }},
		{"sitemap.gz", func(t *testing.T, w *world) string {
			w.serve("/s.xml.gz", "application/gzip", zipped(urlset(w.url, a, b)))
			return "/s.xml.gz"
		}},
		{"sitemap in Latin-1", func(t *testing.T, w *world) string {
			w.serve("/s.xml", "text/xml", strings.Replace(urlset(w.url, a, b), `encoding="UTF-8"`, `encoding="ISO-8859-1"`, 1)+"<!-- caf\xe9 -->")
			return "/s.xml"
		}},
		{"index", func(t *testing.T, w *world) string {
			w.sitemap("/s1.xml", a)
			w.serve("/s2.xml.gz", "application/x-gzip", zipped(urlset(w.url, b)))
			w.serve("/index.xml", "text/xml", index(w.url, "/s1.xml", "/s2.xml.gz"))
			return "/index.xml"
		}},
		{"list of addresses", func(t *testing.T, w *world) string {
			w.serve("/s.txt", "text/plain", w.url+a+"\n\n"+w.url+b)
			return "/s.txt"
		}},
		{"RSS", func(t *testing.T, w *world) string {
			w.serve("/feed", "application/rss+xml", fmt.Sprintf(rss, w.url))
			return "/feed"
		}},
		{"Atom", func(t *testing.T, w *world) string {
			w.serve("/feed", "text/xml", fmt.Sprintf(atom, w.url))
			return "/feed"
		}},
		{"JSON Feed", func(t *testing.T, w *world) string {
			w.serve("/feed.json", "application/json", fmt.Sprintf(json, w.url))
			return "/feed.json"
		}},
		{"file sitemap", func(t *testing.T, w *world) string { return file(t, "s.xml", urlset(w.url, a, b)) }},
		{"file gzip index", func(t *testing.T, w *world) string {
			w.sitemap("/s.xml", a, b)
			return file(t, "index.gz", zipped(index(w.url, "/s.xml")))
		}},
		{"file feed", func(t *testing.T, w *world) string { return file(t, "f.xml", fmt.Sprintf(rss, w.url)) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.page(a, "Page One")
			w.page(b, "Page Two")
			tally(t, w.must(c.source(t, w)), 2, 0, 0, 0, 0)
			if one, two := w.find(a).Title, w.find(b).Title; one != "Page One" || two != "Page Two" {
				t.Errorf("titles %q and %q", one, two)
			}
			if c.name == "RSS" {
				if p := w.find(a); p.PublishedAt != "2026-02-02T10:00:00Z" || p.Language != "en" {
					t.Errorf("the feed's date and the page's language: %+v", p)
				}
			}
		})
	}
}

func TestSinglePage(t *testing.T) {
	w := newWorld(t)
	w.page("/only.html", "Only page", "Etag", `"v1"`)
	tally(t, w.must("/only.html"), 1, 0, 0, 0, 0)
	if n := w.count("/only.html"); n != 1 {
		t.Errorf("fetched %d times for one import", n)
	}
	w.find("/only.html")
	w.handle("/only.html", func(rw http.ResponseWriter, r *http.Request) {
		assert.Equal(t, r.Header.Get("If-None-Match"), `"v1"`, "no condition on a page that is known")
		rw.WriteHeader(http.StatusNotModified)
	})
	if sum := w.must("/only.html"); sum.NotModified != 1 || sum.Unchanged != 1 {
		t.Errorf("%+v", sum)
	}
}

func TestUsageErrors(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct {
		name, source, part string
		change             func(*intake.Options)
	}{
		{"no source", "", "no source", nil},
		{"bad site id", "x", "not a publisher identifier", func(o *intake.Options) { o.SiteID = "Harbor!" }},
		{"unknown site", w.url + "/s.xml", "colophon publisher add", func(o *intake.Options) { o.SiteID = "nobody" }},
		{"no contact", w.url + "/s.xml", "no contact", func(o *intake.Options) { o.AllowPrivate = false }},
		{"contact breaks the header", w.url + "/s.xml", "User-Agent", func(o *intake.Options) { o.Contact = "a\r\nX: y" }},
		{"no stdin", "-", "standard input", nil},
		{"scheme", "ftp://www.harbor.example/", "neither http", nil},
		{"no such file", "nowhere/s.xml", "no such file", nil},
		{"user name", "http://me:pw@www.harbor.example/", "user name", nil},
		{"negative limit", w.url + "/s.xml", "below zero", func(o *intake.Options) { o.PerHost = -1 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			change := c.change
			if change == nil {
				change = func(*intake.Options) {}
			}
			_, err := w.run("", func(o *intake.Options) { o.Source = c.source; change(o) })
			if !errors.Is(err, intake.ErrUsage) || !strings.Contains(err.Error(), c.part) {
				t.Errorf("error %v, want one about %q", err, c.part)
			}
		})
	}
}

func TestMaxPages(t *testing.T) {
	w := newWorld(t)
	w.page("/a", "A")
	w.page("/b", "B")
	w.sitemap("/sitemap.xml", "/a", "/b", "/c")
	two := func(o *intake.Options) { o.MaxPages = 2 }
	sum := w.must("/sitemap.xml", two)
	if tally(t, sum, 2, 0, 0, 0, 0); !sum.Full || w.count("/c") != 0 {
		t.Errorf("full %v, %d requests beyond the limit", sum.Full, w.count("/c"))
	}
	w.sitemap("/sitemap.xml", "/a", "/b")
	if w.must("/sitemap.xml", two).Full {
		t.Error("full at exactly the limit")
	}
}

func TestProgress(t *testing.T) {
	w := newWorld(t)
	w.page("/a", "A")
	w.sitemap("/sitemap.xml", "/a", "/gone")
	var events []intake.Event
	w.must("/sitemap.xml", func(o *intake.Options) { o.Progress = func(e intake.Event) { events = append(events, e) } })
	if len(events) != 2 || events[0].Settled != 1 || events[1].Settled != 2 || events[1].Total != 2 || events[1].Bytes == 0 {
		t.Errorf("%+v", events)
	}
}
