package indexbuild

import (
	"strings"

	"colophon/internal/searchindex"
)

// asAdded returns the order in which records were added.
func asAdded(int, int) int { return 0 }

// nameKey returns a name as it is put in order: without case and accents.
func nameKey(name string) string { return strings.Join(searchindex.Words(name), " ") }

// compareNames puts names in order, those without one last.
func compareNames(a, b string) int { return compareEarliest(nameKey(a), nameKey(b)) }

// compareEarliest puts texts in order, instants the earliest first, and "" last.
func compareEarliest(a, b string) int {
	if (a == "") != (b == "") {
		return strings.Compare(b, a)
	}
	return strings.Compare(a, b)
}

// compareListed puts publishers in order, the one that is public since last first.
func (b *builder) compareListed(x, y string) int {
	return strings.Compare(b.src.Listed[y], b.src.Listed[x])
}
