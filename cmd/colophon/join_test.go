package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"colophon/exports"
	"colophon/internal/origin"
)

// ask adds a host to the queue of sites that want to join.
func (w *webWorld) ask(id, host string) {
	w.t.Helper()
	store, done := w.store()
	defer done()
	now := time.Now()
	err := store.PutJoin(context.Background(), origin.Join{
		JoinID: id, Host: host, State: origin.JoinWaiting, Lookup: "0123456789abcdef", Hash: strings.Repeat("0", 64),
		CreatedAt: exports.Instant(now), ChangedAt: exports.Instant(now), ExpiresAt: exports.Instant(now.AddDate(0, 0, 90)),
	})
	must(w.t, err)
}

// TestJoinCommand checks that a site which applied is read, approved through
// its own file, and public only then. A site without a file is told what is
// missing, and cannot be approved.
func TestJoinCommand(t *testing.T) {
	t.Parallel()
	w := newWebWorld(t)
	w.site()
	fixtures.empty.copyTo(w.t, w.dir)
	w.ask("jn_site", "site.example")
	w.ask("jn_other", "other.example")
	w.put("other.example/robots.txt", "User-agent: *\nDisallow: /\n")
	if out := w.must("join", "list"); !strings.Contains(out, "jn_site  waiting   site.example  not looked at") {
		t.Errorf("the queue:\n%s", out)
	}
	out := w.must("join", "check")
	if !strings.Contains(out, "site.example  file read, control well_known") || !strings.Contains(out, "other.example  file gone, control none") {
		t.Errorf("the check:\n%s", out)
	}
	out = w.must("join", "show", "site.example")
	for _, want := range []string{"Offer answers-2026: Answers grounded in our reporting (rag, summarization; subscription, 1200 EUR)", "Use training: disallow, asking is not offered", "channel      rsl: https://site.example/license.xml"} {
		if !strings.Contains(out, want) {
			t.Errorf("show lacks %q:\n%s", want, out)
		}
	}
	inJSON := []string{"join", "show", "site.example", "--json"}
	checkAnswer(t, inJSON, w.must(inJSON...))
	if out := w.must("join", "show", "other.example"); !strings.Contains(out, "missing      The file https://other.example/.well-known/colophon-publisher.json") {
		t.Errorf("what is missing is not told:\n%s", out)
	}
	if out, ok := w.run("join", "approve", "other.example"); ok || !strings.Contains(out, "has no file") {
		t.Errorf("approved without a file: %s", out)
	}
	w.must("build")
	if _, err := os.Stat(filepath.Join(w.dir, "dist", "publishers", "site-example")); err == nil {
		t.Error("it is public before it is approved")
	}
	w.must("join", "check", "jn_site", "--dry-run")
	w.must("join", "decline", "jn_site", "--reason", "later", "--dry-run")
	if out := w.must("join", "approve", "jn_site", "--dry-run"); !strings.Contains(out, "site.example is publisher site-example, approved") {
		t.Errorf("a dry run says %s", out)
	}
	if out := w.must("join", "list"); !strings.Contains(out, "jn_site  waiting") {
		t.Errorf("a dry run approved it:\n%s", out)
	}
	if out := w.must("join", "approve", "jn_site"); !strings.Contains(out, "next: colophon import --site site-example") {
		t.Errorf("approved without a page, it says\n%s", out)
	}
	w.must("import", "https://site.example/sitemap.xml", "--site", "site-example")
	if out := w.must("publisher", "approve", "site-example"); !strings.Contains(out, "next: colophon build") {
		t.Errorf("approved with pages, it says\n%s", out)
	}
	w.must("build")
	if got := w.mapOf("site-example").Verification.Control; got != "well_known" {
		t.Errorf("approved, its control is %q", got)
	}
	if out, ok := w.run("join", "approve", "jn_site"); ok || !strings.Contains(out, "is approved already") {
		t.Errorf("approved twice: %s", out)
	}
	w.must("join", "decline", "other.example", "--reason", "Nothing.")
	if out := w.must("join", "list", "--state", "all"); !strings.Contains(out, "declined") || !strings.Contains(out, "approved") {
		t.Errorf("all:\n%s", out)
	}
	if out, ok := w.run("join", "show", "nobody.example"); ok || !strings.Contains(out, "nobody asked") {
		t.Errorf("a host that did not ask: %s", out)
	}
}
