package main

import (
	"encoding/json"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"colophon/internal/assert"
	"colophon/internal/urlkey"
)

// movedFile is the file of a publisher with two hosts.
const movedFile = `{"colophon_publisher": "1", "name": "Site of Example", "hosts": ["site.example", "other.example"]}`

func reportPage(name string) string {
	return "<html lang=en><title>Report " + name + "</title><body><h1>Report " + name + "</h1><p>Report " + name +
		" tells of the ships that came in on that day, of what they carried, and of who was on watch at the quay.</p></body></html>"
}

func sitemapOf(addresses ...string) string {
	out := `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`
	for _, a := range addresses {
		out += "<url><loc>" + a + "</loc></url>"
	}
	return out + "</urlset>"
}

// askWorker returns the answer of the built registry's worker to a path.
func (w *webWorld) askWorker(path string) (body string) {
	w.t.Helper()
	w.withWorker(func(base string) {
		res, err := http.Get(base + path)
		body = fetchText(w.t, res, err)
	})
	return body
}

type successor struct {
	EntryID      string `json:"entry_id"`
	CanonicalURL string `json:"canonical_url"`
	Citation     string `json:"citation"`
}

// candidatesOf returns the resolver's candidates for a key.
func (w *webWorld) candidatesOf(key, value string) map[string]*successor {
	w.t.Helper()
	var answer struct {
		Candidates []struct {
			EntryID   string     `json:"entry_id"`
			Successor *successor `json:"successor"`
		} `json:"candidates"`
	}
	must(w.t, json.Unmarshal([]byte(w.askWorker("/v1/public/citations/resolve?"+key+"="+value)), &answer))
	out := map[string]*successor{}
	for _, c := range answer.Candidates {
		out[c.EntryID] = c.Successor
	}
	return out
}

// TestPublisherMoves moves a site to another host: nothing happens without a
// proof of both; then every entry names its successor, by address, id and
// fingerprint, and the same command links what is imported later.
func TestPublisherMoves(t *testing.T) {
	t.Parallel()
	w := newWebWorld(t)
	w.site()
	w.put("site.example/c", reportPage("c"))
	w.put("site.example/sitemap.xml", sitemapOf("https://site.example/a", "https://site.example/b", "https://site.example/c"))
	w.enrolSite()
	w.must("import", "https://site.example/sitemap.xml", "--site", "site-example")
	w.must("build")
	old := func(path string) string { return urlkey.EntryID("site-example", "https://site.example/"+path) }
	moved := func(path string) string { return urlkey.EntryID("site-example", "https://other.example/"+path) }
	move := []string{"publisher", "move", "site-example", "https://site.example/", "https://other.example/"}

	out, ok := w.run(move...)
	if ok || !strings.Contains(out, "nothing shows that other.example belongs to this publisher") {
		t.Fatalf("a move to a host that shows nothing:\n%s", out)
	}
	if shown := w.must("publisher", "show", "site-example"); !strings.Contains(shown, "https://site.example/") || strings.Contains(shown, "other.example") {
		t.Fatalf("a refused move changed the publisher:\n%s", shown)
	}

	w.put("other.example/.well-known/colophon-publisher.json", movedFile)
	w.put(ownFile, movedFile)
	w.put("other.example/a", reportPage("a"))
	w.put("other.example/2026/b", reportPage("b"))
	w.put("other.example/sitemap.xml", sitemapOf("https://other.example/a", "https://other.example/2026/b"))
	w.must("publisher", "set", "site-example", "--host", "other.example")
	w.must("import", "https://other.example/sitemap.xml", "--site", "site-example")

	dry := w.must(append(move, "--dry-run")...)
	assert.Contains(t, "the dry run", dry, "2 linked now", "nothing was changed")
	assert.Lacks(t, "the dry run changed an entry", w.must("entry", "show", old("a")), "withdrawn")
	done := w.must(move...)
	assert.Contains(t, "the move", done, "2 linked now, 0 before, 1 without a page", "https://site.example/c\n", "home https://other.example/")
	assert.Contains(t, "the second move", w.must(move...), "0 linked now, 2 before, 1 without a page")
	w.must("build")
	w.must("verify", filepath.Join(w.dir, "dist"))

	w.checkSuccessor("url", "https://site.example/a", old("a"), moved("a"))
	w.checkSuccessor("entry_id", old("b"), old("b"), moved("2026/b"))
	w.checkRightsSuccessor(old("a"), moved("a"), "https://site.example/a", "https://other.example/a")
	w.withWorker(func(base string) {
		res, err := http.Post(base+"/v1/agent/licensing-intent/prepare", "application/json", strings.NewReader(`{"resource":"https://site.example/a","requested_use":"rag"}`))
		assert.Contains(t, "whoever prepares to ask about the old address is led to", fetchText(t, res, err), moved("a"))
	})
	var cited struct {
		Fingerprints struct {
			Portable struct {
				Digest string `json:"digest"`
			} `json:"portable"`
		} `json:"fingerprints"`
		Provenance struct {
			Status string `json:"status"`
		} `json:"provenance"`
		Rights struct {
			Vector string `json:"rights_vector"`
		} `json:"rights"`
		Successor successor `json:"successor"`
	}
	must(t, json.Unmarshal([]byte(w.published("v1/public/citations/"+old("a")+".json")), &cited))
	if cited.Provenance.Status != "superseded" || cited.Rights.Vector != "WWWWWWWW" || cited.Successor.EntryID != moved("a") || cited.Successor.CanonicalURL != "https://other.example/a" {
		t.Errorf("the citation of the old address is %+v", cited)
	}
	both := w.candidatesOf("fingerprint", cited.Fingerprints.Portable.Digest)
	if len(both) != 2 || both[old("a")] == nil || both[moved("a")] != nil {
		t.Errorf("the fingerprint resolves to %v", both)
	}
	if page := w.published("citations/" + old("a") + "/index.html"); !strings.Contains(page, "This page moved") || !strings.Contains(page, "/citations/"+moved("a")+"/") {
		t.Error("the page of the old address does not name the successor")
	}
	if found := w.candidatesOf("entry_id", old("c")); found[old("c")] != nil {
		t.Errorf("a page that is nowhere else has the successor %v", found)
	}

	w.put("other.example/c", reportPage("c"))
	w.put("other.example/sitemap.xml", sitemapOf("https://other.example/a", "https://other.example/2026/b", "https://other.example/c"))
	w.must("import", "https://other.example/sitemap.xml", "--site", "site-example")
	assert.Contains(t, "after a later import the move", w.must(move...), "1 linked now, 2 before, 0 without a page")
	w.must("entry", "restore", old("b"))
	w.must("build")
	w.checkSuccessor("url", "https://site.example/c", old("c"), moved("c"))
	if found := w.candidatesOf("entry_id", old("b")); found[old("b")] != nil {
		t.Errorf("a restored entry keeps the successor %v", found)
	}
	w.must("verify", filepath.Join(w.dir, "dist"))
}

func (w *webWorld) checkSuccessor(key, value, entryID, want string) {
	w.t.Helper()
	if s := w.candidatesOf(key, value)[entryID]; s == nil || s.EntryID != want || s.Citation != "/v1/public/citations/"+want+".json" {
		w.t.Errorf("%s=%s: the successor is %+v, not %s", key, value, s, want)
	}
}

// TestKilledMove kills the command at times spread over its run: all entries
// must be linked or none, and the next call must do the rest.
func TestKilledMove(t *testing.T) {
	t.Parallel()
	w := newWebWorld(t)
	w.site()
	w.put("other.example/.well-known/colophon-publisher.json", movedFile)
	w.put(ownFile, movedFile)
	var before, after, old []string
	for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
		w.put("site.example/"+name, reportPage(name))
		w.put("other.example/"+name, reportPage(name))
		before, after = append(before, "https://site.example/"+name), append(after, "https://other.example/"+name)
		old = append(old, urlkey.EntryID("site-example", "https://site.example/"+name))
	}
	w.put("site.example/sitemap.xml", sitemapOf(before...))
	w.put("other.example/sitemap.xml", sitemapOf(after...))
	w.must("publisher", "add", "https://site.example/")
	w.must("import", "https://site.example/sitemap.xml", "--site", "site-example")
	w.must("import", "https://other.example/sitemap.xml", "--site", "site-example")
	move := []string{"publisher", "move", "site-example", "https://site.example/", "https://other.example/"}

	began := time.Now()
	w.must(move...)
	length := time.Since(began)
	rounds := killRounds(t)
	for i := range rounds {
		w.must(append([]string{"entry", "restore"}, old...)...)
		w.killed(length*time.Duration(i+1)/time.Duration(rounds+1), move...)
		if n := strings.Count(w.must("entry", "list", "--site", "site-example", "--state", "withdrawn"), "https://site.example/"); n != 0 && n != len(old) {
			t.Errorf("a killed move linked %d of %d entries", n, len(old))
		}
		w.must(move...)
		if n := strings.Count(w.must("entry", "list", "--site", "site-example", "--state", "withdrawn"), "https://site.example/"); n != len(old) {
			t.Errorf("after the second call %d of %d entries are linked", n, len(old))
		}
	}
}

// movedRights is what a rights check says about one candidate.
type movedRights struct {
	EntryID   string     `json:"entry_id"`
	Vector    string     `json:"rights_vector"`
	Successor *successor `json:"successor"`
}

// checkRightsSuccessor checks the rights of a moved page, by its old and its
// new address, in a single check, in a batch and on the page for people.
func (w *webWorld) checkRightsSuccessor(oldID, newID, oldURL, newURL string) {
	t := w.t
	t.Helper()
	holds := func(by string, list []movedRights) {
		t.Helper()
		if len(list) != 1 || list[0].EntryID != oldID || list[0].Vector != "WWWWWWWW" || list[0].Successor == nil {
			t.Errorf("the rights check by %s answers %+v", by, list)
			return
		}
		if s := list[0].Successor; s.EntryID != newID || s.CanonicalURL != newURL || s.Citation != "/v1/public/citations/"+newID+".json" {
			t.Errorf("the rights check by %s names the successor %+v", by, s)
		}
	}
	check := func(query string) (list []movedRights) {
		t.Helper()
		var answer struct {
			Candidates []movedRights `json:"candidates"`
		}
		if err := json.Unmarshal([]byte(w.askWorker("/v1/public/rights/check?"+query)), &answer); err != nil {
			t.Fatal(err)
		}
		return answer.Candidates
	}
	holds("address", check("url="+oldURL))
	holds("entry", check("entry_id="+oldID))
	if now := check("url=" + newURL); len(now) != 1 || now[0].EntryID != newID || now[0].Successor != nil {
		t.Errorf("the rights check of the new address answers %+v", now)
	}
	w.withWorker(func(base string) {
		res, err := http.Post(base+"/v1/public/rights/check-batch", "application/json", strings.NewReader(`{"urls":["`+oldURL+`","`+newURL+`"]}`))
		var batch struct {
			Results []struct {
				Candidates []movedRights `json:"candidates"`
			} `json:"results"`
		}
		if err := json.Unmarshal([]byte(fetchText(t, res, err)), &batch); err != nil || len(batch.Results) != 2 {
			t.Fatalf("the batch answers %+v, %v", batch, err)
		}
		holds("batch", batch.Results[0].Candidates)
		if now := batch.Results[1].Candidates; len(now) != 1 || now[0].Successor != nil {
			t.Errorf("the batch says of the new address %+v", now)
		}
	})
	w.withoutOrigin(func(base string) {
		res, err := http.Get(base + "/v1/public/rights/check?url=" + oldURL)
		var answer struct {
			AnsweredBy string        `json:"answered_by"`
			Candidates []movedRights `json:"candidates"`
		}
		if err := json.Unmarshal([]byte(fetchText(t, res, err)), &answer); err != nil || answer.AnsweredBy != "static" {
			t.Fatalf("without the origin the check is answered by %q, %v", answer.AnsweredBy, err)
		}
		holds("published files", answer.Candidates)
	})
	if page := w.askWorker("/check/?q=" + oldURL); !strings.Contains(page, "This page moved to") || !strings.Contains(page, "/check/?q="+newID) {
		t.Error("the check page does not lead to the successor")
	}
}
