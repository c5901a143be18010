package intake

import "testing"

// TestRulesAreOurs reads the group of our product token; the longest delay that
// is kept is ten seconds.
func TestRulesAreOurs(t *testing.T) {
	rules := readRules([]byte("User-agent: *\nDisallow: /\n\nUser-agent: COLOPHON/1.0\nCrawl-delay: 86400\nDisallow: /x\n"))
	if !rules.AllowsPath("/a") || rules.AllowsPath("/x") {
		t.Errorf("/a %v, /x %v", rules.AllowsPath("/a"), rules.AllowsPath("/x"))
	}
	if rules.Delay != maxCrawlDelay {
		t.Errorf("delay %v", rules.Delay)
	}
}
