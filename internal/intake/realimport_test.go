//go:build unix

package intake_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"colophon/internal/canonicaltext"
	"colophon/internal/intake"
)

// debianPackages hold HTML documentation by many authors and tools.
var debianPackages = []string{"python3.11-doc", "debian-policy", "postgresql-doc-15"}

// TestImportDebianDocs imports the HTML documentation of Debian packages from a
// server on loopback, through a sitemap index, and kills the importer three
// times. It downloads about 17 MB: make test-import-debian.
func TestImportDebianDocs(t *testing.T) {
	if os.Getenv("COLOPHON_DEBIAN_DOCS") != "1" {
		t.Skip("NOT RUN: the import of real Debian documentation; COLOPHON_DEBIAN_DOCS=1 or make test-import-debian runs it")
	}
	docs := newDocSite(t, debianFiles(t))
	listed := len(docs.paths)
	if listed < 1000 {
		t.Fatalf("only %d pages of documentation", listed)
	}
	job := childJob{Store: filepath.Join(t.TempDir(), "origin.db"), Source: docs.url + "/sitemap.xml"}
	var spent, peak = time.Duration(0), int64(0)
	attempt := func(killAt int64) (sum intake.Summary) {
		start := time.Now()
		cmd, out := child(t, job)
		for killAt > 0 && docs.served.Load() < killAt {
			if time.Sleep(5 * time.Millisecond); time.Since(start) > 10*time.Minute {
				t.Fatal("the import makes no progress")
			}
		}
		if killAt > 0 {
			cmd.Process.Kill()
		}
		err := cmd.Wait()
		spent += time.Since(start)
		peak = max(peak, cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss)
		if killAt > 0 {
			if !killed(err) {
				t.Fatalf("the import was not killed: %v %s", err, out)
			}
			return sum
		}
		if err != nil {
			t.Fatalf("%v %s", err, out)
		}
		if err := json.Unmarshal([]byte(out.String()), &sum); err != nil {
			t.Fatal(err)
		}
		return sum
	}
	for _, quarter := range []int64{1, 2, 3} {
		attempt(quarter * int64(listed) / 4)
	}
	sum := attempt(0)
	fetched := docs.served.Load()
	t.Logf("%d pages listed: %d new, skipped %s, failed %s", listed, sum.New, told(sum.Skipped), told(sum.Failed))
	t.Logf("%d page fetches in all, %d pages taken over by the last attempt, %d observations", fetched, sum.Resumed, sum.Observations)
	t.Logf("four attempts, three killed: %.1f s, %.0f pages/s, peak memory %d MiB", spent.Seconds(), float64(listed)/spent.Seconds(), peak>>10)
	if got := sum.New + sum.Changed + sum.Unchanged + sum.Skipped.Count() + sum.Failed.Count(); got != listed {
		t.Errorf("%d pages are accounted for, %d were listed", got, listed)
	}
	if sum.New < 1000 || sum.New < listed*95/100 || sum.Failed.Count() > 0 {
		t.Errorf("%d of %d pages came in: %+v %+v", sum.New, listed, sum.Skipped, sum.Failed)
	}
	if fetched > int64(listed)+3*10 {
		t.Errorf("%d fetches for %d pages and three kills", fetched, listed)
	}
	w := &world{TB: t, store: openStore(t, job.Store), opt: intake.Options{SiteID: siteID, AllowPrivate: true}}
	checkRealPages(w, sum.New)

	start := time.Now()
	again := w.must(job.Source)
	t.Logf("again: %d unchanged, %d of them by a 304, in %.1f s", again.Unchanged, again.NotModified, time.Since(start).Seconds())
	if again.New+again.Changed != 0 || again.NotModified != sum.New {
		t.Errorf("an import without news: %+v", again)
	}
}

// checkRealPages compares every page with its body.
func checkRealPages(w *world, want int) {
	pages := w.all()
	if len(pages) != want {
		w.Errorf("%d pages in the store, %d were new", len(pages), want)
	}
	var words, bytes int64
	for _, p := range pages {
		b, err := w.store.RawBody(context.Background(), p.EntryID)
		if err != nil {
			w.Fatalf("%s: %v", p.CanonicalURL, err)
		}
		canonical, err := canonicaltext.CanonicalText(b.Text)
		digest := ""
		if len([]rune(canonical)) >= canonicaltext.MinTextRunes {
			digest = canonicaltext.PortableDigest([]byte(canonical))
		}
		if err != nil || canonical == "" || p.Portable != digest || p.Title == "" || b.Markdown == "" || b.HTML == "" || !strings.HasPrefix(p.CanonicalURL, home+"/") {
			w.Errorf("%s does not fit its body: %+v", p.CanonicalURL, p)
		}
		if strings.Contains(b.HTML+b.Markdown, "127.0.0.1:") && !strings.Contains(b.Text, "127.0.0.1:") {
			w.Errorf("%s links to the private copy", p.CanonicalURL)
		}
		words, bytes = words+p.WordCount, bytes+int64(len(b.Text))
	}
	w.Logf("%d words, %.1f MB of text", words, float64(bytes)/1e6)
}

func told(list intake.Tally) string {
	out := fmt.Sprint(list.Count())
	for _, r := range list {
		out += fmt.Sprintf(" (%s %d, as %s)", r.Code, r.Count, r.Samples[0].Where)
	}
	return out
}

// debianFiles downloads and unpacks the packages, or uses what is unpacked
// below COLOPHON_DEBIAN_ROOT.
func debianFiles(t *testing.T) string {
	root := os.Getenv("COLOPHON_DEBIAN_ROOT")
	if root == "" {
		dir := t.TempDir()
		root = filepath.Join(dir, "root")
		run := func(name string, args ...string) {
			cmd := exec.Command(name, args...)
			cmd.Dir = dir
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
			}
		}
		run("apt-get", append([]string{"download", "-q"}, debianPackages...)...)
		files, err := filepath.Glob(filepath.Join(dir, "*.deb"))
		if err != nil || len(files) != len(debianPackages) {
			t.Fatalf("%d packages were downloaded, %v", len(files), err)
		}
		for _, f := range files {
			run("dpkg-deb", "-x", f, root)
		}
	}
	return filepath.Join(root, "usr/share/doc")
}

// docSite serves a tree of documentation with a sitemap index: a sitemap for
// each top-level folder.
type docSite struct {
	url    string
	paths  []string
	served atomic.Int64 // pages sent completely
}

func newDocSite(t *testing.T, root string) *docSite {
	d := &docSite{}
	maps := map[string][]string{}
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() && strings.HasSuffix(path, ".html") {
			rel, _ := filepath.Rel(root, path)
			top, _, _ := strings.Cut(rel, "/")
			maps[top] = append(maps[top], "/"+rel)
			d.paths = append(d.paths, "/"+rel)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	d.url = server.URL
	files := http.FileServer(http.Dir(root))
	mux.HandleFunc("/", func(rw http.ResponseWriter, r *http.Request) {
		files.ServeHTTP(rw, r)
		if strings.HasSuffix(r.URL.Path, ".html") {
			d.served.Add(1)
		}
	})
	var tops []string
	for top, paths := range maps {
		tops = append(tops, "/sitemap-"+top+".xml")
		body := urlset(d.url, paths...)
		mux.HandleFunc("/sitemap-"+top+".xml", func(rw http.ResponseWriter, r *http.Request) { fmt.Fprint(rw, body) })
	}
	sort.Strings(tops)
	mux.HandleFunc("/sitemap.xml", func(rw http.ResponseWriter, r *http.Request) {
		fmt.Fprint(rw, strings.NewReplacer("urlset", "sitemapindex", "<url>", "<sitemap>", "</url>", "</sitemap>").Replace(urlset(d.url, tops...)))
	})
	return d
}
