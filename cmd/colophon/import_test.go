package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"colophon/internal/assert"
	"colophon/internal/cli"
	"colophon/internal/originsql"
	"colophon/internal/registrydir"
	"colophon/internal/urlkey"
	"colophon/worker/edgehttp"
)

// importWorld is a site of eight pages with one layout, and two more: one has
// nothing but the layout, and one repeats another's text.
type importWorld struct {
	t   *testing.T
	url string
	dir string
}

func newImportWorld(t *testing.T) *importWorld {
	t.Helper()
	w := &importWorld{t: t, dir: t.TempDir()}
	mux := http.NewServeMux()
	var listed []string
	add := func(path, body string) {
		listed = append(listed, path)
		mux.HandleFunc(path, func(rw http.ResponseWriter, _ *http.Request) {
			rw.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprintf(rw, `<html lang="en"><title>%s - Harbor Ledger</title><body><div class="top"><a href="/">Home</a> <a href="/archive">All of the archive</a></div>%s<div class="end">Printed by the harbour press on paper of its own</div></body></html>`, path, body)
		})
	}
	for i := range 8 {
		add(fmt.Sprintf("/p%d", i), fmt.Sprintf("<h1>Report %c</h1><p>Report %c tells of the ships that came in on that day, of what they carried, and of who was on watch at the quay.</p>", 'A'+i, 'A'+i))
	}
	add("/twin", "<h1>Report A</h1><p>Report A tells of the ships that came in on that day, of what they carried, and of who was on watch at the quay.</p>")
	add("/broken", "<h1>Report Z</h1><p>Das GehÃ¤use Ã¶ffnet sich fÃ¼r alle GÃ¤ste, die zur Ã¼blichen Zeit kommen und die TÃ¼r hinter sich schlieÃŸen.</p>")
	mux.HandleFunc("/sitemap.xml", func(rw http.ResponseWriter, r *http.Request) {
		fmt.Fprint(rw, `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`)
		for _, path := range listed {
			fmt.Fprintf(rw, "<url><loc>http://%s%s</loc></url>", r.Host, path)
		}
		if r.URL.Query().Has("gone") {
			fmt.Fprintf(rw, "<url><loc>http://%s/gone</loc></url>", r.Host)
		}
		fmt.Fprint(rw, "</urlset>")
	})
	mux.HandleFunc("/gone.xml", func(rw http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(rw, `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>http://%s/gone</loc></url></urlset>`, r.Host)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	w.url = server.URL
	w.ok("init", "--base-url", "https://registry.example", "--contact", "desk@registry.example")
	w.ok("publisher", "add", "harbor-ledger", "--name", "Harbor Ledger", "--site-url", "https://harbor-ledger.example/")
	return w
}

// run runs the program in the world's folder.
func (w *importWorld) run(args ...string) (code int, stdout, stderr string) {
	w.t.Helper()
	var out, errs bytes.Buffer
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	code = runProgram(ctx, append(args, "--dir", w.dir), strings.NewReader(""), &out, &errs, emptyEnvironment)
	return code, out.String(), errs.String()
}

func (w *importWorld) ok(args ...string) string {
	w.t.Helper()
	code, stdout, stderr := w.run(args...)
	if code != exitOK {
		w.t.Fatalf("%v: exit code %d\n%s%s", args, code, stdout, stderr)
	}
	return stdout
}

func (w *importWorld) importSite(args ...string) (code int, stdout, stderr string) {
	return w.run(append([]string{"import", w.url + "/sitemap.xml", "--site", "harbor-ledger", "--allow-private"}, args...)...)
}

func TestImportReviewAndTemplate(t *testing.T) {
	t.Parallel()
	w := newImportWorld(t)
	code, stdout, stderr := w.importSite()
	if code != exitOK {
		t.Fatalf("exit code %d\n%s%s", code, stdout, stderr)
	}
	assert.Contains(t, "the import", stdout, "new 10,", "in review duplicate_text: 1", "in review suspected_mojibake: 1")
	assert.Contains(t, "next steps", stderr, "colophon review list", "next: colophon build")

	type row struct {
		EntryID string `json:"entry_id"`
		URL     string `json:"canonical_url"`
	}
	var waiting struct{ Data []row }
	list := w.ok("review", "list", "--site", "harbor-ledger", "--json")
	if err := json.Unmarshal([]byte(list), &waiting); err != nil || len(waiting.Data) != 2 {
		t.Fatalf("%v %s", err, list)
	}
	assert.Contains(t, "what is known about a page", w.ok("review", "show", waiting.Data[0].EntryID), "language: en (html_element, 0.95)", "import --preview")
	broken := w.ok("review", "show", urlkey.EntryID("harbor-ledger", "https://harbor-ledger.example/broken"))
	assert.Contains(t, "the review", broken, "text that would be signed:\n      | Report Z\n      | Das GehÃ¤use", "left out:\n      | Home", "| Printed by the harbour press")
	if _, _, stderr := w.run("review", "accept", waiting.Data[0].EntryID, "--dry-run"); strings.Contains(stderr, "next:") {
		t.Errorf("a dry run names a next step: %s", stderr)
	}
	w.ok("review", "accept", waiting.Data[0].EntryID)
	w.ok("review", "reject", waiting.Data[1].EntryID)
	assert.Equal(t, w.ok("review", "list", "--site", "harbor-ledger"), "", "still waiting")
	if again, _, _ := w.importSite(); again != exitOK {
		t.Errorf("exit code %d", again)
	}
	assert.Equal(t, w.ok("review", "list", "--site", "harbor-ledger"), "", "an import without news forgets what was decided")
	assert.Contains(t, "accepted", w.ok("review", "list", "--site", "harbor-ledger", "--state", "accepted"), waiting.Data[0].EntryID)
	if code, _, stderr := w.run("review", "accept", "ent_000000000000000000000000"); code != exitFailed || !strings.Contains(stderr, "not in review") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}

// TestImprovedExtractionIsSaidInTheLedger imports over what an older program
// made, and checks that users of the API can read the reason.
func TestImprovedExtractionIsSaidInTheLedger(t *testing.T) {
	t.Parallel()
	w := newImportWorld(t)
	w.ok("publisher", "approve", "harbor-ledger")
	if code, _, stderr := w.importSite(); code != exitOK {
		t.Fatal(stderr)
	}
	old := w.setExtraction("service.main-text.v1")
	w.ok("build")
	const said = "extraction_improved: 8 texts" // two of ten pages are in review and have no record
	if code, stdout, _ := w.importSite("--dry-run"); code != exitOK || !strings.Contains(stdout, said) {
		t.Errorf("a dry run: exit code %d, %s", code, stdout)
	}
	if code, stdout, _ := w.importSite(); code != exitOK || !strings.Contains(stdout, said) {
		t.Errorf("the import: exit code %d, %s", code, stdout)
	}
	w.ok("build")
	w.ok("verify", filepath.Join(w.dir, "dist"))

	search := func(path string) string {
		handler := edgehttp.New(serviceOverAt(filepath.Join(w.dir, "dist"), time.Now), edgehttp.Options{})
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "https://registry.example"+path, nil))
		if answer.Code != http.StatusOK {
			t.Fatalf("%s: %d %s", path, answer.Code, answer.Body)
		}
		return answer.Body.String()
	}
	var found struct {
		Data []struct {
			Event   string `json:"event"`
			Reason  string `json:"reason"`
			EntryID string `json:"entry_id"`
		} `json:"data"`
	}
	must(t, json.Unmarshal([]byte(search("/v1/public/provenance-ledger/search?limit=100")), &found))
	events := map[string]int{}
	for _, row := range found.Data {
		if row.EntryID != "" {
			events[row.Event+" "+row.Reason]++
		}
	}
	if want := map[string]int{"registered ": old, "updated extraction_improved": old}; !maps.Equal(events, want) {
		t.Errorf("the ledger has %v, want %v", events, want)
	}
	assert.Contains(t, "the page of the search does not say why", search("/ledger/?q=report"), "Updated: extraction improved")
	page, err := os.ReadFile(filepath.Join(w.dir, "dist", "ledger", "index.html"))
	if err != nil || !strings.Contains(string(page), "Updated: extraction improved") {
		t.Errorf("the page of the ledger does not say why: %v", err)
	}
}

// setExtraction attributes all texts to another extractor, and returns how many
// of their pages can be signed.
func (w *importWorld) setExtraction(extraction string) (signed int) {
	w.t.Helper()
	ctx := context.Background()
	err := (&cli.Env{Dir: registrydir.Dir{Path: w.dir}}).WithStore(ctx, func(store *originsql.Store) error {
		pages, err := store.PagesOf(ctx, "harbor-ledger", "", 100)
		for i := range pages {
			pages[i].Extraction = extraction
			if pages[i].Portable != "" {
				signed++
			}
			err = errors.Join(err, store.PutPage(ctx, pages[i], nil))
		}
		return err
	})
	must(w.t, err)
	return signed
}

func TestTemplateIsProposedBeforeItCounts(t *testing.T) {
	t.Parallel()
	w := newImportWorld(t)
	if code, _, stderr := w.importSite(); code != exitOK {
		t.Fatal(stderr)
	}
	if list := w.ok("template", "list", "--site", "harbor-ledger"); strings.Count(list, "\n") != 1 || !strings.Contains(list, "active") {
		t.Fatalf("templates: %q", list)
	}
	before := treeDigest(t, w.dir)
	w.ok("template", "learn", w.url+"/sitemap.xml", "--site", "harbor-ledger", "--allow-private", "--dry-run")
	if after := treeDigest(t, w.dir); !maps.Equal(before, after) {
		t.Error("a dry run changes the registry")
	}
	learned := strings.TrimSpace(w.ok("template", "learn", w.url+"/sitemap.xml", "--site", "harbor-ledger", "--allow-private"))
	if list := w.ok("template", "list", "--site", "harbor-ledger"); strings.Count(list, "\n") != 1 || !strings.HasPrefix(list, learned[:12]) {
		t.Errorf("the same pages give another template:\n%s", list)
	}

	proposed := strings.TrimSpace(w.ok("template", "set", "--site", "harbor-ledger", "--keep", "h1"))
	page := w.url + "/p3"
	preview := func(args ...string) string {
		return w.ok(append([]string{"import", "--preview", page, "--site", "harbor-ledger", "--allow-private"}, args...)...)
	}
	if before := preview(); !strings.Contains(before, "Report D tells") || strings.Contains(strings.Split(before, "DROPPED")[1], "| Report D tells") {
		t.Errorf("under the template in force the text is not kept:\n%s", before)
	}
	assert.Contains(t, "under the proposal the text is kept", preview("--template", proposed[:12]), "| Report D tells")
	file := filepath.Join(t.TempDir(), "preview.html")
	preview("--preview-html", file)
	if text, err := os.ReadFile(file); err != nil || !strings.Contains(string(text), `<td class="dropped">Home All of the archive</td>`) {
		t.Errorf("%v %s", err, text)
	}

	if code, _, stderr := w.run("template", "diff", proposed, "--site", "harbor-ledger"); code != exitFailed || !strings.Contains(stderr, "--preview") {
		t.Errorf("a diff of selectors that no page was read for: exit code %d: %s", code, stderr)
	}
	w.ok("template", "set", w.url+"/sitemap.xml", "--site", "harbor-ledger", "--keep", "h1", "--allow-private")
	if diff := w.ok("template", "diff", proposed, "--site", "harbor-ledger"); !strings.Contains(diff, "10 of 10 texts differ") || !strings.Contains(diff, "- Report D tells") {
		t.Errorf("diff of selectors:\n%s", diff)
	}

	_, stdout, _ := w.importSite()
	assert.Contains(t, "a proposal changes texts", stdout, "changed 0,")
	w.ok("template", "activate", proposed[:12], "--site", "harbor-ledger")
	if _, stdout, _ = w.importSite("--dry-run"); !strings.Contains(stdout, "changed 10,") {
		t.Errorf("a dry run does not tell the changes: %s", stdout)
	}
	if _, stdout, _ = w.importSite(); !strings.Contains(stdout, "changed 10,") {
		t.Errorf("an activated template changes nothing: %s", stdout)
	}
	if code, _, _ := w.run("template", "set", "--site", "harbor-ledger", "--keep", "p["); code != exitUsage {
		t.Errorf("a broken selector: exit code %d", code)
	}
	if code, _, _ := w.run("template", "activate", "ffff", "--site", "harbor-ledger"); code != exitUsage {
		t.Errorf("an unknown template: exit code %d", code)
	}
}

func TestImportFailsOverAShare(t *testing.T) {
	t.Parallel()
	w := newImportWorld(t)
	source := w.url + "/sitemap.xml?gone"
	args := []string{"import", source, "--site", "harbor-ledger", "--allow-private"}
	if code, stdout, stderr := w.run(args...); code != exitFailed || !strings.Contains(stderr, "1 of 11 pages failed") || !strings.Contains(stdout, "new 10") || strings.Contains(stderr, "next:") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
	if code, _, stderr := w.run(append(args, "--fail-over", "10%")...); code != exitOK {
		t.Errorf("exit code %d: %s", code, stderr)
	}
	all := []string{"import", w.url + "/gone.xml", "--site", "harbor-ledger", "--allow-private", "--fail-over", "100%"}
	if code, _, stderr := w.run(all...); code != exitOK || strings.Contains(stderr, "next: colophon build") {
		t.Errorf("with every page failed: exit code %d: %s", code, stderr)
	}
	for _, bad := range []string{"x", "-1%", "101%"} {
		if code, _, _ := w.run(append(args, "--fail-over", bad)...); code != exitUsage {
			t.Errorf("--fail-over %s: exit code %d", bad, code)
		}
	}
}
