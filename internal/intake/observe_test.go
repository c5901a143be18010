package intake_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"colophon/internal/assert"
	"colophon/internal/origin"
)

func (w *world) observations() map[string]origin.Observation {
	w.Helper()
	list, err := w.store.Observations(context.Background(), siteID)
	if err != nil {
		w.Fatal(err)
	}
	found := map[string]origin.Observation{}
	for _, o := range list {
		found[o.Channel+" "+o.URL] = o
	}
	return found
}

func TestObservations(t *testing.T) {
	w := newWorld(t)
	robots := "User-agent: *\nAllow: /\nContent-Signal: ai-train=no\nLicense: " + home + "/licence-a.xml # ours\n"
	w.serve("/robots.txt", "text/plain", robots, "Cache-Control", "public, max-age=3600")
	w.serve("/.well-known/tdmrep.json", "application/json", `[{"location":"/","tdm-reservation":1}]`, "Expires", "Thu, 01 Jan 2037 00:00:00 GMT")
	w.serve("/trust.txt", "text/plain", "datatrainingallowed=no")
	w.handle("/ai.txt", func(rw http.ResponseWriter, r *http.Request) { rw.WriteHeader(http.StatusGone) })
	w.serve("/policy.json", "application/json", `{"@type":"Offer"}`)
	for _, name := range []string{"a", "b", "c"} {
		w.serve("/licence-"+name+".xml", "application/rsl+xml", `<rsl xmlns="https://rslstandard.org/rsl"><!-- `+name+` --></rsl>`)
	}
	w.serve("/page", "text/html", article("Page", `<meta name="tdm-reservation" content="1"><meta name="ExampleBot" content="noai"><meta name="viewport" content="x">
		<link rel="license" type="application/rsl+xml" href="/licence-b.xml"><script type="application/rsl+xml"><rsl><content/></rsl></script>
		<script type="application/ld+json">{"@type":"Article","articleBody":"the whole secret text","usageInfo":"https://www.harbor.example/use"}</script>`),
		"Content-Usage", "train-ai=n", "TDM-Policy", "/policy.json", "Set-Cookie", "a=b", "Link", `</licence-c.xml>; rel="license index"; type="application/rsl+xml", </x.css>; rel=preload`)
	w.sitemap("/sitemap.xml", "/page")
	sum := w.must("/sitemap.xml", at(1))
	got := w.observations()
	if sum.Observations != len(got) || len(got) != 12 {
		t.Errorf("%d observations counted, %d kept, want 12", sum.Observations, len(got))
	}
	const fetched = "2026-11-01T08:00:00Z"
	for _, c := range []struct {
		key    string
		status int64
		raw    string
		until  string
	}{
		{"robots " + home + "/robots.txt", 200, robots, "2026-11-01T09:00:00Z"},
		{"tdmrep " + home + "/.well-known/tdmrep.json", 200, `[{"location":"/","tdm-reservation":1}]`, "2026-11-08T08:00:00Z"},
		{"ai_txt " + home + "/ai.txt", 410, "", "2026-11-02T08:00:00Z"},
		{"trust_txt " + home + "/.well-known/trust.txt", 404, "", "2026-11-02T08:00:00Z"},
		{"tdm_policy " + home + "/policy.json", 200, `{"@type":"Offer"}`, "2026-11-02T08:00:00Z"},
		{"trust_txt " + home + "/trust.txt", 200, "datatrainingallowed=no", "2026-11-02T08:00:00Z"},
		{"rsl " + home + "/licence-a.xml", 200, `<rsl xmlns="https://rslstandard.org/rsl"><!-- a --></rsl>`, "2026-11-02T08:00:00Z"},
		{"rsl " + home + "/licence-b.xml", 200, `<rsl xmlns="https://rslstandard.org/rsl"><!-- b --></rsl>`, "2026-11-02T08:00:00Z"},
		{"rsl " + home + "/licence-c.xml", 200, `<rsl xmlns="https://rslstandard.org/rsl"><!-- c --></rsl>`, "2026-11-02T08:00:00Z"},
		{"aipref_header " + home + "/page", 200, "Content-Usage: train-ai=n\nTdm-Policy: /policy.json\nLink: </licence-c.xml>; rel=\"license index\"; type=\"application/rsl+xml\", </x.css>; rel=preload\n", "2026-11-02T08:00:00Z"},
		{"html_meta " + home + "/page", 200, `<meta name="tdm-reservation" content="1">
<meta name="examplebot" content="noai">
<link rel="license" type="application/rsl+xml" href="/licence-b.xml">
<script type="application/rsl+xml"><rsl><content/></rsl></script>
<script type="application/ld+json">{"@type":"Article","usageInfo":"https://www.harbor.example/use"}</script>`, "2026-11-02T08:00:00Z"},
	} {
		o, ok := got[c.key]
		sum := sha256.Sum256([]byte(c.raw))
		if !ok || o.Status != c.status || o.Raw != c.raw || o.FetchedAt != fetched || o.ValidUntil != c.until || o.SHA256 != hex.EncodeToString(sum[:]) {
			t.Errorf("%s: %+v", c.key, o)
		}
	}
	assert.Lacks(t, "an article's text is in an observation", fmt.Sprint(got), "secret")
}

// TestObservationsAreASample imports 40 pages that each make one of two
// statements.
func TestObservationsAreASample(t *testing.T) {
	w := newWorld(t)
	var paths []string
	for n := range 40 {
		paths = append(paths, fmt.Sprintf("/p%d", n))
		w.page(paths[n], fmt.Sprint("Page ", n), "Content-Signal", fmt.Sprintf("ai-train=%s", []string{"no", "yes"}[n%2]))
	}
	w.sitemap("/sitemap.xml", paths...)
	w.must("/sitemap.xml")
	n := 0
	for key := range w.observations() {
		if strings.HasPrefix(key, "aipref_header") {
			n++
		}
	}
	assert.Equal(t, n, 6, "pages were kept, want 3 for each thing said")
	if c := w.count("/robots.txt") + w.count("/trust.txt"); c != 2 {
		t.Errorf("documents of the site were fetched %d times, want once each", c)
	}
}

// TestObservationIsBounded serves a robots.txt of 2 MB with its rules first.
func TestObservationIsBounded(t *testing.T) {
	w := newWorld(t)
	w.serve("/robots.txt", "text/plain", "User-agent: *\nDisallow: /b\n"+strings.Repeat("# é\n", 500_000), "Cache-Control", "no-store")
	w.page("/a", "A")
	w.page("/b", "B")
	w.sitemap("/sitemap.xml", "/a", "/b")
	sum := w.must("/sitemap.xml", at(1))
	reason(t, sum.Skipped, "robots_disallowed", "/b")
	o := w.observations()["robots "+home+"/robots.txt"]
	if n := len(o.Raw); n > 512<<10 || n < 512<<10-4 || o.ValidUntil != o.FetchedAt {
		t.Errorf("%d bytes kept, valid %s to %s", n, o.FetchedAt, o.ValidUntil)
	}
}

func TestObservationOfTrouble(t *testing.T) {
	w := newWorld(t)
	w.page("/a", "A")
	w.handle("/trust.txt", func(rw http.ResponseWriter, r *http.Request) { panic(http.ErrAbortHandler) })
	w.must("/a")
	if o := w.observations()["trust_txt "+home+"/trust.txt"]; o.Status != 0 || o.FetchedAt == "" {
		t.Errorf("%+v", o)
	}
	if o := w.observations()["robots "+home+"/robots.txt"]; o.Status != 404 || o.Raw != "" {
		t.Errorf("%+v", o)
	}
}

// TestFeedWithTerms checks that RSL in the items of a site's own feed is kept
// with the feed.
func TestFeedWithTerms(t *testing.T) {
	w := newWorld(t)
	item := `<item><title>One</title><link>` + home + `/one</link>%s</item>`
	feed := func(terms string) string {
		return `<rss version="2.0" xmlns:rsl="https://rslstandard.org/rsl"><channel><title>t</title>` + fmt.Sprintf(item, terms) + `</channel></rss>`
	}
	w.serve("/one", "text/html", article("One", ""))
	terms := feed(`<rsl:content><rsl:license><rsl:prohibits type="usage">ai-train</rsl:prohibits></rsl:license></rsl:content>`)
	w.serve("/feed", "application/rss+xml", terms)
	w.serve("/plain", "application/rss+xml", strings.Replace(feed(""), ` xmlns:rsl="https://rslstandard.org/rsl"`, "", 1))
	w.must("/plain", at(1))
	for key := range w.observations() {
		if strings.HasPrefix(key, "rsl ") {
			t.Errorf("a feed without terms left %s", key)
		}
	}
	w.must("/feed", at(2))
	if got := w.observations()["rsl "+home+"/feed"]; got.Raw != terms || got.Status != 200 {
		t.Errorf("kept %+v", got)
	}
}
