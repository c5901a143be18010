package intake

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"colophon/internal/assert"
)

// TestLook reads the statements of a page and its origin from a real server; a
// page without text has them too.
func TestLook(t *testing.T) {
	pages := map[string]string{
		"/robots.txt":  "User-agent: *\nAllow: /\nDisallow: /ai.txt\nLicense: http://%s/license.xml\n",
		"/license.xml": `<rsl xmlns="https://rslstandard.org/rsl"/>`,
		"/page":        `<html><head><meta name="tdm-reservation" content="1"></head><body></body></html>`,
		"/ai.txt":      "User-Agent: *\nDisallow: /\n",
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, ok := pages[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		if r.URL.Path == "/page" {
			w.Header().Set("Content-Type", "text/html")
			w.Header().Set("Content-Usage", "train-ai=n")
		}
		w.Write([]byte(strings.Replace(body, "%s", r.Host, 1))) //nolint:errcheck
	}))
	defer server.Close()
	p := newProver(t, Options{AllowPrivate: true})
	seen, err := p.Look(t.Context(), server.URL+"/page")
	must(t, err)
	got := map[string]string{}
	for _, o := range seen {
		if !strings.HasPrefix(o.URL, server.URL+"/") {
			t.Errorf("%s was found at %s", o.Channel, o.URL)
		}
		got[o.Channel] = strings.TrimPrefix(o.URL, server.URL) + " " + strconv.Itoa(int(o.Status))
	}
	want := map[string]string{
		"robots": "/robots.txt 200", "rsl": "/license.xml 200", "html_meta": "/page 200", "aipref_header": "/page 200",
		"tdmrep": "/.well-known/tdmrep.json 404", "ai_txt": "/.well-known/ai.txt 404", "trust_txt": "/trust.txt 404",
		"publisher_file": "/.well-known/colophon-publisher.json 404",
	}
	for channel, at := range want {
		assert.Equal(t, got[channel], at, "%s", channel)
	}
	assert.Equal(t, len(got), len(want), "found %v; robots.txt forbids /ai.txt", got)
	p = newProver(t, Options{Contact: "desk@x.example"})
	assert.ErrorIs(t, assert.Err(p.Look(t.Context(), server.URL+"/page")), ErrSource, "a private address without leave")
	for _, bad := range []string{"ftp://x.example/", "http://", "x"} {
		assert.ErrorIs(t, assert.Err(p.Look(t.Context(), bad)), ErrUsage, "%q", bad)
	}
}

func newProver(t *testing.T, opt Options) *Prover {
	t.Helper()
	p, err := NewProver(opt)
	must(t, err)
	t.Cleanup(p.Close)
	return p
}

// TestStatementsOfOddPages checks that what a page says about rights counts although
// an import would not take the page, and that only a page that was read to its end
// says nothing more.
func TestStatementsOfOddPages(t *testing.T) {
	const page = `<!doctype html><html><head><meta name="robots" content="noai"></head><body>`
	at, err := url.Parse("https://site.example/")
	must(t, err)
	for name, c := range map[string]struct {
		media, body string
		says, all   bool
	}{
		"HTML":                     {"text/html", page, true, true},
		"XHTML":                    {"application/xhtml+xml", page, true, true},
		"HTML as plain text":       {"text/plain", page, true, true},
		"HTML as bytes":            {"application/octet-stream", page, true, true},
		"HTML of no media type":    {"", page, true, true},
		"more elements than taken": {"text/html", page + strings.Repeat("<p></p>", maxElements), true, true},
		"plain text":               {"text/plain", "noai", false, true},
		"deeper than any parser":   {"text/html", page + strings.Repeat("<b>", 10_000), false, false},
	} {
		a := &answer{url: at, header: http.Header{"Content-Type": {c.media}}, body: []byte(c.body)}
		e, all := statedEvidence(a)
		if says := strings.Contains(e.html, "noai"); says != c.says || all != c.all {
			t.Errorf("%s: it says %q, all of it: %v", name, e.html, all)
		}
	}
}
