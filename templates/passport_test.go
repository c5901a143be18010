package templates

import (
	"bytes"
	"testing"

	"golang.org/x/net/html"

	"colophon/exports"
)

// TestPassportSaysTheVerdict renders the passport of a publisher whose channels
// say more than its own statements do. It must show the verdict on each use,
// even on those that the publisher states nothing about.
func TestPassportSaysTheVerdict(t *testing.T) {
	record := exports.MapRecord{
		RightsVector: "LDDSUdUW",
		Preferences:  []exports.Preference{{Use: "rag", Inquiry: "welcome", Declared: "disallow"}, {Use: "training", Inquiry: "unstated", Declared: "allow"}},
		Doubts:       []exports.StatementDoubt{{Use: "training", Confirmation: exports.Contradicted}},
	}
	page, err := html.Parse(bytes.NewReader(render(t, passport(record, sampleRights()))))
	must(t, err)
	var states, doubts []string
	for n := range page.Descendants() {
		switch {
		case n.Type != html.ElementNode:
		case n.Data == "span" && len(n.Attr) > 0 && bytes.HasPrefix([]byte(n.Attr[0].Val), []byte("state")):
			states = append(states, innerText(n))
		case n.Data == "strong":
			doubts = append(doubts, innerText(n))
		}
	}
	want := []string{"Ask first", "Declined", "Declined", "Signals allow", "Unknown", "Declined", "Unknown", "Withdrawn"}
	if len(states) != 8 {
		t.Fatalf("states %q", states)
	}
	for i := range want {
		if states[i] != want[i] {
			t.Errorf("%s is %q, want %q", exports.Uses[i], states[i], want[i])
		}
	}
	if len(doubts) != 1 || doubts[0] != "Contradicted by one of the publisher’s channels." {
		t.Errorf("doubts %q", doubts)
	}
}
