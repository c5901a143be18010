package textform

import (
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/net/html"

	"colophon/internal/extract"
)

// FuzzMarkdown checks that the three renderings keep their promises for any
// page.
func FuzzMarkdown(f *testing.F) {
	for _, s := range []string{
		"<ul><li>a<ol><li>b</ol></ul><blockquote><pre>x</pre>", "<table><tr><td>a<table><tr><td>b", "<a href='//x y'><img src='a b'>",
		"<svg><title>x</title></svg><math><mi>", "<h1>&#0;&#x110000;", "<b><i><b></i>\\*_`[<", "\xff\xfe<\x00p\x00>", strings.Repeat("<div>", 600),
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n := fragment(t, s)
		text, ok := Markdown(n, testBase, 1<<20)
		if ok && utf8.ValidString(s) && !utf8.ValidString(text) {
			t.Fatalf("ill-formed Markdown of %q", s)
		}
		clean := HTML(n, testBase)
		again := fragment(t, clean)
		for d := range again.Descendants() {
			checkClean(t, s, d)
		}
		if plain := extract.PlainText(n); strings.TrimSpace(plain) != "" && strings.TrimSpace(clean) == "" {
			t.Fatalf("%q has text %q and no HTML", s, plain)
		}
	})
}

// checkClean reports anything active.
func checkClean(t *testing.T, in string, n *html.Node) {
	if n.Type != html.ElementNode {
		return
	}
	switch n.Data {
	case "script", "style", "iframe", "object", "embed", "svg", "math", "form", "base", "meta", "link", "template":
		t.Fatalf("%q keeps <%s>", in, n.Data)
	}
	for _, a := range n.Attr {
		switch a.Key {
		case "href", "src":
			if u, err := url.Parse(a.Val); err != nil || u.Scheme != "https" && u.Scheme != "http" && u.Scheme != "mailto" {
				t.Fatalf("%q keeps %s=%q", in, a.Key, a.Val)
			}
		case "alt", "colspan", "rowspan", "datetime", "start", "lang", "dir":
		default:
			t.Fatalf("%q keeps the attribute %s", in, a.Key)
		}
	}
}
