package extract

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

func TestPlainText(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"<p>One\n two </p>  <p>three<br>four</p>", "One two\n\nthree\nfour"},
		{"<ul><li>a</li><li>b</li></ul>c", "a\nb\n\nc"},
		{"<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", "a b\nc"},
		{"<pre>  x\n   y</pre>z", "  x\n   y\n\nz"},
		{"a<script>x</script>b <b>c</b>d", "ab cd"},
		{"", ""},
		{" \n<p> </p>", ""},
	} {
		body := &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body}
		nodes, err := html.ParseFragment(strings.NewReader(c.in), body)
		must(t, err)
		for _, n := range nodes {
			body.AppendChild(n)
		}
		if got := PlainText(body); got != c.want {
			t.Errorf("%q gives %q, want %q", c.in, got, c.want)
		}
	}
}
