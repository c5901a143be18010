package intake

import (
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// plainText renders a page's main content as text: a blank line between
// blocks, a space between cells, lines of preformatted text as they stand.
func plainText(n *html.Node) string {
	w := plainWriter{}
	w.node(n, 0, false)
	return strings.TrimRightFunc(w.b.String(), unicode.IsSpace)
}

type plainWriter struct {
	b     strings.Builder
	gap   int  // line ends owed before the next text
	space bool // a space is owed before the next text
}

func (w *plainWriter) node(n *html.Node, depth int, pre bool) {
	switch {
	case depth > maxDepth:
		return
	case n.Type == html.TextNode && pre:
		w.write(strings.ReplaceAll(n.Data, "\r", ""))
		return
	case n.Type == html.TextNode:
		w.text(n.Data)
		return
	case n.Type == html.ElementNode && dropped(n):
		return
	}
	switch n.DataAtom {
	case atom.Br:
		w.gap, w.space = max(w.gap, 1), false
		return
	case atom.Pre:
		pre = true
	}
	edge := 0
	if block(n) {
		edge = 2
		if n.DataAtom == atom.Li || n.DataAtom == atom.Tr || n.DataAtom == atom.Dd || n.DataAtom == atom.Dt {
			edge = 1
		}
	}
	w.edge(edge)
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		w.node(c, depth+1, pre)
	}
	w.edge(edge)
	if n.DataAtom == atom.Td || n.DataAtom == atom.Th {
		w.space = true
	}
}

func (w *plainWriter) edge(lines int) {
	if lines > 0 {
		w.gap, w.space = max(w.gap, lines), false
	}
}

// text writes running text, white space collapsed.
func (w *plainWriter) text(s string) {
	for len(s) > 0 {
		i := strings.IndexFunc(s, htmlSpace)
		if i != 0 {
			if i < 0 {
				i = len(s)
			}
			w.write(s[:i])
		}
		rest := strings.TrimLeftFunc(s[i:], htmlSpace)
		w.space = w.space || len(rest) < len(s[i:]) && w.gap == 0
		s = rest
	}
}

func (w *plainWriter) write(s string) {
	if s == "" {
		return
	}
	switch {
	case w.b.Len() == 0:
	case w.gap > 0:
		w.b.WriteString("\n\n"[:min(w.gap, 2)])
	case w.space:
		w.b.WriteByte(' ')
	}
	w.gap, w.space = 0, false
	w.b.WriteString(s)
}

func htmlSpace(r rune) bool { return r == ' ' || r == '\n' || r == '\t' || r == '\r' || r == '\f' }
