package indexbuild

import (
	"strings"

	"colophon/internal/searchindex"
)

// asAdded is the order in which records were added.
func asAdded(int, int) int { return 0 }

// nameKey returns a name in the form by which it is sorted: without case and
// accents.
func nameKey(name string) string { return strings.Join(searchindex.Words(name), " ") }

// compareNames orders names; records without one come last.
func compareNames(a, b string) int { return compareEarliest(nameKey(a), nameKey(b)) }

// compareEarliest orders texts, and so instants with the earliest first; ""
// comes last.
func compareEarliest(a, b string) int {
	if (a == "") != (b == "") {
		return strings.Compare(b, a)
	}
	return strings.Compare(a, b)
}

// compareListed orders publishers; the one that became public last comes first.
func (b *Builder) compareListed(x, y string) int {
	return strings.Compare(b.src.Listed[y], b.src.Listed[x])
}
