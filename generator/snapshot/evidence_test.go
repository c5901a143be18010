package snapshot

import (
	"fmt"
	"strings"
	"testing"

	"colophon/internal/channel/statements"
	"colophon/internal/observed"
	"colophon/internal/origin"
	"colophon/internal/wire"
)

// found returns the evidence of a document that was observed with a status.
func found(channel, url, at string, status int64, body string) origin.Evidence {
	left := observed.SiteBudget
	return observed.EvidenceOf(&origin.Observation{
		SiteID: "alpha", Channel: channel, URL: url, Status: status, Raw: body, SHA256: fmt.Sprintf("%x", body), FetchedAt: at,
	}, &left)
}

// effectsOf returns the statements of evidence as words.
func effectsOf(t *testing.T, e *origin.Evidence) string {
	t.Helper()
	var d statements.Document
	if e.Document == "" {
		return ""
	}
	if err := wire.Decode([]byte(e.Document), &d, wire.Trusted); err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, s := range d.Statements {
		out = append(out, s.Word+" "+s.Effect.String())
	}
	for _, g := range d.Gaps {
		out = append(out, g.Code)
	}
	return strings.Join(out, ", ")
}

const (
	noon    = "2026-11-01T12:00:00Z"
	evening = "2026-11-01T18:00:00Z"
	file    = `{"colophon_publisher": "1", "name": "Alpha", "preferences": [{"use": "rag", "declared": "disallow"}, {"use": "search_indexing", "declared": "allow"}]}`
	licence = `<rsl xmlns="https://rslstandard.org/rsl"><content url="/"><license><prohibits type="usage">ai-train</prohibits></license></content></rsl>`
)

// TestRenewEvidence checks which rows are written when a document is observed
// again: those that begin, those that end, and what is kept of what was known.
func TestRenewEvidence(t *testing.T) {
	const robots, own, rsl = "https://alpha.example/robots.txt", "https://alpha.example/.well-known/colophon-publisher.json", "https://alpha.example/license.xml"
	told := found("robots", robots, noon, 200, "User-agent: *\nContent-Usage: train-ai=n\n")
	filed := found("publisher_file", own, noon, 200, file)
	licensed := found("rsl", rsl, noon, 200, licence)
	expired := told
	expired.ValidUntil = "2026-11-01T17:00:00Z"
	away := told
	away.State, away.LookedAt = "unreachable", noon
	for _, c := range []struct {
		name     string
		old      *origin.Evidence
		now      origin.Evidence
		rows     int // written
		state    string
		since    string
		ended    bool
		effects  string
		document bool // the same as before
	}{
		{name: "for the first time", now: told, rows: 1, state: "valid", since: noon},
		{name: "looked at earlier than what is known", old: &told, now: found("robots", robots, "2026-11-01T11:00:00Z", 404, "")},
		{name: "again, unchanged", old: &told, now: found("robots", robots, evening, 200, "User-agent: *\nContent-Usage: train-ai=n\n"), rows: 1, state: "valid", since: noon, document: true},
		{name: "unchanged, after it expired", old: &expired, now: found("robots", robots, evening, 200, "User-agent: *\nContent-Usage: train-ai=n\n"), rows: 2, state: "valid", since: evening, ended: true, document: true},
		{name: "unchanged, after it was away", old: &away, now: found("robots", robots, evening, 200, "User-agent: *\nContent-Usage: train-ai=n\n"), rows: 1, state: "valid", since: noon, document: true},
		{name: "changed", old: &told, now: found("robots", robots, evening, 200, "User-agent: *\nContent-Usage: train-ai=y\n"), rows: 2, state: "valid", since: evening, ended: true},
		{name: "changed at the same instant", old: &told, now: found("robots", robots, noon, 200, "User-agent: *\nContent-Usage: train-ai=y\n"), rows: 1, state: "valid", since: noon},
		{name: "away", old: &told, now: found("robots", robots, evening, 503, ""), rows: 1, state: "unreachable", since: noon, document: true},
		{name: "gone", old: &told, now: found("robots", robots, evening, 404, ""), rows: 2, state: "absent", since: evening, ended: true, effects: "-"},
		{name: "the publisher's file is gone", old: &filed, now: found("publisher_file", own, evening, 404, ""), rows: 2, state: "absent", since: evening, ended: true, effects: "rag disallow"},
		{name: "the publisher's file cannot be read", old: &filed, now: found("publisher_file", own, evening, 200, `{"colophon_publisher": "1", "name": `), rows: 2, state: "invalid", since: evening, ended: true, effects: "rag disallow, search_indexing allow, publisher_file_invalid"},
		{name: "a licence is gone", old: &licensed, now: found("rsl", rsl, evening, 404, ""), rows: 2, state: "absent", since: evening, ended: true, effects: "ai-train disallow, " + statements.LicenseUnread},
		{name: "nothing was known of a licence that is gone", old: &origin.Evidence{Channel: "rsl", URL: rsl, State: "absent", Since: noon, LookedAt: noon}, now: found("rsl", rsl, evening, 404, ""), rows: 1, state: "absent", since: noon, effects: "-"},
	} {
		t.Run(c.name, func(t *testing.T) {
			rows := renewEvidence(&c.now, c.old)
			if len(rows) != c.rows {
				t.Fatalf("%d rows are written, want %d: %+v", len(rows), c.rows, rows)
			}
			if len(rows) == 0 {
				return
			}
			first := &rows[0]
			if first.State != c.state || first.Since != c.since || first.ReplacedAt != "" || first.LookedAt != c.now.LookedAt {
				t.Errorf("%s since %s, looked at %s, replaced %q; want %s since %s", first.State, first.Since, first.LookedAt, first.ReplacedAt, c.state, c.since)
			}
			if c.document && first.Document != c.old.Document {
				t.Errorf("it says %s, and said %s", first.Document, c.old.Document)
			}
			if got := effectsOf(t, first); c.effects != "" && strings.Trim(c.effects, "-") != got {
				t.Errorf("it says %q, want %q", got, c.effects)
			}
			if c.ended && (rows[1].Since != noon || rows[1].ReplacedAt != first.Since || rows[1].Document != c.old.Document) {
				t.Errorf("the row before is %+v", rows[1])
			}
		})
	}
	same := told
	if rows := renewEvidence(&same, &told); rows != nil {
		t.Errorf("the same observation twice writes %+v", rows)
	}
}

// TestReplaceEvidence checks that rows stay in the order of the store.
func TestReplaceEvidence(t *testing.T) {
	row := func(channel, url, since, state string) origin.Evidence {
		return origin.Evidence{Channel: channel, URL: url, Since: since, State: state}
	}
	var rows []origin.Evidence
	for _, e := range []origin.Evidence{row("rsl", "b", noon, "1"), row("robots", "b", noon, "2"), row("rsl", "a", noon, "3"), row("rsl", "a", evening, "4"), row("rsl", "a", noon, "5")} {
		rows = replaceEvidence(rows, e)
	}
	var got []string
	for _, e := range rows {
		got = append(got, e.Channel+" "+e.URL+" "+e.State)
	}
	if want := "robots b 2, rsl a 5, rsl a 4, rsl b 1"; strings.Join(got, ", ") != want {
		t.Errorf("the rows are %q, want %q", got, want)
	}
}
