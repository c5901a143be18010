package extract

import (
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"colophon/internal/wire"
)

// Facts are what a page states about itself.
type Facts struct {
	Title     Fact
	Authors   []Fact
	Language  Fact
	Section   Fact
	Published Fact // RFC 3339, UTC
	Modified  Fact // RFC 3339, UTC
	Terms     []string
}

// Hint is what accompanied a page: the header of the answer, or the item of a
// feed.
type Hint struct {
	HeaderLanguage string // Content-Language
	FeedTitle      string
	FeedAuthors    []string
	FeedLanguage   string
	FeedPublished  string // RFC 3339
	FeedModified   string // RFC 3339
}

// statements are all values that a page gives for its facts. They are read
// before the content is taken out of the page, and resolved after.
type statements struct {
	title, author, language, section, published, modified candidates

	lines     candidates // lines that name authors, by source
	bylines   []byline   // that the page shows
	opening   []string   // headings, of any rank, that the content begins with
	siteNames []string   // names that the page gives its site
	visible   string     // the visible text of the page without its navigation, folded; only for pages that name authors to programs
	terms     []string
	canonical []string // addresses of <link rel=canonical> in the head, as written, that differ
	base      string   // <base href>, as written

	at, baseAddress *url.URL // of the page, and what its addresses are relative to
}

// readStatements collects what a document states about itself. root is the
// element of its content.
func readStatements(doc, root *html.Node, schema []*wire.Value, hint *Hint) *statements {
	s := &statements{title: candidates{}, author: candidates{}, lines: candidates{}, language: candidates{}, section: candidates{}, published: candidates{}, modified: candidates{}}
	s.addHint(hint)
	for n := range doc.Descendants() {
		if n.Type == html.ElementNode {
			s.addElement(n, root)
		}
	}
	if len(s.author)+len(s.lines)+len(schema) > 0 {
		s.visible = foldWords(joinText(doc, func(n *html.Node) bool { return Invisible(n) || n.DataAtom == atom.Nav }))
	}
	s.addHeading(root)
	for n := root; n != nil; n = n.Parent {
		if n.DataAtom != atom.Html && n.Type == html.ElementNode {
			s.language.addValues(FromContent, Attr(n, "lang"), Attr(n, "xml:lang"))
		}
	}
	return s
}

func (s *statements) addHint(h *Hint) {
	s.language.addValues(FromHeader, h.HeaderLanguage)
	s.language.addValues(FromFeed, h.FeedLanguage)
	s.title.addValues(FromFeed, OneLine(h.FeedTitle))
	s.author.addValues(FromFeed, h.FeedAuthors...)
	s.published.addValues(FromFeed, h.FeedPublished)
	s.modified.addValues(FromFeed, h.FeedModified)
}

func (s *statements) addSchema(objects []*wire.Value) {
	for _, o := range objects {
		if hasType(o, []string{"WebSite", "Organization", "NewsMediaOrganization"}) {
			s.siteNames = append(s.siteNames, SchemaTexts(o.Get("name"))...)
		}
	}
	o := s.ownObject(objects)
	if o == nil {
		return
	}
	s.title.addValues(FromSchema, schemaText(o, "headline", "name"))
	s.addSchemaAuthors(objects, o.Get("author"))
	s.language.addValues(FromSchema, schemaText(o, "inLanguage"))
	s.section.addValues(FromSchema, schemaText(o, "articleSection"))
	s.published.addValues(FromSchema, schemaText(o, "datePublished"), schemaText(o, "dateCreated"))
	s.modified.addValues(FromSchema, schemaText(o, "dateModified"))
	if p := referenced(objects, o.Get("publisher")); p != nil && !hasType(p, []string{"Person"}) {
		s.siteNames = append(s.siteNames, SchemaTexts(p)...)
	}
	s.terms = append(SchemaTexts(o.Get("keywords")), s.terms...)
}

func (s *statements) addElement(n, root *html.Node) {
	switch n.DataAtom {
	case atom.Html:
		s.language.addValues(FromHTML, Attr(n, "lang"), Attr(n, "xml:lang"))
	case atom.Title:
		if n.Namespace == "" && len(s.title[FromTitle]) == 0 {
			s.title.addValues(FromTitle, OneLine(RawText(n)))
		}
	case atom.Base:
		if s.base == "" {
			s.base = Attr(n, "href")
		}
	case atom.Meta:
		s.addMeta(n)
	case atom.Link:
		s.addCanonical(n)
	case atom.Time:
		if !isOfOtherArticle(n, root) {
			s.addTime(n)
		}
	}
	s.addByline(n, root)
}

// addCanonical adds the address of a link in the head, because one in the body
// may be in a reader's comment.
func (s *statements) addCanonical(link *html.Node) {
	href := strings.TrimSpace(Attr(link, "href"))
	if href == "" || !hasToken(strings.ToLower(Attr(link, "rel")), "canonical") || !hasAncestor(link, atom.Head) || slices.Contains(s.canonical, href) {
		return
	}
	s.canonical = append(s.canonical, href)
}

// canonicalAddress returns the canonical address that the page states, "" for
// none and for several.
func (s *statements) canonicalAddress() string {
	if len(s.canonical) != 1 {
		return ""
	}
	return s.canonical[0]
}

// metaFacts maps the names of <meta> elements to the facts that they state.
var metaFacts = map[string]struct {
	kind   string
	source string
}{
	"og:title": {"title", FromOpenGraph}, "citation_title": {"title", FromCitation}, "dc.title": {"title", FromDublinCore}, "dcterms.title": {"title", FromDublinCore},
	"author": {"author", FromMeta}, "article:author": {"author", FromMeta}, "dc.creator": {"author", FromDublinCore}, "dcterms.creator": {"author", FromDublinCore},
	"citation_author":  {"one author", FromCitation},
	"content-language": {"language", FromMeta}, "og:locale": {"language", FromOpenGraph}, "dc.language": {"language", FromDublinCore}, "dcterms.language": {"language", FromDublinCore},
	"article:section": {"section", FromOpenGraph}, "parsely-section": {"section", FromOpenGraph},
	"article:published_time": {"published", FromOpenGraph}, "citation_publication_date": {"published", FromCitation}, "citation_date": {"published", FromCitation},
	"dcterms.created": {"published", FromDublinCore}, "dcterms.issued": {"published", FromDublinCore}, "dcterms.date": {"published", FromDublinCore},
	"dc.date.issued": {"published", FromDublinCore}, "dc.date": {"published", FromDublinCore}, "dc.date.created": {"published", FromDublinCore},
	"datepublished": {"published", FromMeta}, "date": {"published", FromMeta}, "pubdate": {"published", FromMeta}, "publishdate": {"published", FromMeta},
	"publish-date": {"published", FromMeta}, "parsely-pub-date": {"published", FromMeta}, "sailthru.date": {"published", FromMeta},
	"article:modified_time": {"modified", FromOpenGraph}, "og:updated_time": {"modified", FromOpenGraph}, "datemodified": {"modified", FromMeta},
	"dcterms.modified": {"modified", FromDublinCore}, "dc.date.modified": {"modified", FromDublinCore}, "last-modified": {"modified", FromMeta}, "revised": {"modified", FromMeta},
	"keywords": {"terms", FromMeta}, "article:tag": {"terms", FromMeta}, "news_keywords": {"terms", FromMeta},
	"og:site_name": {"site", FromOpenGraph}, "application-name": {"site", FromMeta},
}

// maxStated bounds how many values of one kind are read.
const maxStated = 64

func (s *statements) addMeta(n *html.Node) {
	content := OneLine(Attr(n, "content"))
	if content == "" {
		return
	}
	for _, key := range []string{"name", "property", "itemprop", "http-equiv"} {
		for _, name := range strings.Fields(strings.ToLower(Attr(n, key))) {
			if f, ok := metaFacts[name]; ok {
				s.addStated(f.kind, f.source, content)
			}
		}
	}
}

func (s *statements) addStated(kind, source, content string) {
	switch kind {
	case "title":
		s.title.addValues(source, content)
	case "author":
		s.lines.addValues(source, content)
	case "one author":
		if len(s.author[source]) < maxStated {
			s.author.addValues(source, content)
		}
	case "language":
		s.language.addValues(source, content)
	case "section":
		s.section.addValues(source, content)
	case "published":
		s.published.addValues(source, content)
	case "modified":
		s.modified.addValues(source, content)
	case "site":
		s.siteNames = append(s.siteNames, content)
	case "terms":
		if len(s.terms) < maxStated {
			s.terms = append(s.terms, content)
		}
	}
}

// addTime adds the first <time> that claims to be the date of publication, or
// else the first one.
func (s *statements) addTime(n *html.Node) {
	value := Attr(n, "datetime")
	if value == "" {
		value = OneLine(RawText(n))
	}
	if Instant(value) == "" {
		return
	}
	marks := strings.ToLower(Attr(n, "itemprop") + " " + Attr(n, "class"))
	if _, ok := LookupAttr(n, "pubdate"); ok || strings.Contains(marks, "publish") {
		s.published[FromTime] = append([]string{value}, s.published[FromTime]...)
		return
	}
	s.published.addValues(FromTime, value)
}

// addHeading adds the heading of the content, if it is the only one of the
// first rank.
func (s *statements) addHeading(root *html.Node) {
	found := outermostMatches(root, func(n *html.Node) bool { return n.DataAtom == atom.H1 })
	if len(found) == 1 && !hasAncestor(found[0], atom.Nav, atom.Header) {
		s.title.addValues(FromHeading, headingText(found[0]))
	}
}

// addContent adds the headings of the remaining content of a page.
func (s *statements) addContent(content *html.Node) {
	if content == nil {
		return
	}
	if len(s.title[FromHeading]) == 0 {
		s.addHeading(content)
	}
	s.opening = openingHeadings(content)
}

// headingText returns the text of a heading without its anchor.
func headingText(h *html.Node) string {
	var b strings.Builder
	walkNodes(h, func(n *html.Node) bool {
		switch {
		case n.Type == html.TextNode:
			b.WriteString(n.Data)
		case n.Type == html.ElementNode && (Invisible(n) || isSetAside(n)):
			return false
		case n.DataAtom == atom.Br:
			b.WriteByte(' ')
		}
		return true
	})
	return OneLine(b.String())
}

// resolveFacts decides the facts of the page at an address, now that its text
// is known.
func (s *statements) resolveFacts(t *Template, text string) Facts {
	date := func(v string) string { return Instant(v) }
	return Facts{
		Title:     s.chooseTitle(t),
		Authors:   s.chooseAuthors(s.at, t),
		Language:  s.chooseLanguage(t, text),
		Section:   s.section.firstValid(sectionRanks, OneLine),
		Published: s.published.firstValid(publishedRanks, date),
		Modified:  s.modified.firstValid(modifiedRanks, date),
		Terms:     s.terms,
	}
}

// chooseLanguage chooses the stated language, unless the text is certainly in
// another one. Without a statement the text decides, or the other pages of the
// site if the text is too short.
func (s *statements) chooseLanguage(t *Template, text string) Fact {
	stated := s.language.firstValid(languageRanks, LanguageTag)
	detected, confidence := DetectLanguage(text)
	switch sure := confidence >= sureConfidence; {
	case stated.Value != "" && !(sure && contradictsLanguage(stated.Value, detected)):
		return stated
	case !sure && t != nil && t.Language != "":
		return Fact{Value: t.Language, Source: FromSite, Confidence: .5}
	}
	return FindLanguage(text)
}

// FindLanguage names the language that a text is in, by its letters alone.
func FindLanguage(text string) Fact {
	detected, confidence := DetectLanguage(text)
	if confidence < minConfidence {
		return Fact{}
	}
	return Fact{Value: detected, Source: FromDetection, Confidence: min(confidence, .95)}
}
