package exports_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"colophon/exports"
)

// TestCleanOfPlainText compares the short way of plain texts with the long one,
// into which a character that is always dropped forces them.
func TestCleanOfPlainText(t *testing.T) {
	const dropped = "\u200b"
	rnd := rand.New(rand.NewPCG(1, 2))
	letters := []string{"a", "b", " ", " ", "\n", "~", "\t", "\x7f", "\x1f", "é"}
	for range 20_000 {
		var b strings.Builder
		for range rnd.IntN(9) {
			b.WriteString(letters[rnd.IntN(len(letters))])
		}
		s, limit := b.String(), rnd.IntN(10)
		if got, want := exports.Clean(s, limit), exports.Clean(dropped+s, limit); got != want {
			t.Fatalf("Clean(%q, %d) is %q, the long way %q", s, limit, got, want)
		}
		if got, want := exports.CleanLines(s), exports.CleanLines(dropped+s); got != want {
			t.Fatalf("CleanLines(%q) is %q, the long way %q", s, got, want)
		}
	}
}
