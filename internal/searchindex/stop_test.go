package searchindex

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// TestStopWordsAreFolded checks that the list contains words as Tokens returns
// them, since others would never match, and that the browser has the same list.
func TestStopWordsAreFolded(t *testing.T) {
	for _, w := range strings.Fields(StopWords) {
		if got := Words(w); !slices.Equal(got, []string{w}) {
			t.Errorf("%q is folded to %q", w, got)
		}
	}
	script, err := os.ReadFile("../../site/assets/search.js")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(script), `const stops = "`+StopWords+`";`) {
		t.Error("search.js has another list")
	}
	for word, want := range map[string]bool{"how": true, "do": true, "i": true, "tide": false, "": false, "yo": true, "a about": false, "read": false} {
		if IsStopWord(word) != want {
			t.Errorf("IsStopWord(%q) is %v", word, !want)
		}
	}
}
