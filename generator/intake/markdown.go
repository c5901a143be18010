package intake

import (
	"net/url"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// markdown renders a page's main content as Markdown (CommonMark with GitHub
// tables). Content that Markdown cannot say keeps its text. ok is false when
// the result would be longer than limit bytes.
func markdown(n *html.Node, base *url.URL, limit int) (text string, ok bool) {
	w := markdownWriter{base: base, limit: limit}
	w.children(n, 0)
	w.flush("")
	return strings.TrimRight(w.out.String(), "\n"), !w.full
}

// maxNesting is how deep lists and quotes are written as such; deeper ones
// continue the last, so that prefixes stay short.
const maxNesting = 8

type markdownWriter struct {
	out    strings.Builder
	line   []byte // running text of the block at hand
	breaks int    // flushes so far: a wrapper whose text was flushed adds no marks
	levels []level
	cell   bool // inside a table cell: all is one line
	base   *url.URL
	limit  int
	full   bool
}

// level is a list item or a quote around the blocks at hand.
type level struct {
	first, rest string // marks of its first line and of the others
	begun       bool   // the first line is written
	follows     bool   // it is an item after another
}

func (w *markdownWriter) children(n *html.Node, depth int) {
	for c := n.FirstChild; c != nil && !w.full; c = c.NextSibling {
		w.node(c, depth+1)
	}
}

func (w *markdownWriter) node(n *html.Node, depth int) {
	switch {
	case depth > maxDepth || n.Type == html.ElementNode && dropped(n):
	case n.Type == html.TextNode:
		w.text(n.Data)
	case n.Type != html.ElementNode:
		w.children(n, depth)
	case block(n):
		w.block(n, depth)
	default:
		w.inline(n, depth)
	}
}

func (w *markdownWriter) block(n *html.Node, depth int) {
	if w.cell {
		w.space()
		w.children(n, depth)
		w.space()
		return
	}
	w.flush("")
	switch n.DataAtom {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		w.children(n, depth)
		w.flush("######"[:n.Data[1]-'0'] + " ")
	case atom.Hr:
		w.lines("---")
	case atom.Pre:
		w.fence(textOf(n))
	case atom.Blockquote:
		w.within(level{first: "> ", rest: "> "}, n, depth)
	case atom.Ul, atom.Ol:
		w.list(n, depth)
	case atom.Li:
		w.within(level{first: "- ", rest: "  "}, n, depth)
	case atom.Table:
		if !w.table(n, depth) {
			w.children(n, depth)
		}
	case atom.Dt:
		w.wrap(n, depth, "**", "**")
	default:
		w.children(n, depth)
	}
	w.flush("")
}

func (w *markdownWriter) list(n *html.Node, depth int) {
	number := 0
	for c := n.FirstChild; c != nil && !w.full; c = c.NextSibling {
		if c.Type != html.ElementNode || c.DataAtom != atom.Li || dropped(c) {
			w.node(c, depth+1)
			continue
		}
		w.flush("")
		marker := "- "
		if number++; n.DataAtom == atom.Ol {
			marker = digits(number) + ". "
		}
		w.within(level{first: marker, rest: strings.Repeat(" ", len(marker)), follows: number > 1}, c, depth+1)
	}
}

// within writes the children one level deeper.
func (w *markdownWriter) within(l level, n *html.Node, depth int) {
	if len(w.levels) < maxNesting {
		w.levels = append(w.levels, l)
		defer func() { w.levels = w.levels[:len(w.levels)-1] }()
	}
	w.children(n, depth)
	w.flush("")
}

func (w *markdownWriter) inline(n *html.Node, depth int) {
	switch n.DataAtom {
	case atom.Br:
		if w.cell || len(w.line) == 0 {
			w.space()
		} else {
			w.line = append(trimSpace(w.line), "\\\n"...)
		}
	case atom.Code, atom.Kbd, atom.Samp, atom.Tt:
		w.code(textOf(n))
	case atom.Em, atom.I:
		w.wrap(n, depth, "*", "*")
	case atom.Strong, atom.B:
		w.wrap(n, depth, "**", "**")
	case atom.Del, atom.S:
		w.wrap(n, depth, "~~", "~~")
	case atom.A:
		if href := target(n, "href", w.base); href != "" {
			w.wrap(n, depth, "[", "]("+destination(href)+")")
			return
		}
		w.children(n, depth)
	case atom.Img:
		if src := target(n, "src", w.base); src != "" {
			w.line = append(w.line, "!["+escape(oneLine(attr(n, "alt")))+"]("+destination(src)+")"...)
		}
	default:
		w.children(n, depth)
	}
}

// wrap puts marks around the text of a node, close to it, unless it is blank
// or has blocks in it.
func (w *markdownWriter) wrap(n *html.Node, depth int, before, after string) {
	at, breaks := len(w.line), w.breaks
	w.children(n, depth)
	if w.breaks != breaks || at > len(w.line) {
		return
	}
	inner := string(w.line[at:])
	text, ends := cutBreaks(inner)
	trimmed := strings.TrimLeft(text, " ")
	if trimmed == "" {
		return
	}
	w.line = w.line[:at]
	if len(trimmed) < len(text) {
		w.space()
	}
	w.line = append(w.line, before+trimmed+after+ends...)
	if strings.HasSuffix(inner, " ") {
		w.space()
	}
}

func (w *markdownWriter) code(s string) {
	s = oneLine(s)
	if s == "" {
		return
	}
	if w.cell {
		s = strings.ReplaceAll(s, "|", `\|`)
	}
	ticks := strings.Repeat("`", longestRun(s, '`')+1)
	if s[0] == '`' || s[len(s)-1] == '`' {
		s = " " + s + " "
	}
	w.line = append(w.line, ticks+s+ticks...)
}
