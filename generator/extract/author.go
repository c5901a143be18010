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

// byline is what a page shows of who wrote it.
type byline struct {
	node  *html.Node
	names []string
	head  string // address that the heading above it links to, "" none
}

// addByline takes a byline of a page, with those beside it.
func (s *statements) addByline(n *html.Node) {
	name := visibleByline(n)
	if name == "" {
		return
	}
	names := splitNames(name)
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
		s.bylines = append(s.bylines, byline{node: n, names: names, head: headLink(n)})
	}
}

// takeInner takes names that are marked within a byline. One that stands there
// among other words, "Ada Tern, Reporter", is the name without them.
func (b *byline) takeInner(names []string) {
	if len(b.names) == 1 && len(names) == 1 && len(names[0]) < len(b.names[0]) && strings.Contains(b.names[0], names[0]) {
		b.names = names
		return
	}
	b.names = append(b.names, names...)
}

// headLevels is how far above a byline its heading is looked for.
const headLevels = 6

// headLink returns the address that the heading next to a byline links to as a
// whole, "" for none.
func headLink(n *html.Node) string {
	for p, level := n.Parent, 0; p != nil && level < headLevels; p, level = p.Parent, level+1 {
		found := outermostMatches(p, func(n *html.Node) bool { return headingRank(n) > 0 })
		if len(found) == 0 {
			continue
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

// shownAuthors are the names of the first byline that is the page's own: those
// below a heading that links to another page belong to a teaser, and later ones
// to comments.
func (s *statements) shownAuthors(at *url.URL) []string {
	for _, b := range s.bylines {
		if b.head == "" || s.isOwnAddress(at, b.head) {
			return b.names
		}
	}
	return nil
}

// isOwnAddress reports links to the page itself.
func (s *statements) isOwnAddress(at *url.URL, href string) bool {
	to, err := at.Parse(strings.TrimSpace(href))
	if err != nil {
		return true
	}
	own := []*url.URL{at}
	if canonical, err := at.Parse(s.canonical); err == nil {
		own = append(own, canonical)
	}
	return slices.ContainsFunc(own, func(u *url.URL) bool { return u.Host == to.Host && u.Path == to.Path && u.RawQuery == to.RawQuery })
}

// addSchemaAuthors takes the authors of an article. An organization that the
// page does not show as its author only publishes it.
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

// chooseAuthors takes the authors by the table, but none that only publishes
// the page, unless the page shows it in its byline.
func (s *statements) chooseAuthors(at *url.URL, t *Template) []Fact {
	shown := s.shownAuthors(at)
	isSite := func(name string) bool { return t.isSiteName(name, s.siteNames) || namesHost(at, name) }
	stated := candidates{}
	stated.addValues(FromByline, shown...)
	for source, names := range s.author {
		stated.addValues(source, names...)
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
	stated.dropUnseenAuthors(s.shown)
	stated.preferBareNames()
	return stated.allValid(authorRanks, func(v string) string {
		name := CleanName(v)
		if !isNamePhrase(name) {
			return ""
		}
		if !isSite(name) && !legalForm.MatchString(name) {
			return name
		}
		if slices.ContainsFunc(shown, func(s string) bool { return foldLetters(CleanName(s)) == foldLetters(name) }) {
			return name
		}
		return ""
	})
}

// unseenSources state to programs what readers may not see. Software fills them
// with the account that entered a page, or with whoever made the site.
var unseenSources = []string{FromSchema, FromMeta}

// dropUnseenAuthors takes away the authors of a source of programs that the
// page shows nowhere. shown is the folded text of the whole page.
func (c candidates) dropUnseenAuthors(shown string) {
	for _, source := range unseenSources {
		c[source] = slices.DeleteFunc(c[source], func(v string) bool {
			return !strings.Contains(shown, foldLetters(CleanName(v)))
		})
	}
}

// preferBareNames drops a byline of one name that only adds words to the one
// name that is stated to programs: "Ada Tern Harbor Reporter".
func (c candidates) preferBareNames() {
	shown, stated := c[FromByline], c[FromMeta]
	if len(shown) == 0 || len(stated) == 0 {
		return
	}
	name := CleanName(stated[0])
	for _, v := range append(slices.Clone(shown), stated...) {
		if !strings.HasPrefix(CleanName(v)+" ", name+" ") {
			return
		}
	}
	if name != "" {
		delete(c, FromByline)
	}
}

// isSurnameFirst reports "Tern, Ada" and "Tern, A. B.": two parts, the first of
// which is one word, after particles, as libraries write a name.
func isSurnameFirst(line string) bool {
	surname, given, ok := strings.Cut(OneLine(line), ", ")
	if !ok || strings.ContainsAny(given, ",;|&") || strings.Contains(given, " and ") {
		return false
	}
	words := slices.DeleteFunc(strings.Fields(surname), func(w string) bool { return slices.Contains(nameParticles, strings.ToLower(w)) })
	return len(words) == 1
}

// splitAuthors takes the names out of a line, without that of the site, alone or
// set off by a dash. A list that the site begins is its postal address.
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
	names := splitNames(strings.Join(parts, ", "))
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
	minHostWord = 4 // letters of a word of a name that is that of the host
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

// hostLabels are the labels of a host without the one that ends it.
func hostLabels(host string) []string {
	labels := strings.Split(host, ".")
	labels = labels[:len(labels)-1]
	return slices.DeleteFunc(labels, func(l string) bool { return l == "www" })
}

// nameParticles are the small words within names of people.
var nameParticles = strings.Fields("af al av bin ben ibn da dal dalla das de degli dei del della den der des di do dos du e el i la las le los o san ter ten te 't van vande vom von y z zu zum zur")

// isNamePhrase reports words that can be a name: one that mixes words in small
// letters with others, but for particles, is a phrase, and a small word with
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
