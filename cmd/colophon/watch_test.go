package main

import (
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"

	"colophon/internal/assert"
)

// TestRefreshTellsWhatChanged changes the channels of an enrolled site:
// refresh, watch, the published history, the publisher's page and the outbox
// must report it alike.
func TestRefreshTellsWhatChanged(t *testing.T) {
	t.Parallel()
	w := newWebWorld(t)
	file := w.site()
	w.put(ownFile, strings.Replace(file, `    {"use": "training", "declared": "disallow", "inquiry": "not_offered"},`+"\n", "", 1))
	robots := "User-agent: *\nAllow: /\n"
	w.put("site.example/robots.txt", robots)
	w.put("site.example/", `<html lang=en><head><meta name="tdm-reservation" content="0"><title>Home</title></head><body><p>Home.</p></body></html>`)
	w.enrolSite()
	w.must("refresh", "site-example")
	for _, column := range []string{"evidence SET since", "policy_history SET effective_from"} { // instants are whole seconds
		operator{t, w.dir}.sql("UPDATE " + column + " = strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '-1 hour')")
	}
	w.must("webhook", "add", "https://hooks.example/", "--site", "site-example")
	if out := w.must("refresh", "site-example", "--json"); !strings.Contains(out, `"changes":[]`) {
		t.Fatalf("nothing changed: %s", out)
	}

	w.put("site.example/robots.txt", "# BEGIN Cloudflare Managed content\nUser-agent: *\nContent-Signal: search=yes,ai-train=no\nAllow: /\n# END Cloudflare Managed Content\n"+robots)
	w.put("site.example/", `<html lang=en><head><title>Home</title></head><body><p>Home.</p></body></html>`)
	out := w.must("refresh", "site-example")
	assert.Contains(t, "the text", out,
		"https://site.example/robots.txt: changed, by cdn\n", "html_meta    https://site.example/: removed, by unknown\n", "training     signal_allow before, declined now\n",
	)
	assert.Lacks(t, "the same is told twice", w.must("refresh", "site-example"), "version")

	var watched struct {
		Data []struct {
			Changes []json.RawMessage `json:"changes"`
		} `json:"data"`
	}
	if err := json.Unmarshal([]byte(w.must("watch", "--json")), &watched); err != nil || len(watched.Data) != 1 {
		t.Fatalf("watch: %v", err)
	}
	w.must("build")
	history := w.published("v1/public/sites/site-example/policy-history.json")
	if !strings.Contains(history, `"change":`+string(watched.Data[0].Changes[0])) {
		t.Errorf("%s is not in the history %s", watched.Data[0].Changes[0], history)
	}
	for _, page := range []string{"publishers/site-example/index.html", "publishers/site-example/policy/index.html"} {
		assert.Contains(t, page+" does not name who changed robots.txt", w.published(page), "changed, by the publisher’s CDN")
	}
	assert.Contains(t, "the webhook is told", w.must("webhook", "list", "--json"), `"kind":"policy.changed"`, `"status":"training_closed"`)
}

// TestRefreshStaysOnHosts redirects a site's home page to another publisher's
// host: that host's statements must not count as the site's.
func TestRefreshStaysOnHosts(t *testing.T) {
	t.Parallel()
	w := newWebWorld(t)
	w.site()
	w.put("site.example/", "<html lang=en><head><title>Home</title></head><body><p>Home.</p></body></html>")
	w.enrolSite()
	w.must("refresh", "site-example")
	w.put("site.example/", "> https://other.example/")
	w.put("other.example/", `<html lang=en><head><meta name="robots" content="noai"><title>Other</title></head><body><p>Other.</p></body></html>`)
	w.put("other.example/robots.txt", "User-agent: *\nDisallow: /private\n")
	w.must("refresh", "site-example")

	store, done := w.store()
	defer done()
	seen, err := store.Observations(t.Context(), "site-example")
	if err != nil || len(seen) == 0 {
		t.Fatalf("%d observations: %v", len(seen), err)
	}
	for _, o := range seen {
		if strings.Contains(o.URL, "other.example") || strings.Contains(o.Raw, "noai") {
			t.Errorf("%s at %s is taken for the site's", o.Channel, o.URL)
		}
	}
}

// TestRefreshReadsAllPublishers refreshes a registry whose only publisher has neither a
// proof nor a file that was ever read, and a home without TLS: its channels are read
// there, and a file that it has by now is left for the operator to name it.
func TestRefreshReadsAllPublishers(t *testing.T) {
	t.Parallel()
	w := newWebWorld(t)
	w.site()
	plain := httptest.NewServer(w)
	t.Cleanup(plain.Close)
	w.put("site.example/", `<html lang=en><head><title>Home</title></head><body><p>Home.</p></body></html>`)
	w.put("site.example/robots.txt", "User-agent: *\nContent-Signal: ai-train=yes\nAllow: /\n")
	w.must("publisher", "add", "plain", "--name", "Plain", "--site-url", "http://site.example/")
	w.must("publisher", "approve", "plain")
	w.must("publisher", "add", "gone", "--name", "Gone", "--site-url", "http://site.example/gone/")
	w.must("publisher", "close", "gone")
	refresh := func() string {
		t.Helper()
		return w.must("refresh", "--connect-to", "site.example:80="+plain.Listener.Addr().String())
	}
	refresh()
	for _, column := range []string{"evidence SET since", "policy_history SET effective_from"} { // instants are whole seconds
		operator{t, w.dir}.sql("UPDATE " + column + " = strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '-1 hour')")
	}
	w.put("site.example/robots.txt", "User-agent: *\nContent-Signal: ai-train=no\nAllow: /\n")
	out := refresh()
	assert.Contains(t, "the output", out, "plain\n", "http://site.example/robots.txt: changed, by unknown\n", "training     signal_allow before, declined now\n")
	assert.Lacks(t, "refresh", out, "file", "gone\n", "https://site.example/robots.txt")
}
