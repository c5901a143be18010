package entrypage

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"colophon/exports"
	"colophon/internal/prose"
	"colophon/templates/frame"
)

// A citedName is an author's name, split as citation styles need it. Only whole
// is set for an organization and for a name whose parts cannot be
// distinguished.
type citedName struct {
	whole                           string
	given, particle, family, suffix string
}

// particles stand between a given name and a family name, and belong to the
// family name.
var particles = []string{"van", "von", "de", "der", "den", "di", "da", "du", "del", "della", "dos", "ten", "ter", "zu", "af", "av", "el", "al", "bin", "ibn", "la", "le"}

// suffixes follow a family name.
var suffixes = []string{"Jr", "Jr.", "Sr", "Sr.", "II", "III", "IV"}

// groupWords distinguish the name of an organization or a desk from a person's.
var groupWords = strings.Fields(`the agency archive association authority board bureau centre center club collective college commission committee
	company corporation correspondent correspondents council department desk editor editorial editors foundation gmbh group inc institute journal lab labs
	laboratory ledger limited llc ltd magazine media ministry museum network news newspaper newsroom observatory office organisation organization post press
	project publishing radio reporter reporters research review school service services society staff studio studios team times today trust union university wire writers`)

// familyFirst are languages in which the family name comes first, or whose
// names have no such parts.
var familyFirst = []string{"zh", "ja", "ko", "vi", "hu", "km", "my", "id", "is", "ta", "te"}

// tellName splits a name into its parts: given names or initials, then
// particles, then one family name, in the Latin script. Two given names written
// out look like one given name and two family names, so such a name stays
// whole.
func tellName(name, language string) citedName {
	n := citedName{whole: name}
	language, _, _ = strings.Cut(strings.ToLower(language), "-")
	words := strings.Fields(strings.ReplaceAll(name, ",", " "))
	if last := len(words) - 1; last > 0 && slices.Contains(suffixes, words[last]) {
		n.suffix, words = words[last], words[:last]
	}
	if len(words) < 2 || slices.Contains(familyFirst, language) {
		return citedName{whole: name}
	}
	last := len(words) - 1
	first := last
	for first > 1 && slices.Contains(particles, strings.ToLower(words[first-1])) && words[first-1] != strings.ToUpper(words[first-1]) {
		first--
	}
	for i, w := range words {
		isParticle := i >= first && i < last
		if !isNameWord(w, isParticle) || i > 0 && i < first && !isInitial(w) {
			return citedName{whole: name}
		}
	}
	if isInitial(words[last]) {
		return citedName{whole: name}
	}
	n.given, n.particle, n.family = strings.Join(words[:first], " "), strings.Join(words[first:last], " "), words[last]
	return n
}

// isNameWord reports whether a word can be part of a person's name.
func isNameWord(w string, isParticle bool) bool {
	if slices.Contains(groupWords, strings.ToLower(w)) {
		return false
	}
	capitals, letters := 0, 0
	for _, r := range w {
		switch {
		case !unicode.IsLetter(r) && !strings.ContainsRune("-.'’", r), r >= 0x250 && (r < 0x1e00 || r > 0x1eff) && r != '’':
			return false
		case unicode.IsUpper(r):
			capitals++
			letters++
		case unicode.IsLetter(r):
			letters++
		}
	}
	first, _ := utf8.DecodeRuneInString(w)
	return letters > 0 && (isParticle || unicode.IsUpper(first) && (letters == 1 || capitals < letters || strings.Contains(w, ".")))
}

// isInitial reports whether a word is one or more initials: "K.", "J.R.", "K".
func isInitial(w string) bool {
	for part := range strings.SplitSeq(strings.TrimSuffix(w, "."), ".") {
		if utf8.RuneCountInString(part) != 1 {
			return false
		}
	}
	return true
}

// isWhole reports whether the name is not split.
func (n *citedName) isWhole() bool { return n.family == "" }

// withSuffix appends the suffix after a separator.
func (n *citedName) withSuffix(s, sep string) string {
	if n.suffix == "" {
		return s
	}
	return s + sep + n.suffix
}

// direct returns the name in natural order.
func (n *citedName) direct() string {
	if n.isWhole() {
		return n.whole
	}
	return n.withSuffix(strings.Join(strings.Fields(n.given+" "+n.particle+" "+n.family), " "), " ")
}

// inverted returns the name with the family name first, preceded by the
// particles.
func (n *citedName) inverted() string {
	if n.isWhole() {
		return n.whole
	}
	return n.withSuffix(strings.TrimSpace(n.particle+" "+n.family)+", "+n.given, ", ")
}

// demoted returns the name with the family name first and the particles after
// the given name.
func (n *citedName) demoted() string {
	if n.isWhole() {
		return n.whole
	}
	return n.withSuffix(n.family+", "+strings.TrimSpace(n.given+" "+n.particle), ", ")
}

// initialled returns the name with the family name first and the given names as
// initials.
func (n *citedName) initialled() string {
	if n.isWhole() {
		return n.whole
	}
	var given []string
	for _, word := range strings.FieldsFunc(n.given, func(r rune) bool { return r == ' ' || r == '.' }) {
		var parts []string
		for part := range strings.SplitSeq(word, "-") {
			if r, size := utf8.DecodeRuneInString(part); size > 0 {
				parts = append(parts, string(r)+".")
			}
		}
		given = append(given, strings.Join(parts, "-"))
	}
	return n.withSuffix(strings.TrimSpace(n.particle+" "+n.family)+", "+strings.Join(given, " "), ", ")
}

// authors returns the authors of a citation.
func authors(c exports.Citation) []citedName {
	var list []citedName
	for _, b := range c.Source.Byline {
		if b = prose.Clean(b, frame.NameLimit); b != "" {
			list = append(list, tellName(b, c.Source.Language))
		}
	}
	return list
}

// joinNames formats the first name with first and the rest with others, and
// joins them with commas and the word and. As in citation processors, no comma
// precedes a second author whose name is not split.
func joinNames(list []citedName, and string, first, others func(*citedName) string) string {
	var b strings.Builder
	for i := range list {
		switch {
		case i == 0:
			b.WriteString(first(&list[i]))
			continue
		case i < len(list)-1:
			b.WriteString(", ")
		case len(list) == 2 && list[i].isWhole():
			b.WriteString(" " + and + " ")
		default:
			b.WriteString(", " + and + " ")
		}
		b.WriteString(others(&list[i]))
	}
	return b.String()
}
