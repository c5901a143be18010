package intake

import (
	"strings"
	"testing"
)

func TestExcerptText(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", ""},
		{"as long as allowed", "abcdefgh", "abcdefgh"},
		{"longer", "abcdefghij", "abcdef\n…\nij"},
		{"characters, not bytes", "åäöåäöåä", "åäöåäöåä"},
		{"cut between characters", strings.Repeat("潮", 9), "潮潮潮潮潮潮\n…\n潮潮"},
	} {
		if got := excerptText(c.text, 8); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
