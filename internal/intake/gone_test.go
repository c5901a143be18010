package intake_test

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"colophon/internal/assert"
	"colophon/internal/intake"
)

// on sets an import's clock to noon of a day in November.
func on(day int) func(*intake.Options) {
	return func(o *intake.Options) {
		o.Now = func() time.Time { return time.Date(2026, time.November, day, 12, 0, 0, 0, time.UTC) }
	}
}

func goneWorld(t *testing.T) *world {
	w := newWorld(t)
	for _, path := range []string{"/a", "/b", "/c"} {
		w.page(path, "Page "+path, "Cache-Control", "no-cache")
	}
	w.handle("/a", canonical("/a"))
	w.handle("/b", canonical("/b"))
	w.handle("/c", canonical("/c"))
	w.sitemap("/sitemap.xml", "/a", "/b", "/c")
	tally(t, w.must("/sitemap.xml", on(1)), 3, 0, 0, 0, 0)
	return w
}

// canonical serves a page that names its public address.
func canonical(path string) http.HandlerFunc {
	return func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Type", "text/html; charset=utf-8")
		rw.Write([]byte(article("Page "+path, `<link rel="canonical" href="`+home+path+`">`))) //nolint:errcheck // a client that left
	}
}

func states(w *world) string {
	out := ""
	for _, path := range []string{"/a", "/b", "/c"} {
		out += w.find(path).State[:1]
	}
	return out
}

// TestGonePageIsWithdrawnAfterGrace checks that a page which is gone for 14
// days is withdrawn, and not a day earlier; one that returns is restored and
// keeps the instant of its registration.
func TestGonePageIsWithdrawnAfterGrace(t *testing.T) {
	for _, status := range []int{http.StatusNotFound, http.StatusGone} {
		w := goneWorld(t)
		registered := w.find("/b").RegisteredAt
		gone := func(rw http.ResponseWriter, _ *http.Request) { rw.WriteHeader(status) }
		w.handle("/b", gone)
		for _, c := range []struct {
			day       int
			withdrawn int
			states    string
		}{{2, 0, "aaa"}, {15, 0, "aaa"}, {16, 1, "awa"}, {17, 0, "awa"}} {
			sum := w.must("/sitemap.xml", on(c.day))
			if sum.Missing.Count() != 1 || sum.Withdrawn != c.withdrawn || states(w) != c.states {
				t.Errorf("status %d, day %d: missing %+v, withdrawn %d, states %s", status, c.day, sum.Missing, sum.Withdrawn, states(w))
			}
		}
		// A server failure in between changes nothing about that.
		w.handle("/b", func(rw http.ResponseWriter, _ *http.Request) { rw.WriteHeader(http.StatusInternalServerError) })
		if sum := w.must("/sitemap.xml", on(18)); sum.Missing.Count() != 0 || states(w) != "awa" {
			t.Errorf("a failing server: %+v, %s", sum.Missing, states(w))
		}
		w.handle("/b", canonical("/b"))
		sum := w.must("/sitemap.xml", on(19))
		if page := w.find("/b"); sum.Restored != 1 || states(w) != "aaa" || page.RegisteredAt != registered || page.ChangedAt != "2026-11-19T12:00:00Z" {
			t.Errorf("back: restored %d, %+v", sum.Restored, page)
		}
		w.handle("/b", gone)
		w.must("/sitemap.xml", on(20))
		if sum := w.must("/sitemap.xml", on(21)); sum.Withdrawn != 0 {
			t.Error("gone a second time, it has no grace")
		}
	}
}

// TestUnlistedPageIsGone checks that a page which its sitemap no longer lists
// is gone, that a page of another sitemap is not, and that no page is if the
// list is incomplete.
func TestUnlistedPageIsGone(t *testing.T) {
	w := goneWorld(t)
	w.handle("/d", canonical("/d"))
	w.sitemap("/other.xml", "/d")
	w.must("/other.xml", on(1))
	w.must("/other.xml", on(2))
	w.sitemap("/sitemap.xml", "/a", "/c")
	if sum := w.must("/sitemap.xml", on(3), func(o *intake.Options) { o.MaxPages = 1 }); sum.Missing.Count() != 0 {
		t.Errorf("a list that was cut: %+v", sum.Missing)
	}
	w.sitemap("/sitemap.xml", "/a", "/b", "/c")
	w.must("/sitemap.xml", on(3))
	w.sitemap("/sitemap.xml", "/a", "/c")
	reason(t, w.must("/sitemap.xml", on(4)).Missing, "not_listed", "/b", "gone since 2026-11-04T12:00:00Z")
	w.must("/sitemap.xml", on(17))
	assert.Equal(t, states(w), "aaa", "within its grace")
	if sum := w.must("/sitemap.xml", on(18)); sum.Withdrawn != 1 || states(w) != "awa" || w.find("/d").State != "active" {
		t.Errorf("after its grace: %+v, %s, /d is %s", sum.Missing, states(w), w.find("/d").State)
	}
	w.sitemap("/sitemap.xml", "/a", "/b", "/c")
	if sum := w.must("/sitemap.xml", on(19)); sum.Restored != 1 || states(w) != "aaa" {
		t.Errorf("listed again: %d, %s", sum.Restored, states(w))
	}
}

// TestWithdrawnByOperatorStays checks that an entry withdrawn by an operator
// stays withdrawn, whatever happens to its page.
func TestWithdrawnByOperatorStays(t *testing.T) {
	w := goneWorld(t)
	must(t, assert.Err(w.store.SetPageState(t.Context(), entry("/b"), "withdrawn", "2026-11-02T00:00:00Z")))
	w.handle("/b", http.NotFound)
	w.must("/sitemap.xml", on(3))
	w.must("/sitemap.xml", on(20))
	w.handle("/b", canonical("/b"))
	if sum := w.must("/sitemap.xml", on(21)); sum.Restored != 0 || states(w) != "awa" {
		t.Errorf("restored %d, states %s", sum.Restored, states(w))
	}
}

// TestBrokenSitemapMissesNothing checks that no page counts as missing from a
// sitemap that cannot be read completely.
func TestBrokenSitemapMissesNothing(t *testing.T) {
	w := goneWorld(t)
	index := func(children ...string) {
		text := `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`
		for _, c := range children {
			text += "<sitemap><loc>" + w.url + c + "</loc></sitemap>"
		}
		w.serve("/index.xml", "application/xml", text+"</sitemapindex>")
	}
	w.sitemap("/part1.xml", "/a")
	w.sitemap("/part2.xml", "/b", "/c")
	index("/part1.xml", "/part2.xml")
	w.must("/index.xml", on(2))
	w.handle("/part2.xml", http.NotFound)
	if sum := w.must("/index.xml", on(3)); sum.Missing.Count() != 0 {
		t.Errorf("a part is away: %+v", sum.Missing)
	}
}

// TestGoneAfterFailure checks that a server failure before the page is gone
// does not hide that it is.
func TestGoneAfterFailure(t *testing.T) {
	w := goneWorld(t)
	w.handle("/b", func(rw http.ResponseWriter, _ *http.Request) { rw.WriteHeader(http.StatusBadGateway) })
	w.must("/sitemap.xml", on(2))
	w.handle("/b", http.NotFound)
	reason(t, w.must("/sitemap.xml", on(3)).Missing, "http_404", "/b", "gone since 2026-11-03T12:00:00Z")
}

// incompleteLooks are imports of a sitemap that do not read all of it.
var incompleteLooks = []struct {
	name   string
	answer http.HandlerFunc
	option func(*intake.Options)
}{
	{"503", status(http.StatusServiceUnavailable, ""), nil},
	{"404", status(http.StatusNotFound, ""), nil},
	{"500 with a body", status(http.StatusInternalServerError, urlset("https://www.harbor.example")), nil},
	{"HTML", status(http.StatusOK, "<!doctype html><title>Back soon</title><p>We are back soon."), nil},
	{"cut", status(http.StatusOK, `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://www.harbor.example/a</loc></url><url><lo`), nil},
	{"empty", status(http.StatusOK, urlset("https://www.harbor.example")), nil},
	{"no bytes", status(http.StatusOK, ""), nil},
	{"a part is away", status(http.StatusOK, `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>https://www.harbor.example/nowhere.xml</loc></sitemap></sitemapindex>`), nil},
	{"page limit", nil, func(o *intake.Options) { o.MaxPages = 1 }},
}

func status(code int, body string) http.HandlerFunc {
	return func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Type", map[bool]string{true: "text/html", false: "application/xml"}[strings.Contains(body, "<title>")])
		rw.WriteHeader(code)
		rw.Write([]byte(body)) //nolint:errcheck // a client that left
	}
}

// TestRemovalAfterAnIncompleteLook checks that an incomplete import neither
// removes a page nor hides that it is gone: the next complete import removes
// it.
func TestRemovalAfterAnIncompleteLook(t *testing.T) {
	for _, look := range incompleteLooks {
		t.Run(look.name, func(t *testing.T) {
			w := goneWorld(t)
			w.handle("/sitemap.xml", look.answer)
			if look.answer == nil {
				w.sitemap("/sitemap.xml", "/a", "/c")
			}
			option := look.option
			if option == nil {
				option = func(*intake.Options) {}
			}
			noGrace := func(o *intake.Options) { o.Grace = -1 }
			w.run("/sitemap.xml", on(2), noGrace, option) //nolint:errcheck // most fail, and none may remove anything
			if got := states(w); got != "aaa" {
				t.Fatalf("an incomplete look removes: %s", got)
			}
			w.sitemap("/sitemap.xml", "/a", "/c")
			if sum := w.must("/sitemap.xml", on(3), noGrace); sum.Withdrawn != 1 || states(w) != "awa" {
				t.Errorf("withdrawn %d, states %s", sum.Withdrawn, states(w))
			}
		})
	}
}

// TestGraceOverIncompleteLooks checks that the grace period continues during
// incomplete imports.
func TestGraceOverIncompleteLooks(t *testing.T) {
	w := goneWorld(t)
	w.sitemap("/sitemap.xml", "/a", "/c")
	w.must("/sitemap.xml", on(2))
	for day := 3; day < 16; day++ {
		w.handle("/sitemap.xml", incompleteLooks[day%5].answer)
		w.run("/sitemap.xml", on(day)) //nolint:errcheck // they fail
	}
	w.sitemap("/sitemap.xml", "/a", "/c")
	reason(t, w.must("/sitemap.xml", on(16)).Missing, "not_listed", "/b", "gone since 2026-11-02")
	assert.Equal(t, states(w), "awa", "after its grace")
}

// TestResumedRunRemoves checks that a resumed run removes pages too, since it
// lists its whole source.
func TestResumedRunRemoves(t *testing.T) {
	w := goneWorld(t)
	w.sitemap("/sitemap.xml", "/a", "/c")
	ctx, cancel := context.WithCancel(t.Context())
	opt := w.opt
	opt.Source, opt.Grace, opt.Progress = w.url+"/sitemap.xml", -1, func(intake.Event) { cancel() }
	on(2)(&opt)
	if _, err := intake.Import(ctx, w.store, opt); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
	sum := w.must("/sitemap.xml", on(2), func(o *intake.Options) { o.Grace = -1 })
	if sum.Resumed == 0 || sum.Withdrawn != 1 || states(w) != "awa" {
		t.Errorf("resumed %d, withdrawn %d, states %s", sum.Resumed, sum.Withdrawn, states(w))
	}
}

// TestAliasIsGone checks that an address which leads to another page's
// canonical address may disappear, and that the page stays registered when it
// answers at its own.
func TestAliasIsGone(t *testing.T) {
	w := newWorld(t)
	w.page("/story", "Story")
	w.serve("/alias", "text/html", article("Story", `<link rel="canonical" href="/story">`))
	w.sitemap("/sitemap.xml", "/alias")
	w.must("/sitemap.xml", on(1))
	w.handle("/alias", http.NotFound)
	w.sitemap("/sitemap.xml", "/alias", "/story")
	sum := w.must("/sitemap.xml", on(2), func(o *intake.Options) { o.Grace = -1 })
	if sum.Withdrawn != 1 || sum.Restored != 1 || w.find("/story").State != "active" {
		t.Errorf("withdrawn %d, restored %d, the page is %s", sum.Withdrawn, sum.Restored, w.find("/story").State)
	}
}

// TestPageOfFolderIsGone checks that a page whose file is gone from a folder is
// withdrawn after the grace period, and one that says that it is not public at
// once.
func TestPageOfFolderIsGone(t *testing.T) {
	const hugo = "[frontmatter]\n"
	page := func(head, text string) string { return "---\n" + head + "\n---\n" + prose(text) }
	files := map[string]string{"hugo.toml": hugo, "content/a.md": page("title: A", "a"), "content/b.md": page("title: B", "b")}
	for _, c := range []struct {
		name, file string // what happens to a.md; "" means that it is removed
		state      string // on the next day
		code       string
	}{
		{"removed", "", "active", "not_listed"},
		{"draft", page("draft: true", "a"), "withdrawn", "draft"},
		{"draft by status", page("status: private", "a"), "withdrawn", "draft"},
		{"expired", page("expiryDate: 2026-11-02T00:00:00Z", "a"), "withdrawn", "expired"},
		{"not yet", page("publishDate: 2027-01-01", "a"), "withdrawn", "not_yet"},
		{"not rendered", page("build: {render: never}", "a"), "withdrawn", "not_rendered"},
		{"unlisted", page("unlisted: true", "a"), "withdrawn", "unlisted"},
		{"noindex", page("robots: noindex, follow", "a"), "withdrawn", "noindex"},
		{"cannot be read", "---\ntitle: [\n---\n" + prose("a"), "active", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			dir := writeFiles(t, files)
			tally(t, w.must(dir, withBase, on(1)), 2, 0, 0, 0, 0)
			registered := w.find("/a/").RegisteredAt
			name := filepath.Join(dir, "content/a.md")
			must(t, os.WriteFile(name, []byte(c.file), 0o600))
			if c.file == "" {
				os.Remove(name) //nolint:errcheck // the next import reports it
			}
			sum := w.must(dir, withBase, on(2))
			if got := w.find("/a/").State; got != c.state || w.find("/b/").State != "active" {
				t.Fatalf("on the next day it is %s, want %s: %+v", got, c.state, sum)
			}
			if c.code != "" {
				reason(t, sum.Missing, c.code, "gone since 2026-11-02")
			}
			w.must(dir, withBase, on(20))
			if want := map[bool]string{true: "withdrawn", false: "active"}[c.code != ""]; w.find("/a/").State != want {
				t.Errorf("after the grace period it is %s, want %s", w.find("/a/").State, want)
			}
			must(t, os.WriteFile(name, []byte(files["content/a.md"]), 0o600))
			w.must(dir, withBase, on(21))
			if got := w.find("/a/"); got.State != "active" || got.RegisteredAt != registered {
				t.Errorf("when it is back it is %s, registered %s", got.State, got.RegisteredAt)
			}
		})
	}
}

// TestPageOfExportIsTakenBack checks that pages which an export takes back are
// withdrawn; a page that an export lacks is not, since the export may be a
// part.
func TestPageOfExportIsTakenBack(t *testing.T) {
	item := func(path, status, password string) string {
		return `<item><title>` + path + `</title><link>` + home + path + `</link><content:encoded><![CDATA[<p>` + prose(path) + `</p>]]></content:encoded>` +
			`<wp:status>` + status + `</wp:status><wp:post_type>post</wp:post_type><wp:post_password>` + password + `</wp:post_password></item>`
	}
	wordPress := func(items ...string) string {
		return `<?xml version="1.0"?><rss xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:wp="http://wordpress.org/export/1.2/"><channel>` + strings.Join(items, "") + `</channel></rss>`
	}
	w := newWorld(t)
	file := filepath.Join(t.TempDir(), "export.xml")
	put := func(text string) {
		must(t, os.WriteFile(file, []byte(text), 0o600))
	}
	put(wordPress(item("/a", "publish", ""), item("/b", "publish", ""), item("/c", "publish", "")))
	tally(t, w.must(file, on(1)), 3, 0, 0, 0, 0)
	put(wordPress(item("/a", "private", ""), item("/b", "publish", "secret")))
	if sum := w.must(file, on(2), func(o *intake.Options) { o.Grace = -1 }); sum.Withdrawn != 2 || states(w) != "wwa" {
		t.Errorf("withdrawn %d, states %s", sum.Withdrawn, states(w))
	}
}

// TestSuppliedPageOfAnEarlierVersion checks that a page supplied before sources
// were recorded is found by its address.
func TestSuppliedPageOfAnEarlierVersion(t *testing.T) {
	w := newWorld(t)
	dir := writeFiles(t, map[string]string{"hugo.toml": "", "content/a.md": "---\ntitle: A\n---\n" + prose("a")})
	w.must(dir, withBase, on(1))
	f, err := w.store.Fetch(t.Context(), home+"/a/")
	must(t, err)
	f.EntryID, f.Source = "", ""
	must(t, w.store.PutFetch(t.Context(), f))
	must(t, os.WriteFile(filepath.Join(dir, "content/a.md"), []byte("---\ndraft: true\n---\n"+prose("a")), 0o600))
	if w.must(dir, withBase, on(2)); w.find("/a/").State != "withdrawn" {
		t.Error("a draft stays registered")
	}
}

// TestServedPageIsNoDraft checks that a page which is served is public,
// whatever a folder that was never imported says about its address.
func TestServedPageIsNoDraft(t *testing.T) {
	w := newWorld(t)
	w.page("/a/", "A")
	w.sitemap("/sitemap.xml", "/a/")
	w.must("/sitemap.xml", on(1))
	dir := writeFiles(t, map[string]string{"hugo.toml": "", "content/a.md": "---\ndraft: true\n---\n" + prose("a")})
	if w.must(dir, withBase, on(2)); w.find("/a/").State != "active" {
		t.Error("a draft of another version withdraws the page")
	}
}

// TestPageOfAnEarlierVersionIsReadAgain checks that a page read by an earlier
// version is read completely once more, and has a source from then on.
func TestPageOfAnEarlierVersionIsReadAgain(t *testing.T) {
	w := newWorld(t)
	w.conditional("/a", "A", `"1"`)
	w.sitemap("/sitemap.xml", "/a")
	w.must("/sitemap.xml", on(1))
	f, err := w.store.Fetch(t.Context(), w.url+"/a")
	if err != nil || f.Source != w.url+"/sitemap.xml" {
		t.Fatalf("%+v, %v", f, err)
	}
	f.Source = ""
	must(t, w.store.PutFetch(t.Context(), f))
	if sum := w.must("/sitemap.xml", on(2)); sum.NotModified != 0 || sum.Unchanged != 1 {
		t.Errorf("it was not read whole: %+v", sum)
	}
	if sum := w.must("/sitemap.xml", on(3)); sum.NotModified != 1 {
		t.Errorf("afterwards: %+v", sum)
	}
}

// TestPageThatTheFileWithdraws checks that a page which the publisher's own file
// withdraws comes back with the file only, and not with an import.
func TestPageThatTheFileWithdraws(t *testing.T) {
	w := newWorld(t)
	w.page("/a", "A")
	w.sitemap("/sitemap.xml", "/a")
	w.must("/sitemap.xml")
	p := w.find("/a")
	if changed, err := intake.WithdrawForFile(t.Context(), w.store, &p, "2026-11-20T09:00:00Z"); err != nil || !changed {
		t.Fatalf("withdrawn %t, error %v", changed, err)
	}
	if sum := w.must("/sitemap.xml"); sum.Restored != 0 || w.find("/a").State != "withdrawn" {
		t.Errorf("an import restores it: %+v", sum)
	}
	listed := func(is bool) func(string) bool { return func(string) bool { return is } }
	if restored, err := intake.RestoreForFile(t.Context(), w.store, siteID, listed(true), "2026-11-21T09:00:00Z"); err != nil || len(restored) > 0 {
		t.Errorf("still listed: %q, error %v", restored, err)
	}
	restored, err := intake.RestoreForFile(t.Context(), w.store, siteID, listed(false), "2026-11-22T09:00:00Z")
	if err != nil || len(restored) != 1 || w.find("/a").State != "active" {
		t.Errorf("restored %q, error %v", restored, err)
	}
}
