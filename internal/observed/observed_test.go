package observed

import (
	"slices"
	"strings"
	"testing"

	"colophon/internal/assert"
	"colophon/internal/origin"
)

const at = "2026-11-01T12:00:00Z"

func seen(channel, url string, status int64, body string) origin.Observation {
	return origin.Observation{SiteID: "alpha", Channel: channel, URL: url, Status: status, Raw: body, SHA256: "digest", FetchedAt: at}
}

// TestEvidenceOf checks what each answer of a site is evidence of.
func TestEvidenceOf(t *testing.T) {
	const robots = "https://alpha.example/robots.txt"
	for _, c := range []struct {
		name    string
		channel string
		status  int64
		state   string
		checked bool
	}{
		{"found", "robots", 200, "valid", true},
		{"not found", "robots", 404, "absent", true},
		{"gone", "rsl", 410, "absent", true},
		{"robots.txt refused", "robots", 403, "absent", true},
		{"robots.txt refused for now", "robots", 429, "unreachable", false},
		{"another document refused", "rsl", 403, "unreachable", false},
		{"the server failed", "robots", 500, "unreachable", false},
		{"no answer", "robots", 0, "unreachable", false},
		{"a redirect that was not followed", "robots", 301, "unreachable", false},
	} {
		left := SiteBudget
		o := seen(c.channel, robots, c.status, "User-agent: *\nContent-Usage: train-ai=n\n")
		e := EvidenceOf(&o, &left)
		if e.State != c.state || (e.CheckedAt == at) != c.checked || e.LookedAt != at || e.Since != at {
			t.Errorf("%s: %+v, want %s, checked %v", c.name, e, c.state, c.checked)
		}
		read := c.state == "valid"
		if (e.Document != "") != read || (e.Digest != "") != read || (e.Statements > 0) != read || (left < SiteBudget) != read {
			t.Errorf("%s: %d statements, %d left, document %q", c.name, e.Statements, left, e.Document)
		}
	}
}

// TestEvidenceBeyondTheBudget checks that a document beyond the budget of its
// site is marked as not read.
func TestEvidenceBeyondTheBudget(t *testing.T) {
	o := seen("robots", "https://alpha.example/robots.txt", 200, "User-agent: *\nContent-Usage: train-ai=n\n")
	whole := SiteBudget
	statements := EvidenceOf(&o, &whole).Statements
	for left, want := range map[int]bool{int(statements): false, int(statements) - 1: true} {
		budget := left
		e := EvidenceOf(&o, &budget)
		assert.Equal(t, slices.Contains(e.Warnings, "site_over_budget") || strings.Contains(e.Document, "site_over_budget"), want, "with %d of %d statements left, it is over budget", left, statements)
	}
}

// TestValidity checks that the earlier end of validity counts: that of the
// document or that of its transport.
func TestValidity(t *testing.T) {
	for transport, want := range map[string]string{"": "2026-12-01T00:00:00Z", "2026-11-02T00:00:00Z": "2026-11-02T00:00:00Z", "2027-01-01T00:00:00Z": "2026-12-01T00:00:00Z"} {
		o := seen("publisher_file", "https://alpha.example/.well-known/colophon-publisher.json", 200, "{}")
		o.ValidUntil = transport
		r := Parse(&o)
		r.ValidUntil = 1796083200 // 2026-12-01
		assert.Equal(t, validUntil(&r, &o), want, "within %q", transport)
		r.ValidUntil = 0
		assert.Equal(t, validUntil(&r, &o), transport, "a document that does not say")
	}
}

func TestGuessChannel(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"site/robots.txt", "", "robots"},
		{"ROBOTS.TXT", "", "robots"},
		{`pack\ai.txt`, "", "ai_txt"},
		{"trust.txt", "", "trust_txt"},
		{".well-known/tdmrep.json", "[]", "tdmrep"},
		{"x.json", `[{"location": "/", "tdm-reservation": 1}]`, "tdmrep"},
		{"x.json", `[{"location": "/"}]`, ""},
		{"x.json", `{"colophon_publisher": "1"}`, "publisher_file"},
		{"colophon-publisher.json", "", "publisher_file"},
		{"x", "\ufeff<?xml version=\"1.0\"?><rsl/>", "rsl"},
		{"x", "<rsl>", "rsl"},
		{"x", "<!doctype html>", "html_meta"},
		{"x", `{"@context": "http://www.w3.org/ns/odrl.jsonld"}`, "tdm_policy"},
		{"x", `{"label": "cawg.training-mining"}`, "cawg"},
		{"x", `{"package": 1}`, "comp"},
		{"x", `{"telemetry": 1}`, "telemetry_manifest"},
		{"x", `{"other": 1}`, ""},
		{"x", "HTTP/1.1 200 OK\n", "aipref_header"},
		{"x.headers", "tdm-reservation: 1", "aipref_header"},
		{"x", "Content-Usage: train-ai=n", "aipref_header"},
		{"x", "User-agent: *\nContent-Usage: train-ai=n", "robots"},
		{"x", "hello", ""},
	} {
		assert.Equal(t, GuessChannel(c.name, []byte(c.body)), c.want, "%s %q is of the channel", c.name, c.body)
	}
}

// TestLintOfWhatIsTakenOut checks that a page that the publisher's own file
// withdraws is judged as withdrawn, on its own host only.
func TestLintOfWhatIsTakenOut(t *testing.T) {
	const own, page = "https://alpha.example/.well-known/colophon-publisher.json", "https://alpha.example/a"
	for _, c := range []struct {
		name, url, members, page, says string
	}{
		{"withdrawn", own, `"withdrawn": ["/a"]`, page, "the file withdraws this page"},
		{"another page", own, `"withdrawn": ["/b"]`, page, ""},
		{"closed", own, `"listing": "closed"`, page, "the listing is closed"},
		{"the file of another host", strings.Replace(own, "alpha", "beta", 1), `"withdrawn": ["/a"]`, page, ""},
	} {
		file := seen("publisher_file", c.url, 200, `{"colophon_publisher": "1", "name": "Alpha", `+c.members+`}`)
		r, err := Lint([]origin.Observation{file}, nil, c.page, at)
		must(t, err)
		if gone := r.Vector == "WWWWWWWW"; gone != (c.says != "") || gone && !strings.Contains(r.Assumed[0], c.says) {
			t.Errorf("%s: %s, assuming %q, want %q", c.name, r.Vector, r.Assumed, c.says)
		}
	}
}

// TestFindings checks that what is worth correcting is counted once.
func TestFindings(t *testing.T) {
	robots := func(body string) origin.Observation {
		return seen("robots", "https://alpha.example/robots.txt", 200, body)
	}
	for _, c := range []struct {
		name string
		seen []origin.Observation
		want int
	}{
		{"nothing", nil, 0},
		{"a clean file", []origin.Observation{robots("User-agent: *\nContent-Usage: train-ai=n\n")}, 0},
		{"a line that is ignored", []origin.Observation{robots("User-agent: *\nAllow: /\ngibberish\n")}, 1},
		{"a file that is away", []origin.Observation{seen("robots", "https://alpha.example/robots.txt", 500, "")}, 1},
		{"a file that is not there", []origin.Observation{seen("robots", "https://alpha.example/robots.txt", 404, "")}, 0},
	} {
		r, err := Lint(c.seen, nil, "https://alpha.example/", at)
		must(t, err)
		if got := r.Findings(); got != c.want {
			t.Errorf("%s: %d findings, want %d: %+v", c.name, got, c.want, r.Documents)
		}
	}
}
