package generator

import (
	"context"
	"testing"

	"colophon/exports"
	"colophon/generator/snapshot"
	"colophon/internal/origin"
	"colophon/internal/rights"
)

// TestReadingAgainDoesNotRewriteALapse lets a permission expire and reads the
// same document again weeks later. A question about an instant in between must
// get the answer of that time.
func TestReadingAgainDoesNotRewriteALapse(t *testing.T) {
	t.Parallel()
	ctx, store := context.Background(), newStore(t)
	addSite(t, store, "alpha")
	inLapse := "2026-08-10T00:00:00Z"
	searchAt := func(at string) string {
		t.Helper()
		must(t, snapshot.RefreshEvidence(ctx, store, "alpha"))
		s, err := store.Site(ctx, "alpha")
		must(t, err)
		f, err := snapshot.ReadSite(ctx, store, s)
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

// TestDocumentThatCannotBeUnderstoodKeepsRestricting checks that a document
// that was understood before and is damaged now keeps its reservations, also at
// later readings, and loses its permissions. When it can be read again its
// content counts; when it is gone it says nothing.
func TestDocumentThatCannotBeUnderstoodKeepsRestricting(t *testing.T) {
	t.Parallel()
	const open, cut = `<rsl xmlns="https://rslstandard.org/rsl"><content url="/"><license><permits type="usage">search ai-train</permits></license></content></rsl>`, `<rsl xmlns="https://rslstandard.org/rsl"><content url="/"><license><prohibits ty`
	const closed = `<rsl xmlns="https://rslstandard.org/rsl"><content url="/"><license><prohibits type="usage">ai-train</prohibits></license><license><permits type="usage">search</permits></license></content></rsl>`
	ctx, store := context.Background(), newStore(t)
	addSite(t, store, "alpha")
	for _, c := range []struct {
		at, raw          string
		status           int64
		training, search string
	}{
		{"2026-07-01T00:00:00Z", closed, 200, "declined", "signal_allow"},
		{"2026-07-02T00:00:00Z", cut, 200, "declined", "unknown"},
		{"2026-07-03T00:00:00Z", cut, 200, "declined", "unknown"},
		{"2026-07-04T00:00:00Z", "<!doctype html><title>gone", 200, "declined", "unknown"},
		{"2026-07-05T00:00:00Z", "", 500, "declined", "unknown"},
		{"2026-07-06T00:00:00Z", open, 200, "signal_allow", "signal_allow"},
		{"2026-07-07T00:00:00Z", cut, 200, "unknown", "unknown"},
		{"2026-07-08T00:00:00Z", closed, 200, "declined", "signal_allow"},
		{"2026-07-09T00:00:00Z", cut, 200, "declined", "unknown"},
		{"2026-07-10T00:00:00Z", "", 404, "unknown", "unknown"},
	} {
		observe(t, store, "rsl", "/license.xml", c.status, c.at, c.raw)
		for range 2 { // a build changes nothing of it
			must(t, snapshot.RefreshEvidence(ctx, store, "alpha"))
		}
		training, search := verdictsAt(t, store, c.at)
		if training != c.training || search != c.search {
			t.Errorf("%s: training %s, search %s, want %s and %s", c.at, training, search, c.training, c.search)
		}
	}
}

// TestLicenceFileThatIsGone removes a licence file that prohibited training.
// While robots.txt names it, training stays prohibited, and what the file
// allowed is unknown. Only when nothing names it any more has the publisher
// withdrawn it.
func TestLicenceFileThatIsGone(t *testing.T) {
	t.Parallel()
	const closed = `<rsl xmlns="https://rslstandard.org/rsl"><content url="/"><license><prohibits type="usage">ai-train</prohibits></license><license><permits type="usage">search</permits></license></content></rsl>`
	const silent, named = "User-agent: *\nContent-Signal: ai-train=yes\n", "License: https://alpha.example/license.xml\nUser-agent: *\nContent-Signal: ai-train=yes\n"
	ctx, store := context.Background(), newStore(t)
	addSite(t, store, "alpha")
	for _, c := range []struct {
		at, robots       string
		licence          int64
		training, search string
	}{
		{"2026-07-01T00:00:00Z", named, 200, "declined", "signal_allow"},
		{"2026-07-02T00:00:00Z", named, 404, "declined", "unknown"},
		{"2026-07-03T00:00:00Z", named, 410, "declined", "unknown"},
		{"2026-07-04T00:00:00Z", silent, 404, "signal_allow", "unknown"},
		{"2026-07-05T00:00:00Z", named, 404, "declined", "unknown"},
		{"2026-07-06T00:00:00Z", named, 200, "declined", "signal_allow"},
	} {
		raw := closed
		if c.licence != 200 {
			raw = ""
		}
		observe(t, store, "robots", "/robots.txt", 200, c.at, c.robots)
		observe(t, store, "rsl", "/license.xml", c.licence, c.at, raw)
		for range 2 { // a build changes nothing of it
			must(t, snapshot.RefreshEvidence(ctx, store, "alpha"))
		}
		training, search := verdictsAt(t, store, c.at)
		if training != c.training || search != c.search {
			t.Errorf("%s: training %s, search %s, want %s and %s", c.at, training, search, c.training, c.search)
		}
	}
}

// verdictsAt answers for training and search of a page of alpha.
func verdictsAt(t *testing.T, store origin.Catalog, at string) (training, search string) {
	t.Helper()
	s, err := store.Site(context.Background(), "alpha")
	must(t, err)
	f, err := snapshot.ReadSite(context.Background(), store, s)
	must(t, err)
	doc, _, err := rights.RightsDocumentAt(&f, at)
	must(t, err)
	instant, _ := exports.ParseInstant(at)
	uses := doc.Evaluate(rights.Resource{URL: "https://alpha.example/a"}, rights.Question{At: instant.Unix()}, nil, false).Uses
	return uses[1].Verdict, uses[3].Verdict
}
