package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"colophon/internal/assert"
	"colophon/internal/urlkey"
	"colophon/internal/withdrawn"
)

// withMembers adds members to the documentation's publisher file.
func withMembers(file, members string) string {
	return strings.Replace(file, `"name"`, members+`, "name"`, 1)
}

// vectorOf returns the vector of a live rights check for an address.
func (w *webWorld) vectorOf(address string) string {
	w.t.Helper()
	_, rest, _ := strings.Cut(w.askWorker("/v1/public/rights/check?url="+address), `"rights_vector":"`)
	vector, _, _ := strings.Cut(rest, `"`)
	return vector
}

// TestPublisherWithdrawsPages checks that the publisher's own file withdraws
// pages, at once for live answers, and restores them when it no longer lists
// them. Nothing else restores them, and no other publisher's pages are
// withdrawn.
func TestPublisherWithdrawsPages(t *testing.T) {
	t.Parallel()
	w := newWebWorld(t)
	file := w.site()
	w.enrolSite()
	w.put("site.example/ab", reportPage("ab"))
	w.put("site.example/old/d", reportPage("d"))
	w.put("victim.example/b", reportPage("of a victim"))
	w.put("victim.example/sitemap.xml", sitemapOf("https://victim.example/b"))
	w.put("site.example/sitemap.xml", sitemapOf("https://site.example/a", "https://site.example/ab", "https://site.example/b"))
	w.must("publisher", "add", "victim", "--name", "Victim", "--site-url", "https://victim.example/")
	w.must("publisher", "approve", "victim")
	w.must("import", "https://site.example/sitemap.xml", "--site", "site-example")
	w.must("import", "https://victim.example/sitemap.xml", "--site", "victim")
	w.must("build")
	id := func(name string) string { return urlkey.EntryID("site-example", "https://site.example/"+name) }
	w.must("entry", "withdraw", id("ab"))
	withdrawn := func(names ...string) {
		t.Helper()
		list := w.must("entry", "list", "--site", "site-example", "--state", "withdrawn")
		for _, name := range names {
			assert.Contains(t, name+" is not withdrawn", list, id(name)+" ")
		}
		assert.Equal(t, strings.Count(list, "ent_"), len(names), "withdrawn are not %v:\n%s", names, list)
	}

	listing := withMembers(file, `"withdrawn": ["/b", "/ab", "/old/*"], "hosts": ["victim.example"]`)
	w.put(ownFile, listing)
	if out := w.must("refresh", "site-example"); strings.Count(out, "page withdrawn") != 1 || !strings.Contains(out, "page withdrawn https://site.example/b\n") {
		t.Errorf("refresh says:\n%s", out)
	}
	withdrawn("ab", "b")
	if b, a := w.vectorOf("https://site.example/b"), w.vectorOf("https://site.example/a"); b != "WWWWWWWW" || a == b {
		t.Errorf("before a build the service answers %s for the withdrawn page, %s for another", b, a)
	}
	if out, _ := w.run("lint", "https://site.example/b"); !strings.Contains(out, "the file withdraws this page") || !strings.Contains(out, "verdicts WWWWWWWW") {
		t.Errorf("lint says of the withdrawn page:\n%s", out)
	}
	if out, _ := w.run("lint", "https://site.example/a"); strings.Contains(out, "withdraws") || strings.Contains(out, "verdicts WWWWWWWW") {
		t.Errorf("lint says of another page:\n%s", out)
	}
	w.must("build")
	if feed := w.published("v1/public/licensing-feed.json"); strings.Contains(feed, id("b")) || !strings.Contains(feed, id("a")) {
		t.Errorf("the feed after the withdrawal:\n%s", feed)
	}

	// No import restores it, and none adds what the file lists.
	w.put("site.example/b", reportPage("b, changed"))
	w.put("site.example/sitemap.xml", sitemapOf("https://site.example/a", "https://site.example/ab", "https://site.example/b", "https://site.example/old/d"))
	imported := func() {
		t.Helper()
		w.must("import", "https://site.example/sitemap.xml", "--site", "site-example")
		withdrawn("ab", "b")
		if out, ok := w.run("entry", "show", id("old/d")); ok {
			t.Errorf("a page that the file lists was registered:\n%s", out)
		}
	}
	imported()

	// A file that cannot be read, is for others, or is gone restores nothing.
	for name, body := range map[string]string{"a mistake": strings.Replace(listing, `"rag"`, `"rug"`, 1), "no answer": "! down", "another registry": withMembers(file, `"registries": ["https://other-registry.example"]`)} {
		w.put(ownFile, body)
		if out, _ := w.run("refresh", "site-example"); strings.Contains(out, "page restored") {
			t.Errorf("%s: refresh says:\n%s", name, out)
		}
		withdrawn("ab", "b")
	}
	w.remove(ownFile)
	w.must("refresh", "site-example")
	withdrawn("ab", "b")
	w.put(ownFile, listing)
	w.must("refresh", "site-example")
	imported()

	// Once the line is removed, the page is restored; what the operator
	// withdrew is not.
	w.put(ownFile, withMembers(file, `"withdrawn": ["/ab"]`))
	if out := w.must("refresh", "site-example"); strings.Count(out, "page restored") != 1 || !strings.Contains(out, "page restored  https://site.example/b\n") {
		t.Errorf("refresh says:\n%s", out)
	}
	w.put(ownFile, file)
	w.must("refresh", "site-example")
	withdrawn("ab")
	if b := w.vectorOf("https://site.example/b"); b == "WWWWWWWW" {
		t.Errorf("the service answers %s for the restored page", b)
	}
	assert.Contains(t, "after the restoration an import", w.must("import", "https://site.example/sitemap.xml", "--site", "site-example"), "new 1, changed 1, ")
	w.must("build")
	w.must("verify", filepath.Join(w.dir, "dist"))
}

// TestPublisherClosesListing checks that the publisher's own file closes its
// listing: live answers refuse at once, the next build shows nothing of it, and
// only the operator opens it again.
func TestPublisherClosesListing(t *testing.T) {
	t.Parallel()
	w := newWebWorld(t)
	file := w.site()
	w.enrolSite()
	w.must("import", "https://site.example/sitemap.xml", "--site", "site-example")
	w.must("build")
	state := func(want string) {
		t.Helper()
		if out := w.must("publisher", "show", "site-example"); !strings.Contains(out, "state        "+want) {
			t.Errorf("the publisher is not %s:\n%s", want, out)
		}
	}
	w.put(ownFile, `{"colophon_publisher": "1", "name": "Site of Example", "listing": "closed"}`)
	assert.Contains(t, "refresh", w.must("refresh"), "the publisher's own file closes its listing")
	state("closed")
	if vector := w.vectorOf("https://site.example/a"); vector != "" && vector != "WWWWWWWW" {
		t.Errorf("before a build the service answers %s", vector)
	}
	if out, _ := w.run("lint", "https://site.example/a"); !strings.Contains(out, "the listing is closed") || !strings.Contains(out, "verdicts WWWWWWWW") {
		t.Errorf("lint says:\n%s", out)
	}
	w.must("build")
	w.must("verify", filepath.Join(w.dir, "dist"))
	entry := urlkey.EntryID("site-example", "https://site.example/a")
	shown := func() (files []string) {
		dist := filepath.Join(w.dir, "dist")
		err := filepath.WalkDir(dist, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			body, err := os.ReadFile(path)
			name, _ := filepath.Rel(dist, path)
			guide := strings.HasPrefix(name, "developers/") || strings.HasPrefix(name, "assets/") || name == "editor/index.html" || name == "join/index.html"                  // their examples
			record := strings.HasPrefix(name, "v1/public/contentdna-provenance/") || strings.Contains(name, "ledger") || strings.HasPrefix(name, "_") || name == withdrawn.Key // which list it as gone
			if !guide && !record && (strings.Contains(string(body), "site.example/") || strings.Contains(string(body), entry)) {
				files = append(files, name)
			}
			return err
		})
		must(t, err)
		return files
	}
	if files := shown(); len(files) != 0 {
		t.Errorf("a closed listing is in %v", files)
	}

	for _, body := range []string{`{"colophon_publisher": "1", "name": "", "listing": "open"}`, "! down"} {
		w.put(ownFile, body)
		w.run("refresh")
		state("closed")
	}
	w.remove(ownFile)
	w.must("refresh")
	state("closed")
	w.put(ownFile, file)
	assert.Contains(t, "refresh does not tell how the listing is opened again", w.must("refresh"), "colophon publisher reopen site-example")
	state("closed")
	w.must("publisher", "reopen", "site-example")
	w.must("refresh")
	state("approved")
	w.must("build")
	if len(shown()) == 0 {
		t.Error("a reopened listing is nowhere")
	}
}
