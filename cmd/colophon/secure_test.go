package main

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"colophon/internal/assert"
	"colophon/internal/urlkey"
)

// TestPublisherGoesToHTTPS moves a site from http to https: entries keep their
// ids, texts and records at the new addresses, whichever of the two a later
// import lists, and a page missing there is noticed.
func TestPublisherGoesToHTTPS(t *testing.T) {
	t.Parallel()
	w := newWebWorld(t)
	w.site()
	w.remove(ownFile)
	plain := httptest.NewServer(w)
	defer plain.Close()
	over := "site.example:80=" + strings.TrimPrefix(plain.URL, "http://")
	importFrom := func(scheme string, names ...string) string {
		var list []string
		for _, name := range names {
			list = append(list, scheme+"://site.example/"+name)
		}
		w.put("site.example/sitemap.xml", sitemapOf(list...))
		return w.must("import", scheme+"://site.example/sitemap.xml", "--site", "site-example", "--connect-to", over, "--grace-days", "0")
	}
	w.put("site.example/c", reportPage("c"))
	w.put("site.example/old/d", reportPage("d"))
	w.must("publisher", "add", "site-example", "--name", "Site", "--site-url", "http://site.example/")
	w.must("publisher", "approve", "site-example")
	importFrom("http", "a", "b", "c", "old/d")
	id := func(name string) string { return urlkey.EntryID("site-example", "http://site.example/"+name) }
	w.must("entry", "withdraw", id("c"))
	w.must("build")
	first := w.recordOf(id("a"))

	move := []string{"publisher", "move", "site-example", "http://site.example/", "https://site.example/"}
	assert.Contains(t, "the dry run", w.must(append(move, "--dry-run")...), "4 kept with an https address", "nothing was changed")
	if out := w.must(move...); !strings.Contains(out, "4 kept with an https address") || !strings.Contains(out, "0 linked now, 0 before, 0 without a page") || !strings.Contains(out, "home https://site.example/") {
		t.Errorf("the move says:\n%s", out)
	}
	assert.Contains(t, "the second move", w.must(move...), "0 kept", "0 linked now, 0 before, 0 without a page")
	w.must("build")
	w.must("verify", filepath.Join(w.dir, "dist"))

	// The same pages come back under the new scheme, then again under the old
	// one.
	want := func(state string, names ...string) {
		t.Helper()
		list := w.must("entry", "list", "--site", "site-example", "--state", state)
		if n := strings.Count(list, "ent_"); n != len(names) {
			t.Errorf("%d entries are %s, want %d:\n%s", n, state, len(names), list)
		}
		for _, name := range names {
			if !strings.Contains(list, fmt.Sprintf("%s  %-9s  https://site.example/%s ", id(name), state, name)) {
				t.Errorf("%s has not kept its id as %s:\n%s", name, state, list)
			}
		}
	}
	want("active", "a", "b", "old/d")
	for _, scheme := range []string{"https", "http", "https"} {
		out := importFrom(scheme, "a", "b", "c", "old/d")
		if !strings.Contains(out, "new 0, changed 0, unchanged 3 ") {
			t.Errorf("the import over %s says:\n%s", scheme, out)
		}
		want("active", "a", "b", "old/d")
		want("withdrawn", "c")
	}
	w.must("build")
	w.must("verify", filepath.Join(w.dir, "dist"))
	second := w.recordOf(id("a"))
	if second.CanonicalURL != "https://site.example/a" || second.Version != 2 || second.Supersedes == "" || second.Fingerprints != first.Fingerprints || first.CanonicalURL != "http://site.example/a" {
		t.Errorf("the record %+v became %+v", first, second)
	}
	if found := w.candidatesOf("url", "https://site.example/a"); len(found) != 1 || found[id("a")] != nil {
		t.Errorf("the new address resolves to %v", found)
	}
	whole := filepath.Join(w.dir, "whole")
	w.must("build", "--whole", "--out", whole)
	w.sameFile(whole, "v1/public/citations/"+id("a")+".json")
	w.sameFile(whole, "v1/public/licensing-feed.json")

	// A page missing at the new address is noticed, and a new page gets a new
	// id.
	w.remove("site.example/b")
	w.put("site.example/e", reportPage("e"))
	importFrom("https", "a", "c", "old/d", "e")
	want("withdrawn", "b", "c")
	assert.Contains(t, "a page that came after the move", w.must("entry", "show", urlkey.EntryID("site-example", "https://site.example/e")), "active")
}

// TestMovesAndSchemes checks which addresses a move accepts, and what happens
// to the entries.
func TestMovesAndSchemes(t *testing.T) {
	t.Parallel()
	w := newWebWorld(t)
	w.site()
	plain := httptest.NewServer(w)
	defer plain.Close()
	address := strings.TrimPrefix(plain.URL, "http://")
	for _, name := range []string{"site.example/a", "site.example/c", "site.example/old/d", "other.example/a", "site.example:8080/e"} {
		w.put(name, reportPage(name[len(name)-1:]))
	}
	w.put("other.example/.well-known/colophon-publisher.json", movedFile)
	w.put(ownFile, movedFile)
	for _, c := range []struct{ name, pages, from, to, says, entries string }{
		{"back to http", "https://site.example/a", "https://site.example/", "http://site.example/", "can be altered on the way", ""},
		{"nowhere", "http://site.example/a", "http://site.example/", "http://site.example/", "are both http:", ""},
		{"a page", "http://site.example/a", "http://site.example/a", "https://site.example/a", `ends with "/"`, ""},
		{"no web address", "http://site.example/a", "ftp://site.example/", "https://site.example/", "http or https address", ""},
		{"a stranger's host", "http://site.example/a", "http://site.example/", "https://victim.example/", "nothing shows that ", ""},
		{"www. is another host", "http://site.example/a", "http://site.example/", "https://www.site.example/", "nothing shows that ", ""},
		{"a part", "http://site.example/a http://site.example/old/d", "http://site.example/old/", "https://site.example/old/",
			"1 kept with an https address, 0 linked", "http://site.example/a active, https://site.example/old/d active"},
		{"host and scheme at once", "http://site.example/a http://site.example/c https://other.example/a", "http://site.example/", "https://other.example/",
			"1 linked now, 0 before, 1 without", "http://site.example/a withdrawn, http://site.example/c active, https://other.example/a active"},
		{"imported before", "http://site.example/a http://site.example/c https://site.example/a", "http://site.example/", "https://site.example/",
			"1 linked now, 0 before, 0 without", "http://site.example/a withdrawn, https://site.example/a active, https://site.example/c active"},
		{"another port", "http://site.example:8080/e", "http://site.example:8080/", "https://site.example/",
			"0 linked now, 0 before, 1 without", "http://site.example:8080/e active"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w.t, w.dir = t, t.TempDir()
			fixtures.empty.copyTo(t, w.dir)
			w.must("publisher", "add", "site-example", "--name", "Site", "--site-url", "http://site.example/", "--host", "other.example")
			w.put("site.example/sitemap.xml", sitemapOf(strings.Fields(c.pages)...))
			w.must("import", "https://site.example/sitemap.xml", "--site", "site-example", "--connect-to", "site.example:80="+address, "--connect-to", "site.example:8080="+address)
			out, ok := w.run("publisher", "move", "site-example", c.from, c.to)
			if ok != (c.entries != "") || !strings.Contains(out, c.says) {
				t.Fatalf("the move says:\n%s", out)
			}
			for _, entry := range strings.Split(c.entries, ", ") {
				address, state, _ := strings.Cut(entry, " ")
				if list := w.must("entry", "list", "--site", "site-example"); ok && !strings.Contains(list, fmt.Sprintf("%-9s  %s ", state, address)) {
					t.Errorf("%s is not %s:\n%s", address, state, list)
				}
			}
		})
	}
	nobody := operator{t, filepath.Join(t.TempDir(), "reg")}
	nobody.ok("init", "--base-url", "https://registry.example")
	nobody.ok("publisher", "add", "nobody", "--name", "Nobody", "--site-url", "http://nobody.example/")
	if code, _, out := nobody.run("publisher", "move", "nobody", "http://nobody.example/", "https://nobody.example/", "--allow-private", "--connect-to", "nobody.example:443=127.0.0.1:1", "--dns", "127.0.0.1:1"); code == 0 || !strings.Contains(out, "https://nobody.example/ cannot be reached") {
		t.Errorf("a move to an address where nothing answers:\n%s", out)
	}
}

type recordFacts struct {
	CanonicalURL string `json:"canonical_url"`
	Version      int    `json:"record_version"`
	Supersedes   string `json:"supersedes"`
	Fingerprints struct {
		Portable struct {
			Digest string `json:"digest"`
		} `json:"portable"`
	} `json:"fingerprints"`
}

func (w *webWorld) recordOf(entryID string) (r recordFacts) {
	w.t.Helper()
	must(w.t, json.Unmarshal([]byte(w.published("v1/public/contentdna-provenance/"+entryID+".json")), &r))
	return r
}

// sameFile compares a published file with that of another folder.
func (w *webWorld) sameFile(folder, name string) {
	w.t.Helper()
	data, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(name)))
	if err != nil || string(data) != w.published(name) {
		w.t.Errorf("%s is not what a whole build writes: %v", name, err)
	}
}
