package intake_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"

	"colophon/internal/extract"
	"colophon/internal/intake"
	"colophon/internal/originsql/schematest"
)

// childEnv turns the test binary into an importer; its value is a childJob.
const childEnv = "COLOPHON_TEST_IMPORT"

// killSample is the number of pages from which these tests learn the template.
const killSample = 30

type childJob struct{ Store, Source string }

func TestMain(m *testing.M) {
	if raw := os.Getenv(childEnv); raw != "" {
		os.Exit(importAsChild(raw))
	}
	os.Exit(m.Run())
}

func importAsChild(raw string) int {
	intake.SetSampleSize(killSample)
	var job childJob
	if err := json.Unmarshal([]byte(raw), &job); err != nil {
		panic(err)
	}
	t := &childTB{}
	store := openStore(t, job.Store)
	sum, err := intake.Import(context.Background(), store, intake.Options{SiteID: siteID, Source: job.Source, AllowPrivate: true})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	if err := json.NewEncoder(os.Stdout).Encode(sum); err != nil {
		return 1
	}
	return 0
}

// childTB lets test helpers work outside a test.
type childTB struct{ testing.TB }

func (*childTB) Helper()        {}
func (*childTB) Cleanup(func()) {}
func (*childTB) Fatal(v ...any) {
	fmt.Fprintln(os.Stderr, v...)
	os.Exit(1)
}

// child starts an import in a separate process.
func child(t testing.TB, job childJob) (*exec.Cmd, *strings.Builder) {
	t.Helper()
	raw, err := json.Marshal(job)
	must(t, err)
	var out strings.Builder
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"="+string(raw))
	cmd.Stdout, cmd.Stderr = &out, os.Stderr
	must(t, cmd.Start())
	return cmd, &out
}

// killed reports whether a process ended by SIGKILL.
func killed(err error) bool {
	exit, ok := err.(*exec.ExitError)
	return ok && exit.Sys().(syscall.WaitStatus).Signal() == syscall.SIGKILL
}

// TestKillAndContinue kills an importer with SIGKILL three times and starts it
// again each time. In the end the store must have what an undisturbed import
// gives, and hardly any page may have been fetched twice.
//
// The first kill happens while the sample for the template is fetched, the
// others while pages are registered.
func TestKillAndContinue(t *testing.T) {
	intake.SetSampleSize(killSample)
	t.Cleanup(func() { intake.SetSampleSize(extract.SampleSize) })
	w := newWorld(t)
	const pages = 80
	var paths []string
	served := make(chan string, 10*pages)
	for n := range pages {
		paths = append(paths, fmt.Sprintf("/p%d", n))
		body := article(fmt.Sprintf("Page %d", n), "")
		if n%10 == 7 {
			body = article(fmt.Sprintf("Page %d", n-3), fmt.Sprintf(`<link rel="canonical" href="/p%d">`, n-3))
		}
		w.handle(paths[n], func(rw http.ResponseWriter, r *http.Request) {
			served <- r.URL.Path
			time.Sleep(5 * time.Millisecond)
			rw.Header().Set("Content-Type", "text/html")
			io.WriteString(rw, body)
		})
	}
	w.sitemap("/sitemap.xml", paths...)
	job := childJob{Store: filepath.Join(t.TempDir(), "killed.db"), Source: w.url + "/sitemap.xml"}
	for _, after := range []int{15, 25, 15} {
		cmd, out := child(t, job)
		for range after {
			select {
			case <-served:
			case <-time.After(20 * time.Second):
				cmd.Process.Kill()
				t.Fatalf("the import made no progress: %v %s", cmd.Wait(), out)
			}
		}
		must(t, cmd.Process.Kill())
		if err := cmd.Wait(); !killed(err) {
			t.Fatalf("the import was not killed: %v %s", err, out)
		}
	}
	cmd, out := child(t, job)
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	var sum intake.Summary
	must(t, json.Unmarshal([]byte(out.String()), &sum))
	tally(t, sum, 72, 0, 0, 8, 0)
	if sum.Resumed == 0 { // the number depends on how fast pages were registered; the fetches are bounded below
		t.Errorf("only %d pages were taken over", sum.Resumed)
	}
	total := 0
	for _, p := range paths {
		total += w.count(p)
	}
	if total > pages+3*10 {
		t.Errorf("%d fetches for %d pages and three kills", total, pages)
	}
	t.Logf("%d pages, %d taken over by the last attempt, %d fetches in all", pages, sum.Resumed, total)

	tally(t, w.must("/sitemap.xml"), 72, 0, 0, 8, 0)
	other := &world{TB: t, store: openStore(t, job.Store)}
	if a, b := contents(w), contents(other); !reflect.DeepEqual(a, b) {
		t.Errorf("the stores differ:\n%+v\n%+v", a, b)
	}
}

// contents returns all pages of a world with their bodies, without instants.
func contents(w *world) map[string][2]any {
	all := map[string][2]any{}
	for _, p := range w.all() {
		b, err := schematest.RawBody(context.Background(), w.store.DB(), p.EntryID)
		if err != nil {
			w.Fatal(err)
		}
		p.RegisteredAt, p.ChangedAt, b.ChangedAt = "", "", ""
		all[p.EntryID] = [2]any{p, b}
	}
	return all
}
