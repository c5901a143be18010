package generator

import (
	"context"
	"testing"

	"colophon/exports"
	"colophon/internal/rights"
)

// TestReadingAgainDoesNotRewriteALapse lets the validity of a permission end
// and reads the same document again weeks later. What is asked about an instant
// of the lapse is answered as it was then.
func TestReadingAgainDoesNotRewriteALapse(t *testing.T) {
	ctx, store := context.Background(), newStore(t)
	addSite(t, store, "alpha")
	inLapse := "2026-08-10T00:00:00Z"
	searchAt := func(at string) string {
		t.Helper()
		must(t, RefreshEvidence(ctx, store, "alpha"))
		s, err := store.Site(ctx, "alpha")
		must(t, err)
		f, err := readFacts(ctx, store, s)
		must(t, err)
		doc, _, err := rights.RightsDocumentAt(&f, at)
		must(t, err)
		instant, ok := exports.ParseInstant(at)
		if !ok {
			t.Fatal(at)
		}
		answer := doc.Evaluate(rights.Resource{URL: "https://alpha.example/a"}, rights.Question{At: instant.Unix()}, nil, false)
		return answer.Uses[3].Verdict
	}

	observe(t, store, "robots", "/robots.txt", 200, "2026-07-01T00:00:00Z", robotsOpen)
	before := searchAt(inLapse)
	observe(t, store, "robots", "/robots.txt", 200, "2026-09-01T00:00:00Z", robotsOpen)
	after := searchAt(inLapse)

	if before != "unknown" || after != before {
		t.Errorf("search in the lapse was %s, and is %s since the document was read again", before, after)
	}
	if now := searchAt("2026-09-01T00:00:00Z"); now != "signal_allow" {
		t.Errorf("search is %s although the document was read again", now)
	}
	if first := searchAt("2026-07-02T00:00:00Z"); first != "signal_allow" {
		t.Errorf("search was %s while the first reading was valid", first)
	}
}
