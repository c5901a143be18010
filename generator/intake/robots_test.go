package intake

import (
	"strings"
	"testing"
	"time"
)

func TestRobots(t *testing.T) {
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
		{"HTML", "<!doctype html><p>User-agent: *<br>Disallow: /</p>", "/x", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := parseRobots(c.robots)
			for _, p := range strings.Fields(c.allowed) {
				if !r.allowsPath(p) {
					t.Errorf("%s is not allowed", p)
				}
			}
			for _, p := range strings.Fields(c.denied) {
				if r.allowsPath(p) {
					t.Errorf("%s is allowed", p)
				}
			}
		})
	}
	for robots, want := range map[string]time.Duration{
		"User-agent: *\nCrawl-delay: 2": 2 * time.Second, "User-agent: *\nCrawl-delay: 0.5": time.Second / 2,
		"User-agent: *\nCrawl-delay: 86400": maxCrawlDelay, "User-agent: *\nCrawl-delay: -1": 0, "User-agent: *\nCrawl-delay: NaN": 0,
		"User-agent: other\nCrawl-delay: 5": 0,
	} {
		if got := parseRobots(robots).delay; got != want {
			t.Errorf("%q: delay %v, want %v", robots, got, want)
		}
	}
	start := time.Now()
	parseRobots("User-agent: *\nDisallow: /" + strings.Repeat("*a", 2000) + "$").allowsPath("/" + strings.Repeat("a", 8000) + "b")
	if d := time.Since(start); d > time.Second {
		t.Errorf("a rule of stars took %v", d)
	}
}
