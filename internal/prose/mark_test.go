package prose

import (
	"testing"
	"unicode"
)

// TestIsMark checks that isMark agrees with Unicode for every character.
func TestIsMark(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if want := unicode.In(r, unicode.Mn, unicode.Me); isMark(r) != want {
			t.Fatalf("%U: %v, want %v", r, isMark(r), want)
		}
	}
}
