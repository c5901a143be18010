package templates

import (
	"testing"

	"colophon/exports"
)

func TestWhyWords(t *testing.T) {
	s := sampleRights()
	for use, want := range map[string]string{
		"rag":         "There is an offer for it. Read in: Offer in this catalog.",
		"training":    "The publisher’s signals reserve it. Read in: robots.txt, TDM reservation.",
		"research":    "No valid statement found about it.",
		"syndication": "",
	} {
		if got := whyWords(&s, use); got != want {
			t.Errorf("%s: %q, want %q", use, got, want)
		}
	}
}

// TestCopiesWords checks that copies are mentioned for the uses of which
// something is stated, and for no other.
func TestCopiesWords(t *testing.T) {
	rights := exports.ResourceRights{Uses: []exports.UseVerdict{
		{Use: "rag", Retention: "P30D"}, {Use: "training", Retention: exports.RetentionNone}, {Use: "research", Retention: exports.RetentionUnknown},
	}}
	for use, want := range map[string]string{"rag": "at most 30 days", "training": "none beyond the use at hand", "research": "", "datasets": ""} {
		if got := copiesWords(&rights, use); got != want {
			t.Errorf("%s: %q, not %q", use, got, want)
		}
	}
}
