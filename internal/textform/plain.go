package textform

import (
	"strings"

	"golang.org/x/net/html"
)

// splitParagraphs cuts plain text at blank lines.
func splitParagraphs(text string) []string {
	var list []string
	var open []string
	for _, line := range append(strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n"), "") {
		if line = strings.TrimSpace(line); line != "" {
			open = append(open, line)
			continue
		}
		if len(open) > 0 {
			list = append(list, strings.Join(open, "\n"))
		}
		open = open[:0]
	}
	return list
}

// ParagraphsHTML returns plain text as HTML, with a paragraph for each part
// between blank lines.
func ParagraphsHTML(text string) string {
	var b strings.Builder
	for _, p := range splitParagraphs(text) {
		b.WriteString("<p>" + html.EscapeString(p) + "</p>")
	}
	return b.String()
}

// ParagraphsMarkdown returns plain text as Markdown, up to limit bytes.
func ParagraphsMarkdown(text string, limit int) string {
	w := markdownWriter{limit: limit}
	for _, p := range splitParagraphs(text) {
		w.addText(p)
		w.flushBlock("")
	}
	return strings.TrimRight(w.out.String(), "\n")
}
