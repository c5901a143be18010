package extract

import (
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Invisible reports elements whose content readers do not see as text.
func Invisible(n *html.Node) bool {
	if n.Namespace != "" {
		return true
	}
	switch n.DataAtom {
	case atom.Script, atom.Style, atom.Noscript, atom.Template, atom.Head, atom.Title, atom.Iframe, atom.Object, atom.Embed, atom.Svg, atom.Math,
		atom.Input, atom.Button, atom.Select, atom.Textarea, atom.Canvas, atom.Audio, atom.Video, atom.Map, atom.Dialog:
		return true
	case atom.Form:
		return isControlForm(n)
	}
	value, hidden := LookupAttr(n, "hidden")
	return hidden && value != "until-found"
}

// minFormText is the number of letters from which on a form is taken for a
// page that is wrapped in one, as some servers make them.
const minFormText = 400

// isControlForm reports forms that hold controls and labels, no text.
func isControlForm(form *html.Node) bool {
	letters := 0
	for d := range form.Descendants() {
		if d.Type == html.TextNode && d.Parent.DataAtom != atom.Option && d.Parent.DataAtom != atom.Script && d.Parent.DataAtom != atom.Style {
			letters += countLetters(d.Data)
		}
	}
	return letters < minFormText
}

// IsBlock reports whether an element is set on its own lines.
func IsBlock(n *html.Node) bool {
	switch n.DataAtom {
	case atom.P, atom.Div, atom.Section, atom.Article, atom.Main, atom.Header, atom.Footer, atom.Aside, atom.Nav, atom.Figure, atom.Figcaption,
		atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Ul, atom.Ol, atom.Li, atom.Dl, atom.Dt, atom.Dd, atom.Pre, atom.Blockquote,
		atom.Table, atom.Caption, atom.Thead, atom.Tbody, atom.Tfoot, atom.Tr, atom.Hr, atom.Address, atom.Details, atom.Summary, atom.Fieldset,
		atom.Body, atom.Html, atom.Center, atom.Hgroup, atom.Form, atom.Menu, atom.Dir:
		return true
	}
	return false
}

// PlainText renders content as text: a blank line between blocks, a space
// between cells, lines of preformatted text as they stand.
func PlainText(n *html.Node) string {
	w := plainWriter{}
	w.writeNode(n, 0, false)
	return strings.TrimRightFunc(w.b.String(), unicode.IsSpace)
}

type plainWriter struct {
	b     strings.Builder
	gap   int  // line ends owed before the next text
	space bool // a space is owed before the next text
}

func (w *plainWriter) writeNode(n *html.Node, depth int, pre bool) {
	switch {
	case depth > MaxDepth:
		return
	case n.Type == html.TextNode && pre:
		w.writeString(strings.ReplaceAll(n.Data, "\r", ""))
		return
	case n.Type == html.TextNode:
		w.writeText(n.Data)
		return
	case n.Type == html.ElementNode && Invisible(n):
		return
	}
	switch n.DataAtom {
	case atom.Br:
		w.breakLines(1)
		return
	case atom.Pre:
		pre = true
	}
	edge := edgeLines(n)
	w.breakLines(edge)
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		w.writeNode(c, depth+1, pre)
	}
	w.breakLines(edge)
	if n.DataAtom == atom.Td || n.DataAtom == atom.Th {
		w.space = true
	}
}

// edgeLines returns the number of line ends around an element.
func edgeLines(n *html.Node) int {
	switch n.DataAtom {
	case atom.Li, atom.Tr, atom.Dd, atom.Dt:
		return 1
	}
	if IsBlock(n) {
		return 2
	}
	return 0
}

func (w *plainWriter) breakLines(lines int) {
	if lines > 0 {
		w.gap, w.space = max(w.gap, lines), false
	}
}

// writeText writes running text, white space collapsed.
func (w *plainWriter) writeText(s string) {
	for len(s) > 0 {
		i := strings.IndexFunc(s, isHTMLSpace)
		if i != 0 {
			if i < 0 {
				i = len(s)
			}
			w.writeString(s[:i])
		}
		rest := strings.TrimLeftFunc(s[i:], isHTMLSpace)
		w.space = w.space || len(rest) < len(s[i:]) && w.gap == 0
		s = rest
	}
}

func (w *plainWriter) writeString(s string) {
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

func isHTMLSpace(r rune) bool { return r == ' ' || r == '\n' || r == '\t' || r == '\r' || r == '\f' }

// IsDigits reports whether a text is a number of decimal digits.
func IsDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// IsWeb reports whether an address begins with http:// or https://.
func IsWeb(address string) bool {
	scheme, _, ok := strings.Cut(address, "://")
	return ok && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https"))
}
