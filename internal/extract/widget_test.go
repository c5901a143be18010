package extract

import (
	"strings"
	"testing"
)

func TestWidgetsAreSetAside(t *testing.T) {
	const own = "<p>This is the text of the page, and there is enough of it to be taken for what it is by anybody who reads it.</p>"
	for _, c := range []struct {
		name, body string
		kept       bool // the text "Beside"
	}{
		{"buttons to share", own + `<div class="sharedaddy sd-sharing-enabled">Beside</div>`, false},
		{"other pages", own + `<div class="post_related-articles"><h3>Beside</h3></div>`, false},
		{"comments", own + `<ol class="comment-list"><li>Beside</li></ol>`, false},
		{"form to answer", own + `<div id="respond">Beside</div>`, false},
		{"footer of the article", own + `<footer>Beside</footer>`, false},
		{"footer of a quotation", own + `<blockquote>So it was.<footer>Beside</footer></blockquote>`, true},
		{"footnotes", own + `<footer class="footnotes">Beside</footer>`, true},
		{"comment in code", own + `<pre><span class="comment">Beside</span></pre>`, true},
		{"titled sidebar of the text", own + `<div class="sidebar"><p class="sidebar-title">Beside</p></div>`, true},
		{"sidebar of the site", own + `<div class="sidebar">Beside</div>`, false},
		{"most of the text", `<div class="has-sidebar">` + own + `<p>Beside</p></div>`, true},
		{"a heading of the first rank", own + `<header class="entry-meta"><h1>Beside</h1></header>`, true},
		{"a chapter on comments", own + `<section id="comments"><h2>Beside</h2></section>`, true},
		{"a word that only holds another", own + `<div class="sociology">Beside</div>`, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := page("http://a.example/", "<body><article>"+c.body+"</article>")
			text := PlainText(Content(p.Doc, p.URL, nil).Content)
			if !strings.Contains(text, "This is the text") {
				t.Fatalf("the text is lost: %q", text)
			}
			if kept := strings.Contains(text, "Beside"); kept != c.kept {
				t.Errorf("kept %v, want %v: %q", kept, c.kept, text)
			}
		})
	}
}

func TestArticleWithinStatedContent(t *testing.T) {
	const sentence = "<p>This is the text of the page, and there is enough of it. </p>"
	own := strings.Repeat(sentence, 8)
	for _, c := range []struct{ name, body, without string }{
		{"article in main", "<main><article>" + own + "</article><div>Teaser</div></main>", "Teaser"},
		{"a note that is an article", "<main>" + own + "<article>" + sentence + sentence + "</article></main>", ""},
		{"the body of an article leaves out its lead", `<article><p>Lead</p><div itemprop="articleBody">` + own + "</div></article>", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := page("http://a.example/", "<body>"+c.body)
			text := PlainText(Content(p.Doc, p.URL, nil).Content)
			if c.without != "" && strings.Contains(text, c.without) {
				t.Errorf("text %q", text)
			}
			if want := strings.Count(c.body, "enough of it"); strings.Count(text, "enough of it") != want {
				t.Errorf("%d of %d sentences are left", strings.Count(text, "enough of it"), want)
			}
			if strings.Contains(c.body, "Lead") && !strings.Contains(text, "Lead") {
				t.Error("the lead is lost")
			}
		})
	}
}
