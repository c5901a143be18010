package intake

import (
	"cmp"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"colophon/internal/extract"
	"colophon/internal/textform"
)

// acceptPages are the media types that are read as pages.
const acceptPages = "text/html, application/xhtml+xml;q=0.9, text/markdown;q=0.6, text/plain;q=0.5"

// mediaOf returns the media type of an answer, guessed from its bytes if it
// states none.
func mediaOf(h http.Header, body []byte) string {
	media, _, _ := mime.ParseMediaType(h.Get("Content-Type"))
	if media == "" && looksLikeHTML(body) {
		return "text/html"
	}
	return media
}

func isHTMLMedia(media string) bool {
	return media == "text/html" || media == "application/xhtml+xml"
}

// extractPage reads a fetched page; hint provides what it does not state.
// evidence is what it states about rights.
func (s *site) extractPage(a *answer, hint draft, limit int) (*draft, *evidence, *problem) {
	media := mediaOf(a.header, a.body)
	switch media {
	case "text/html", "application/xhtml+xml", "text/plain", "text/markdown":
	default:
		return nil, nil, skippedProblem("not_a_page", "%s is of type %q", a.url, media)
	}
	decoded, err := extract.Decode(a.body, a.header.Get("Content-Type"))
	if err != nil {
		return nil, nil, failedProblem("bad_charset", "%v", err)
	}
	d := hint
	d.encoding = decoded.Encoding
	e := &evidence{header: rightsFields(a.header)}
	var p *problem
	if isHTMLMedia(media) {
		stated := extract.Hint{
			HeaderLanguage: a.header.Get("Content-Language"), FeedTitle: hint.title, FeedAuthors: hint.byline, FeedLanguage: hint.language,
			FeedPublished: hint.published, FeedModified: hint.modified,
		}
		p = recoverPanic("HTML reader", func() *problem { return s.extractHTML(&d, e, a.url, decoded.Text, &stated, limit) })
	} else {
		d.language = cmp.Or(extract.LanguageTag(a.header.Get("Content-Language")), hint.language)
		p = s.extractPlain(&d, a.url, decoded.Text, strings.TrimPrefix(media, "text/"), limit)
	}
	if p != nil {
		return nil, nil, p
	}
	if decoded.Suspect != "" {
		d.addReason(extract.ReviewMojibake, decoded.Suspect)
	}
	if p = d.finishDraft(); p != nil {
		return nil, nil, p
	}
	return &d, e, nil
}

func (s *site) extractHTML(d *draft, e *evidence, at *url.URL, text string, hint *extract.Hint, limit int) *problem {
	doc, p := parseHTML(text, hint)
	if p != nil {
		return p
	}
	page, p := s.identifyPage(at, doc)
	if p != nil {
		return p
	}
	base := doc.Base(page.public)
	e.readPage(doc, base) // before its content is taken out of it
	x := doc.Extract(page.public, s.template)
	if x.Content == nil {
		return skippedProblem("no_text", "there is no text on it")
	}
	d.canonical, d.stated = page.own, page.canonical
	d.format = "html"
	d.extraction = extractionMain
	d.template = s.templateDigest
	d.takeFacts(&x)
	if p = d.renderForms(x.Content, base, limit); p != nil {
		return p
	}
	if len(d.reasons) > 0 {
		d.dropped = droppedText(text, page.public, s.template) // so the page is not kept twice
	}
	return nil
}

// parseHTML parses a page, within the limit of its elements.
func parseHTML(text string, hint *extract.Hint) (*extract.Document, *problem) {
	doc, err := extract.Parse(text, hint)
	if err != nil {
		return nil, failedProblem("bad_html", "%v", err)
	}
	n := 0
	for d := range doc.Root.Descendants() {
		if d.Type == html.ElementNode {
			n++
		}
	}
	if n > maxElements {
		return nil, failedProblem("bad_html", "it has %d elements, more than %d", n, maxElements)
	}
	return doc, nil
}

// droppedText returns the visible text of a page that its extracted text leaves out, one
// block per line. It parses the page again because extraction consumes the tree.
func droppedText(text string, at *url.URL, t *extract.Template) string {
	doc, err := extract.Parse(text, nil)
	if err != nil {
		return ""
	}
	var lines []string
	_, blocks := extract.Compare(doc, at, t)
	for _, b := range blocks {
		if !b.Kept && b.Text != "" {
			lines = append(lines, b.Text)
		}
	}
	return strings.Join(lines, "\n")
}

// takeFacts copies the facts of a page, and the doubts about signing its text.
func (d *draft) takeFacts(x *extract.Extracted) {
	f := &x.Facts
	d.facts = factList(f)
	d.title, d.language = cmp.Or(f.Title.Value, d.title), f.Language.Value
	d.section = cmp.Or(f.Section.Value, d.section)
	d.published, d.modified = f.Published.Value, f.Modified.Value
	d.terms = append(append([]string{}, f.Terms...), d.terms...)
	d.byline = nil
	for _, a := range f.Authors {
		d.byline = append(d.byline, a.Value)
	}
	for _, r := range x.Review() {
		d.addReason(r.Code, r.Detail)
	}
}

// renderForms writes the main content in its three forms.
func (d *draft) renderForms(n *html.Node, base *url.URL, limit int) *problem {
	d.text, d.html = extract.PlainText(n), textform.HTML(n, base)
	text, ok := textform.Markdown(n, base, 4*limit)
	if !ok || len(d.html) > 4*limit {
		return failedProblem("too_large", "written as Markdown it has more than %d bytes", 4*limit)
	}
	d.markdown = text
	return nil
}

func looksLikeHTML(b []byte) bool {
	head := strings.ToLower(strings.TrimLeft(string(b[:min(len(b), 512)]), "\ufeff \t\r\n"))
	for strings.HasPrefix(head, "<!--") {
		_, rest, ok := strings.Cut(head, "-->")
		if !ok {
			break
		}
		head = strings.TrimLeft(rest, " \t\r\n")
	}
	return strings.HasPrefix(head, "<!doctype html") || strings.HasPrefix(head, "<html") || strings.HasPrefix(head, "<head") || strings.HasPrefix(head, "<body")
}

// headingOf returns the text of the first heading of the first rank.
func headingOf(n *html.Node) string {
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && d.DataAtom == atom.H1 {
			return extract.OneLine(extract.RawText(d))
		}
	}
	return ""
}
