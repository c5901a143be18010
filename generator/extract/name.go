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
	webAddress  = regexp.MustCompile(`(?i)://|^www\.|/|\p{L}\.\p{Ll}{2,}|\p{Ll}_\p{Ll}`)
)

// What stands around a name in a byline, in the languages of the usual blog
// software. byWords begin it, alsoWords end it.
var (
	byWords = regexp.MustCompile(`(?i)^(?:` +
		`(?:(?:written|posted|published|reviewed|edited|reported) )?by|authors?|text|interview|story|words|` +
		`(?:view|show|see) all (?:posts|articles) (?:by|of|from)|` +
		`(?:veröffentlicht|geschrieben|eingestellt|verfasst|erstellt) (?:von|durch)|von|vom|autor(?:in|en)?|zeige alle (?:beiträge|artikel) von|alle (?:beiträge|artikel) von|` +
		`(?:publié|écrit|posté|rédigé) par|par|auteur|voir tous les articles (?:de|par)|` +
		`(?:publicado|escrito) por|por|autor|ver todas las entradas de|` +
		`(?:pubblicato|scritto) da|di|autore|` +
		`(?:geplaatst|geschreven) door|door|av|af` +
		`)\s*(?::\s*|\s+)`)
	alsoWords = regexp.MustCompile(`(?i)\s+(?:alle artikel|weitere artikel|alle beiträge|all articles|more articles|archiv anzeigen)$`)
)

// titlesAfterNames are what follows a name after a comma and is no name.
var titlesAfterNames = []string{"phd", "ph.d.", "md", "m.d.", "mba", "msc", "m.sc.", "ba", "ma", "rd", "rn", "dds", "jr.", "jr", "sr.", "esq.", "e.v.", "e. v.", "inc.", "ltd."}

// noNames are words that stand where a name should and are none.
var noNames = []string{
	"admin", "administrator", "no author", "redaktion", "die redaktion", "redaction", "redacción", "redazione", "agencies", "archiv anzeigen", "weitere artikel", "alle artikel",
	"text", "interview", "root", "user", "guest", "unknown", "anonymous", "author", "authors", "editor", "editors", "staff", "none", "null", "undefined", "n/a", "webmaster",
}

// nameEdges are signs that stand around a name.
const nameEdges = " ,;:|-–—\"'~→←»«•·"

// CleanName brings a stated name into form; "" for what is no name: mail
// addresses and what stands in angle brackets are cut out, a web address makes
// it none.
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
	case s == "" || strings.ContainsAny(s, "<>@{}=\\") || webAddress.MatchString(s):
		return ""
	case slices.Contains(noNames, lower) || slices.Contains(titlesAfterNames, lower):
		return ""
	case utf8.RuneCountInString(s) > maxNameRunes || len(strings.Fields(s)) > maxNameWords:
		return ""
	case !strings.ContainsFunc(s, unicode.IsLetter):
		return ""
	}
	return s
}

// splitNames takes the names out of one line.
func splitNames(s string) []string {
	s = strings.NewReplacer(" and ", ", ", " & ", ", ", " und ", ", ", " et ", ", ", " y ", ", ", ";", ",", "|", ",", "、", ",").Replace(OneLine(s))
	return strings.Split(s, ",")
}

// bylineClasses are the classes of elements that hold nothing but who wrote
// the page.
var bylineClasses = []string{"byline", "author", "author-name", "authorname", "post-author", "entry-author", "article-author", "p-author", "byline-name"}

// visibleByline returns the text of an element that says who wrote the page,
// "" for others. A heading is no byline, nor is what holds one.
func visibleByline(n *html.Node) string {
	switch n.DataAtom {
	case atom.A, atom.Span, atom.P, atom.Div, atom.Address, atom.Cite, atom.B, atom.Strong, atom.Em, atom.Small:
	default:
		return ""
	}
	if !hasToken(Attr(n, "rel"), "author") && !hasToken(Attr(n, "itemprop"), "author") && !hasBylineClass(n) && !isAuthorLink(n) {
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
	text := OneLine(visibleText(n)) // with a blank between elements
	if utf8.RuneCountInString(text) > maxByline {
		return ""
	}
	if name := CleanName(text); looksLikeNames(name) {
		return name
	}
	return ""
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
	for i := range parts[:len(parts)-1] {
		own := foldLetters(parts[i+1])
		if slices.Contains(authorFolders, parts[i]) && own != "" && (strings.Contains(name, own) || strings.Contains(own, name)) {
			return name != ""
		}
	}
	return false
}

// creditLevels is how far above a name the mark of a credit is looked for.
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
	for p := n.Parent; p != nil; p = p.Parent {
		if p.DataAtom == atom.A {
			return countLetters(visibleText(p)) > 2*countLetters(visibleText(n))
		}
	}
	return false
}

func hasBylineClass(n *html.Node) bool {
	for _, class := range strings.Fields(strings.ToLower(Attr(n, "class"))) {
		if slices.Contains(bylineClasses, class) {
			return true
		}
	}
	return false
}

// looksLikeNames reports text whose words begin with capitals, or are of a
// script that has none.
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
