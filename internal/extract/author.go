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

	"colophon/internal/wire"
)

// byline is what a page shows about its author.
type byline struct {
	node  *html.Node
	names []string
	head  string // address that the heading above it links to, "" if none
}

// addByline adds a byline of a page, with those beside it. root is the element
// of the page's content.
func (s *statements) addByline(n, root *html.Node) {
	name := visibleByline(n)
	if name == "" || isOfOtherArticle(n, root) {
		return
	}
	names := SplitNames(name)
	if last := len(s.bylines) - 1; last >= 0 {
		b := &s.bylines[last]
		if isWithin(n, b.node) {
			b.takeInner(names)
			return
		}
		if n.Parent == b.node.Parent {
			b.names = append(b.names, names...)
			return
		}
	}
	if len(s.bylines) < maxStated {
		s.bylines = append(s.bylines, byline{node: n, names: names, head: headLink(n, root)})
	}
}

// takeInner uses names that are marked within a byline. If one is among other
// words, "Ada Tern Reporter, Harbor Ledger", the byline says more than names,
// and only what is marked counts.
func (b *byline) takeInner(names []string) {
	for _, name := range names {
		isLonger := func(outer string) bool {
			outer, name := OneLine(outer), OneLine(name)
			return len(outer) > len(name) && strings.Contains(outer, name)
		}
		if slices.ContainsFunc(b.names, isLonger) {
			b.names = nil
			break
		}
	}
	b.names = append(b.names, names...)
}

// isOfOtherArticle reports a byline that HTML attributes to another article than
// that of the page: its nearest article is a teaser or a comment.
func isOfOtherArticle(n, root *html.Node) bool {
	own := nearestArticle(n)
	if own == nil || own == root || isWithin(root, own) || hasDescendant(own, atom.H1) {
		return false
	}
	if !isWithin(own, root) {
		return true
	}
	return float64(countLetters(visibleText(own))) < narrowShare*float64(countLetters(visibleText(root)))
}

// nearestArticle returns the article around an element, nil for none.
func nearestArticle(n *html.Node) *html.Node {
	for p := range n.Ancestors() {
		if p.DataAtom == atom.Article || Attr(p, "role") == "article" {
			return p
		}
	}
	return nil
}

// headLevels is how many levels above a byline its heading is looked for.
const headLevels = 6

// headLink returns the address that the heading next to a byline links to as a
// whole, from within or, short of the page's content, from around it; "" for none.
func headLink(n, root *html.Node) string {
	for p, level := n.Parent, 0; p != nil && level < headLevels; p, level = p.Parent, level+1 {
		found := outermostMatches(p, func(n *html.Node) bool { return headingRank(n) > 0 })
		if len(found) == 0 {
			continue
		}
		if around := linkAround(found[0]); around != nil && p.DataAtom != atom.Body && p != root && !isWithin(root, p) {
			return Attr(around, "href")
		}
		for d := range found[0].Descendants() {
			if d.DataAtom == atom.A && 2*countLetters(RawText(d)) > countLetters(RawText(found[0])) {
				return Attr(d, "href")
			}
		}
		return ""
	}
	return ""
}

// linkAround returns the link around an element, or nil.
func linkAround(n *html.Node) *html.Node {
	for p := range n.Ancestors() {
		if p.DataAtom == atom.A {
			return p
		}
	}
	return nil
}

// visibleAuthors returns the names of the first byline that is the page's own:
// those below a heading that links to another page belong to a teaser, and
// later ones to comments.
func (s *statements) visibleAuthors() []string {
	for _, b := range s.bylines {
		if _, err := s.baseAddress.Parse(strings.TrimSpace(b.head)); b.head == "" || err != nil || s.isOwnAddress(b.head) {
			return b.names
		}
	}
	return nil
}

// isOwnAddress reports whether an address is that of the page itself, or the
// canonical one that it states.
func (s *statements) isOwnAddress(href string) bool {
	to, err := s.baseAddress.Parse(strings.TrimSpace(href))
	if err != nil {
		return false
	}
	if isSamePage(s.at, to) {
		return true
	}
	canonical, err := s.baseAddress.Parse(s.canonicalAddress())
	return err == nil && s.canonicalAddress() != "" && isSamePage(canonical, to)
}

// isSamePage compares addresses as readers do: neither the scheme, "www." nor a
// final slash makes another page.
func isSamePage(a, b *url.URL) bool {
	host := func(u *url.URL) string { return strings.TrimPrefix(strings.ToLower(u.Host), "www.") }
	return host(a) == host(b) && strings.TrimSuffix(a.Path, "/") == strings.TrimSuffix(b.Path, "/") && a.RawQuery == b.RawQuery
}

// addSchemaAuthors adds the authors of an article. An organization that the
// page does not show as its author is only its publisher.
func (s *statements) addSchemaAuthors(objects []*wire.Value, v *wire.Value) {
	if v = referenced(objects, v); v == nil {
		return
	}
	switch {
	case v.Kind == wire.KindArray:
		for i := range v.Items[:min(len(v.Items), maxStated)] {
			s.addSchemaAuthors(objects, &v.Items[i])
		}
	case v.Kind == wire.KindObject && !hasType(v, []string{"Person"}) && slices.ContainsFunc(SchemaTexts(v.Get("@type")), isOrganization):
		s.siteNames = append(s.siteNames, SchemaTexts(v)...)
	default:
		s.author.addValues(FromSchema, SchemaTexts(v)...)
	}
}

func isOrganization(kind string) bool {
	return strings.HasSuffix(kind, "Organization") || strings.HasSuffix(kind, "Corporation") || strings.HasSuffix(kind, "Business")
}

// chooseAuthors chooses the authors by the table, leaving out those who only
// publish the page, unless the page shows them in its byline.
func (s *statements) chooseAuthors(at *url.URL, t *Template) []Fact {
	visible := s.visibleAuthors()
	isSite := func(name string) bool { return t.isSiteName(name, s.siteNames) || namesHost(at, name) }
	stated := candidates{}
	stated.addValues(FromByline, visible...)
	for source, names := range s.author {
		if source != FromSchema {
			stated.addValues(source, names...)
			continue
		}
		for _, name := range names {
			stated.addValues(source, splitSchemaName(name)...)
		}
	}
	for source, lines := range s.lines {
		for _, line := range lines {
			if source == FromDublinCore && isSurnameFirst(line) {
				stated.addValues(source, line)
				continue
			}
			stated.addValues(source, splitAuthors(line, isSite)...)
		}
	}
	stated.dropUnseenAuthors(s.visible)
	stated.preferBareNames()
	stated.preferVisibleOrder(s.visible)
	isVisible := func(name string) bool {
		return slices.ContainsFunc(visible, func(s string) bool { return foldLetters(CleanName(s)) == foldLetters(name) })
	}
	authors := stated.allValid(authorRanks, func(v string) string {
		name := CleanName(v)
		if !isNamePhrase(name) || isNameWithRole(name) {
			return ""
		}
		if (isSite(name) || isHostLetters(at, name) || legalForm.MatchString(name)) && !isVisible(name) {
			return ""
		}
		return name
	})
	return dropPublishers(authors, func(name string) bool {
		return t.isSiteName(name, s.siteNames) || isHostLetters(at, name) || holdsHost(at, name) || slices.Contains(agencies, strings.ToLower(name))
	})
}

// agencies are news agencies that bylines name beside a person.
var agencies = []string{"afp", "ansa", "ap", "apa", "associated press", "the associated press", "dpa", "dpa-afx", "efe", "epd", "kna", "lusa", "pti", "reuters", "ritzau", "sid", "tass", "upi"}

// splitSchemaName returns the names in a single name of JSON-LD, without the
// paper or place that some add: "Ada Tern | Harbor Ledger". A phrase, or a name
// with a dash in it, gives none.
func splitSchemaName(line string) []string {
	persons, _, _ := strings.Cut(OneLine(line), " | ")
	if nameDashes.MatchString(persons) {
		return nil
	}
	if isSurnameFirst(persons) {
		return []string{persons}
	}
	var names []string
	for i, name := range SplitNames(persons) {
		name = strings.TrimSpace(name)
		if i > 0 && (strings.HasPrefix(name, "The ") || slices.Contains(titlesAfterNames, strings.ToLower(name))) {
			continue
		}
		if !strings.Contains(name, " ") {
			return []string{persons}
		}
		names = append(names, name)
	}
	return names
}

// dropPublishers removes the name of the site or of an agency from a byline
// that has others too: "Ada Tern, Harbor Ledger".
func dropPublishers(authors []Fact, isSite func(string) bool) []Fact {
	persons := slices.DeleteFunc(slices.Clone(authors), func(f Fact) bool { return isSite(f.Value) })
	if len(persons) == 0 {
		return authors
	}
	return persons
}

// unseenSources state to programs what readers may not see. Software fills them
// with the account that entered a page, or with the maker of the site.
var unseenSources = []string{FromSchema, FromMeta}

// dropUnseenAuthors removes authors stated only for programs that the page
// shows nowhere. visible are the folded words of the page.
func (c candidates) dropUnseenAuthors(visible string) {
	for _, source := range unseenSources {
		c[source] = slices.DeleteFunc(c[source], func(v string) bool {
			name := CleanName(v)
			return !isInWords(visible, name) || isAccount(name)
		})
	}
}

// isAccount reports one word in small letters.
func isAccount(name string) bool {
	return !strings.Contains(name, " ") && name == strings.ToLower(name) && name != strings.ToUpper(name)
}

// foldWords keeps the letters and digits of a text, without case, and one blank
// between and around its words.
func foldWords(s string) string {
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !isWordSign(r) })
	return " " + strings.Join(words, " ") + " "
}

// isWordSign reports letters, digits and the marks that belong to them.
func isWordSign(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) }

// isInWords reports whether the words of a name occur in a folded text. Names
// of scripts without blanks may occur within other letters.
func isInWords(folded, name string) bool {
	words := foldWords(name)
	if !strings.ContainsFunc(name, func(r rune) bool { return unicode.IsUpper(r) || unicode.IsLower(r) }) {
		words = strings.TrimSpace(words)
	}
	return strings.TrimSpace(words) != "" && strings.Contains(folded, words)
}

// preferVisibleOrder writes "Tern, Ada", as names for libraries are stated, in the
// order in which the page shows the name.
func (c candidates) preferVisibleOrder(visible string) {
	for _, source := range []string{FromCitation, FromDublinCore} {
		for i, v := range c[source] {
			if !isSurnameFirst(v) {
				continue
			}
			surname, given, _ := strings.Cut(OneLine(v), ", ")
			if name := given + " " + surname; isInWords(visible, name) {
				c[source][i] = name
			}
		}
	}
}

// preferBareNames drops a byline of one name that only adds words to the one
// name that is stated to programs: "Ada Tern Harbor Reporter".
func (c candidates) preferBareNames() {
	visible, stated := c[FromByline], c[FromMeta]
	if len(visible) == 0 || len(stated) == 0 {
		return
	}
	name := CleanName(stated[0])
	for _, v := range append(slices.Clone(visible), stated...) {
		if !strings.HasPrefix(CleanName(v)+" ", name+" ") {
			return
		}
	}
	if name != "" {
		delete(c, FromByline)
	}
}

// isSurnameFirst reports whether a line has the form of library catalogues,
// "Tern, Ada" or "Tern, A. B.": two parts, the first of which is one word,
// after particles.
func isSurnameFirst(line string) bool {
	surname, given, ok := strings.Cut(OneLine(line), ", ")
	if !ok || strings.ContainsAny(given, ",;|&") || strings.Contains(given, " and ") {
		return false
	}
	words := slices.DeleteFunc(strings.Fields(surname), func(w string) bool { return slices.Contains(nameParticles, strings.ToLower(w)) })
	return len(words) == 1
}

// splitAuthors returns the names in one line, without that of the site, alone
// or set off by a dash. Other dashes belong to a phrase: "Harbor Guild -
// North". A list that begins with the site's name is its postal address.
func splitAuthors(line string, isSite func(string) bool) []string {
	if isSite(line) {
		return []string{line} // it may be shown
	}
	var parts []string
	for _, part := range nameDashes.Split(line, -1) {
		if !isSite(part) {
			parts = append(parts, part)
		}
	}
	if len(parts) > 1 {
		return nil
	}
	names := SplitNames(strings.Join(parts, ", "))
	if len(names) > 1 && (isSite(names[0]) || webAddress.MatchString(names[0])) {
		return nil
	}
	for _, name := range names {
		if !isNamePhrase(CleanName(name)) {
			return nil // it is one phrase
		}
	}
	return names
}

var (
	nameDashes = regexp.MustCompile(` [-–—|] `)
	// legalForm ends the name of a firm or a club.
	legalForm = regexp.MustCompile(`(?:\be\. ?V\.|\b(?:GmbH|AG|KG|SE|Inc\.?|Ltd\.?|LLC|plc|PLC|Corp\.?|S\.A\.|S\.p\.A\.|B\.V\.|A/S|AB|Oy))$`)
)

// Bounds of comparisons with the name of a host.
const (
	minHostWord = 4 // letters of a word that a name shares with the host
	minHostPart = 6 // letters of the name of the host within a name
)

// namesHost reports a name that holds that of the host of a page, and is more
// than it: "The Harbor Ledger" at harbor-ledger.example. A name that is just the
// host's may be that of a person with a site of their own, but not when its words
// are run together: "HarborLedger" is an account.
func namesHost(at *url.URL, name string) bool {
	folded := foldLetters(name)
	for _, label := range hostLabels(at.Hostname()) {
		own := foldLetters(label)
		if folded == own && isRunTogether(name) {
			return true
		}
		if len(own) >= minHostPart && folded != own && strings.Contains(folded, own) {
			return true
		}
		for _, word := range strings.FieldsFunc(name, func(r rune) bool { return unicode.IsSpace(r) || r == '-' }) {
			if len(own) >= minHostWord && foldLetters(word) == own && folded != own {
				return true
			}
		}
	}
	return false
}

// holdsHost reports a name that holds the whole name of the host in several
// words, and is more than it.
func holdsHost(at *url.URL, name string) bool {
	folded := foldLetters(name)
	return slices.ContainsFunc(hostLabels(at.Hostname()), func(label string) bool {
		own := foldLetters(label)
		return len(own) >= minHostPart && folded != own && strings.Contains(folded, own) && !isInWords(foldWords(name), label)
	})
}

// isHostLetters reports a name with a word of capitals that is a label of the
// host: "HL" and "HL Weekly" at hl.example are the site.
func isHostLetters(at *url.URL, name string) bool {
	for _, word := range strings.Fields(name) {
		if utf8.RuneCountInString(word) < 2 || word != strings.ToUpper(word) || word == strings.ToLower(word) {
			continue
		}
		if slices.ContainsFunc(hostLabels(at.Hostname()), func(label string) bool { return strings.EqualFold(label, word) }) {
			return true
		}
	}
	return false
}

// isRunTogether reports one word with a capital after a small letter.
func isRunTogether(name string) bool {
	if strings.ContainsAny(name, " -") {
		return false
	}
	small := false
	for _, r := range name {
		if small && unicode.IsUpper(r) {
			return true
		}
		small = unicode.IsLower(r)
	}
	return false
}

// hostLabels returns the labels of a host except the last.
func hostLabels(host string) []string {
	labels := strings.Split(host, ".")
	labels = labels[:len(labels)-1]
	return slices.DeleteFunc(labels, func(l string) bool { return l == "www" })
}

// nameParticles are the small words within names of people.
var nameParticles = strings.Fields("af al av bin ben ibn da dal dalla das de degli dei del della den der des di do dos du e el i la las le los o san ter ten te 't van vande vom von y z zu zum zur")

// roles are words for what a person does. Some bylines show one after a name,
// or instead of it.
var roles = strings.Fields("editor editors reporter reporters correspondent writer columnist contributor producer journalist photographer ceo cto cfo " +
	"redakteur redakteurin chefredakteur chefredakteurin korrespondent korrespondentin rédacteur rédactrice journaliste correspondant redactor redactora corresponsal giornalista redacteur")

// isNameWithRole reports whether the last of some words is one of roles. It
// cannot tell where a name before that word ends.
func isNameWithRole(name string) bool {
	words := strings.Fields(strings.ToLower(name))
	return len(words) > 0 && slices.Contains(roles, words[len(words)-1])
}

// isNamePhrase reports whether words can be a name. Lower-case words mixed with
// others, apart from particles, make a phrase, and a lower-case word with
// hyphens is an account.
func isNamePhrase(s string) bool {
	words := strings.Fields(s)
	if len(words) == 1 && strings.Contains(s, "-") && s == strings.ToLower(s) && s != strings.ToUpper(s) {
		return false
	}
	small, odd := 0, 0
	for _, w := range words {
		first, _ := utf8.DecodeRuneInString(w)
		if !unicode.IsLower(first) {
			continue
		}
		small++
		if !slices.Contains(nameParticles, w) && !strings.ContainsAny(w, "'’") {
			odd++
		}
	}
	return odd == 0 || small == len(words)
}
