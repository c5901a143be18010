package templates

import "testing"

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
