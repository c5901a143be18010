package channel

import (
	"strings"
	"testing"
	"time"
)

// TestCrawlRules tests RFC 9309, sections 2.2 and 2.3, and files as sites serve
// them.
func TestCrawlRules(t *testing.T) {
	for _, c := range []struct{ name, robots, allowed, denied string }{
		{"empty", "", "/ /x", ""},
		{"all", "User-agent: *\nDisallow: /", "/robots.txt", "/ /x"},
		{"empty rule", "User-agent: *\nDisallow:", "/x", ""},
		{"longest wins", "User-agent: *\nDisallow: /a\nAllow: /a/b", "/b /a/b /a/bc", "/a /ab /a/c"},
		{"tie allows", "User-agent: *\nDisallow: /a\nAllow: /a", "/a", ""},
		{"star", "User-agent: *\nDisallow: /*.php", "/a.html", "/a.php /x/y.php?z"},
		{"end", "User-agent: *\nDisallow: /*.php$", "/a.php?x /a.phpx", "/a.php"},
		{"many stars", "User-agent: *\nDisallow: /a*b*c$", "/abcd /acb", "/abc /axxbxxc"},
		{"star at the end", "User-agent: *\nDisallow: /a*", "/b", "/a /ab"},
		{"ours before others", "User-agent: *\nDisallow: /\n\nUser-agent: Colophon\nDisallow: /x", "/y", "/x"},
		{"ours first", "User-agent: COLOPHON/2.0\nDisallow: /x\nUser-agent: *\nDisallow: /", "/y", "/x"},
		{"shared group", "User-agent: other\nUser-agent: colophon\nDisallow: /x", "/y", "/x"},
		{"groups are joined", "User-agent: colophon\nDisallow: /x\nUser-agent: *\nDisallow: /\nUser-agent: colophon\nDisallow: /z", "/y", "/x /z"},
		{"another agent", "User-agent: colophonist\nDisallow: /", "/x", ""},
		{"escapes", "User-agent: *\nDisallow: /%7ejoe/%e4%b8%ad", "/joe", "/~joe/中 /~joe/%E4%B8%AD /%7Ejoe/%e4%b8%ad"},
		{"escaped slash differs", "User-agent: *\nDisallow: /a%2fb", "/a/b", "/a%2Fb"},
		{"comments and case", "# hi\nUSER-AGENT: * # all\r\nDISALLOW: /x # why", "/y", "/x"},
		{"mark at the start", "\ufeffUser-agent: *\nDisallow: /x", "/y", "/x"},
		{"sitemap between", "User-agent: *\nSitemap: https://x/s.xml\nDisallow: /x", "/y", "/x"},
		{"rule outside a group", "Disallow: /x\nUser-agent: *\nDisallow: /y", "/x", "/y"},
		{"ours is free", "User-agent: *\nDisallow: /\nUser-agent: colophon\nDisallow:", "/x", ""},
		{"misspelt", "User-agent: *\nDissallow: /x\nDisallow: y", "/z", "/x /y"},
		{"a delay ends no group", "User-agent: *\nDisallow: /a\n\nUser-agent: *\nCrawl-delay: 1\n\nUser-agent: other\nDisallow: /b", "/c", "/a /b"},
		{"the last line has a delay", "User-agent: *\nDisallow: /a\nCrawl-delay: 1\n\nUser-agent: other\nDisallow: /b", "/b", "/a"},
		{"no colon", "User-agent: *\nDisallow /x", "/y", "/x"},
		{"agents on one line", "User-agent: other, Colophon\nDisallow: /x\nUser-agent: *\nDisallow: /y", "/z", "/x /y"},
		{"everybody and another on one line", "User-agent: *, other\nDisallow: /x", "/y", "/x"},
		{"path in another encoding", "User-agent: *\nDisallow: /caf\xe9\nAllow: /\xe9", "/tea", "/caf%E9 /café"},
		{"permission without a slash is not guessed", "User-agent: *\nDisallow: /x\nAllow: x/y", "/y", "/x /x/y"},
		{"other rules stay out of it", "User-agent: *\nContent-Usage: / train-ai=n\nContent-Signal: ai-train=no\nDisallow: /x", "/ /y", "/x"},
		{"more agents than evidence keeps", strings.Repeat("User-agent: a\n", 20001) + "User-agent: colophon\nDisallow: /x", "/y", "/x"},
		{"HTML", "<!doctype html><p>User-agent: *<br>Disallow: /</p>", "/x", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := ParseCrawlRules([]byte(c.robots), "Colophon")
			for _, p := range strings.Fields(c.allowed) {
				if !r.AllowsPath(p) {
					t.Errorf("%s is not allowed", p)
				}
			}
			for _, p := range strings.Fields(c.denied) {
				if r.AllowsPath(p) {
					t.Errorf("%s is allowed", p)
				}
			}
		})
	}
	for robots, want := range map[string]time.Duration{
		"User-agent: *\nCrawl-delay: 2": 2 * time.Second, "User-agent: *\nCrawl-delay: 0.5": time.Second / 2,
		"User-agent: *\nCrawl-delay: 86401": maxCrawlDelay, "User-agent: *\nCrawl-delay: 1e309": 0, "User-agent: *\nCrawl-delay: Inf": maxCrawlDelay,
		"Crawl-delay: 5\nUser-agent: *\nDisallow:": 0, "User-agent: *\nCrawl-delay: 5\nUser-agent: colophon\nDisallow: /x\nCrawl-delay: 2": 5 * time.Second,
		"User-agent: *\nCrawl-delay: -1": 0, "User-agent: *\nCrawl-delay: NaN": 0,
		"User-agent: other\nCrawl-delay: 5": 0,
	} {
		if got := ParseCrawlRules([]byte(robots), "colophon").Delay; got != want {
			t.Errorf("%q: delay %v, want %v", robots, got, want)
		}
	}
	start := time.Now()
	stars := "User-agent: *\nDisallow: /" + strings.Repeat("*a", 2000) + "$"
	ParseCrawlRules([]byte(stars), "colophon").AllowsPath("/" + strings.Repeat("a", 8000) + "b")
	if d := time.Since(start); d > time.Minute { // trying every combination would never end
		t.Errorf("a rule of stars took %v", d)
	}
}
