package extract

import (
	"hash/fnv"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// A leaf is a run of inline content between two block edges: the smallest
// piece of a page that is kept or dropped.
type leaf struct {
	chain  []*html.Node // elements from below the root to the block that holds it
	nodes  []*html.Node // its text nodes
	print  uint64       // fingerprint of its folded text
	chars  int          // letters and digits
	linked int          // of them in links to other pages of the site
	rank   int          // of a heading, 1 to 6; 0 for others
	ends   bool         // as a sentence does, or is long
}

// minProse is the number of letters from which on a leaf may be prose.
const minProse = 25

// longLeaf is the number of letters from which on a leaf needs no full stop
// to be a sentence.
const longLeaf = 100

// isProse reports whether it reads as running text rather than as a label or
// link.
func (l *leaf) isProse() bool { return l.chars >= minProse && l.linked*2 < l.chars }

// leafLister collects the leaves of a page in document order.
type leafLister struct {
	root   *html.Node
	at     *url.URL
	whole  bool // parts that the page sets aside are listed too
	leaves []leaf
	open   leaf
	text   strings.Builder
}

// listLeaves lists the leaves below root, without those that the page sets
// aside itself.
func listLeaves(root *html.Node, at *url.URL) []leaf {
	l := leafLister{root: root, at: at}
	l.visitNode(root, nil, false, 0)
	l.flushText()
	return l.leaves
}

func (l *leafLister) visitNode(n *html.Node, chain []*html.Node, link bool, depth int) {
	switch n.Type {
	case html.TextNode:
		l.addText(n, chain, link)
		return
	case html.ElementNode:
		if depth > MaxDepth || n != l.root && (Invisible(n) || !l.whole && isSetAside(n)) {
			return
		}
	case html.DocumentNode:
	default:
		return
	}
	if n.DataAtom == atom.A {
		link = leadsElsewhere(n, l.at)
	}
	edge := isLeafEdge(n)
	if edge {
		l.flushText()
		if n.DataAtom != atom.Br && n != l.root {
			chain = append(chain[:len(chain):len(chain)], n)
		}
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		l.visitNode(c, chain, link, depth+1)
	}
	if edge {
		l.flushText()
	}
}

func (l *leafLister) addText(n *html.Node, chain []*html.Node, link bool) {
	if l.open.nodes == nil {
		l.open.chain = chain
	}
	l.open.nodes = append(l.open.nodes, n)
	l.text.WriteString(n.Data)
	if link {
		l.open.linked += countLetters(n.Data)
	}
}

func (l *leafLister) flushText() {
	text := l.text.String()
	l.open.chars, l.open.print = foldPrint(text)
	if strings.TrimSpace(text) != "" {
		l.open.ends = l.open.chars >= longLeaf || endsSentence(text)
		if n := len(l.open.chain); n > 0 {
			l.open.rank = headingRank(l.open.chain[n-1])
		}
		l.leaves = append(l.leaves, l.open)
	}
	l.open = leaf{}
	l.text.Reset()
}

func endsSentence(text string) bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimSpace(text))
	return strings.ContainsRune(".!?:;…。！？：؟।", last)
}

// headingRank is 1 to 6 for h1 to h6, 0 for others.
func headingRank(n *html.Node) int {
	if len(n.Data) == 2 && n.Data[0] == 'h' && n.Data[1] >= '1' && n.Data[1] <= '6' {
		return int(n.Data[1] - '0')
	}
	return 0
}

// isLeafEdge reports elements whose edges end a leaf.
func isLeafEdge(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Td, atom.Th, atom.Br, atom.Option:
		return true
	}
	return IsBlock(n)
}

// leadsElsewhere reports whether a link leads to another page of the same
// site. Links to other sites are sources, which are content.
func leadsElsewhere(a *html.Node, at *url.URL) bool {
	href := strings.TrimSpace(Attr(a, "href"))
	if href == "" || href[0] == '#' {
		return false
	}
	u, err := at.Parse(href)
	return err == nil && u.Host == at.Host && u.Path != at.Path
}

// foldPrint counts the letters and digits of a text and hashes them without
// case; a run of digits counts as one digit, so that numbers do not matter.
func foldPrint(s string) (letters int, print uint64) {
	h := fnv.New64a()
	var buf [utf8.UTFMax]byte
	inNumber := false
	for _, r := range s {
		digit := unicode.IsNumber(r)
		if !digit && !unicode.IsLetter(r) {
			inNumber = false
			continue
		}
		letters++
		if digit && inNumber {
			continue
		}
		inNumber = digit
		if digit {
			r = '0'
		}
		h.Write(buf[:utf8.EncodeRune(buf[:], unicode.ToLower(r))])
	}
	return letters, h.Sum64()
}
