package intake

import (
	"bytes"
	"cmp"
	"net/url"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"colophon/internal/extract"
	"colophon/internal/textform"
)

// extractPlain reads a page that is plain text or Markdown.
func (s *site) extractPlain(d *draft, at *url.URL, text, format string, limit int) *problem {
	own, p := s.registeredAddress(at)
	if p != nil {
		return p
	}
	base, _ := url.Parse(own)
	d.canonical, d.extraction = own, extractionMain
	return d.supply(text, format, base, limit)
}

// supply sets the text of a draft from one of the formats text, markdown and
// html, and records the source of the facts that came with it.
func (d *draft) supply(body, format string, base *url.URL, limit int) *problem {
	title := d.title
	if p := d.supplyText(body, format, base, limit); p != nil {
		return p
	}
	found := extract.Facts{
		Title: suppliedFact(d.title, extract.FromSupplied), Section: suppliedFact(d.section, extract.FromSupplied), Language: suppliedFact(d.language, extract.FromSupplied),
		Published: suppliedFact(d.published, extract.FromSupplied), Modified: suppliedFact(d.modified, extract.FromSupplied),
	}
	if title == "" {
		found.Title = suppliedFact(d.title, extract.FromHeading)
	}
	for _, name := range parseNames(d.byline) {
		found.Authors = append(found.Authors, suppliedFact(name, extract.FromSupplied))
	}
	if d.language == "" {
		found.Language = extract.FindLanguage(d.text)
		d.language = found.Language.Value
	}
	d.facts = factList(&found)
	if why := extract.SuspectText(d.text); why != "" {
		d.addReason(extract.ReviewMojibake, why)
	}
	return nil
}

// suppliedFact returns a fact that came with a text; its publisher is believed.
func suppliedFact(value, source string) extract.Fact {
	return extract.Fact{Value: value, Source: source, Confidence: 1}
}

func (d *draft) supplyText(body, format string, base *url.URL, limit int) *problem {
	d.format = cmp.Or(d.format, format)
	switch format {
	case "text":
		d.text = body
		d.html = textform.ParagraphsHTML(body)
		d.markdown = textform.ParagraphsMarkdown(body, 4*limit)
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
	return recoverPanic("HTML reader", func() *problem {
		context := &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body}
		nodes, err := html.ParseFragment(strings.NewReader(body), context)
		if err != nil {
			return failedProblem("bad_html", "%v", err)
		}
		for _, n := range nodes {
			context.AppendChild(n)
		}
		d.title = cmp.Or(d.title, headingOf(context))
		return d.renderForms(context, base, limit)
	})
}

// markdownHTML renders Markdown; raw HTML inside it is left out.
func markdownHTML(source string) (rendered string, p *problem) {
	var b bytes.Buffer
	p = recoverPanic("Markdown reader", func() *problem {
		if err := goldmark.New(goldmark.WithExtensions(extension.GFM)).Convert([]byte(source), &b); err != nil {
			return failedProblem("bad_markdown", "%v", err)
		}
		return nil
	})
	return b.String(), p
}
