package intake

import (
	"strings"

	"golang.org/x/net/html"
)

// attr gives an attribute of an element, "" when it has none.
func attr(n *html.Node, name string) string {
	v, _ := find(n, name)
	return v
}

func find(n *html.Node, name string) (string, bool) {
	for _, a := range n.Attr {
		if a.Key == name && a.Namespace == "" {
			return a.Val, true
		}
	}
	return "", false
}

// textOf joins all text below a node as it stands.
func textOf(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}
