package channel

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"colophon/exports"
	"colophon/internal/channel/statements"
)

// maxCrawlDelay bounds the delay that a file may ask for: a crawler that has to
// wait longer must come another day.
const maxCrawlDelay = 24 * time.Hour

// CrawlRules are the rules of a robots.txt for one crawler (RFC 9309, section
// 2.2). The zero value allows everything.
type CrawlRules struct {
	Delay time.Duration // between two requests, at most a day; 0 if none is asked for
	rules []crawlRule
}

type crawlRule struct {
	pattern string // in the spelling of exports.NormalPattern
	allow   bool
}

// ParseCrawlRules returns the rules of a robots.txt for the crawler with a
// product token, in any letter case: those of all groups that name the token,
// or else of those for "*". Lines and groups are read as in ParseRobots, so
// that the crawler obeys what the evidence of the same file says.
//
// It accepts any bytes, even a page of HTML: a line that is not a rule has no
// effect.
func ParseCrawlRules(body []byte, token string) CrawlRules {
	var r Result
	p := robotsReader{r: &r}
	p.groups.r = &r
	p.groups.unbounded = true
	readRobotsLines(&r, body, p.readRule)
	p.groups.restrictListed()

	own := p.groups.groupsFor(strings.ToLower(token))
	if len(own) == 0 {
		own = p.groups.groupsFor("*")
	}
	return crawlRulesOf(own)
}

// groupsFor returns the groups that name an agent.
func (g *groupReader) groupsFor(agent string) []ruleGroup {
	var out []ruleGroup
	for _, group := range g.groups {
		if slices.Contains(group.agents, agent) {
			out = append(out, group)
		}
	}
	return out
}

func crawlRulesOf(groups []ruleGroup) CrawlRules {
	var c CrawlRules
	for _, group := range groups {
		c.Delay = max(c.Delay, group.delay)
		for _, s := range group.statements {
			if s.Channel == statements.Robots {
				c.rules = append(c.rules, crawlRule{exports.NormalPattern(s.Pattern), s.Effect == statements.Allow})
			}
		}
	}
	return c
}

// AllowsPath reports whether the crawler may fetch a path, given with its
// query. The longest matching rule decides, and among rules of equal length the
// one that allows. robots.txt itself may always be fetched.
func (c CrawlRules) AllowsPath(path string) bool {
	if path == "/robots.txt" {
		return true
	}
	path = exports.NormalPattern(path)
	longest := -1
	allowed := true
	for _, rule := range c.rules {
		length := len(rule.pattern)
		if length < longest || length == longest && !rule.allow {
			continue
		}
		if exports.MatchNormalPattern(rule.pattern, path) {
			longest = length
			allowed = rule.allow
		}
	}
	return allowed
}

// readDelay reads Crawl-delay, which RFC 9309 does not know: seconds. It says
// nothing of a use, and by section 2.2.4 it ends no group.
func (p *robotsReader) readDelay(value string) {
	seconds, err := strconv.ParseFloat(value, 64)
	if err != nil || !(seconds > 0) || !p.groups.isOpen() {
		return
	}
	seconds = min(seconds, maxCrawlDelay.Seconds())
	group := p.groups.lastGroup()
	group.delay = max(group.delay, time.Duration(seconds*float64(time.Second)))
}
