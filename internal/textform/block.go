package textform

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// flushBlock ends the current block and writes it, after the given mark.
func (w *markdownWriter) flushBlock(mark string) {
	text, _ := cutBreaks(strings.TrimLeft(string(w.line), " "))
	w.line = w.line[:0]
	if text == "" {
		return
	}
	if mark != "" {
		w.writeLines(mark + strings.ReplaceAll(strings.ReplaceAll(text, "\\\n", " "), "\n", " "))
		return
	}
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = escapeStart(strings.TrimLeft(lines[i], " "))
	}
	w.writeLines(lines...)
}

// cutBreaks removes the hard line breaks at the end of running text.
func cutBreaks(s string) (text, breaks string) {
	text = strings.TrimRight(s, " ")
	for strings.HasSuffix(text, "\\\n") {
		text, breaks = strings.TrimRight(text[:len(text)-2], " "), breaks+"\\\n"
	}
	return text, breaks
}

// writeLines writes the lines of one block behind the marks of its levels.
func (w *markdownWriter) writeLines(lines ...string) {
	w.breaks++
	if w.out.Len() > 0 && !w.isTight() {
		w.out.WriteString(strings.TrimRight(w.linePrefix(false), " ") + "\n")
	}
	for _, line := range lines {
		if w.out.Len()+len(line) > w.limit {
			w.full = true
			return
		}
		w.out.WriteString(strings.TrimRight(w.linePrefix(true)+line, " ") + "\n")
	}
}

// isTight reports whether the block begins an item that follows another one.
func (w *markdownWriter) isTight() bool {
	n := len(w.levels)
	return n > 0 && !w.levels[n-1].begun && w.levels[n-1].follows
}

// linePrefix joins the marks of the levels; with begin, marks that are due for
// the first time are used up.
func (w *markdownWriter) linePrefix(begin bool) string {
	var b strings.Builder
	for i := range w.levels {
		l := &w.levels[i]
		switch {
		case l.begun:
			b.WriteString(l.rest)
		case begin:
			b.WriteString(l.first)
			l.begun = true
		default:
			return b.String()
		}
	}
	return b.String()
}

func (w *markdownWriter) writeFence(text string) {
	text = strings.Trim(strings.ReplaceAll(text, "\r", ""), "\n")
	if strings.TrimSpace(text) == "" {
		return
	}
	ticks := strings.Repeat("`", max(3, longestRun(text, '`')+1))
	w.writeLines(append(append([]string{ticks}, strings.Split(text, "\n")...), ticks)...)
}

// writeTable writes a table of plain cells. It returns false for a table used
// for layout: one with blocks that a cell cannot hold, or with a single column.
func (w *markdownWriter) writeTable(n *html.Node, depth int) bool {
	var rows [][]string
	width := 0
	for d := range n.Descendants() {
		switch {
		case d.Type != html.ElementNode:
		case d.DataAtom == atom.Table, d.DataAtom == atom.Pre, d.DataAtom == atom.Ul, d.DataAtom == atom.Ol, d.DataAtom == atom.Blockquote, d.DataAtom == atom.Dl:
			return false
		case d.DataAtom == atom.Tr:
			rows = append(rows, nil)
		case (d.DataAtom == atom.Td || d.DataAtom == atom.Th) && len(rows) > 0:
			sub := markdownWriter{base: w.base, limit: w.limit, cell: true}
			sub.writeChildren(d, depth)
			last := &rows[len(rows)-1]
			*last = append(*last, strings.TrimSpace(strings.ReplaceAll(string(sub.line), "\n", " ")))
			width = max(width, len(*last))
		}
	}
	if width < 2 || width > 64 || len(rows) < 2 {
		return false
	}
	var lines []string
	for i, row := range rows {
		row = append(row, make([]string, width-len(row))...)
		lines = append(lines, "| "+strings.Join(row, " | ")+" |")
		if i == 0 {
			lines = append(lines, strings.Repeat("| --- ", width)+"|")
		}
	}
	w.writeLines(lines...)
	return true
}
