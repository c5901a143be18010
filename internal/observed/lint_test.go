package observed

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"colophon/exports"
	"colophon/internal/assert"
	"colophon/internal/origin"
)

var must = assert.NoError

// TestLintShowsRetention checks that a report shows what channels say about
// keeping copies, also for uses about which they say nothing else.
func TestLintShowsRetention(t *testing.T) {
	const at = "2026-11-20T09:00:00Z"
	seen := []origin.Observation{{
		Channel: "content_signal", URL: "https://a.example/robots.txt", Status: 200, ContentType: "text/plain", FetchedAt: at,
		Raw: "User-agent: *\nContent-Signal: search=yes, use=immediate\n",
	}}
	r, err := Lint(seen, nil, "https://a.example/", at)
	must(t, err)
	said := slices.IndexFunc(r.Stated, func(l ReportLine) bool { return l.Use == "rag" })
	if said < 0 || r.Stated[said].Effect != "unknown" || r.Stated[said].Statement != "use=immediate" {
		t.Errorf("the report says %+v", r.Stated)
	}
	for _, v := range r.Verdicts {
		assert.Equal(t, v.Retention, exports.RetentionNone, "%s: copies", v.Use)
	}
}

// reportOf returns a report on a robots.txt that keeps out one crawler for
// training and one for search, with a difference from what was expected.
func reportOf(t *testing.T) Report {
	t.Helper()
	const at = "2026-11-20T09:00:00Z"
	seen := []origin.Observation{{
		Channel: "robots", URL: "https://a.example/robots.txt", Status: 200, ContentType: "text/plain", FetchedAt: at,
		Raw: "User-agent: GPTBot\nUser-agent: OAI-SearchBot\nDisallow: /\n",
	}}
	r, err := Lint(seen, nil, "https://a.example/", at, "gptbot")
	must(t, err)
	r.Compare([]Expectation{{"gptbot", "training", "signal_allow"}, {"", "training", "declined"}})
	return r
}

// TestReportResult checks the members of a report for machines: lists are never
// null, a statement says whose it is, and each agent has its operator's
// document.
func TestReportResult(t *testing.T) {
	r := reportOf(t)
	text, err := json.Marshal(r.Result())
	must(t, err)
	var members map[string]json.RawMessage
	must(t, json.Unmarshal(text, &members))
	var names []string
	for name := range members {
		names = append(names, name)
	}
	slices.Sort(names)
	want := "agent_warnings agents assumed by_agent contradictions differences documents findings grants_rights known_agents resource rights_vector says statements verdicts"
	assert.Equal(t, strings.Join(names, " "), want, "members")
	for name, want := range map[string]string{
		"documents": `"warnings":[]`, "says": `"origin":"publisher"`, "contradictions": `[]`, "statements": `[]`, "by_agent": `{"agent":"gptbot","rights_vector":"`,
		"verdicts": `"depends_on":null`, "known_agents": `"agent":"OAI-SearchBot","class":"search","crawler":"","edge":"unchecked","may_ignore_robots":false,"operator":"OpenAI","source":"https://`,
		"agent_warnings": `[{"agents":["OAI-SearchBot"],"instead":["GPTBot"],"origin":"publisher","statement":"Disallow: /","url":"https://a.example/robots.txt","use":"search_indexing","where":"line 3"}]`,
		"differences":    `[{"agent":"gptbot","use":"training","want":"signal_allow","got":"declined","reason":"signal_disallows"}]`,
	} {
		assert.Contains(t, name, string(members[name]), want)
	}
	if r, err = Lint(nil, nil, "https://a.example/", "2026-11-20T09:00:00Z"); err != nil {
		t.Fatal(err)
	}
	r.Warnings = []exports.AgentWarning{{}}
	nothing, err := json.Marshal(r.Result())
	for _, name := range []string{"agents", "by_agent", "differences", "documents", "instead", "says"} {
		if err != nil || !strings.Contains(string(nothing), `"`+name+`":[]`) {
			t.Errorf("without documents %s is no empty list: %v, %.2000s", name, err, nothing)
		}
	}
}

// TestReportPrint checks what people see of a report.
func TestReportPrint(t *testing.T) {
	r := reportOf(t)
	var told strings.Builder
	r.Print(&told)
	assert.Contains(t, "what it says", told.String(), "\nsaid\n  rag              disallow  robots to gptbot: Disallow", "\nagents             gptbot", "\ndifferences\n  training for gptbot: want signal_allow, is declined", "\n1 finding(s)\n")
}
