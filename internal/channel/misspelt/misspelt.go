// Package misspelt finds the known word that a misspelt one was meant to be.
package misspelt

import "strings"

// Letters returns the ASCII letters of a name, in lower case.
func Letters(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' {
			return r
		}
		return -1
	}, strings.ToLower(name))
}

// IsNear reports whether two words differ by at most one letter: one more, one
// less, another one, or two that changed places.
func IsNear(a, b string) bool {
	for a != "" && b != "" && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for a != "" && b != "" && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return len(a) <= 1 && len(b) <= 1 || len(a) == 2 && len(b) == 2 && a[0] == b[1] && a[1] == b[0]
}

// Nearest returns the first word of a list whose letters equal or nearly equal
// those of a word, "" if there is none.
func Nearest(word string, list []string) string {
	letters := Letters(word)
	if len(letters) < 3 {
		return "" // it is near to too much
	}
	for _, candidate := range list {
		if IsNear(letters, Letters(candidate)) {
			return candidate
		}
	}
	return ""
}
