package extract

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Bounds of a name.
const (
	maxNameRunes = 100
	maxNameWords = 10
	maxByline    = 120 // runes of a visible byline
)

var (
	mailAddress = regexp.MustCompile(`[^\s<>()\[\],;:"]+(@|\s+at\s+|\s*\(at\)\s*|\s*\[at\]\s*)[^\s<>()\[\],;:"]+\.[^\s<>()\[\],;:".]+`)
	bracketed   = regexp.MustCompile(`<[^<>]*>|\(\s*\)|\[\s*\]`)
	remark      = regexp.MustCompile(`\s(?:\([^()]*\)|For \p{Lu}.*)$`) // "Ada Tern (at)", "Ada Tern For Harbor Ledger"
	madeBy      = regexp.MustCompile(`(?i)^(?:developed|designed|edited|curated|translated|illustrated) by `)
	webAddress  = regexp.MustCompile(`(?i)://|^www\.|/|\p{L}\.\p{Ll}{2,}|\p{Ll}_\p{Ll}`)
)

// The words around a name in a byline, in the languages of the usual blog
// software. byWords begin it, alsoWords end it.
var (
	byWords = regexp.MustCompile(`(?i)^(?:` +
		`(?:(?:written|posted|published|reviewed|edited|reported) )?by|authors?|text|interview|story|words|` +
		`(?:view|show|see) all (?:posts|articles) (?:by|of|from)|` +
		`(?:veröffentlicht|geschrieben|eingestellt|verfasst|erstellt) (?:von|durch)|von|vom|autor(?:[*:_/]?in|en)?(?:[*:_/]?nen)?|zeige alle (?:beiträge|artikel) von|alle (?:beiträge|artikel) von|` +
		`(?:publié|écrit|posté|rédigé) par|par|auteur|voir tous les articles (?:de|par)|` +
		`(?:publicado|escrito) por|por|autor|ver todas las entradas de|` +
		`(?:pubblicato|scritto) da|di|autore|` +
		`(?:geplaatst|geschreven) door|door|av|af` +
		`)\s*(?::\s*|\s+)`)
	alsoWords = regexp.MustCompile(`(?i)\s+(?:alle artikel|weitere artikel|alle beiträge|all articles|more articles|archiv anzeigen)$`)
)

// titlesAfterNames are the titles that follow a name after a comma.
var titlesAfterNames = []string{"phd", "ph.d.", "md", "m.d.", "mba", "msc", "m.sc.", "ba", "ma", "rd", "rn", "dds", "jr.", "jr", "sr.", "esq.", "e.v.", "e. v.", "inc.", "ltd."}

// noNames are words that occur where a name is expected but are not names.
var noNames = []string{
	"admin", "administrator", "no author", "redaktion", "die redaktion", "redaction", "redacción", "redazione", "agencies", "archiv anzeigen", "weitere artikel", "alle artikel",
	"news", "newsroom", "nachrichten", "noticias", "notizie", "actualités", "redação", "συντακτική ομάδα", "uppdaterad", "updated", "aktualisiert", "news desk", "newsdesk", "staff writer", "staff reporter", "reporter", "correspondent",
	"sponsored", "sponsored content", "gesponsert", "gesponserte inhalte", "anzeige", "advertisement", "text", "interview", "root", "user", "guest", "unknown", "anonymous", "author", "authors", "editor", "editors", "staff", "none", "null", "undefined", "n/a", "webmaster",
}

// nameEdges are characters around a name that are not part of it.
const nameEdges = " ,;:|-–—\"'~→←»«•·"

// CleanName normalizes a stated name. It removes e-mail addresses and text in
// angle brackets, and returns "" for what is not a name, such as a text with a
// web address.
func CleanName(s string) string {
	s = OneLine(s)
	s = mailAddress.ReplaceAllString(s, " ")
	s = bracketed.ReplaceAllString(s, " ")
	s = strings.Trim(OneLine(s), nameEdges)
	s = byWords.ReplaceAllString(s, "")
	s = alsoWords.ReplaceAllString(s, "")
	s = strings.Trim(OneLine(s), nameEdges)
	lower := strings.ToLower(s)
	switch {
	case s == "" || s[0] == '(' || strings.ContainsAny(s, "<>@{}=\\\uFFFD") || webAddress.MatchString(s):
		return ""
	case slices.Contains(noNames, lower) || slices.Contains(titlesAfterNames, lower):
		return ""
	case utf8.RuneCountInString(s) > maxNameRunes || len(strings.Fields(s)) > maxNameWords:
		return ""
	case !strings.ContainsFunc(s, unicode.IsLetter) || madeBy.MatchString(s):
		return ""
	}
	return withoutRepetition(remark.ReplaceAllString(s, ""))
}

// withoutRepetition returns a name once if it is repeated, as beside a link
// with a picture.
func withoutRepetition(name string) string {
	words := strings.Fields(name)
	half := len(words) / 2
	if half > 0 && len(words)%2 == 0 && slices.Equal(words[:half], words[half:]) {
		return strings.Join(words[:half], " ")
	}
	return name
}

// SplitNames returns the names in one line.
func SplitNames(s string) []string {
	s = strings.NewReplacer(" and ", ", ", " & ", ", ", " und ", ", ", " et ", ", ", " y ", ", ", ";", ",", "|", ",", "、", ",").Replace(OneLine(s))
	return strings.Split(s, ",")
}

// bylineClasses are the classes of elements that hold nothing but who wrote
// the page.
var bylineClasses = []string{"byline", "author", "author-name", "authorname", "post-author", "entry-author", "article-author", "p-author", "byline-name"}

// visibleByline returns the text of an element that says who wrote the page,
// "" for others. Neither a heading nor an element with one in it is a byline.
func visibleByline(n *html.Node) string {
	switch n.DataAtom {
	case atom.A, atom.Span, atom.P, atom.Div, atom.Address, atom.Cite, atom.B, atom.Strong, atom.Em, atom.Small:
	default:
		return ""
	}
	if !hasToken(Attr(n, "rel"), "author") && !hasToken(Attr(n, "itemprop"), "author") && !hasAnyToken(strings.ToLower(Attr(n, "class")), bylineClasses) && !isAuthorLink(n) {
		return ""
	}
	if isCredit(n) {
		return ""
	}
	if hasAncestor(n, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Footer, atom.Nav, atom.Aside, atom.Table, atom.Pre, atom.Code, atom.Li, atom.Blockquote) {
		return ""
	}
	for d := range n.Descendants() {
		if headingRank(d) > 0 {
			return ""
		}
	}
	if isInLargerLink(n) {
		return ""
	}
	text := OneLine(bylineText(n))
	if utf8.RuneCountInString(text) > maxByline {
		return ""
	}
	if name := CleanName(text); looksLikeNames(name) {
		return name
	}
	return ""
}

// bylineText returns the text of a byline, with a blank between its elements:
// the parts marked as a name by microdata or a microformat, or else all parts
// not marked as something else.
func bylineText(n *html.Node) string {
	var names []string
	for _, named := range outermostMatches(n, isNameMark) {
		names = append(names, joinText(named, isBesideName))
	}
	if len(names) > 0 {
		return strings.Join(names, ", ")
	}
	return joinText(n, func(d *html.Node) bool { return d != n && isBesideName(d) })
}

// isNameMark reports what schema.org, hCard and h-card mark as a name.
func isNameMark(n *html.Node) bool {
	class := Attr(n, "class")
	return hasToken(Attr(n, "itemprop"), "name") || hasToken(class, "fn") || hasToken(class, "p-name")
}

// besideNames are class names of elements beside a name: who the person is, and
// where else to find them. The first ones are those of hCard.
var besideNames = []string{
	"title", "role", "org", "organization", "adr", "note", "job", "jobtitle", "position", "affiliation", "bio", "microbio", "description",
	"twitter", "facebook", "instagram", "linkedin", "social", "follow", "email", "avatar", "date", "time", "prefix",
}

// isBesideName reports an element of a byline that is not a name.
func isBesideName(n *html.Node) bool {
	if Invisible(n) || n.DataAtom == atom.Time || n.DataAtom == atom.Button {
		return true
	}
	for _, property := range strings.Fields(Attr(n, "itemprop")) {
		if property != "name" && property != "author" && property != "url" {
			return true
		}
	}
	words := strings.FieldsFunc(strings.ToLower(Attr(n, "class")), func(r rune) bool { return r == '-' || r == '_' || unicode.IsSpace(r) })
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(besideNames, w) })
}

// authorFolders are the folders in which sites keep the pages of their authors.
var authorFolders = []string{"author", "authors", "autor", "autoren", "autorin", "autores", "auteur", "auteurs", "autore", "autori", "contributor", "contributors", "writer", "writers", "redakteur"}

// isAuthorLink reports links to the page of an author, by a name that is in the
// address: "Ada Tern" with /author/ada-tern/.
func isAuthorLink(n *html.Node) bool {
	if n.DataAtom != atom.A {
		return false
	}
	to, err := url.Parse(strings.TrimSpace(Attr(n, "href")))
	if err != nil {
		return false
	}
	parts := strings.Split(strings.ToLower(strings.Trim(to.Path, "/")), "/")
	name := foldLetters(RawText(n))
	folder := slices.IndexFunc(parts, func(part string) bool { return slices.Contains(authorFolders, part) })
	if folder < 0 || name == "" {
		return false
	}
	for i, part := range parts[folder+1:] {
		own := foldLetters(part)
		isFirst := i == 0 && strings.Contains(own, name)
		isLater := i == 0 || strings.Contains(part, "-") // a name of two words
		if own != "" && (isFirst || isLater && strings.Contains(name, own)) {
			return true
		}
	}
	return false
}

// creditLevels is how many levels above a name the mark of a credit is looked
// for.
const creditLevels = 3

// isCredit reports names of who made a picture: in a figure, or marked with a
// licence, a credit or a caption.
func isCredit(n *html.Node) bool {
	if hasAncestor(n, atom.Figure, atom.Figcaption) {
		return true
	}
	for p, level := n, 0; p != nil && level < creditLevels; p, level = p.Parent, level+1 {
		class := strings.ToLower(Attr(p, "class"))
		for _, mark := range []string{"license", "licence", "credit", "caption"} {
			if strings.Contains(class, mark) {
				return true
			}
		}
	}
	return false
}

// isInLargerLink reports elements in a link that says more than they do: a
// teaser of another page.
func isInLargerLink(n *html.Node) bool {
	link := linkAround(n)
	return link != nil && countLetters(visibleText(link)) > 2*countLetters(visibleText(n))
}

// looksLikeNames reports whether the words of a text begin with capitals, or
// belong to a script without capitals.
func looksLikeNames(s string) bool {
	words := strings.Fields(s)
	if len(words) == 0 || strings.ContainsFunc(s, unicode.IsDigit) {
		return false
	}
	small := 0
	for _, w := range words {
		if r, _ := utf8.DecodeRuneInString(w); unicode.IsLower(r) {
			small++
		}
	}
	return small*2 <= len(words)
}
