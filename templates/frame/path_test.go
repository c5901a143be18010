package frame

import "testing"

func TestShortlistPath(t *testing.T) {
	for siteID, want := range map[string]string{"": "/shortlist/", "harbor-ledger": "/shortlist/?publishers=harbor-ledger"} {
		if got := ShortlistPath(siteID); got != want {
			t.Errorf("%q: %s, want %s", siteID, got, want)
		}
	}
}
