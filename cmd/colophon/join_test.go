package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"colophon/exports"
	"colophon/internal/assert"
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
	w.ask("jn_site", "site.example")
	w.ask("jn_other", "other.example")
	w.put("other.example/robots.txt", "User-agent: *\nDisallow: /\n")
	assert.Contains(t, "the queue", w.must("join", "list"), "jn_site  waiting   site.example  not looked at")
	out := w.must("join", "check")
	assert.Contains(t, "the check", out, "site.example  file read, control well_known", "other.example  file gone, control none")
	out = w.must("join", "show", "site.example")
	assert.Contains(t, "show", out, "Offer answers-2026: Answers grounded in our reporting (rag, summarization; subscription, 1200 EUR)", "Use training: disallow, asking is not offered", "channel      rsl: https://site.example/license.xml")
	inJSON := []string{"join", "show", "site.example", "--json"}
	checkAnswer(t, inJSON, w.must(inJSON...))
	assert.Contains(t, "what is missing is not told", w.must("join", "show", "other.example"), "missing      The file https://other.example/.well-known/colophon-publisher.json")
	if out, ok := w.run("join", "approve", "other.example"); ok || !strings.Contains(out, "has no file") {
		t.Errorf("approved without a file: %s", out)
	}
	w.must("build")
	assert.Fails(t, assert.Err(os.Stat(filepath.Join(w.dir, "dist", "publishers", "site-example"))), "it is public before it is approved")
	w.must("join", "check", "jn_site", "--dry-run")
	w.must("join", "decline", "jn_site", "--reason", "later", "--dry-run")
	assert.Contains(t, "a dry run", w.must("join", "approve", "jn_site", "--dry-run"), "site.example is publisher site-example, approved")
	assert.Contains(t, "a dry run approved it", w.must("join", "list"), "jn_site  waiting")
	assert.Contains(t, "approved without a page, it", w.must("join", "approve", "jn_site"), "next: colophon import --site site-example")
	w.must("import", "https://site.example/sitemap.xml", "--site", "site-example")
	assert.Contains(t, "approved with pages, it", w.must("publisher", "approve", "site-example"), "next: colophon build")
	w.must("build")
	assert.Equal(t, w.mapOf("site-example").Verification.Control, "well_known", "approved, its control")
	if out, ok := w.run("join", "approve", "jn_site"); ok || !strings.Contains(out, "is approved already") {
		t.Errorf("approved twice: %s", out)
	}
	w.must("join", "decline", "other.example", "--reason", "Nothing.")
	assert.Contains(t, "all", w.must("join", "list", "--state", "all"), "declined", "approved")
	if out, ok := w.run("join", "show", "nobody.example"); ok || !strings.Contains(out, "nobody asked") {
		t.Errorf("a host that did not ask: %s", out)
	}
}
