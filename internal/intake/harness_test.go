package intake_test

import (
	"context"
	"database/sql"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	_ "modernc.org/sqlite"

	"colophon/internal/assert"
	"colophon/internal/intake"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/originsql/schematest"
	"colophon/internal/urlkey"
)

var must = assert.NoError

const siteID = "harbor-ledger"

// home is the public address of the site; a server on loopback acts as its
// private copy.
const home = "https://www.harbor.example"

func openStore(t testing.TB, path string) *originsql.Store {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=foreign_keys(1)&_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)")
	must(t, err)
	t.Cleanup(func() { db.Close() })
	ctx := context.Background()
	must(t, schematest.Write(path))
	s := originsql.New(db)
	for _, err := range []error{
		s.PutPublisher(ctx, origin.Publisher{PublisherID: "pub_" + siteID, LegalName: "Harbor Ledger", CreatedAt: "2026-01-01T00:00:00Z"}),
		s.PutSite(ctx, origin.Site{
			SiteID: siteID, PublisherID: "pub_" + siteID, Name: "Harbor Ledger", SiteURL: home + "/", State: origin.Approved, Visibility: "public",
			CreatedAt: "2026-01-01T00:00:00Z", ChangedAt: "2026-01-01T00:00:00Z",
		}),
		s.PutWebsite(ctx, origin.Website{SiteID: siteID, Host: "harbor.example", ChangedAt: "2026-01-01T00:00:00Z"}),
	} {
		must(t, err)
	}
	return s
}

// world is a web site on loopback and a store to import it into.
type world struct {
	testing.TB
	store *originsql.Store
	url   string
	opt   intake.Options

	mu    sync.Mutex
	pages map[string]http.HandlerFunc
	hits  map[string]int
	seen  []*http.Request
}

func newWorld(t testing.TB) *world {
	w := &world{TB: t, pages: map[string]http.HandlerFunc{}, hits: map[string]int{}}
	w.store = openStore(t, filepath.Join(t.TempDir(), "origin.db"))
	server := httptest.NewServer(w)
	t.Cleanup(server.Close)
	w.url = server.URL
	w.opt = intake.Options{SiteID: siteID, AllowPrivate: true, Retries: -1, Timeout: 10 * time.Second}
	return w
}

func (w *world) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	page := w.pages[r.URL.Path]
	w.hits[r.URL.Path]++
	w.seen = append(w.seen, r)
	w.mu.Unlock()
	if page == nil {
		http.NotFound(rw, r)
		return
	}
	page(rw, r)
}

func (w *world) handle(path string, h http.HandlerFunc) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.pages[path] = h
}

// serve answers a path with a body and its media type.
func (w *world) serve(path, media, body string, header ...string) {
	w.handle(path, func(rw http.ResponseWriter, r *http.Request) {
		rw.Header().Set("Content-Type", media)
		for i := 0; i+1 < len(header); i += 2 {
			rw.Header().Add(header[i], header[i+1])
		}
		fmt.Fprint(rw, body)
	})
}

func (w *world) page(path, title string, header ...string) {
	w.serve(path, "text/html; charset=utf-8", article(title, ""), header...)
}

// sitemap serves a sitemap of the paths; a path with a scheme is an address.
func (w *world) sitemap(path string, paths ...string) {
	w.serve(path, "application/xml", urlset(w.url, paths...))
}

func urlset(base string, paths ...string) string {
	var b strings.Builder
	b.WriteString(`<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`)
	for _, p := range paths {
		if !strings.Contains(p, "://") {
			p = base + p
		}
		b.WriteString("<url><loc>" + p + "</loc><lastmod>2026-05-05</lastmod></url>")
	}
	return b.String() + "</urlset>"
}

// article returns a page with enough text for a fingerprint.
func article(title, head string) string {
	return `<!doctype html><html lang="en"><head><title>` + title + `</title>` + head + `</head><body><nav><a href="/">Home</a> <a href="/about">About</a></nav>
<article><h1>` + title + `</h1><p>The harbour office published its figures for ` + title + ` this morning, and the ledger of arrivals grew by a tenth against the year before, with timber and grain ahead of all else.</p>
<p>Pilots, tug crews and the <a href="/customs">customs house</a> each keep a book of their own; the three are compared at the end of every quarter, and what differs is settled by the clerk of the port.</p>
<p>A new crane is to be set up at the eastern quay before winter, the council said, so that ships of deeper draught need no longer wait for the tide, whatever the weather brings.</p></article>
<footer>Imprint, terms and so on</footer></body></html>`
}

func (w *world) run(source string, change ...func(*intake.Options)) (intake.Summary, error) {
	w.Helper()
	opt := w.opt
	opt.Source = source
	if _, err := os.Stat(source); err != nil && strings.HasPrefix(source, "/") {
		opt.Source = w.url + source
	}
	for _, c := range change {
		c(&opt)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	return intake.Import(ctx, w.store, opt)
}

func (w *world) must(source string, change ...func(*intake.Options)) intake.Summary {
	w.Helper()
	sum, err := w.run(source, change...)
	if err != nil {
		w.Fatalf("import of %s: %v\n%+v", source, err, sum)
	}
	return sum
}

// find returns the page registered at a path of the site's home.
func (w *world) find(path string) origin.Page {
	w.Helper()
	p, err := w.store.Page(context.Background(), entry(path))
	if err != nil {
		w.Fatalf("page %s: %v", path, err)
	}
	return p
}

func (w *world) body(path string) origin.Body {
	w.Helper()
	b, err := schematest.RawBody(context.Background(), w.store.DB(), entry(path))
	if err != nil {
		w.Fatalf("body %s: %v", path, err)
	}
	return b
}

func entry(path string) string {
	if !strings.Contains(path, "://") {
		path = home + path
	}
	return urlkey.EntryID(siteID, path)
}

// all lists the registered pages.
func (w *world) all() []origin.Page {
	w.Helper()
	pages, err := w.store.PagesOf(context.Background(), siteID, "", 100_000)
	if err != nil {
		w.Fatal(err)
	}
	return pages
}

// fetches lists what is remembered of addresses.
func (w *world) fetches() (list []origin.Fetch) {
	w.Helper()
	for f, err := range intake.Fetches(context.Background(), w.store, siteID) {
		if err != nil {
			w.Fatal(err)
		}
		list = append(list, *f)
	}
	return list
}

func (w *world) count(path string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.hits[path]
}

// tally compares the counts of a summary: new, changed, unchanged, skipped,
// failed.
func tally(t testing.TB, sum intake.Summary, want ...int) {
	t.Helper()
	got := []int{sum.New, sum.Changed, sum.Unchanged, sum.Skipped.Count(), sum.Failed.Count()}
	for i := range got {
		if got[i] != want[i] {
			t.Fatalf("new, changed, unchanged, skipped, failed = %v, want %v\nskipped %+v\nfailed %+v", got, want, sum.Skipped, sum.Failed)
		}
	}
}

// reason checks that a reason occurred once, with words that contain all parts.
func reason(t testing.TB, list intake.Tally, code string, parts ...string) {
	t.Helper()
	r := list.Of(code)
	if r.Count != 1 {
		t.Fatalf("%d times %s, want 1: %+v", r.Count, code, list)
	}
	for _, part := range parts {
		if all := r.Samples[0].Where + " " + r.Samples[0].Detail; !strings.Contains(all, part) {
			t.Errorf("%s says %q, which lacks %q", code, all, part)
		}
	}
}
