package rights_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"colophon/exports"
	"colophon/internal/rights"
)

// trainingAudiences returns the verdicts on training for each audience of a
// site with one robots.txt.
func trainingAudiences(t *testing.T, lines ...string) []exports.AudienceVerdict {
	t.Helper()
	doc, _, err := rights.RightsDocumentAt(pierNews(robots(lines...)), "2026-11-21T00:00:00Z")
	must(t, err)
	at, _ := exports.ParseInstant("2026-11-21T00:00:00Z")
	j := doc.Evaluate(rights.Resource{URL: home + "/a"}, rights.Question{At: at.Unix()}, nil, false)
	return j.Uses[1].Audiences
}

// TestAudiencesNameEveryAgent checks that agents with the same answers are one
// audience, which names each of them.
func TestAudiencesNameEveryAgent(t *testing.T) {
	rows := trainingAudiences(t,
		"User-agent: *", "Content-Signal: ai-train=yes", "",
		"User-agent: GPTBot", "User-agent: CCBot", "Disallow: /", "",
		"User-agent: Bytespider", "Disallow: /", "",
		"User-agent: ClaudeBot", "Content-Signal: ai-train=yes")
	got := map[string][]string{}
	for _, r := range rows {
		got[r.Verdict] = r.Agents
	}
	if len(rows) != 2 || !slices.Equal(got["declined"], []string{"bytespider", "ccbot", "gptbot"}) || !slices.Equal(got["signal_allow"], []string{"other"}) {
		t.Errorf("audiences %+v", rows)
	}
}

// TestAudiencesAreBounded checks that a file which names thousands of agents
// does not make answers of that length.
func TestAudiencesAreBounded(t *testing.T) {
	lines := []string{"User-agent: *", "Content-Signal: ai-train=yes", ""}
	for i := range 3000 {
		lines = append(lines, "User-agent: bot"+strconv.Itoa(i))
	}
	rows := trainingAudiences(t, append(lines, "Disallow: /")...)
	for _, r := range rows {
		if r.Verdict != "declined" {
			continue
		}
		if n := len(r.Agents); n != 501 || r.Agents[n-1] != "and_others" || !strings.HasPrefix(r.Agents[0], "bot") {
			t.Errorf("%d agents, the last is %q", n, r.Agents[n-1])
		}
		return
	}
	t.Errorf("nobody is shut out: %+v", rows)
}
