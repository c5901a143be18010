package intake

import "testing"

// TestRulesAreOurs checks that the group of our product token is used, and that
// a delay is limited to ten seconds.
func TestRulesAreOurs(t *testing.T) {
	rules := readRules([]byte("User-agent: *\nDisallow: /\n\nUser-agent: COLOPHON/1.0\nCrawl-delay: 86400\nDisallow: /x\n"))
	if !rules.AllowsPath("/a") || rules.AllowsPath("/x") {
		t.Errorf("/a %v, /x %v", rules.AllowsPath("/a"), rules.AllowsPath("/x"))
	}
	if rules.Delay != maxCrawlDelay {
		t.Errorf("delay %v", rules.Delay)
	}
}
