package intake

import (
	"log/slog"
	"mime"
	"net/url"
	"strings"

	readability "codeberg.org/readeck/go-readability/v2"
	"golang.org/x/net/html"
)

// acceptPages are the media types that are read as pages.
const acceptPages = "text/html, application/xhtml+xml;q=0.9, text/markdown;q=0.6, text/plain;q=0.5"

// extract reads a fetched page; hint fills what it does not state. The
// evidence is what it states about rights.
func (s *site) extract(a *answer, hint draft, limit int) (*draft, *evidence, *problem) {
	media, _, _ := mime.ParseMediaType(a.header.Get("Content-Type"))
	if media == "" && looksLikeHTML(a.body) {
		media = "text/html"
	}
	switch media {
	case "text/html", "application/xhtml+xml", "text/plain", "text/markdown":
	default:
		return nil, nil, skipped("not_a_page", "%s is of type %q", a.url, media)
	}
	text, replaced, p := decode(a.body, a.header.Get("Content-Type"))
	if p != nil {
		return nil, nil, p
	}
	d := hint
	d.language = first(languageTag(a.header.Get("Content-Language")), hint.language)
	e := &evidence{header: rightsFields(a.header)}
	if media == "text/plain" || media == "text/markdown" {
		p = s.extractPlain(&d, a.url, text, strings.TrimPrefix(media, "text/"), limit)
	} else {
		p = safely("HTML reader", func() *problem { return s.extractHTML(&d, e, a.url, text, limit) })
	}
	if p != nil {
		return nil, nil, p
	}
	if replaced && strings.Contains(d.text+d.title, "\ufffd") {
		return nil, nil, failed("bad_charset", "its text cannot be decoded: there are bytes in it that its encoding does not have")
	}
	if p = d.finish(); p != nil {
		return nil, nil, p
	}
	return &d, e, nil
}

func (s *site) extractHTML(d *draft, e *evidence, at *url.URL, text string, limit int) *problem {
	doc, err := html.Parse(strings.NewReader(text))
	if err != nil {
		return failed("bad_html", "%v", err)
	}
	m := readMeta(doc)
	canonical, base, p := s.identify(at, m.canonical)
	if p != nil {
		return p
	}
	base = m.at(base)
	e.take(m, base)
	parser := readability.NewParser()
	parser.MaxElemsToParse, parser.Logger, parser.DisableJSONLD = maxElements, slog.New(slog.DiscardHandler), true
	article, err := parser.ParseAndMutate(doc, base)
	if err != nil {
		return failed("bad_html", "%v", err)
	}
	if article.Node == nil {
		return skipped("no_text", "there is no text on it")
	}
	d.canonical, d.format, d.extraction = canonical, "html", extractionMain
	d.state(m, article)
	return d.render(article.Node, base, limit)
}

// state takes the facts that the page states, before those of a hint.
func (d *draft) state(m *meta, article readability.Article) {
	d.title = first(oneLine(m.schema.headline), m.get("og:title", "citation_title", "dc.title", "dcterms.title"), oneLine(article.Title()), m.heading, m.title, d.title)
	d.language = first(languageTag(m.language), d.language, languageTag(m.get("content-language", "og:locale", "dc.language")), languageTag(m.schema.language))
	d.section = first(m.get("article:section", "parsely-section"), m.schema.section, d.section)
	d.published, d.modified = first(m.published(), d.published), first(m.modified(), d.modified)
	stated := append(append([]string{}, m.named["keywords"]...), m.named["article:tag"]...)
	d.terms = append(append(append(stated, m.named["news_keywords"]...), m.schema.keywords...), d.terms...)
	switch {
	case len(m.schema.authors) > 0:
		d.byline = m.schema.authors
	case len(m.named["citation_author"]) > 0:
		d.byline = m.named["citation_author"]
	case m.get("author", "dc.creator", "article:author") != "":
		d.byline = splitByline(m.get("author", "dc.creator", "article:author"))
	case len(d.byline) == 0:
		d.byline = splitByline(article.Byline())
	}
}

// render writes the main content in its three forms.
func (d *draft) render(n *html.Node, base *url.URL, limit int) *problem {
	d.text, d.html = plainText(n), cleanHTML(n, base)
	text, ok := markdown(n, base, 4*limit)
	if !ok || len(d.html) > 4*limit {
		return failed("too_large", "written as Markdown it has more than %d bytes", 4*limit)
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
