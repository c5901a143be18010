package intake

import (
	"bytes"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"colophon/internal/extract"
	"colophon/internal/urlkey"
	"colophon/internal/wire"
)

var seeds = []string{
	"", "<p>a</p>", "<ul><li>a<ol><li>b</ol></ul><blockquote><pre>x</pre>", "<table><tr><td>a<table><tr><td>b", "<a href='//x y'><img src='a b'>",
	"<script type='application/ld+json'>{\"@graph\":[{\"@type\":\"Article\",\"author\":[{\"name\":\"A\"}],\"license\":\"x\"}]}</script>",
	"<link rel='canonical license' href='/x' type='application/rsl+xml'><meta name=author content='By A and B'><time datetime=2026-01-01 pubdate>",
	"\xff\xfe<\x00p\x00>", "<svg><title>x</title></svg><math><mi>", "<html lang=de><base href='javascript:x'><h1>&#0;&#x110000;", "<b><i><b></i>\\*_`[<",
	"<noscript><img src=x></noscript><article><h2>T</h2><p>" + "word, word; word. " + "</p></article>", strings.Repeat("<div>", 600),
}

var testBase = &url.URL{Scheme: "https", Host: "www.harbor.example", Path: "/dir/page"}

// FuzzExtract reads any bytes as a page: it must give a problem, or a draft
// whose facts are within their limits.
func FuzzExtract(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s), "text/html")
		f.Add([]byte(s), "text/html; charset=shift_jis")
	}
	f.Add([]byte("# Title\n\n<b>x</b> text"), "text/markdown")
	f.Fuzz(func(t *testing.T, body []byte, media string) {
		if strings.ContainsAny(media, "\r\n") || len(body) > 1<<16 {
			t.Skip()
		}
		s := &site{id: "x", home: testBase, hosts: map[string]bool{testBase.Host: true}, private: func(*url.URL) bool { return false }}
		a := &answer{status: 200, header: http.Header{"Content-Type": {media}}, body: body, url: testBase}
		d, _, p := s.extractPage(a, draft{}, 1<<20)
		if p != nil {
			if p.code == "parser_failed" {
				t.Fatalf("%v on %q", p, body)
			}
			return
		}
		page := d.toPage("x", urlkey.EntryID("x", d.canonical))
		switch {
		case page.Title == "" || utf8.RuneCountInString(page.Title) > 300, len(page.Terms) > maxTerms, len(page.Byline) > 16,
			!utf8.ValidString(d.text + d.markdown + d.html + page.Title), page.CanonicalURL == "", page.PublishedAt != "" && extract.Instant(page.PublishedAt) != page.PublishedAt,
			page.Language != extract.LanguageTag(page.Language):
			t.Fatalf("%q gives %+v", body, page)
		}
	})
}

// FuzzSources reads any bytes as a source of each kind.
func FuzzSources(f *testing.F) {
	f.Add([]byte(`<urlset><url><loc>https://x.example/</loc></url></urlset>`))
	f.Add([]byte(`<?xml version="1.0" encoding="koi8-r"?><sitemapindex><sitemap><loc>&#x41;</loc>`))
	f.Add([]byte(`{"url":"https://www.harbor.example/x","text":"y","byline":["a"],"terms":"a, b"}`))
	f.Add([]byte("User-agent: *\nDisallow: /%zz*$\nCrawl-delay: 1e309"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if doc, err := readSitemap(bytes.NewReader(b), kindSitemap); err == nil && len(doc.pages)+len(doc.maps) == 0 {
			t.Fatal("an empty sitemap is no error")
		}
		if k, root := kindOf(b, ""); k == kindUnknown && root == "" {
			t.Fatal("an unknown kind without a word on it")
		}
		readRules(b).AllowsPath("/x")
		if doc, err := extract.Parse(`<script type="application/ld+json">`+string(b), nil); err == nil {
			readMeta(doc)
		}
		s := &site{id: "x", home: testBase, hosts: map[string]bool{testBase.Host: true}, private: func(*url.URL) bool { return false }}
		if supplied, p := parseLine(b, 1<<20); p == nil {
			if d, p := s.takeSupplied(supplied, 1<<20); p == nil && (d.canonical == "" || d.text == "") {
				t.Fatalf("%q gives %+v", b, d)
			}
		}
		if _, err := wire.Parse(b, wire.Default); err != nil {
			if _, p := parseLine(b, wire.Default.Bytes); p == nil {
				t.Fatalf("%q is not of the dialect and comes in", b)
			}
		}
	})
}
