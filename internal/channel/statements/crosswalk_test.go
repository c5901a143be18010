package statements

import (
	"slices"
	"strings"
	"testing"

	"colophon/exports"
)

func TestCrosswalkIsWellFormed(t *testing.T) {
	seen := map[string]bool{}
	for _, row := range crosswalk {
		if len(row.uses) != len(exports.Uses) || strings.Trim(row.uses, "=~.") != "" {
			t.Errorf("%s %s: %q", row.channel, row.word, row.uses)
		}
		if key := string(row.channel) + " " + row.word; seen[key] {
			t.Errorf("%s twice", key)
		} else {
			seen[key] = true
		}
		if !slices.Contains(exports.Channels, string(row.channel)) {
			t.Errorf("unknown channel %q", row.channel)
		}
	}
}
