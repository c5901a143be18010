package intake

import (
	"bytes"
	"net/url"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// extractPlain reads a page that is plain text or Markdown.
func (s *site) extractPlain(d *draft, at *url.URL, text, format string, limit int) *problem {
	canonical, base, p := s.identify(at, "")
	if p != nil {
		return p
	}
	d.canonical, d.extraction = canonical, extractionMain
	return d.supply(text, format, base, limit)
}

// supply takes text as it came, in one of the formats text, markdown, html.
func (d *draft) supply(body, format string, base *url.URL, limit int) *problem {
	d.format = first(d.format, format)
	switch format {
	case "text":
		d.text, d.html, d.markdown = body, paragraphs(body), plainMarkdown(body, 4*limit)
		return nil
	case "markdown":
		rendered, p := markdownHTML(body)
		if p != nil {
			return p
		}
		if p = d.supplyHTML(rendered, base, limit); p == nil {
			d.markdown = strings.TrimSpace(body)
		}
		return p
	}
	return d.supplyHTML(body, base, limit)
}

func (d *draft) supplyHTML(body string, base *url.URL, limit int) *problem {
	return safely("HTML reader", func() *problem {
		context := &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body}
		nodes, err := html.ParseFragment(strings.NewReader(body), context)
		if err != nil {
			return failed("bad_html", "%v", err)
		}
		for _, n := range nodes {
			context.AppendChild(n)
		}
		d.title = first(d.title, headingOf(context))
		return d.render(context, base, limit)
	})
}

// markdownHTML renders Markdown; raw HTML inside it is left out.
func markdownHTML(source string) (rendered string, p *problem) {
	var b bytes.Buffer
	p = safely("Markdown reader", func() *problem {
		if err := goldmark.New(goldmark.WithExtensions(extension.GFM)).Convert([]byte(source), &b); err != nil {
			return failed("bad_markdown", "%v", err)
		}
		return nil
	})
	return b.String(), p
}

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

func paragraphs(text string) string {
	var b strings.Builder
	for _, p := range splitParagraphs(text) {
		b.WriteString("<p>" + html.EscapeString(p) + "</p>")
	}
	return b.String()
}

func plainMarkdown(text string, limit int) string {
	w := markdownWriter{limit: limit}
	for _, p := range splitParagraphs(text) {
		w.text(p)
		w.flush("")
	}
	return strings.TrimRight(w.out.String(), "\n")
}
