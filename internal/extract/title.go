package extract

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// titleSeparators separate the title of a page from the name of its site.
var titleSeparators = []string{" | ", " — ", " – ", " - ", " · ", " • ", " :: ", " -- ", " » ", " « ", " › ", " ‹ ", " / ", ": ", "："}

// splitTitle splits a title at its separators; a separator goes with the piece
// before it.
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

// splitParentheses cuts text in parentheses off the end of a title.
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

// CleanTitle removes the names of the site from the ends of a title. A title of
// nothing else is left as it is.
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

// chooseTitle chooses the title by the table, skipping labels: names of the
// site, and what many of its pages say with no difference but a number. If
// there is nothing else, a heading at the beginning of the content is used. If
// a <title> and a heading say the same, the one that says more counts.
func (s *statements) chooseTitle(t *Template) Fact {
	clean := func(v string) string { return t.CleanTitle(v, s.siteNames...) }
	own := func(v string) string {
		if v = clean(v); t.isLabel(v, s.siteNames) {
			return ""
		}
		return v
	}
	fact := s.title.firstValid(titleRanks, own)
	for _, heading := range s.opening {
		switch heading = own(heading); {
		case heading == "":
		case fact.Value == "":
			return Fact{Value: heading, Source: FromHeading, Confidence: openingConfidence}
		case fact.Source == FromTitle && continues(heading, fact.Value):
			return Fact{Value: heading, Source: FromHeading, Confidence: fact.Confidence}
		}
	}
	if fact.Value == "" {
		return s.title.firstValid(titleRanks, clean)
	}
	if fact.Source != FromHeading || len(s.title[FromTitle]) == 0 {
		return fact
	}
	title := clean(s.title[FromTitle][0])
	if extendsHeading(title, fact.Value) {
		return Fact{Value: title, Source: FromTitle, Confidence: fact.Confidence}
	}
	return fact
}

// isLabel reports a title that does not distinguish its page from others of the site.
func (t *Template) isLabel(title string, siteNames []string) bool {
	if t.isSiteName(title, siteNames) {
		return true
	}
	label := foldLabel(title)
	return label == anyNumber || t != nil && t.label[label]
}

// maxHeadings is how many headings of a page are compared with those of others.
const maxHeadings = 100

// openingConfidence is how sure a title is that only the heading of the content
// states.
const openingConfidence = .7

// anyNumber replaces a run of numbers in a folded label.
const anyNumber = "#"

var (
	labelWord = regexp.MustCompile(`\p{N}+|[\p{L}\p{M}]+`)
	// numeral is a Roman number up to 89, or a single letter.
	numeral = regexp.MustCompile(`^(?:(?:x[cl]|l?x{0,3})(?:i[xv]|v?i{0,3})|[a-z])$`)
)

// foldLabel folds a title for comparison with those of other pages: its words
// in lower case, with one sign for each run of numbers. Roman numerals and
// single Latin letters count as numbers.
func foldLabel(title string) string {
	var words []string
	for _, word := range labelWord.FindAllString(strings.ToLower(title), -1) {
		if first, _ := utf8.DecodeRuneInString(word); unicode.IsNumber(first) || numeral.MatchString(word) {
			word = anyNumber
		}
		if word != anyNumber || len(words) == 0 || words[len(words)-1] != anyNumber {
			words = append(words, word)
		}
	}
	return strings.Join(words, " ")
}

// Bounds of the headings that content begins with: letters beside links that
// may stand between them, and how many they are.
const (
	openingLetters = 200
	maxOpening     = 4
)

// openingHeadings lists the headings, of any rank, that content begins with.
func openingHeadings(root *html.Node) []string {
	var list []string
	letters := 0
	walkNodes(root, func(n *html.Node) bool {
		switch {
		case len(list) == maxOpening || letters > openingLetters:
			return false
		case n.Type == html.TextNode:
			letters += countLetters(n.Data)
			return false
		case n.Type == html.ElementNode && (Invisible(n) || n != root && isSetAside(n)):
			return false
		case headingRank(n) > 0:
			list = append(list, headingText(n))
			return false
		}
		return n.DataAtom != atom.A
	})
	return list
}

// readTitles returns what a page states as its title and its headings, for
// learning. It keeps no element of the page.
func readTitles(doc, root *html.Node) *statements {
	s := readStatements(doc, root, SchemaObjects(doc), &Hint{})
	headings := outermostMatches(root, func(n *html.Node) bool { return headingRank(n) > 0 })
	for _, h := range headings[:min(len(headings), maxHeadings)] {
		s.opening = append(s.opening, headingText(h))
	}
	return &statements{title: s.title, opening: s.opening, siteNames: s.siteNames}
}

// labels returns the folded titles and headings that so many pages have that
// they do not distinguish any.
func (l *Learner) labels(t *Template) []string {
	pages := map[string]int{}
	for _, s := range l.stated {
		seen := map[string]bool{}
		for _, title := range slices.Concat(append(slices.Collect(maps.Values(s.title)), s.opening)...) {
			label := foldLabel(t.CleanTitle(title, s.siteNames...))
			if label != "" && !seen[label] {
				seen[label] = true
				pages[label]++
			}
		}
	}
	return keysOf(pages, func(n int) bool { return n >= MinPages && float64(n) >= labelBar*float64(len(l.stated)) })
}

// extendsHeading reports whether a title says what a heading says and a little
// more, such as the number of a chapter.
func extendsHeading(title, heading string) bool {
	a, b := foldLetters(title), foldLetters(heading)
	return a != b && strings.HasSuffix(a, b) && len(a) <= len(b)+24
}

// continues reports whether a heading begins with the words of a title and says
// a little more, such as what kind of thing it names.
func continues(heading, title string) bool {
	rest, ok := strings.CutPrefix(strings.ToLower(heading), strings.ToLower(title)+" ")
	return ok && countLetters(rest) > 0 && countLetters(rest) <= 24
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
