package channel

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"colophon/exports"
)

// maxCrawlDelay bounds what a file may ask for: a crawler that waits longer
// has to come another day.
const maxCrawlDelay = 24 * time.Hour

// CrawlRules is what a robots.txt asks of one crawler (RFC 9309, section 2.2).
// The zero value allows everything.
type CrawlRules struct {
	Delay time.Duration // between two requests, at most a day; 0 when none is asked for
	rules []crawlRule
}

type crawlRule struct {
	pattern string // in the spelling of exports.NormalPattern
	allow   bool
}

// ParseCrawlRules reads what a robots.txt asks of the crawler with a product
// token, in any letter case: the rules of all groups that name the token, or
// else of those for "*". Lines and groups are read as in ParseRobots, so that a
// crawler keeps to what the evidence of the same file says.
//
// Any bytes are read, a page of HTML too: what is not a rule asks nothing.
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

// groupsFor gives the groups that name an agent.
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
			if s.Channel == Robots {
				c.rules = append(c.rules, crawlRule{exports.NormalPattern(s.Pattern), s.Effect == Allow})
			}
		}
	}
	return c
}

// AllowsPath reports whether the crawler may fetch a path, with its query if it
// has one. The longest rule that matches decides; of two as long, the one that
// allows. robots.txt itself may always be fetched.
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
