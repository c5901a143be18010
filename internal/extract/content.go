package extract

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// How the content of a page was found.
const (
	BySelector = "selector" // the operator's selectors
	ByPage     = "stated"   // an element that the page states
	ByBody     = "body"     // the body, for want of both
)

// minStated is the number of letters that stated content must have.
const minStated = 80

// mainShare is the share of the letters of a page's several articles that one
// of them must hold to be its content; the others are then comments or teasers.
const mainShare = .7

// findStated returns the element that the page states as its content, or nil.
func findStated(doc *html.Node, articleBody string) *html.Node {
	for _, match := range []func(*html.Node) bool{
		func(n *html.Node) bool { return n.DataAtom == atom.Main },
		func(n *html.Node) bool { return Attr(n, "role") == "main" },
		func(n *html.Node) bool { return n.DataAtom == atom.Article },
		func(n *html.Node) bool { return hasToken(Attr(n, "itemprop"), "articleBody") },
	} {
		found := outermostMatches(doc, match)
		found = slices.DeleteFunc(found, func(n *html.Node) bool { return Invisible(n) })
		n := mainOf(found)
		if n == nil || countLetters(visibleText(n)) < minStated || n.DataAtom == atom.Article && isEntryOfPage(n, bodyOf(doc)) {
			continue
		}
		return n
	}
	return findQuoted(bodyOf(doc), articleBody)
}

// isEntryOfPage reports whether an article is only one entry of the text around
// it, such as the only function of a module in its manual: more prose is
// outside all articles than in this one.
func isEntryOfPage(article, body *html.Node) bool {
	outside := 0
	walkNodes(body, func(n *html.Node) bool {
		if n.DataAtom == atom.Article || n.DataAtom == atom.Header || n.Type == html.ElementNode && (Invisible(n) || isSetAside(n) || isWidgetByName(n)) {
			return false
		}
		prose := isProse(n)
		if prose {
			outside += countLetters(visibleText(n))
		}
		return !prose
	})
	return outside > countLetters(visibleText(article))
}

// isProse reports a block of text that is not mostly links.
func isProse(n *html.Node) bool {
	switch n.DataAtom {
	case atom.P, atom.Pre, atom.Dd:
	default:
		return false
	}
	linked := 0
	for _, link := range outermostMatches(n, func(n *html.Node) bool { return n.DataAtom == atom.A }) {
		linked += countLetters(visibleText(link))
	}
	return 2*linked < countLetters(visibleText(n))
}

// mainOf returns the only element of a list, or the one that holds most of the
// text of all; nil if there is none, as in a list of teasers.
func mainOf(list []*html.Node) *html.Node {
	if len(list) < 2 {
		return slices.Concat(list, []*html.Node{nil})[0]
	}
	sum, most := 0, 0
	var main *html.Node
	for _, n := range list {
		letters := countLetters(visibleText(n))
		sum += letters
		if letters > most {
			main, most = n, letters
		}
	}
	if float64(most) < mainShare*float64(sum) {
		return nil
	}
	return main
}

// quoted is how many letters of the begin and the end of an articleBody an
// element must hold.
const quoted = 60

// findQuoted returns the smallest element that contains the beginning and the
// end of the articleBody in the page's JSON-LD.
func findQuoted(root *html.Node, articleBody string) *html.Node {
	wanted := foldLetters(articleBody)
	if len(wanted) < 4*quoted {
		return nil
	}
	head, tail := wanted[:quoted], wanted[len(wanted)-quoted:]
	holds := func(n *html.Node) bool {
		text := foldLetters(visibleText(n))
		return strings.Contains(text, head) && strings.Contains(text, tail)
	}
	var found *html.Node
	for n := root; n != nil && holds(n); {
		found = n
		var next *html.Node
		for c := n.FirstChild; c != nil && next == nil; c = c.NextSibling {
			if c.Type == html.ElementNode && holds(c) {
				next = c
			}
		}
		n = next
	}
	if found == root {
		return nil
	}
	return found
}

// foldLetters keeps the letters and digits of a text, without case.
func foldLetters(s string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(s) {
		if countLetters(string(r)) > 0 {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func visibleText(n *html.Node) string { return joinText(n, Invisible) }

// contentText returns the visible text of an element, without the parts that
// are set aside.
func contentText(n *html.Node) string {
	return joinText(n, func(n *html.Node) bool { return Invisible(n) || isSetAside(n) })
}

// joinText returns the text below an element, except in skipped elements.
func joinText(n *html.Node, skip func(*html.Node) bool) string {
	var b strings.Builder
	walkNodes(n, func(n *html.Node) bool {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
			b.WriteByte(' ')
		}
		return n.Type != html.ElementNode || !skip(n)
	})
	return b.String()
}

// notContentRoles are the ARIA roles of elements that are not a page's content.
var notContentRoles = []string{"navigation", "search", "banner", "contentinfo", "menu", "menubar", "toolbar", "alertdialog", "dialog"}

// lineNumbers are the classes of numbers beside lines of code.
var lineNumbers = []string{"gutter", "linenos", "lineno", "linenodiv", "line-numbers", "rouge-gutter"}

// isSetAside reports elements that the page itself says are not its content.
func isSetAside(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Nav:
		return true
	case atom.Footer:
		return !isNote(n) && !hasAncestor(n, atom.Blockquote, atom.Figure)
	case atom.Aside:
		return !isNote(n) && !hasAncestor(n, atom.Article, atom.Main, atom.Blockquote, atom.Section)
	case atom.A:
		if isHeadingAnchor(n) {
			return true
		}
	}
	if hasAnyToken(Attr(n, "class"), lineNumbers) {
		return true
	}
	return isMarkedWidget(n) || slices.Contains(notContentRoles, Attr(n, "role")) || Attr(n, "aria-hidden") == "true" || isHiddenByStyle(n)
}

// isHeadingAnchor reports the sign beside a heading that links to it.
func isHeadingAnchor(a *html.Node) bool {
	if !strings.HasPrefix(Attr(a, "href"), "#") || hasDescendant(a, atom.Img) {
		return false
	}
	return hasToken(Attr(a, "class"), "headerlink") || countLetters(RawText(a)) == 0
}

// isNote reports whether an element is a footnote or endnote, which is text
// wherever it occurs.
func isNote(n *html.Node) bool {
	role := Attr(n, "role")
	if role == "doc-footnote" || role == "doc-endnotes" || role == "note" {
		return true
	}
	class := strings.ToLower(Attr(n, "class"))
	return strings.Contains(class, "footnote") || strings.Contains(class, "endnote") || strings.Contains(class, "admonition")
}

func isHiddenByStyle(n *html.Node) bool {
	style := strings.ToLower(strings.Join(strings.Fields(Attr(n, "style")), ""))
	return strings.Contains(style, "display:none") || strings.Contains(style, "visibility:hidden")
}

// narrowShare is the share of the letters of a page's stated content that an
// element within it must hold to be its text.
const narrowShare = .5

// narrowContent returns the article within the stated content of a page, if
// that also holds teasers or forms. It does not look for narrower marks such as
// itemprop=articleBody, which often leave out the lead of an article.
func narrowContent(root *html.Node) *html.Node {
	found := outermostMatches(root, func(n *html.Node) bool { return n != root && n.DataAtom == atom.Article })
	n := mainOf(slices.DeleteFunc(found, Invisible))
	if n == nil {
		return root
	}
	letters := countLetters(contentText(n))
	if letters < minStated || float64(letters) < narrowShare*float64(countLetters(contentText(root))) {
		return root
	}
	return n
}

func hasToken(list, token string) bool { return slices.Contains(strings.Fields(list), token) }

func hasAnyToken(list string, tokens []string) bool {
	return slices.ContainsFunc(strings.Fields(list), func(token string) bool { return slices.Contains(tokens, token) })
}
