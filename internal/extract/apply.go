package extract

import (
	"net/url"
	"strings"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// A Result is the content of a page and how it was found.
type Result struct {
	Content *html.Node // what was kept; nil for a page without text
	How     string     // BySelector, ByPage, ByBody
	Before  int        // letters before the template
	Kept    int        // letters kept
	Prose   int        // of them in prose
	Missing float64    // part of the places that nearly every page of the sample had, and this one has not
	Bare    bool       // the template left next to nothing
	Foreign bool       // the page has another template than the learned one
	Unfound bool       // the operator's selectors match nothing on it
}

// A page is bare when no prose is left and less than this part of its letters.
const bareShare = .1

// A page is under a foreign template when at least this part of the expected
// places is missing, of at least minExpected.
const (
	foreignShare = .5
	minExpected  = 1
)

// Content extracts the content of a page: everything else is removed from doc.
// A nil template is an empty one. at is the address of the page.
func Content(doc *html.Node, at *url.URL, t *Template) Result {
	if t == nil {
		t = &Template{}
	}
	removeAll(doc, t.omit)
	r := Result{}
	root := r.chooseRoot(doc, t)
	leaves := listLeaves(root, at)
	r.Before = sumChars(leaves)
	kept, finder := leaves, newPlaceFinder(t)
	if r.How != BySelector {
		kept = r.applyTemplate(leaves, t, finder)
	}
	r.Kept = sumChars(kept)
	for i := range kept {
		if kept[i].isProse() {
			r.Prose += kept[i].chars
		}
	}
	r.Bare = r.Kept < r.Before && r.Prose == 0 && float64(r.Kept) < bareShare*float64(r.Before)
	if r.Kept == 0 {
		return r
	}
	p := newPruner(kept, finder)
	p.pruneChildren(root, 0)
	r.Content = root
	return r
}

// chooseRoot finds the element that holds the content.
func (r *Result) chooseRoot(doc *html.Node, t *Template) *html.Node {
	if len(t.keep) > 0 {
		if root := gatherElements(doc, t.keep); root != nil {
			r.How = BySelector
			return root
		}
		r.Unfound = true
	}
	root := contentRoot(doc)
	r.How = ByPage
	if root == bodyOf(doc) {
		r.How = ByBody
	}
	return root
}

// contentRoot returns the element that a page states as its content, or its
// body. Widgets within it are marked.
func contentRoot(doc *html.Node) *html.Node {
	root := findStated(doc, articleBodyOf(doc))
	if root == nil {
		root = bodyOf(doc)
	}
	markWidgets(root)
	return narrowContent(root)
}

// gatherElements moves the elements that the operator chose into one.
func gatherElements(doc *html.Node, keep []cascadia.Sel) *html.Node {
	found := outermostMatches(doc, func(n *html.Node) bool { return matchesAny(keep, n) })
	switch len(found) {
	case 0:
		return nil
	case 1:
		return found[0]
	}
	root := &html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div}
	for _, n := range found {
		n.Parent.RemoveChild(n)
		root.AppendChild(n)
	}
	return root
}

func removeAll(doc *html.Node, omit []cascadia.Sel) {
	for _, n := range outermostMatches(doc, func(n *html.Node) bool { return matchesAny(omit, n) }) {
		n.Parent.RemoveChild(n)
	}
}

// applyTemplate leaves out what the template marks, and decides whether the
// page has that template at all.
func (r *Result) applyTemplate(leaves []leaf, t *Template, finder *placeFinder) []leaf {
	met := map[string]bool{}
	var kept []leaf
	for i := range leaves {
		if place := finder.droppedPlace(leaves[i].chain); place != "" {
			met[place] = true
			continue
		}
		kept = append(kept, leaves[i])
	}
	expected, missing := 0, 0
	for _, rule := range t.Drop {
		if float64(rule.Pages) < expectBar*float64(t.Pages) {
			continue
		}
		expected++
		if !met[rule.Place] {
			missing++
		}
	}
	if expected > 0 {
		r.Missing = float64(missing) / float64(expected)
	}
	r.Foreign = expected >= minExpected && r.Missing >= foreignShare
	if r.How == ByPage {
		return kept
	}
	return t.trimEdges(kept)
}

// trimEdges drops the blocks that begin or end most pages of the site. A first
// heading stays.
func (t *Template) trimEdges(kept []leaf) []leaf {
	for len(kept) > 0 && kept[0].rank != 1 && t.edges[kept[0].print] {
		kept = kept[1:]
	}
	for len(kept) > 0 && kept[len(kept)-1].rank != 1 && t.edges[kept[len(kept)-1].print] {
		kept = kept[:len(kept)-1]
	}
	return kept
}

func sumChars(leaves []leaf) (n int) {
	for i := range leaves {
		n += leaves[i].chars
	}
	return n
}

// A pruner removes all text that was not kept, and the elements left empty.
type pruner struct {
	keep   map[*html.Node]bool // text nodes
	finder *placeFinder
}

func newPruner(kept []leaf, finder *placeFinder) *pruner {
	p := &pruner{keep: map[*html.Node]bool{}, finder: finder}
	for i := range kept {
		for _, n := range kept[i].nodes {
			p.keep[n] = true
		}
	}
	return p
}

// pruneChildren reports whether anything visible is left below n.
func (p *pruner) pruneChildren(n *html.Node, depth int) bool {
	left := false
	for c := n.FirstChild; c != nil; {
		next := c.NextSibling
		stays, seen := p.pruneNode(c, depth)
		if !stays {
			n.RemoveChild(c)
		}
		left = left || seen
		c = next
	}
	return left
}

// pruneNode reports whether n stays, and whether it is visible: a blank and an
// empty cell stay only beside others.
func (p *pruner) pruneNode(n *html.Node, depth int) (stays, seen bool) {
	switch n.Type {
	case html.TextNode:
		return p.keep[n] || isBlankText(n), p.keep[n]
	case html.ElementNode:
		if depth > MaxDepth || Invisible(n) || isSetAside(n) || p.finder.memo[n].dropped != "" {
			return false, false
		}
	default:
		return false, false
	}
	seen = p.pruneChildren(n, depth+1)
	switch n.DataAtom {
	case atom.Img:
		return true, true
	case atom.Br, atom.Hr, atom.Wbr, atom.Td, atom.Th:
		return true, seen
	}
	return seen, seen
}

func isBlankText(n *html.Node) bool { return strings.TrimLeftFunc(n.Data, isHTMLSpace) == "" }
