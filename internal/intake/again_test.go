package intake_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"colophon/internal/assert"
	"colophon/internal/intake"
	"colophon/internal/origin"
)

// conditional serves an article that answers 304 to its current validator.
func (w *world) conditional(path, title, etag string) {
	w.handle(path, func(rw http.ResponseWriter, r *http.Request) {
		rw.Header().Set("Content-Type", "text/html")
		rw.Header().Set("Etag", etag)
		if r.Header.Get("If-None-Match") == etag {
			rw.WriteHeader(http.StatusNotModified)
			return
		}
		io.WriteString(rw, article(title, ""))
	})
}

func at(day int) func(*intake.Options) {
	return func(o *intake.Options) {
		o.Now = func() time.Time { return time.Date(2026, 11, day, 8, 0, 0, 0, time.UTC) }
	}
}

func TestReimport(t *testing.T) {
	w := newWorld(t)
	w.conditional("/same", "Same", `"1"`)
	w.conditional("/edited", "Edited", `"1"`)
	w.page("/plain", "No validator")
	w.sitemap("/sitemap.xml", "/same", "/edited", "/plain")
	tally(t, w.must("/sitemap.xml", at(1)), 3, 0, 0, 0, 0)
	rows, _, err := w.store.Changes(context.Background())
	must(t, err)

	sum := w.must("/sitemap.xml", at(2))
	if tally(t, sum, 0, 0, 3, 0, 0); sum.NotModified != 2 {
		t.Errorf("%d pages cost a 304, want 2", sum.NotModified)
	}
	for _, f := range w.fetches() {
		assert.Equal(t, f.Run, sum.Run, "%s is remembered from the run", f.URL)
	}
	if again, _, _ := w.store.Changes(context.Background()); again != rows {
		t.Errorf("an import without news made %d changes", again-rows)
	}

	w.conditional("/edited", "Edited again", `"2"`)
	w.page("/plain", "No validator still")
	w.page("/fresh", "Fresh")
	w.sitemap("/sitemap.xml", "/fresh", "/same", "/edited", "/plain")
	sum = w.must("/sitemap.xml", at(3))
	if tally(t, sum, 1, 2, 1, 0, 0); sum.NotModified != 1 {
		t.Errorf("%d pages cost a 304, want 1", sum.NotModified)
	}
	for path, want := range map[string][2]string{
		"/same": {"2026-11-01", "2026-11-01"}, "/edited": {"2026-11-01", "2026-11-03"}, "/fresh": {"2026-11-03", "2026-11-03"},
	} {
		p := w.find(path)
		assert.Equal(t, [2]string{p.RegisteredAt[:10], p.ChangedAt[:10]}, want, "%s registered and changed", path)
	}
	if b := w.body("/edited"); !strings.Contains(b.Text, "Edited again") {
		t.Errorf("the body is the old one")
	}
}

func TestWithdrawnStaysWithdrawn(t *testing.T) {
	w := newWorld(t)
	w.conditional("/a", "A", `"1"`)
	w.sitemap("/sitemap.xml", "/a")
	w.must("/sitemap.xml")
	p := w.find("/a")
	p.State = "withdrawn"
	must(t, w.store.PutPage(context.Background(), p, nil))
	w.conditional("/a", "A again", `"2"`)
	sum := w.must("/sitemap.xml")
	reason(t, sum.Skipped, "withdrawn", "/a")
	if got := w.find("/a"); got.State != "withdrawn" || got.Title != "A" {
		t.Errorf("%+v", got)
	}
}

// TestStopAndContinue cancels an import in the middle and starts it again:
// finished pages are not fetched again, and the summary covers everything.
func TestStopAndContinue(t *testing.T) {
	w := newWorld(t)
	var paths []string
	for n := range 30 {
		paths = append(paths, fmt.Sprintf("/p%d", n))
		w.page(paths[n], fmt.Sprint("Page ", n))
	}
	w.page("/p3", "Page 3", "X-Copy", "1")
	w.serve("/p4", "text/html", article("Page 3", `<link rel=canonical href="/p3">`))
	w.sitemap("/sitemap.xml", paths...)
	ctx, cancel := context.WithCancel(context.Background())
	opt := w.opt
	opt.Source = w.url + "/sitemap.xml"
	opt.Progress = func(e intake.Event) {
		if e.Settled == 12 {
			cancel()
		}
	}
	sum, err := intake.Import(ctx, w.store, opt)
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
	tally(t, sum, 11, 0, 0, 1, 0)
	first := sum.Run
	hits := w.count("/p0")
	sum = w.must("/sitemap.xml")
	tally(t, sum, 29, 0, 0, 1, 0)
	if sum.Run != first || sum.Resumed != 12 || w.count("/p0") != hits {
		t.Errorf("run %s resumed %d pages, /p0 fetched %d times more", sum.Run, sum.Resumed, w.count("/p0")-hits)
	}
	reason(t, sum.Skipped, "canonical_taken", "/p4")
	sum = w.must("/sitemap.xml")
	if tally(t, sum, 0, 0, 29, 1, 0); sum.Run == first || sum.Resumed != 0 {
		t.Errorf("a finished run was taken up again")
	}
}

// TestStaleRunIsNotContinued starts again after more than a day.
func TestStaleRunIsNotContinued(t *testing.T) {
	w := newWorld(t)
	w.page("/a", "A")
	w.sitemap("/sitemap.xml", "/a")
	old := w.must("/sitemap.xml", at(1))
	f, err := w.store.Fetch(context.Background(), "import "+siteID+" "+w.url+"/sitemap.xml")
	if err != nil || f.Outcome != "finished" {
		t.Fatalf("%+v, %v", f, err)
	}
	f.Outcome = "running"
	must(t, w.store.PutFetch(context.Background(), f))
	if sum := w.must("/sitemap.xml", at(3)); sum.Run == old.Run || sum.Resumed != 0 {
		t.Errorf("%+v", sum)
	}
}

// TestStoreFailure makes the store fail while pages are imported: the import
// must end with the store's error, and what it reported must be in the store.
func TestStoreFailure(t *testing.T) {
	w := newWorld(t)
	w.page("/a", "A")
	w.page("/b", "B")
	w.sitemap("/sitemap.xml", "/a", "/b")
	broken := &breaking{Store: w.store, left: 1}
	opt := w.opt
	opt.Source = w.url + "/sitemap.xml"
	sum, err := intake.Import(context.Background(), broken, opt)
	if !errors.Is(err, errBroken) {
		t.Fatalf("error %v", err)
	}
	if tally(t, sum, 1, 0, 0, 0, 0); len(w.all()) != 1 {
		t.Errorf("%d pages", len(w.all()))
	}
	tally(t, w.must("/sitemap.xml"), 2, 0, 0, 0, 0)
}

var errBroken = errors.New("disk is full")

// breaking is a store that fails after left pages.
type breaking struct {
	intake.Store
	left int
}

func (b *breaking) PutPage(ctx context.Context, p origin.Page, body *origin.Body) error {
	if b.left--; b.left < 0 {
		return errBroken
	}
	return b.Store.PutPage(ctx, p, body)
}

// TestContinueTriesFailuresAgain checks that a resumed run tries again what
// failed in the first attempt.
func TestContinueTriesFailuresAgain(t *testing.T) {
	w := newWorld(t)
	up := false
	w.handle("/flaky", func(rw http.ResponseWriter, _ *http.Request) {
		if !up {
			http.Error(rw, "not yet", http.StatusForbidden)
			return
		}
		rw.Header().Set("Content-Type", "text/html")
		io.WriteString(rw, article("Flaky", ""))
	})
	w.page("/a", "One")
	w.page("/b", "Two")
	w.sitemap("/sitemap.xml", "/flaky", "/a", "/b")
	ctx, cancel := context.WithCancel(context.Background())
	opt := w.opt
	opt.Source = w.url + "/sitemap.xml"
	opt.Progress = func(e intake.Event) {
		if e.Settled == 2 {
			cancel()
		}
	}
	if sum, err := intake.Import(ctx, w.store, opt); !errors.Is(err, context.Canceled) || sum.Failed.Count() != 1 {
		t.Fatalf("%+v, error %v", sum, err)
	}
	up = true
	if sum := w.must("/sitemap.xml"); sum.New != 3 || sum.Resumed != 1 || sum.Failed.Count() != 0 {
		t.Errorf("%+v", sum)
	}
}
