package main

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"colophon/exports"
	"colophon/internal/assert"
	"colophon/internal/cli"
	"colophon/internal/registrydir"
	"colophon/worker/edge"
)

// catalogInPacks returns a registry with three publishers of ten entries each,
// built in packs.
func catalogInPacks(t *testing.T) (o operator, entries []listedEntry) {
	t.Helper()
	o = operator{t, filepath.Join(t.TempDir(), "reg")}
	o.ok("init", "--base-url", "https://registry.example")
	o.ok("corpus", "--publishers", "3", "--pages", "30")
	var sites []struct {
		SiteID string `json:"site_id"`
	}
	o.data(&sites, "publisher", "list")
	o.data(&entries, "entry", "list", "--site", sites[0].SiteID)
	if len(entries) < 3 {
		t.Fatalf("the publisher has %d entries", len(entries))
	}
	o.ok("build", "--form", "packs")
	return o, entries
}

type listedEntry struct {
	EntryID string `json:"entry_id"`
	URL     string `json:"canonical_url"`
	SiteID  string `json:"site_id"`
}

// toldWithdrawn is what build and build --withdrawals report.
type toldWithdrawn struct {
	Withdrawn struct {
		Entries    int64 `json:"entries"`
		Publishers int64 `json:"publishers"`
	} `json:"withdrawn"`
}

// TestWithdrawalsAlone removes an entry from what a server answers from, before
// any build: it must be gone within the second for which the root may be
// cached, and its neighbours must stay. The next build continues.
func TestWithdrawalsAlone(t *testing.T) {
	t.Parallel()
	o, entries := catalogInPacks(t)
	gone, neighbour := entries[0], entries[1]
	base := serveProcess(t, o.dir).base
	status := func(path string) int { return sendRequest(t, "GET", base+path).StatusCode }
	for _, e := range []listedEntry{gone, neighbour} {
		if got := status(exports.CitationPage(e.EntryID)); got != http.StatusOK {
			t.Fatalf("%s is answered %d", e.EntryID, got)
		}
	}

	o.ok("entry", "withdraw", gone.URL)
	var told toldWithdrawn
	o.data(&told, "build", "--form", "packs", "--withdrawals", "--dry-run")
	var due struct {
		Pages int64 `json:"pages_due"`
	}
	o.data(&due, "build", "--form", "packs", "--dry-run")
	if told.Withdrawn.Entries != 1 || due.Pages != 1 {
		t.Errorf("dry runs tell of %d entries, and that %d are due", told.Withdrawn.Entries, due.Pages)
	}
	assert.Equal(t, status(exports.CitationPage(gone.EntryID)), http.StatusOK, "after a dry run the entry is answered")
	code, out, errs := o.run("build", "--form", "packs", "--withdrawals")
	if code != exitOK || !strings.HasPrefix(out, "withdrawn: 1 entry") || !strings.Contains(errs, "next: colophon publish") {
		t.Errorf("exit code %d, %q, %q", code, out, errs)
	}
	awaitStatus(t, base+exports.CitationPage(gone.EntryID), http.StatusNotFound)
	for _, path := range []string{exports.CitationPage(gone.EntryID), exports.CitationPath(gone.EntryID), exports.RecordPath(gone.EntryID)} {
		assert.Equal(t, status(path), http.StatusNotFound, "%s is answered", path)
	}
	assert.Equal(t, status(exports.CitationPage(neighbour.EntryID)), http.StatusOK, "the neighbour is answered")
	if out := o.ok("verify", filepath.Join(o.dir, "dist")); !strings.HasPrefix(out, "1 entry was withdrawn since") {
		t.Errorf("verify tells %q", out)
	}
	code, _, errs = o.run("build", "--form", "packs")
	if code != exitOK || strings.Contains(errs, "withdrawn: ") {
		t.Errorf("the build after it: exit code %d, %q", code, errs)
	}
	awaitStatus(t, base+exports.RecordPath(gone.EntryID), http.StatusOK) // it says that the entry is withdrawn
	assert.Lacks(t, "verify tells", o.ok("verify", filepath.Join(o.dir, "dist")), "withdrawn since")
}

// TestBuildTellsWhatIsWithdrawn checks the notes of commands before and after
// the build.
func TestBuildTellsWhatIsWithdrawn(t *testing.T) {
	t.Parallel()
	o, entries := catalogInPacks(t)
	o.ok("entry", "withdraw", entries[0].URL)
	code, out, errs := o.run("build")
	if code != exitOK || !strings.Contains(errs, "withdrawn: 1 entry\n") || strings.Contains(out, "withdrawn ") {
		t.Errorf("exit code %d, %q, %q", code, out, errs)
	}
	o.ok("publisher", "suspend", entries[0].SiteID, "--reason", "On request.")
	_, _, errs = o.run("build")
	assert.Contains(t, "of a publisher", errs, " entries, with those of 1 publisher\n")
	var told toldWithdrawn
	o.data(&told, "build", "--withdrawals")
	if told.Withdrawn.Entries+told.Withdrawn.Publishers > 0 {
		t.Errorf("after the build: %+v", told.Withdrawn)
	}
}

// TestWithdrawnWhileABuildRuns withdraws an entry by command while another
// build is running, which waits for an answer of the published log: a server
// over the folder must not answer for the entry before that build ends, after
// it, and after the next.
func TestWithdrawnWhileABuildRuns(t *testing.T) {
	t.Parallel()
	o, entries := catalogInPacks(t)
	gone, neighbour := entries[0], entries[1]
	base := serveProcess(t, o.dir).base
	status := func(path string) int { return sendRequest(t, "GET", base+path).StatusCode }
	current := []string{exports.CitationPage(gone.EntryID), exports.CitationPath(gone.EntryID), exports.RecordPath(gone.EntryID)}
	wantStatus := func(when string, want int, paths ...string) {
		t.Helper()
		for _, path := range paths {
			assert.Equal(t, status(path), want, "%s %s is answered", when, path)
		}
	}
	wantStatus("before", http.StatusOK, current...)

	var asked atomic.Int64
	var first sync.Once
	live := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		defer http.NotFound(w, nil)
		asked.Add(1)
		first.Do(func() { // a build that asks again because this takes long waits for it too
			if code, _, errs := o.run("entry", "withdraw", gone.URL); code != exitOK {
				t.Errorf("the withdrawal failed: %s", errs)
			}
			awaitStatus(t, base+current[0], http.StatusNotFound)
			wantStatus("while the build runs", http.StatusNotFound, current...)
			wantStatus("while the build runs", http.StatusOK, exports.CitationPage(neighbour.EntryID))
		})
	}))
	defer live.Close()
	code, out, errs := o.run("build", "--form", "packs", "--whole", "--live", live.URL)
	if code != exitOK || asked.Load() == 0 || !strings.Contains(errs, "withdrawn: 1 entry\n") || !strings.Contains(out, "withdrawn       1 entry\n") {
		t.Errorf("exit code %d, %d questions, %q, %q", code, asked.Load(), out, errs)
	}
	awaitRelease(t, base, out)
	wantStatus("after the build", http.StatusNotFound, current...)
	if out := o.ok("verify", filepath.Join(o.dir, "dist")); !strings.HasPrefix(out, "1 entry was withdrawn since") {
		t.Errorf("verify tells %q", out)
	}

	awaitRelease(t, base, o.ok("build", "--form", "packs"))
	wantStatus("after the next build", http.StatusNotFound, current[:2]...)
	wantStatus("after the next build", http.StatusOK, current[2], exports.CitationPage(neighbour.EntryID))
}

// awaitRelease waits until a server answers from the release that a build
// reported, since a reader may cache the root for a second.
func awaitRelease(t *testing.T, base, told string) {
	t.Helper()
	_, release, found := strings.Cut(told, "release ")
	if !found {
		t.Fatalf("no release in %q", told)
	}
	release = strings.Fields(release)[0]
	waitUntil(t, "answers from "+release, func() bool {
		return strings.Contains(string(sendRequest(t, "GET", base+exports.PathDiscovery).body), release)
	})
}

// TestFollowerWithdrawsWhileItRests withdraws an entry while a follower pauses,
// as it does for as long as its last build took.
func TestFollowerWithdrawsWhileItRests(t *testing.T) {
	t.Parallel()
	for name, setting := range map[string]string{"as set": "\nform = \"packs\"\n", "as published": ""} {
		t.Run(name, func(t *testing.T) { withdrawWhileItRests(t, setting) })
	}
}

func withdrawWhileItRests(t *testing.T, setting string) {
	o, entries := catalogInPacks(t)
	o.addSettings(setting)
	e := &cli.Env{Dir: registrydir.Dir{Path: o.dir, Getenv: emptyEnvironment}, Stderr: io.Discard}
	store, done, err := e.OpenStore(t.Context())
	must(t, err)
	defer done()
	seen, err := store.Sequence(t.Context())
	must(t, err)
	f := registrydir.Follower{Dir: &e.Dir, Store: store, Log: slog.New(slog.DiscardHandler)}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan bool)
	go func() { ended <- f.RestFor(ctx, time.Minute, seen) }()

	o.ok("entry", "withdraw", entries[0].URL)
	service := serviceOver(filepath.Join(o.dir, "dist"))
	waitUntil(t, "the entry to be gone", func() bool {
		return service(t.Context(), &edge.Request{Method: "GET", Path: exports.CitationPath(entries[0].EntryID)}).Status == http.StatusNotFound
	})
	cancel()
	if <-ended {
		t.Error("the rest went on though the server ends")
	}
}

func TestWithdrawalsNeedARelease(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	for _, other := range []string{"--whole", "--live=https://registry.example"} {
		o.no(exitUsage, "--withdrawals is a call of its own", "build", "--withdrawals", other)
	}
	o.no(exitFailed, "nothing is published", "build", "--withdrawals")
}
