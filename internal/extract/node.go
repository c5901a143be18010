package extract

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// MaxDepth bounds recursion into a page; the parser itself stops at 512.
const MaxDepth = 600

// Attr returns an attribute of an element, "" when it has none.
func Attr(n *html.Node, name string) string {
	value, _ := LookupAttr(n, name)
	return value
}

// LookupAttr returns an attribute of an element, and whether it has it.
func LookupAttr(n *html.Node, name string) (string, bool) {
	for _, a := range n.Attr {
		if a.Key == name && a.Namespace == "" {
			return a.Val, true
		}
	}
	return "", false
}

// RawText joins all text below a node unchanged.
func RawText(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

// OneLine collapses white space and drops control characters.
func OneLine(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
}

// outermostMatches lists the elements below n that match, none inside another.
func outermostMatches(n *html.Node, match func(*html.Node) bool) []*html.Node {
	var found []*html.Node
	walkNodes(n, func(n *html.Node) bool {
		matches := n.Type == html.ElementNode && match(n)
		if matches {
			found = append(found, n)
		}
		return !matches
	})
	return found
}

// walkNodes calls visit for n and the nodes below it, in document order, except
// for those below a node for which visit returns false.
func walkNodes(n *html.Node, visit func(*html.Node) bool) {
	var walk func(n *html.Node, depth int)
	walk = func(n *html.Node, depth int) {
		if depth > MaxDepth || !visit(n) {
			return
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c, depth+1)
		}
	}
	walk(n, 0)
}

// bodyOf returns the body of a document, or the document.
func bodyOf(doc *html.Node) *html.Node {
	for d := range doc.Descendants() {
		if d.Type == html.ElementNode && d.DataAtom == atom.Body {
			return d
		}
	}
	return doc
}

func hasAncestor(n *html.Node, tags ...atom.Atom) bool {
	for p := range n.Ancestors() {
		if slices.Contains(tags, p.DataAtom) {
			return true
		}
	}
	return false
}

// hasDescendant reports whether n has a descendant of a kind.
func hasDescendant(n *html.Node, kind atom.Atom) bool {
	for d := range n.Descendants() {
		if d.DataAtom == kind {
			return true
		}
	}
	return false
}

// isWithin reports whether n is a descendant of an element.
func isWithin(n, around *html.Node) bool {
	for p := range n.Ancestors() {
		if p == around {
			return true
		}
	}
	return false
}

// countLetters counts letters and digits.
func countLetters(s string) (n int) {
	for _, r := range s {
		if unicode.IsLetter(r) || unicode.IsNumber(r) {
			n++
		}
	}
	return n
}
