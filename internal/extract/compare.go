package extract

import (
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// A Block is a run of text of a page, and whether it is in the text that is
// extracted.
type Block struct {
	Text string `json:"text"`
	Kept bool   `json:"kept"`
}

// Compare extracts a page and returns all visible text of its body, block by
// block, with what was kept of it, for people who check a template.
func Compare(d *Document, at *url.URL, t *Template) (Extracted, []Block) {
	l := leafLister{root: bodyOf(d.Root), at: d.Base(at), whole: true}
	l.visitNode(l.root, nil, false, 0)
	l.flushText()
	texts := make([]string, len(l.leaves))
	for i := range l.leaves {
		var b strings.Builder
		for _, n := range l.leaves[i].nodes {
			b.WriteString(n.Data)
		}
		texts[i] = OneLine(b.String())
	}
	x := d.Extract(at, t)
	blocks := make([]Block, len(l.leaves))
	for i := range l.leaves {
		blocks[i] = Block{Text: texts[i], Kept: isBelow(l.leaves[i].nodes, x.Content)}
	}
	return x, blocks
}

// isBelow reports whether one of the nodes is below root.
func isBelow(nodes []*html.Node, root *html.Node) bool {
	return root != nil && slices.ContainsFunc(nodes, func(n *html.Node) bool { return strings.TrimSpace(n.Data) != "" && isWithin(n, root) })
}

// A TextDiff holds the lines by which two texts differ.
type TextDiff struct {
	Removed []string
	Added   []string
}

// DiffText compares texts line by line, as sets with repetitions.
func DiffText(before, after string) TextDiff {
	count := map[string]int{}
	for _, line := range textLines(after) {
		count[line]++
	}
	var d TextDiff
	for _, line := range textLines(before) {
		if count[line] > 0 {
			count[line]--
			continue
		}
		d.Removed = append(d.Removed, line)
	}
	for _, line := range textLines(after) {
		if count[line] > 0 {
			count[line]--
			d.Added = append(d.Added, line)
		}
	}
	return d
}

func textLines(text string) []string {
	var list []string
	for _, line := range strings.Split(text, "\n") {
		if line = OneLine(line); line != "" {
			list = append(list, line)
		}
	}
	return list
}
