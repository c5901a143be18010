package intake_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"colophon/internal/assert"
	"colophon/internal/intake"
)

// storyPaths returns the pages of a site whose template states one canonical
// address.
func storyPaths(n int) (paths []string) {
	for i := range n {
		paths = append(paths, fmt.Sprintf("/story-%c", 'a'+i))
	}
	return paths
}

// TestCanonicalIsConfirmed checks that a canonical address is accepted if a
// page with the same text answers there, and that otherwise a page is
// registered at its own address.
func TestCanonicalIsConfirmed(t *testing.T) {
	moved := func(to string) http.HandlerFunc {
		return func(rw http.ResponseWriter, r *http.Request) { http.Redirect(rw, r, to, http.StatusMovedPermanently) }
	}
	for _, c := range []struct {
		name, link string
		target     http.HandlerFunc // at /target
		want       string           // path at which the page must be registered
		why        string
	}{
		{"the same text", "/target", nil, "/target", ""},
		{"the same text on another host of the site", "https://harbor.example/target", nil, "/story-a", ""},
		{"another text", "/other", nil, "/story-a", "a different text"},
		{"home page", "/", nil, "/story-a", "a different text"},
		{"nothing there", "/404", nil, "/story-a", "http_404"},
		{"gone", "/target", status(http.StatusGone, ""), "/story-a", "http_410"},
		{"failing", "/target", status(http.StatusInternalServerError, ""), "/story-a", "http_500"},
		{"a word of a script", "undefined", nil, "/story-a", "http_404"},
		{"a template", "{{ page.url }}", nil, "/story-a", "http_404"},
		{"no text", "/target", status(http.StatusOK, "<!doctype html><title>x</title>"), "/story-a", "no_text"},
		{"a redirect to the page", "/target", moved("/story-a"), "/story-a", "redirects to"},
		{"a redirect elsewhere", "/target", moved("/other"), "/story-a", "redirects to"},
		{"kept from robots", "/private/x", nil, "/story-a", "robots_disallowed"},
		{"not http", "mailto:desk@harbor.example", nil, "/story-a", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.serve("/robots.txt", "text/plain", "User-agent: *\nDisallow: /private/\n")
			w.page("/", "Home")
			w.page("/other", "Other")
			w.page("/target", "Story")
			if c.target != nil {
				w.handle("/target", c.target)
			}
			w.serve("/story-a", "text/html", article("Story", `<link rel="canonical" href="`+c.link+`">`))
			w.sitemap("/sitemap.xml", "/story-a")
			sum := w.must("/sitemap.xml")
			if strings.HasPrefix(c.link, "https://harbor.example") {
				c.why = "no such host" // nothing answers for it here
			}
			if w.find(c.want); len(w.all()) != 1 {
				t.Errorf("%d pages", len(w.all()))
			}
			ignored := sum.Ignored.Of("canonical_not_confirmed")
			assert.Equal(t, (ignored.Count > 0), (c.want != "/target" && c.why != ""), "ignored: %+v", sum.Ignored)
			if ignored.Count > 0 && !strings.Contains(ignored.Samples[0].Detail, c.why) && c.why != "no such host" {
				t.Errorf("why: %s, want %s", ignored.Samples[0].Detail, c.why)
			}
		})
	}
}

// TestManyPagesStateOneCanonical checks that pages which all state the same
// canonical address are registered at their own, and that the site's mistake is
// reported once.
func TestManyPagesStateOneCanonical(t *testing.T) {
	for _, link := range []string{home + "/", "/", "/news/", "undefined", "/nowhere"} {
		w := newWorld(t)
		w.page("/", "Home")
		w.page("/news/", "News")
		paths := storyPaths(8)
		for _, path := range paths {
			w.serve(path, "text/html", article("Story "+path, `<link rel="canonical" href="`+link+`">`))
		}
		w.sitemap("/sitemap.xml", paths...)
		sum := w.must("/sitemap.xml")
		if tally(t, sum, 8, 0, 0, 0, 0); sum.Ignored.Of("canonical_not_confirmed").Count != 8 || sum.Ignored.Of("canonical_shared").Count != 1 {
			t.Errorf("%s: %+v", link, sum.Ignored)
		}
		for _, path := range paths {
			if p := w.find(path); p.Title != "Story "+path {
				t.Errorf("%s: %q", path, p.Title)
			}
		}
		if w.count("/news/") > 1 {
			t.Errorf("%s: the named page was fetched %d times", link, w.count("/news/"))
		}
	}
}

// TestCanonicalElsewhere checks that a page whose original is another
// publisher's is not registered, unless the publisher names the host as one
// that its articles are syndicated to.
func TestCanonicalElsewhere(t *testing.T) {
	w := newWorld(t)
	for path, link := range map[string]string{"/a": "https://other.example/a", "/b": "//other.example/b", "/c": "https://www.harbor.example.other.example/c"} {
		w.serve(path, "text/html", article("Page "+path, `<link rel="canonical" href="`+link+`">`))
	}
	w.page("/d", "Page /d")
	w.sitemap("/sitemap.xml", "/a", "/b", "/c", "/d")
	sum := w.must("/sitemap.xml")
	if tally(t, sum, 1, 0, 0, 3, 0); sum.Skipped.Of("canonical_elsewhere").Count != 3 {
		t.Errorf("skipped %+v", sum.Skipped)
	}
	detail := sum.Skipped.Of("canonical_elsewhere").Samples[0].Detail
	assert.Contains(t, "the reason lacks one of the addresses", detail, home+"/", "other.example/")
	tally(t, w.must("/sitemap.xml", func(o *intake.Options) { o.Partners = []string{"Other.example"} }), 2, 0, 1, 1, 0)
}

// TestCanonicalMovesElsewhere checks that a registered page which starts to
// name another original is withdrawn after the grace period.
func TestCanonicalMovesElsewhere(t *testing.T) {
	w := goneWorld(t)
	w.serve("/b", "text/html", article("Page /b", `<link rel="canonical" href="https://other.example/b">`))
	reason(t, w.must("/sitemap.xml", on(2)).Missing, "canonical_elsewhere", "/b", "other.example")
	if w.must("/sitemap.xml", on(15)); states(w) != "aaa" {
		t.Errorf("within its grace: %s", states(w))
	}
	if w.must("/sitemap.xml", on(16)); states(w) != "awa" {
		t.Errorf("after its grace: %s", states(w))
	}
}

// TestNoIndex checks what counts as asking search engines to leave a page out:
// the robots meta element, for every crawler, and X-Robots-Tag
// (developers.google.com/search/docs/crawling-indexing/robots-meta-tag).
func TestNoIndex(t *testing.T) {
	for _, c := range []struct {
		name, head string
		header     []string
		skipped    bool
	}{
		{"nothing", "", nil, false},
		{"noindex", `<meta name="robots" content="noindex">`, nil, true},
		{"among others", `<meta content="nofollow, NOINDEX" name="Robots">`, nil, true},
		{"none", `<meta name="robots" content="none">`, nil, true},
		{"nofollow", `<meta name="robots" content="nofollow">`, nil, false},
		{"index", `<meta name="robots" content="index, follow">`, nil, false},
		{"to one crawler", `<meta name="googlebot-news" content="noindex">`, nil, false},
		{"unavailable since", `<meta name="robots" content="unavailable_after: 25 Jun 2020 15:00:00 GMT">`, nil, true},
		{"unavailable later", `<meta name="robots" content="unavailable_after: 2199-01-01">`, nil, false},
		{"header", "", []string{"X-Robots-Tag", "noindex"}, true},
		{"header none", "", []string{"X-Robots-Tag", "none"}, true},
		{"header to one crawler", "", []string{"X-Robots-Tag", "otherbot: noindex, nofollow"}, false},
		{"second header", "", []string{"X-Robots-Tag", "otherbot: noindex", "X-Robots-Tag", "noindex"}, true},
		{"header unavailable since", "", []string{"X-Robots-Tag", "unavailable_after: Thu, 25 Jun 2020 15:00:00 GMT"}, true},
		{"header of something else", "", []string{"X-Robots-Tag", "noarchive"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.serve("/a", "text/html", article("A", c.head), c.header...)
			w.sitemap("/sitemap.xml", "/a")
			sum := w.must("/sitemap.xml")
			if got := sum.Skipped.Of("noindex").Count == 1; got != c.skipped || len(w.all()) != map[bool]int{true: 0, false: 1}[c.skipped] {
				t.Errorf("skipped %+v", sum.Skipped)
			}
			keep := func(o *intake.Options) { o.NoIndex = "keep" }
			if w.must("/sitemap.xml", keep); len(w.all()) != 1 {
				t.Error("it is not registered where the publisher wants it")
			}
		})
	}
}

// TestNoIndexFromNowOn checks that a page which starts to ask to be left out is
// withdrawn after the grace period, and returns when it no longer asks.
func TestNoIndexFromNowOn(t *testing.T) {
	w := goneWorld(t)
	w.serve("/b", "text/html", article("Page /b", `<meta name="robots" content="noindex">`))
	reason(t, w.must("/sitemap.xml", on(2)).Missing, "noindex", "/b")
	if w.must("/sitemap.xml", on(16)); states(w) != "awa" {
		t.Errorf("after its grace: %s", states(w))
	}
	w.handle("/b", canonical("/b"))
	if w.must("/sitemap.xml", on(17)); states(w) != "aaa" {
		t.Errorf("back: %s", states(w))
	}
}

// TestBaseOfEvidence checks that relative addresses in a page's statements
// about rights are relative to its base.
func TestBaseOfEvidence(t *testing.T) {
	w := newWorld(t)
	w.serve("/x/a.html", "text/html", article("A", `<base href="/deep/"><link rel="license" type="application/rsl+xml" href="terms.xml">`))
	w.sitemap("/sitemap.xml", "/x/a.html")
	w.must("/sitemap.xml")
	if w.count("/deep/terms.xml") != 1 || w.count("/x/terms.xml") != 0 {
		t.Errorf("fetched below the base %d times, beside the page %d times", w.count("/deep/terms.xml"), w.count("/x/terms.xml"))
	}
}

// TestCanonicalOfAShortText checks that a text too short for a fingerprint does
// not count as that of any page.
func TestCanonicalOfAShortText(t *testing.T) {
	w := newWorld(t)
	w.serve("/short", "text/html", `<html><head><link rel="canonical" href="/missing"></head><body><p>Ebb at four.</p></body></html>`)
	sum := w.must("/short")
	reason(t, sum.Ignored, "canonical_not_confirmed", "/missing", "http_404")
	w.find("/short")
}
