package templates

import (
	"strings"
	"testing"

	"colophon/exports"
	"colophon/internal/assert"
)

// The page shows what agents are told, folds long lists, and warns of a rule
// against training that keeps out search.
func TestPublisherPageShowsAgents(t *testing.T) {
	v := PublisherPage{Site: sampleSite, Map: sampleMap(sampleNames[0])}
	page := string(render(t, knownAgents(v.Map)))
	assert.Contains(t, "the page", page,
		"<small>GPTBot, ClaudeBot, CCBot, Amazonbot, Bytespider, Diffbot</small>", "<summary>2 more</summary>", "<small>Timpibot, omgili</small>",
		"robots.txt: Disallow: /", "Does what it declares", "Google-Extended (for pages that Googlebot fetches)", "Sends no requests", "Not checked", "No valid statement found about it.",
		"“Disallow: /” (line 2 of robots.txt), written by the site’s CDN, keeps out OAI-SearchBot, Claude-SearchBot, PerplexityBot, Applebot, bingbot, YouBot and 1 other. To decline training alone, disallow GPTBot.",
	)
	if strings.Count(page, "<tr>") != 5 {
		t.Errorf("%d rows", strings.Count(page, "<tr>"))
	}
	v.Map.AgentWarnings = nil
	assert.Lacks(t, "warns of nothing", string(render(t, knownAgents(v.Map))), "keeps out", "warn")
	assert.Equal(t, string(render(t, knownAgents(exports.MapRecord{}))), "", "a record without agents shows")
}

func TestEdgeWords(t *testing.T) {
	seen := map[string]bool{}
	for _, result := range append([]string{""}, exports.EdgeResults...) {
		words := edgeWords(exports.AgentGroup{Edge: result})
		if seen[words] {
			t.Errorf("%q is said twice", words)
		}
		seen[words] = true
	}
}
