// Package textform writes the main content of a page in the forms in which it is
// kept and delivered: inert HTML, and Markdown.
package textform

import (
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"colophon/internal/extract"
)

// Markdown renders a page's main content as Markdown (CommonMark with GitHub
// tables). Content that Markdown cannot say keeps its text. ok is false when
// the result would be longer than limit bytes.
func Markdown(n *html.Node, base *url.URL, limit int) (text string, ok bool) {
	w := markdownWriter{base: base, limit: limit}
	w.writeChildren(n, 0)
	w.flushBlock("")
	return strings.TrimRight(w.out.String(), "\n"), !w.full
}

// maxNesting is how deep lists and quotes are written as such; deeper ones
// continue the last, so that prefixes stay short.
const maxNesting = 8

type markdownWriter struct {
	out    strings.Builder
	line   []byte // running text of the current block
	breaks int    // flushes so far: a wrapper whose text was flushed adds no marks
	levels []level
	cell   bool // inside a table cell: everything is on one line
	base   *url.URL
	limit  int
	full   bool
}

// level is a list item or a quote around the current blocks.
type level struct {
	first, rest string // marks of its first line and of the others
	begun       bool   // the first line is written
	follows     bool   // it is an item after another
}

func (w *markdownWriter) writeChildren(n *html.Node, depth int) {
	for c := n.FirstChild; c != nil && !w.full; c = c.NextSibling {
		w.writeNode(c, depth+1)
	}
}

func (w *markdownWriter) writeNode(n *html.Node, depth int) {
	switch {
	case depth > extract.MaxDepth || n.Type == html.ElementNode && extract.Invisible(n):
	case n.Type == html.TextNode:
		w.addText(n.Data)
	case n.Type != html.ElementNode:
		w.writeChildren(n, depth)
	case extract.IsBlock(n):
		w.writeBlock(n, depth)
	default:
		w.writeInline(n, depth)
	}
}

func (w *markdownWriter) writeBlock(n *html.Node, depth int) {
	if w.cell {
		w.addSpace()
		w.writeChildren(n, depth)
		w.addSpace()
		return
	}
	w.flushBlock("")
	switch n.DataAtom {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		w.writeChildren(n, depth)
		w.flushBlock("######"[:n.Data[1]-'0'] + " ")
	case atom.Hr:
		w.writeLines("---")
	case atom.Pre:
		w.writeFence(extract.RawText(n))
	case atom.Blockquote:
		w.writeNested(level{first: "> ", rest: "> "}, n, depth)
	case atom.Ul, atom.Ol:
		w.writeList(n, depth)
	case atom.Li:
		w.writeNested(level{first: "- ", rest: "  "}, n, depth)
	case atom.Table:
		if !w.writeTable(n, depth) {
			w.writeChildren(n, depth)
		}
	case atom.Dt:
		w.wrapInline(n, depth, "**", "**")
	default:
		w.writeChildren(n, depth)
	}
	w.flushBlock("")
}

func (w *markdownWriter) writeList(n *html.Node, depth int) {
	number := 0
	for c := n.FirstChild; c != nil && !w.full; c = c.NextSibling {
		if c.Type != html.ElementNode || c.DataAtom != atom.Li || extract.Invisible(c) {
			w.writeNode(c, depth+1)
			continue
		}
		w.flushBlock("")
		marker := "- "
		if number++; n.DataAtom == atom.Ol {
			marker = strconv.Itoa(number) + ". "
		}
		w.writeNested(level{first: marker, rest: strings.Repeat(" ", len(marker)), follows: number > 1}, c, depth+1)
	}
}

// writeNested writes the children one level deeper.
func (w *markdownWriter) writeNested(l level, n *html.Node, depth int) {
	if len(w.levels) < maxNesting {
		w.levels = append(w.levels, l)
		defer func() { w.levels = w.levels[:len(w.levels)-1] }()
	}
	w.writeChildren(n, depth)
	w.flushBlock("")
}

func (w *markdownWriter) writeInline(n *html.Node, depth int) {
	switch n.DataAtom {
	case atom.Br:
		if w.cell || len(w.line) == 0 {
			w.addSpace()
		} else {
			w.line = append(trimSpace(w.line), "\\\n"...)
		}
	case atom.Code, atom.Kbd, atom.Samp, atom.Tt:
		w.writeCode(extract.RawText(n))
	case atom.Em, atom.I:
		w.wrapInline(n, depth, "*", "*")
	case atom.Strong, atom.B:
		w.wrapInline(n, depth, "**", "**")
	case atom.Del, atom.S:
		w.wrapInline(n, depth, "~~", "~~")
	case atom.A:
		if href := resolveTarget(n, "href", w.base); href != "" {
			w.wrapInline(n, depth, "[", "]("+linkDestination(href)+")")
			return
		}
		w.writeChildren(n, depth)
	case atom.Img:
		if src := resolveTarget(n, "src", w.base); src != "" {
			w.line = append(w.line, "!["+escapeMarkdown(extract.OneLine(extract.Attr(n, "alt")))+"]("+linkDestination(src)+")"...)
		}
	default:
		w.writeChildren(n, depth)
	}
}

// wrapInline puts marks around the text of a node, close to it, unless it is blank
// or has blocks in it.
func (w *markdownWriter) wrapInline(n *html.Node, depth int, before, after string) {
	at, breaks := len(w.line), w.breaks
	w.writeChildren(n, depth)
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
		w.addSpace()
	}
	w.line = append(w.line, before+trimmed+after+ends...)
	if strings.HasSuffix(inner, " ") {
		w.addSpace()
	}
}

func (w *markdownWriter) writeCode(s string) {
	s = extract.OneLine(s)
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
