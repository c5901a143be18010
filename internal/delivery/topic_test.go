package delivery

import (
	"testing"

	"colophon/internal/origin"
)

func TestTopicMatches(t *testing.T) {
	t.Parallel()
	item := &origin.Item{Page: origin.Page{Title: "Tide tables of Harbor", Section: "Shipping", Terms: []string{"moon"}}, SiteName: "Harbor Ledger"}
	for q, want := range map[string]bool{
		"":                    true,
		"tide":                true,
		"TIDE shipping":       true,
		"moon ledger":         true,
		"tide and something":  false,
		"ship":                false, // a whole word, not the beginning of one
		"tide tables, Harbor": true,
	} {
		if got := topicOf(q).matchesItem(item); got != want {
			t.Errorf("%q: %v", q, got)
		}
	}
}
