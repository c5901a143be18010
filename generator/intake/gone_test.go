package intake_test

import (
	"net/http"
	"testing"
	"time"

	"colophon/generator/intake"
)

// on sets the clock of an import to noon of a day of November.
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

// canonical is a page that names its public address.
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

// A page that is gone for 14 days is withdrawn, not a day earlier; one that
// returns is restored, and keeps the instant at which it was registered.
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
		// A server that fails in between changes nothing of that.
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

// A page that its sitemap lists no more is gone; one of another sitemap is
// not, and neither is any when the list is not whole.
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
	reason(t, w.must("/sitemap.xml", on(4)).Missing, "unlisted", "/b", "gone since 2026-11-04T12:00:00Z")
	w.must("/sitemap.xml", on(17))
	if got := states(w); got != "aaa" {
		t.Errorf("within its grace: %s", got)
	}
	if sum := w.must("/sitemap.xml", on(18)); sum.Withdrawn != 1 || states(w) != "awa" || w.find("/d").State != "active" {
		t.Errorf("after its grace: %+v, %s, /d is %s", sum.Missing, states(w), w.find("/d").State)
	}
	w.sitemap("/sitemap.xml", "/a", "/b", "/c")
	if sum := w.must("/sitemap.xml", on(19)); sum.Restored != 1 || states(w) != "aaa" {
		t.Errorf("listed again: %d, %s", sum.Restored, states(w))
	}
}

// What an operator withdrew stays withdrawn, whatever its page does.
func TestWithdrawnByOperatorStays(t *testing.T) {
	w := goneWorld(t)
	if _, err := w.store.SetPageState(t.Context(), entry("/b"), "withdrawn", "2026-11-02T00:00:00Z"); err != nil {
		t.Fatal(err)
	}
	w.handle("/b", http.NotFound)
	w.must("/sitemap.xml", on(3))
	w.must("/sitemap.xml", on(20))
	w.handle("/b", canonical("/b"))
	if sum := w.must("/sitemap.xml", on(21)); sum.Restored != 0 || states(w) != "awa" {
		t.Errorf("restored %d, states %s", sum.Restored, states(w))
	}
}

// A sitemap of which a part cannot be read says nothing about what it lacks.
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

// A server that fails before the page is gone does not hide that it is.
func TestGoneAfterFailure(t *testing.T) {
	w := goneWorld(t)
	w.handle("/b", func(rw http.ResponseWriter, _ *http.Request) { rw.WriteHeader(http.StatusBadGateway) })
	w.must("/sitemap.xml", on(2))
	w.handle("/b", http.NotFound)
	reason(t, w.must("/sitemap.xml", on(3)).Missing, "http_404", "/b", "gone since 2026-11-03T12:00:00Z")
}
