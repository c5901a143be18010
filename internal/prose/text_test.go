package prose_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"colophon/internal/prose"
)

// TestCleanOfPlainText compares the fast path for plain texts with the slow
// one, which a character that is always dropped forces.
func TestCleanOfPlainText(t *testing.T) {
	const dropped = "\u200b"
	rnd := rand.New(rand.NewPCG(1, 2))
	letters := []string{"a", "b", " ", " ", "\n", "~", "\t", "\x7f", "\x1f", "é", "標", "ب", "\u0301", "\u0301", "\u0301", "\u0301", "\u0301", "\u0301", "\u0301", "\u0301", "😀", "\xff", "\ufffd", "\u00a0", "\u2028", "\u202e", "\u200d"}
	for range 200_000 {
		var b strings.Builder
		for range rnd.IntN(12) {
			b.WriteString(letters[rnd.IntN(len(letters))])
		}
		s, limit := b.String(), rnd.IntN(20)
		if got, want := prose.Clean(s, limit), prose.Clean(dropped+s, limit); got != want {
			t.Fatalf("Clean(%q, %d) is %q, the long way %q", s, limit, got, want)
		}
		if got, want := "x"+prose.CleanLines(s), prose.CleanLines(dropped+"x"+s); got != want {
			t.Fatalf("CleanLines(%q) is %q, the long way %q", s, got, want)
		}
	}
}
