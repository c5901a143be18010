package searchindex

import (
	"os"
	"strings"
	"testing"

	"colophon/internal/assert"
)

// TestStopWordsAreFolded checks that the list contains words as Tokens returns
// them, since others would never match, and that the browser has the same list.
func TestStopWordsAreFolded(t *testing.T) {
	for _, w := range strings.Fields(StopWords) {
		assert.EqualSlices(t, Words(w), []string{w}, "%q is folded to", w)
	}
	script, err := os.ReadFile("../../site/assets/search.js")
	if err != nil {
		t.Fatal(err)
	}
	assert.Contains(t, "search.js has another list", string(script), `const stops = "`+StopWords+`";`)
	for word, want := range map[string]bool{"how": true, "do": true, "i": true, "tide": false, "": false, "yo": true, "a about": false, "read": false} {
		if IsStopWord(word) != want {
			t.Errorf("IsStopWord(%q) is %v", word, !want)
		}
	}
}
