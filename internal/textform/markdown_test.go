package textform

import (
	"bytes"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"colophon/internal/extract"
)

var testBase = &url.URL{Scheme: "https", Host: "www.harbor.example", Path: "/dir/page"}

func fragment(t testing.TB, s string) *html.Node {
	t.Helper()
	body := &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body}
	nodes, err := html.ParseFragment(strings.NewReader(s), body)
	if err != nil {
		t.Skip(err)
	}
	for _, n := range nodes {
		body.AppendChild(n)
	}
	return body
}

func TestMarkdown(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"paragraphs", "<p>One\n  line</p><p>two</p>text<div>three</div>", "One line\n\ntwo\n\ntext\n\nthree"},
		{"headings", "<h1>A <em>b</em></h1><h3>C<br>D</h3><h6>#E</h6>", "# A *b*\n\n### C D\n\n###### #E"},
		{"emphasis stays close", "a<b> bold </b>c<i></i> <em>x</em>", "a **bold** c *x*"},
		{"code", "<code>a  b</code> <code>`</code> <code>x``y</code>", "`a b` `` ` `` ```x``y```"},
		{"fence", "<pre>a\n  b &lt;c&gt;\n</pre><pre>```\nx</pre>", "```\na\n  b <c>\n```\n\n````\n```\nx\n````"},
		{"link", `<a href="/x?a=1&amp;b=(2)">t</a> <a href="javascript:x">u</a> <a href="mailto:a@b.example">m</a> <a>n</a>`, "[t](<https://www.harbor.example/x?a=1&b=(2)>) u [m](mailto:a@b.example) n"},
		{"image", `<img src="i.png" alt="a [b]"><img alt="none">`, `![a \[b\]](https://www.harbor.example/dir/i.png)`},
		{"list", "<ul><li>a</li><li>b<ul><li>c</li><li>d</li></ul></li><li><p>e</p><p>f</p></li></ul>", "- a\n- b\n\n  - c\n  - d\n- e\n\n  f"},
		{"numbers", "<ol><li>a</li><li>b<pre>x\ny</pre></li></ol>", "1. a\n2. b\n\n   ```\n   x\n   y\n   ```"},
		{"quote", "<blockquote><p>a</p><p>b</p><ul><li>c</li></ul></blockquote>d", "> a\n>\n> b\n>\n> - c\n\nd"},
		{"table", "<table><thead><tr><th>A</th><th>B</th></tr></thead><tr><td>1|2</td><td><b>x</b><br>y</td></tr><tr><td>3</td></tr></table>", "| A | B |\n| --- | --- |\n| 1\\|2 | **x** y |\n| 3 |  |"},
		{"table for layout", "<table><tr><td>a</td><td><ul><li>b</li></ul></td></tr></table>", "a\n\n- b"},
		{"rule and break", "a<br>b<hr>c<br>", "a\\\nb\n\n---\n\nc"},
		{"escapes", "*a* _b_ c_d [e] `f` <p>&lt;g&gt; &amp;amp; h & i \\</p>", "\\*a\\* \\_b\\_ c_d \\[e\\] \\`f\\`\n\n\\<g\\> \\&amp; h & i \\\\"},
		{"starts of lines", "<p># a</p><p>- b</p><p>1. c</p><p>1984) d</p><p>+e</p><p>=</p><p>2 f</p>", "\\# a\n\n\\- b\n\n1\\. c\n\n1984\\) d\n\n\\+e\n\n\\=\n\n2 f"},
		{"dropped", "a<script>b</script><style>c</style><svg><text>d</text></svg><form>e</form><p hidden>f</p>g", "ag"},
		{"terms", "<dl><dt>a</dt><dd>b</dd></dl>", "**a**\n\nb"},
		{"block inside a link", `<a href="/x"><div>a</div></a>`, "a"},
		{"empty", "<p> </p><ul></ul><pre>\n</pre><h2></h2>", ""},
		{"Chinese", "<p>港务局<strong>今天</strong>公布</p>", "港务局**今天**公布"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, ok := Markdown(fragment(t, c.in), testBase, 1<<20)
			if !ok || got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// TestMarkdownReadsBack renders the Markdown with another library and compares
// the texts of both pages.
func TestMarkdownReadsBack(t *testing.T) {
	for _, in := range []string{
		"<h2>Title</h2><p>a *b* _c_ [d](e) `f` &lt;g&gt; 5 &amp;lt; 6 # - 1. ~~h~~ !</p>",
		"<ul><li>a<ol><li>b</li><li>c<blockquote>d</blockquote></li></ol></li><li>e</li></ul><p>1986. A year</p>",
		"<p>a <b>bold</b>, <em>emphasis</em> and <code>co`de</code></p><pre>x\n\n```\ny</pre><table><tr><th>A|a</th><th>B</th></tr><tr><td><code>c|d</code></td><td>e</td></tr></table>",
		"<blockquote><pre>a\nb</pre><p>c</p></blockquote><p>\\ | ^ &copy; http://x.example/a_b_c</p>",
	} {
		text, ok := Markdown(fragment(t, in), testBase, 1<<20)
		var b bytes.Buffer
		if err := goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough)).Convert([]byte(text), &b); err != nil || !ok {
			t.Fatal(err)
		}
		want := strings.Join(strings.Fields(extract.PlainText(fragment(t, in))), " ")
		if got := strings.Join(strings.Fields(extract.PlainText(fragment(t, b.String()))), " "); got != want {
			t.Errorf("Markdown\n%s\nreads back as\n%s\nwant\n%s", text, got, want)
		}
	}
}

func TestMarkdownIsBounded(t *testing.T) {
	nested := strings.Repeat("<blockquote><ul><li>", 100) + strings.Repeat("<p>a</p>", 2000)
	text, ok := Markdown(fragment(t, nested), testBase, 1<<20)
	if !ok || len(text) > 2000*40 {
		t.Errorf("%d bytes", len(text))
	}
	if text, ok = Markdown(fragment(t, nested), testBase, 10_000); ok || len(text) > 10_100 {
		t.Errorf("limit of 10,000 bytes: %v, %d bytes", ok, len(text))
	}
}

func TestCleanHTML(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"kept", `<p lang="de" class="x" style="y" id="z">a<br>b</p>`, `<p lang="de">a<br>b</p>`},
		{"handlers", `<img src="/i.png" onerror="x()" alt='"q"'><a href="/x" onclick="y" target="_blank">z</a>`, `<img src="https://www.harbor.example/i.png" alt="&#34;q&#34;"><a href="https://www.harbor.example/x">z</a>`},
		{"schemes", `<a href="javascript:x">a</a><a href=" JaVaScRiPt:x">b</a><a href="data:text/html,x">c</a><img src="data:image/png,x"><a href="vbscript:x">d</a>`, `<a>a</a><a>b</a><a>c</a><img><a>d</a>`},
		{"user in address", `<a href="https://me:pw@x.example/">a</a>`, `<a>a</a>`},
		{"dropped with content", `<script>x</script><style>y</style><iframe src="z">w</iframe><svg onload="x"><a xlink:href="y">v</a></svg><math><mi>x</mi></math><template><p>t</p></template>u`, `u`},
		{"unwrapped", `<div><section><font color="red">a</font></section></div><custom-tag>b</custom-tag>`, `ab`},
		{"tables", `<table><tr><td colspan="2" rowspan="9999" onclick="x">a</td></tr></table>`, `<table><tbody><tr><td colspan="2">a</td></tr></tbody></table>`},
		{"text is text", `a &lt;script&gt; &amp; "b"`, `a &lt;script&gt; &amp; &#34;b&#34;`},
		{"comment", `a<!-- <script> -->b`, `ab`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := HTML(fragment(t, c.in), testBase); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// TestRenderingIsLinear renders texts that make careless scans quadratic.
func TestRenderingIsLinear(t *testing.T) {
	for name, in := range map[string]string{
		"ampersands": strings.Repeat("&amp;", 4_000_000), "brackets": strings.Repeat("[", 4_000_000), "breaks": strings.Repeat("a<br>", 500_000),
		"quotes": strings.Repeat("<blockquote>", 400) + strings.Repeat("a<br>", 500_000), "ticks": "<code>" + strings.Repeat("`", 4_000_000) + "</code>",
	} {
		n := fragment(t, "<p>"+in)
		start := time.Now()
		Markdown(n, testBase, 8<<20)
		extract.PlainText(n)
		HTML(n, testBase)
		if d := time.Since(start); d > 30*time.Second { // it takes less than a second; scanning the rest at each byte would take minutes
			t.Errorf("%s took %v", name, d)
		}
	}
}
