package extract

import (
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
	Canonical string // <link rel=canonical>, as written
	Base      string // <base href>, as written
}

// Hint is what came with a page: the header of the answer, or the item of a
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

	byline    *html.Node // the first visible byline
	siteNames []string   // that the page itself gives for its site
	terms     []string
	canonical string
	base      string
}

// readStatements gathers what a document states about itself. root is the
// element of its content.
func readStatements(doc, root *html.Node, schema []*wire.Value, hint *Hint) *statements {
	s := &statements{title: candidates{}, author: candidates{}, language: candidates{}, section: candidates{}, published: candidates{}, modified: candidates{}}
	s.addHint(hint)
	s.addSchema(schema)
	for n := range doc.Descendants() {
		if n.Type == html.ElementNode {
			s.addElement(n)
		}
	}
	s.addHeading(root)
	for n := root; n != nil; n = n.Parent {
		if n.DataAtom != atom.Html && n.Type == html.ElementNode {
			s.language.add(FromContent, Attr(n, "lang"), Attr(n, "xml:lang"))
		}
	}
	return s
}

func (s *statements) addHint(h *Hint) {
	s.language.add(FromHeader, h.HeaderLanguage)
	s.language.add(FromFeed, h.FeedLanguage)
	s.title.add(FromFeed, OneLine(h.FeedTitle))
	s.author.add(FromFeed, h.FeedAuthors...)
	s.published.add(FromFeed, h.FeedPublished)
	s.modified.add(FromFeed, h.FeedModified)
}

func (s *statements) addSchema(objects []*wire.Value) {
	for _, o := range objects {
		if hasType(o, []string{"WebSite", "Organization", "NewsMediaOrganization"}) {
			s.siteNames = append(s.siteNames, SchemaTexts(o.Get("name"))...)
		}
	}
	o := articleObject(objects)
	if o == nil {
		return
	}
	s.title.add(FromSchema, schemaText(o, "headline", "name"))
	s.author.add(FromSchema, SchemaTexts(o.Get("author"))...)
	s.language.add(FromSchema, schemaText(o, "inLanguage"))
	s.section.add(FromSchema, schemaText(o, "articleSection"))
	s.published.add(FromSchema, schemaText(o, "datePublished"), schemaText(o, "dateCreated"))
	s.modified.add(FromSchema, schemaText(o, "dateModified"))
	if p := o.Get("publisher"); p != nil && !hasType(p, []string{"Person"}) {
		s.siteNames = append(s.siteNames, SchemaTexts(p)...)
	}
	s.terms = append(s.terms, SchemaTexts(o.Get("keywords"))...)
}

func (s *statements) addElement(n *html.Node) {
	switch n.DataAtom {
	case atom.Html:
		s.language.add(FromHTML, Attr(n, "lang"), Attr(n, "xml:lang"))
	case atom.Title:
		if n.Namespace == "" && len(s.title[FromTitle]) == 0 {
			s.title.add(FromTitle, OneLine(RawText(n)))
		}
	case atom.Base:
		if s.base == "" {
			s.base = Attr(n, "href")
		}
	case atom.Meta:
		s.addMeta(n)
	case atom.Link:
		if s.canonical == "" && hasToken(strings.ToLower(Attr(n, "rel")), "canonical") {
			s.canonical = strings.TrimSpace(Attr(n, "href"))
		}
	case atom.Time:
		s.addTime(n)
	}
	s.addByline(n)
}

// addByline takes the first byline of a page, with those beside it. Later ones
// belong to teasers of other pages and to comments.
func (s *statements) addByline(n *html.Node) {
	name := visibleByline(n)
	if name == "" {
		return
	}
	if s.byline == nil {
		s.byline = n
	}
	if n != s.byline && n.Parent != s.byline.Parent && !isWithin(n, s.byline) {
		return
	}
	s.author.add(FromByline, splitNames(name)...)
}

// metaFacts tells what the names of <meta> elements state.
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
		s.title.add(source, content)
	case "author":
		s.author.add(source, splitNames(content)...)
	case "one author":
		if len(s.author[source]) < maxStated {
			s.author.add(source, content)
		}
	case "language":
		s.language.add(source, content)
	case "section":
		s.section.add(source, content)
	case "published":
		s.published.add(source, content)
	case "modified":
		s.modified.add(source, content)
	case "site":
		s.siteNames = append(s.siteNames, content)
	case "terms":
		if len(s.terms) < maxStated {
			s.terms = append(s.terms, content)
		}
	}
}

// addTime takes the first <time> that claims to be the date of publication,
// before the first one of all.
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
	s.published.add(FromTime, value)
}

// addHeading takes the heading of the content, when it is the only one of the
// first rank.
func (s *statements) addHeading(root *html.Node) {
	found := outermost(root, func(n *html.Node) bool { return n.DataAtom == atom.H1 })
	if len(found) == 1 && !hasAncestor(found[0], atom.Nav, atom.Header) {
		s.title.add(FromHeading, headingText(found[0]))
	}
}

// headingText is the text of a heading without its anchor.
func headingText(h *html.Node) string {
	var b strings.Builder
	var walk func(n *html.Node, depth int)
	walk = func(n *html.Node, depth int) {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
			return
		}
		if depth > MaxDepth || n.Type == html.ElementNode && (Invisible(n) || isSetAside(n)) {
			return
		}
		if n.DataAtom == atom.Br {
			b.WriteByte(' ')
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c, depth+1)
		}
	}
	walk(h, 0)
	return OneLine(b.String())
}

// resolve settles what the page states, now that its text is known.
func (s *statements) resolve(t *Template, text string) Facts {
	date := func(v string) string { return Instant(v) }
	name := func(v string) string { return s.authorName(t, v) }
	return Facts{
		Title:     s.chooseTitle(t),
		Authors:   s.author.all(authorRanks, name),
		Language:  s.chooseLanguage(t, text),
		Section:   s.section.first(sectionRanks, OneLine),
		Published: s.published.first(publishedRanks, date),
		Modified:  s.modified.first(modifiedRanks, date),
		Terms:     s.terms, Canonical: s.canonical, Base: s.base,
	}
}

// authorName is CleanName, but "" for a name of the site itself: who publishes
// a page is no author of it, unless the page shows the name in its byline.
func (s *statements) authorName(t *Template, stated string) string {
	name := CleanName(stated)
	if !t.isSiteName(name, s.siteNames) {
		return name
	}
	for _, shown := range s.author[FromByline] {
		if foldLetters(CleanName(shown)) == foldLetters(name) {
			return name
		}
	}
	return ""
}

// chooseLanguage takes the language that is stated, unless the text is surely
// in another one. Where nothing is stated the text decides, and where it is too
// short for that the other pages of the site.
func (s *statements) chooseLanguage(t *Template, text string) Fact {
	stated := s.language.first(languageRanks, LanguageTag)
	detected, confidence := DetectLanguage(text)
	found := Fact{Value: detected, Source: FromDetection, Confidence: min(confidence, .95)}
	switch sure := confidence >= sureConfidence; {
	case stated.Value != "" && !(sure && contradicts(stated.Value, detected)):
		return stated
	case !sure && t != nil && t.Language != "":
		return Fact{Value: t.Language, Source: FromSite, Confidence: .5}
	case confidence >= minConfidence:
		return found
	}
	return Fact{}
}

// titleSeparators stand between the title of a page and the name of its site.
var titleSeparators = []string{" | ", " — ", " – ", " - ", " · ", " • ", " :: ", " -- ", " » ", " « ", " › ", " ‹ ", " / ", ": ", "："}

// splitTitle cuts a title at its separators; what the pieces were joined with
// goes with the piece before.
func splitTitle(title string) (parts, joints []string) {
	for rest := title; ; {
		at, length := -1, 0
		for _, sep := range titleSeparators {
			if i := strings.Index(rest, sep); i >= 0 && (at < 0 || i < at) {
				at, length = i, len(sep)
			}
		}
		if at < 0 {
			return append(parts, rest), joints
		}
		parts = append(parts, rest[:at])
		joints = append(joints, rest[at:at+length])
		rest = rest[at+length:]
	}
}

// splitParentheses cuts what stands in parentheses off the end of a title.
func splitParentheses(title string) (before, inside string) {
	if !strings.HasSuffix(title, ")") {
		return title, ""
	}
	depth := 0
	for i := len(title) - 1; i > 0; i-- {
		switch title[i] {
		case ')':
			depth++
		case '(':
			depth--
		}
		if depth == 0 {
			return strings.TrimSpace(title[:i]), title[i+1 : len(title)-1]
		}
	}
	return title, ""
}

// isSiteName reports a part of a title that names the site or nothing.
func (t *Template) isSiteName(part string, siteNames []string) bool {
	folded := foldLetters(part)
	if folded == "" || t != nil && t.names[folded] {
		return true
	}
	return slices.ContainsFunc(siteNames, func(name string) bool { return foldLetters(name) == folded })
}

// CleanTitle takes the names of the site off the ends of a title. A title of
// nothing else stays as it is.
func (t *Template) CleanTitle(title string, siteNames ...string) string {
	title = OneLine(title)
	isName := func(part string) bool { return t.isSiteName(part, siteNames) }
	if before, inside := splitParentheses(title); inside != "" && before != "" && isName(inside) {
		title = before
	}
	parts, joints := splitTitle(title)
	first, last := 0, len(parts)-1
	for last > first && isName(parts[last]) {
		last--
	}
	for first < last && isName(parts[first]) {
		first++
	}
	if isName(parts[first]) && first == last {
		return title
	}
	var b strings.Builder
	for i := first; i <= last; i++ {
		b.WriteString(parts[i])
		if i < last {
			b.WriteString(joints[i])
		}
	}
	cleaned := strings.TrimSpace(b.String())
	if strings.Count(cleaned, "(") != strings.Count(cleaned, ")") {
		return title // the cut went through parentheses
	}
	return cleaned
}

// chooseTitle takes the title by the table. A heading counts only when the
// <title> does not say more of the same.
func (s *statements) chooseTitle(t *Template) Fact {
	clean := func(v string) string { return t.CleanTitle(v, s.siteNames...) }
	headings := s.title[FromHeading]
	s.title[FromHeading] = slices.DeleteFunc(headings, func(h string) bool { return t.isSiteName(h, s.siteNames) })
	fact := s.title.first(titleRanks, clean)
	if fact.Source != FromHeading || len(s.title[FromTitle]) == 0 {
		return fact
	}
	title := clean(s.title[FromTitle][0])
	if extends(title, fact.Value) {
		return Fact{Value: title, Source: FromTitle, Confidence: fact.Confidence}
	}
	return fact
}

// extends reports a title that says what a heading says, and a little more,
// such as the number of a chapter.
func extends(title, heading string) bool {
	a, b := foldLetters(title), foldLetters(heading)
	return a != b && strings.HasSuffix(a, b) && len(a) <= len(b)+24
}

// sketchTitle keeps what a page calls itself, for learning.
func sketchTitle(doc *html.Node) titleSketch {
	var t titleSketch
	add := func(s string) {
		if letters, print := foldPrint(s); letters > 0 {
			t.prints = append(t.prints, print)
		}
	}
	for n := range doc.Descendants() {
		switch {
		case n.DataAtom == atom.Title && n.Namespace == "" && len(t.parts) == 0:
			title := OneLine(RawText(n))
			add(title)
			before, inside := splitParentheses(title)
			t.parts, _ = splitTitle(before)
			if inside != "" {
				t.parts = append(t.parts, inside)
			}
			for _, part := range t.parts {
				add(part)
			}
		case n.DataAtom == atom.H1 || n.DataAtom == atom.H2:
			heading := headingText(n)
			add(heading)
			if n.DataAtom == atom.H1 {
				t.parts = append(t.parts, heading)
			}
			return t
		}
	}
	return t
}
