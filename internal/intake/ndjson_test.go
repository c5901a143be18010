package intake_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"colophon/internal/intake"
)

const longText = "The harbour office published its figures this morning, and the ledger of arrivals grew by a tenth against the year before."

func lines(s ...string) func(*intake.Options) {
	return func(o *intake.Options) { o.Stdin = strings.NewReader(strings.Join(s, "\n")) }
}

func TestNDJSON(t *testing.T) {
	w := newWorld(t)
	in := lines(
		`{"url":"https://www.harbor.example/text","title":"Plain","text":"`+longText+`\n\nSecond: a < b & *c*","byline":["Ada Tern"],"section":"news","language":"EN_gb","published_at":"2026-02-03","modified_at":"2026-02-04T10:00:00+01:00","terms":["tides","Grain"],"content_format":"audio_transcript"}`,
		``,
		`{"url":"https://harbor.example/md","markdown":"# The crane\n\nIt stands at the *eastern* quay, [they say](/council), <script>alert(1)</script> and `+longText+`"}`,
		`{"url":"http://www.harbor.example:80/html#top","html":"<h1>Tides</h1><p onclick=x()>`+longText+`</p><script>x()</script><a href='javascript:x()'>no</a>","byline":"Ada Tern and Bo Gull"}`,
	)
	tally(t, w.must("-", in), 3, 0, 0, 0, 0)

	p, b := w.find("/text"), w.body("/text")
	if p.Title != "Plain" || p.Section != "news" || p.Language != "en-GB" || p.PublishedAt != "2026-02-03T00:00:00Z" || p.ModifiedAt != "2026-02-04T09:00:00Z" ||
		p.ContentFormat != "audio_transcript" || p.Extraction != "publisher-supplied-text" || fmt.Sprint(p.Terms) != "[tides grain plain]" || p.Portable == "" {
		t.Errorf("%+v", p)
	}
	if b.Text != longText+"\n\nSecond: a < b & *c*" || b.HTML != "<p>"+longText+"</p><p>Second: a &lt; b &amp; *c*</p>" || b.Markdown != longText+"\n\nSecond: a \\< b & \\*c\\*" {
		t.Errorf("%q", b)
	}

	p, b = w.find("https://harbor.example/md"), w.body("https://harbor.example/md")
	if p.Title != "The crane" || p.ContentFormat != "markdown" || p.Extraction != "publisher-supplied-text" || strings.Contains(b.HTML+b.Text, "<script") || !strings.Contains(b.HTML, `<a href="https://harbor.example/council">they say</a>`) || !strings.HasPrefix(b.Markdown, "# The crane") {
		t.Errorf("%+v\n%q", p, b)
	}

	p, b = w.find("http://www.harbor.example/html"), w.body("http://www.harbor.example/html")
	if p.Title != "Tides" || p.ContentFormat != "html" || p.Extraction != "service.html-text.v1" || b.HTML != "<h1>Tides</h1><p>"+longText+"</p><a>no</a>" || b.Text != "Tides\n\n"+longText+"\n\nno" || len(p.Byline) != 2 {
		t.Errorf("%+v\n%q", p, b)
	}
	tally(t, w.must("-", lines(`{"url":"https://harbor.example/md","markdown":"Short now."}`)), 0, 1, 0, 0, 0)
	if p := w.find("https://harbor.example/md"); p.Portable != "" || p.Registry == "" {
		t.Errorf("a short text has a fingerprint: %+v", p)
	}
}

// TestBrokenLines breaks one line at a time among good ones.
func TestBrokenLines(t *testing.T) {
	good := func(n int) string {
		return fmt.Sprintf(`{"url":"https://www.harbor.example/%d","title":"T","text":"%s"}`, n, longText)
	}
	for _, c := range []struct{ name, line, list, code, part string }{
		{"not JSON", `{"url":`, "failed", "bad_line", "json_syntax at byte 7"},
		{"not an object", `[1]`, "failed", "bad_line", "not a JSON object"},
		{"two objects", `{} {}`, "failed", "bad_line", "json_trailing_data"},
		{"invalid UTF-8", "{\"url\":\"https://www.harbor.example/x\",\"text\":\"\xff\"}", "failed", "bad_line", "ill_formed_unicode"},
		{"duplicate member", `{"url":"a","url":"b"}`, "failed", "bad_line", "json_duplicate_member"},
		{"unknown member", `{"url":"https://www.harbor.example/x","body":"y"}`, "failed", "bad_line", `member "body"`},
		{"no url", `{"text":"x"}`, "failed", "bad_line", "url: it is empty"},
		{"relative url", `{"url":"/x","text":"x"}`, "failed", "bad_line", "not an http or https"},
		{"url of a number", `{"url":7}`, "failed", "bad_line", "url: it is not a string"},
		{"IP literal", `{"url":"http://127.0.0.1/x","text":"x"}`, "skipped", "foreign_host", "127.0.0.1"},
		{"bad escape", `{"url":"https://www.harbor.example/%00","text":"x"}`, "failed", "bad_url", "url_percent_encoding"},
		{"bad date", `{"url":"https://www.harbor.example/x","text":"x","published_at":"yesterday"}`, "failed", "bad_line", `published_at: "yesterday"`},
		{"bad language", `{"url":"https://www.harbor.example/x","text":"x","language":"english!"}`, "failed", "bad_line", "language"},
		{"bad format", `{"url":"https://www.harbor.example/x","text":"x","content_format":"pdf"}`, "failed", "bad_line", "content_format"},
		{"bad byline", `{"url":"https://www.harbor.example/x","text":"x","byline":[1]}`, "failed", "bad_line", "byline"},
		{"two texts", `{"url":"https://www.harbor.example/x","text":"x","html":"y"}`, "failed", "bad_line", "text already"},
		{"no text", `{"url":"https://www.harbor.example/x","title":"x"}`, "skipped", "no_text", ""},
		{"blank text", `{"url":"https://www.harbor.example/x","text":" \u00a0\n"}`, "skipped", "no_text", ""},
		{"NUL", `{"url":"https://www.harbor.example/x","text":"a\u0000b"}`, "failed", "bad_text", "NUL"},
		{"foreign", `{"url":"https://other.example/x","text":"x"}`, "skipped", "foreign_host", "other.example"},
		{"taken", good(1), "skipped", "canonical_taken", "claimed by line 1"},
		{"too long", `{"url":"https://www.harbor.example/x","text":"` + strings.Repeat("x", 300_000) + `"}`, "failed", "too_large", "262144"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			sum := w.must("-", lines(good(1), "", c.line, good(2)), func(o *intake.Options) { o.MaxBytes = 256 << 10 })
			if sum.New != 2 || len(w.all()) != 2 {
				t.Errorf("%d pages, want the 2 good ones", len(w.all()))
			}
			list := sum.Failed
			if c.list == "skipped" {
				list = sum.Skipped
			}
			reason(t, list, c.code, "line 3", c.part)
			if n := sum.Skipped.Count() + sum.Failed.Count(); n != 1 {
				t.Errorf("%d lines did not come in", n)
			}
		})
	}
}

func TestNDJSONFile(t *testing.T) {
	w := newWorld(t)
	path := filepath.Join(t.TempDir(), "pages.ndjson")
	var b bytes.Buffer
	b.WriteString("\ufeff")
	for n := range 200 {
		fmt.Fprintf(&b, `{"url":"https://www.harbor.example/%d","title":"T%d","text":"%d %s"}`+"\r\n", n, n, n, longText)
	}
	must(t, os.WriteFile(path, b.Bytes(), 0o600))
	tally(t, w.must(path), 200, 0, 0, 0, 0)
	tally(t, w.must(path), 0, 0, 200, 0, 0)
}
