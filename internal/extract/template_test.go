package extract

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"colophon/internal/assert"
)

// chapters returns pages of a site that states nothing about its content.
func chapters(n int) []Page {
	var list []Page
	for i := range n {
		text := fmt.Sprintf(`<title>Part %[1]c - The Book</title><body>
<div class=top>Page %[2]d of the book <a href=/p%[2]d.html>Prev</a> <a href=/>Home</a></div>
<h1>Part %[1]c</h1><h2>Synopsis</h2><p>Only page %[1]c says this, in a sentence of its own.</p>
<dl><dt>-%[1]c</dt><dd>An option of part %[1]c, which no other page of the book has.</dd></dl><pre>run %[1]c | less</pre>
<div class=end><a href=/legal.html>Legal notice of the house</a></div>`, 'a'+i, i+1)
		list = append(list, page(fmt.Sprintf("http://a.example/p%d.html", i), text))
	}
	return list
}

func page(address, text string) Page {
	u, err := url.Parse(address)
	if err != nil {
		panic(err)
	}
	doc, err := html.Parse(strings.NewReader(text))
	if err != nil {
		panic(err)
	}
	return Page{URL: u, Doc: doc, Body: text}
}

func learn(pages []Page) *Template {
	l := NewLearner("a")
	for _, p := range pages {
		l.Add(p)
	}
	return l.Template()
}

// lines joins the lines of a text.
func lines(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' }), "|")
}

func TestTemplateTakesBoilerplateOff(t *testing.T) {
	pages := chapters(8)
	tpl := learn(pages)
	d, err := Parse(pages[2].Body, nil)
	must(t, err)
	x := d.Extract(pages[2].URL, tpl)
	want := "Part c|Synopsis|Only page c says this, in a sentence of its own.|-c|An option of part c, which no other page of the book has.|run c | less"
	if got := lines(x.Text); got != want {
		t.Errorf("text %q\nwant %q\n%s", got, want, tpl.Document())
	}
	assert.Equal(t, x.Facts.Title.Value, "Part c", "title")
	if r := x.Review(); len(r) > 0 {
		t.Errorf("review: %v", r)
	}
}

func TestTemplateDoesNotDependOnTheOrderOfPages(t *testing.T) {
	pages := chapters(8)
	digest := learn(pages).Digest()
	pages[0], pages[5], pages[7] = pages[5], pages[7], pages[0]
	assert.Equal(t, learn(pages).Digest(), digest, "another order gives another template")
}

func TestTemplateReadsItsDocument(t *testing.T) {
	tpl := learn(chapters(8))
	again, err := ParseTemplate(tpl.Document())
	if err != nil || again.Digest() != tpl.Digest() {
		t.Fatalf("%v", err)
	}
	p := chapters(8)[3]
	a, b := Content(p.Doc, p.URL, tpl), Content(chapters(8)[3].Doc, p.URL, again)
	if a.Kept != b.Kept || a.Kept == a.Before {
		t.Errorf("%+v, read again %+v", a, b)
	}
	assert.ErrorIs(t, assert.Err(ParseTemplate([]byte(`{"rules":"service.site-template.v0"}`))), ErrTemplate, "other rules")
	assert.ErrorIs(t, assert.Err(tpl.WithSelectors([]string{"p["}, nil)), ErrSelector, "a broken selector")
}

// TestReviewOfWhatATemplateLeaves checks that a text which the template leaves
// short goes to review and is not replaced by the whole page.
func TestReviewOfWhatATemplateLeaves(t *testing.T) {
	tpl := learn(chapters(8))
	for _, c := range []struct{ name, text, want string }{
		{"bare", `<body><div class=top><a href=/a.html>A link to some page of the site</a> <a href=/b.html>And a link to another page</a></div><p>Hm</p><div class=end><a href=/legal.html>Legal notice</a></div>`, ReviewBare},
		{"foreign", `<body><table><tr><td>This page was made by quite another program, and has nothing that the others have.</table>`, ReviewForeign},
		{"mojibake", `<body><div class=top><a href=/>Home</a></div><p>Das GehÃ¤use Ã¶ffnet sich fÃ¼r GÃ¤ste</p><div class=end><a href=/>x</a></div>`, ReviewMojibake},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, err := Parse(c.text, nil)
			must(t, err)
			at, _ := url.Parse("http://a.example/x.html")
			x := d.Extract(at, tpl)
			assert.Lacks(t, "the whole page came back", x.Text, "Legal")
			r := x.Review()
			if len(r) != 1 || r[0].Code != c.want {
				t.Errorf("review %v, want %s", r, c.want)
			}
		})
	}
}

// TestLittleProseIsNotBare checks that a page with one sentence of its own does
// not count as bare, however much surrounds it.
func TestLittleProseIsNotBare(t *testing.T) {
	tpl := learn(chapters(8))
	p := page("http://a.example/x.html", `<body><div class=top>`+strings.Repeat(`<a href=/a.html>A link to some page of the site</a> `, 40)+`</div><p>Only this sentence is the text of the page.</p><div class=end><a href=/legal.html>Legal notice</a></div>`)
	if r := Content(p.Doc, p.URL, tpl); r.Bare || float64(r.Kept) > bareShare*float64(r.Before) {
		t.Errorf("kept %d of %d, bare: %v", r.Kept, r.Before, r.Bare)
	}
}

func TestSelectorsOfTheOperatorComeFirst(t *testing.T) {
	tpl, err := learn(chapters(8)).WithSelectors([]string{".end"}, []string{"a[href='/']"})
	must(t, err)
	p := chapters(8)[1]
	r := Content(p.Doc, p.URL, tpl)
	if got := PlainText(r.Content); got != "Legal notice of the house" || r.How != BySelector {
		t.Errorf("%q by %s", got, r.How)
	}
	none := page("http://a.example/y.html", "<body><p>Nothing that the operator chose.</p>")
	if r := Content(none.Doc, none.URL, tpl); !r.Unfound {
		t.Error("selectors that match nothing are not noticed")
	}
}

func TestStatedContent(t *testing.T) {
	const own = "<p>This is the text of the page, and there is enough of it to be taken for what it is by anybody who reads it.</p>"
	for _, c := range []struct{ name, body, want string }{
		{"main", "<div>No</div><main>" + own + "</main>", "main"},
		{"role", "<div>No</div><div role=main>" + own + "</div>", "main"},
		{"article", "<div>No</div><article>" + own + "</article>", "main"},
		{"articleBody", "<div>No</div><div itemprop=articleBody>" + own + "</div>", "main"},
		{"comments are articles too", "<article>" + own + "</article><article><p>Me too</p></article>", "main"},
		{"teasers", "<article>" + own + "</article><article>" + own + "</article>", "body"},
		{"hidden main", "<main hidden>" + own + "</main>" + own, "body"},
		{"short main", "<main><p>Loading</p></main>" + own, "body"},
		{"JSON-LD", `<script type="application/ld+json">{"@type":"Article","headline":"x","articleBody":"` + strings.Repeat("This is the text of the page, and there is enough of it. ", 8) +
			`"}</script><div>No</div><div id=x><p>` + strings.Repeat("This is the text of the page, and there is enough of it. ", 8) + "</p></div>", "main"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := page("http://a.example/", "<body>"+c.body)
			r := Content(p.Doc, p.URL, nil)
			assert.Equal(t, map[string]string{ByPage: "main", ByBody: "body"}[r.How], c.want, "by")
			if text := PlainText(r.Content); c.want == "main" && (strings.Contains(text, "No") || strings.Contains(text, "Me too")) {
				t.Errorf("text %q", text)
			}
		})
	}
}

// TestIDsOfATemplate checks that a template names the ids of its rules, and no
// others that all pages have.
func TestIDsOfATemplate(t *testing.T) {
	var pages []Page
	for i := range 6 {
		text := fmt.Sprintf(`<body><div id=top><a href=/>Home</a> of the house of the harbour</div><div id=text><h1>Part %[1]c</h1><p>Only page %[1]c says this, in a sentence of its own.</p></div>`, 'a'+i)
		pages = append(pages, page(fmt.Sprintf("http://a.example/p%d.html", i), text))
	}
	if tpl := learn(pages); len(tpl.Drop) == 0 || !slices.Equal(tpl.IDs, []string{"top"}) {
		t.Errorf("ids %q in %s", tpl.IDs, tpl.Document())
	}
}

// TestWalkIsBounded checks that a tree deeper than any parser makes is not
// followed to its end.
func TestWalkIsBounded(t *testing.T) {
	root := &html.Node{Type: html.ElementNode, Data: "div"}
	for n, i := root, 0; i < 2*MaxDepth; i++ {
		n.AppendChild(&html.Node{Type: html.ElementNode, Data: "div"})
		n = n.FirstChild
	}
	visited := 0
	walkNodes(root, func(*html.Node) bool { visited++; return true })
	assert.Equal(t, visited, MaxDepth+1, "nodes were visited")
}

// TestBlanksAreNoBlock checks that a block of which only blanks are left counts
// as left out.
func TestBlanksAreNoBlock(t *testing.T) {
	root := &html.Node{Type: html.ElementNode, Data: "div"}
	blank, text, outside := &html.Node{Type: html.TextNode, Data: " \n"}, &html.Node{Type: html.TextNode, Data: "x"}, &html.Node{Type: html.TextNode, Data: "y"}
	root.AppendChild(blank)
	root.AppendChild(text)
	if isBelow([]*html.Node{blank, outside}, root) || !isBelow([]*html.Node{outside, text}, root) || isBelow([]*html.Node{text}, nil) {
		t.Error("blanks count as text")
	}
}
