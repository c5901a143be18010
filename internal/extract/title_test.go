package extract

import (
	"fmt"
	"strings"
	"testing"

	"colophon/internal/assert"
)

// titled returns pages of a site: the two functions write the head and body of
// each from its subject, which no other page has, and its number.
func titled(n int, head, body func(subject string, i int) string) []Page {
	subjects := strings.Fields("tides ropes pilots cranes ledgers anchors signals beacons winches moorings")
	var list []Page
	for i := range n {
		subject := subjects[i]
		text := fmt.Sprintf("<html><head>%s</head><body>%s<p>What there is to say about %s stands here, in a sentence of its own.</p>", head(subject, i), body(subject, i), subject)
		list = append(list, page(fmt.Sprintf("http://a.example/%d.html", i), text))
	}
	return list
}

// TestTitleThatManyPagesShare has the cases in which the first source of a
// title does not distinguish one page from another.
func TestTitleThatManyPagesShare(t *testing.T) {
	type write = func(subject string, i int) string
	for _, c := range []struct {
		name       string
		head, body write
		want       string // of the page about tides
	}{
		{
			"heading of one word on all pages", func(s string, _ int) string { return "<title>The " + s + " | Harbour</title>" },
			func(string, int) string { return "<h1>Reference</h1>" }, "The tides",
		},
		{
			"heading with a number, title with a name", func(s string, _ int) string { return "<title>The " + s + "</title>" },
			func(_ string, i int) string { return fmt.Sprintf("<h1>Chapter %d</h1>", i+1) }, "The tides",
		},
		{
			"title with a number, heading of a lower rank", func(_ string, i int) string { return fmt.Sprintf("<title>Part 2.%d</title>", i+1) },
			func(s string, i int) string { return fmt.Sprintf("<h3>2.%d About %s</h3>", i+1, s) }, "2.1 About tides",
		},
		{
			"title with a letter", func(_ string, i int) string { return fmt.Sprintf("<title>Appendix %c</title>", 'A'+i) },
			func(s string, _ int) string { return "<h2>About " + s + "</h2>" }, "About tides",
		},
		{
			"title with a Roman number", func(_ string, i int) string {
				return "<title>Book " + strings.Fields("I II III IV V VI VII VIII IX X")[i] + "</title>"
			},
			func(s string, _ int) string { return "<h2>About " + s + "</h2>" }, "About tides",
		},
		{
			"og:title of the site", func(s string, _ int) string {
				return `<meta property="og:title" content="The harbour's pages"><title>About ` + s + `</title>`
			},
			func(string, int) string { return "" }, "About tides",
		},
		{
			"nothing but a number", func(_ string, i int) string { return fmt.Sprintf("<title>3.%d</title>", i) },
			func(s string, i int) string { return fmt.Sprintf("<h2>3.%d About %s</h2>", i, s) }, "3.0 About tides",
		},
		{
			"the headings are those of parts that all pages have", func(_ string, i int) string { return fmt.Sprintf("<title>Release 1.%d</title>", i) },
			func(string, int) string { return "<h2>What is new</h2>" }, "Release 1.0",
		},
		{
			"all of its names are shared", func(string, int) string { return "<title>Minutes</title>" },
			func(string, int) string { return "<h1>Minutes</h1>" }, "Minutes",
		},
		{
			"heading far below the beginning", func(_ string, i int) string { return fmt.Sprintf("<title>Release 1.%d</title>", i) },
			func(s string, _ int) string {
				return "<p>" + strings.Repeat("On "+s+" there is much to tell before any heading comes. ", 10) + "</p><h3>A word on " + s + "</h3>"
			}, "Release 1.0",
		},
		{
			"titles that differ stay", func(s string, _ int) string { return "<title>About " + s + "</title>" },
			func(s string, _ int) string { return "<h2>First words on " + s + "</h2>" }, "About tides",
		},
		{
			"heading that says what kind of thing the title names", func(s string, _ int) string { return "<title>" + s + " - Harbour</title>" },
			func(s string, _ int) string { return "<h1>Harbour</h1><h1>" + s + " Module</h1>" }, "tides Module",
		},
		{
			"heading beside that of the site", func(s string, i int) string { return fmt.Sprintf("<title>%s.htm</title>", s) },
			func(s string, _ int) string {
				return `<div class="top"><h1>Harbour news</h1><a href="/">Home</a> <a href="/all">All that we have</a></div><h1>About ` + s + "</h1>"
			}, "About tides",
		},
		{
			"heading that goes on at length", func(s string, _ int) string { return "<title>" + s + "</title>" },
			func(s string, _ int) string { return "<h2>" + s + " are what every pilot has to know about first</h2>" }, "tides",
		},
		{
			"a Chinese chapter", func(_ string, i int) string { return fmt.Sprintf("<title>第%d章</title>", i+1) },
			func(s string, _ int) string { return "<h2>潮汐 " + s + "</h2>" }, "潮汐 tides",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			pages := titled(10, c.head, c.body)
			tpl := learn(pages)
			if got := read(t, pages[0].Body, tpl).Facts.Title.Value; got != c.want {
				t.Errorf("%q, want %q\n%s", got, c.want, tpl.Document())
			}
		})
	}
}

// TestTitleNeedsPagesToCompare checks that four pages are enough to see that
// all share a heading, and three are not.
func TestTitleNeedsPagesToCompare(t *testing.T) {
	for n, want := range map[int]string{MinPages - 1: "Chapter 1", MinPages: "The tides"} {
		pages := titled(n, func(s string, _ int) string { return "<title>The " + s + "</title>" }, func(_ string, i int) string { return fmt.Sprintf("<h1>Chapter %d</h1>", i+1) })
		assert.Equal(t, read(t, pages[0].Body, learn(pages)).Facts.Title.Value, want, "of %d pages", n)
	}
}

// TestTitleOfAFewPages checks that four of many pages may share a heading, as
// the introductions of several books on a site do.
func TestTitleOfAFewPages(t *testing.T) {
	var pages []Page
	for i := range 50 {
		heading := fmt.Sprintf("On %s", strings.Repeat("x", i+1))
		if i < 4 {
			heading = "Introduction"
		}
		text := fmt.Sprintf("<title>Words %s</title><body><h1>%s</h1><p>What there is to say about %d stands here, in a sentence of its own.</p>", strings.Repeat("y", i+2), heading, i)
		pages = append(pages, page(fmt.Sprintf("http://a.example/%d.html", i), text))
	}
	assert.Equal(t, read(t, pages[0].Body, learn(pages)).Facts.Title.Value, "Introduction", "got")
}

// TestTitleOfOnePage checks the title of a page without other pages: a number
// alone is not a title if the page says more.
func TestTitleOfOnePage(t *testing.T) {
	for in, want := range map[string]string{
		"<title>A.24</title><h2>A.24 The tides</h2>": "A.24 The tides",
		"<title>1984</title>":                        "1984",
		"<title>IV</title><h3>The tides</h3>":        "The tides",
		"<title>Part 4</title><h3>The tides</h3>":    "Part 4",
	} {
		assert.Equal(t, read(t, in+"<p>Text of the page.</p>", nil).Facts.Title.Value, want, "%s", in)
	}
}

func TestFoldLabel(t *testing.T) {
	for in, want := range map[string]string{
		"Section A.24": "section #", "Section 4.1.3": "section #", "Chapter IV": "chapter #", "IV": "#", "Class": "class", "Class Foo": "class foo",
		"第3章": "第 # 章", "mix": "mix", "Did I": "did #", "": "", "–": "",
	} {
		assert.Equal(t, foldLabel(in), want, "%q", in)
	}
}
