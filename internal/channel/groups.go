package channel

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"colophon/internal/channel/statements"
)

// groupReader collects the groups of a robots-like file.
type groupReader struct {
	r       *Result
	groups  []ruleGroup
	inRules bool // a rule was seen: the next User-agent opens a new group
	named   int  // mentions of product tokens so far
	full    bool // a bound was met

	unbounded bool // any number of tokens is read
}

type ruleGroup struct {
	agents     []string
	listed     []string // further tokens on a User-agent line, which RFC 9309 does not know
	unnamed    string   // line of a User-agent without a token, "" if none
	everybody  bool     // a line begins with "*," and restricts everybody
	statements []statements.Statement
	links      []statements.Link
	delay      time.Duration // of Crawl-delay
}

func (g *groupReader) isOpen() bool { return len(g.groups) > 0 }

func (g *groupReader) lastGroup() *ruleGroup { return &g.groups[len(g.groups)-1] }

// beginRule takes a rule as one of the open group. A rule outside any group is
// for everybody; code is that of the warning about it.
func (g *groupReader) beginRule(code string, n int, value string) {
	if !g.isOpen() {
		g.r.addWarning(code, lineLocator(n), value)
		g.groups = append(g.groups, ruleGroup{agents: []string{"*"}})
	}
	g.inRules = true
}

// readAgent reads a User-agent line.
func (g *groupReader) readAgent(n int, value string) {
	if g.inRules || !g.isOpen() {
		g.groups = append(g.groups, ruleGroup{})
		g.inRules = false
	}
	token := strings.ToLower(ProductToken(value))
	if token == "" {
		g.r.addWarning("robots_agent_empty", lineLocator(n), value)
		if value != "" {
			g.lastGroup().unnamed = lineLocator(n)
		}
		if strings.HasPrefix(value, "*,") { // not a valid token, but meant for everybody
			g.lastGroup().everybody = true
			g.list(n, value)
		}
		return
	}
	if g.name(n, &g.lastGroup().agents, token) {
		g.list(n, value)
	}
}

// name adds a token to a list; false when there are too many.
func (g *groupReader) name(n int, list *[]string, token string) bool {
	if g.named++; g.named > maxRobotsAgents && !g.unbounded {
		g.noteBound("robots_too_many_agents", lineLocator(n))
		return false
	}
	*list = append(*list, token)
	return true
}

// list reads the tokens after the first of "User-agent: a, b".
func (g *groupReader) list(n int, value string) {
	_, rest, more := strings.Cut(value, ",")
	if !more {
		return
	}
	g.r.addWarning("robots_agents_on_one_line", lineLocator(n), value)
	for word := range strings.SplitSeq(rest, ",") {
		token := strings.ToLower(ProductToken(strings.TrimSpace(word)))
		if token != "" && !g.name(n, &g.lastGroup().listed, token) {
			return
		}
	}
}

func (g *groupReader) addStatement(s statements.Statement) {
	own := g.lastGroup()
	s.Origin = g.r.origin
	own.statements = append(own.statements, s)
}

// addLink keeps a licence with its group, or as one for the whole file.
func (g *groupReader) addLink(base string, l statements.Link) {
	abs, ok := ResolveAbsolute(base, l.URL)
	if !ok {
		g.r.addGap("link_not_a_url", l.Locator, l.URL)
		return
	}
	l.URL = abs
	if !g.isOpen() {
		g.r.Links = append(g.r.Links, l)
		return
	}
	g.lastGroup().links = append(g.lastGroup().links, l)
}

// noteBound records once that a bound was reached.
func (g *groupReader) noteBound(code, locator string) {
	if !g.full {
		g.full = true
		g.r.addGap(code, locator, "")
	}
}

// finishGroups adds the groups to the result. Groups with the same rules become
// one, so that the cost of a file that repeats its rules for every agent does
// not grow with the repetitions.
func (g *groupReader) finishGroups() {
	g.restrictListed()
	place := map[string]int{}
	for i := range g.groups {
		own := &g.groups[i]
		if len(own.agents) == 0 {
			continue
		}
		own.statements = uniqueStatements(own.statements)
		key := own.groupKey()
		at, known := place[key]
		if !known {
			if len(g.r.Groups) == maxRobotsGroups {
				g.noteBound("robots_too_many_groups", "")
				continue
			}
			g.r.Groups = append(g.r.Groups, statements.Group{})
			at = len(g.r.Groups)
			place[key] = at
			g.emitGroup(own, at)
		}
		merged := &g.r.Groups[at-1]
		merged.Agents = append(merged.Agents, own.agents...)
	}
	for i := range g.r.Groups {
		g.r.Groups[i].Agents = statements.SortedSet(g.r.Groups[i].Agents)
	}
}

// restrictListed gives agents that are listed on one line, and have no valid
// group of their own, a group of all restrictions and licences that may be
// meant for them: those of the agents beside them, and those for everybody. A
// star at the beginning of such a line restricts everybody. A restriction for
// agents without a readable name is a gap.
func (g *groupReader) restrictListed() {
	var everybody ruleGroup
	named := map[string]bool{}
	for i := range g.groups {
		own := &g.groups[i]
		for _, agent := range own.agents {
			named[agent] = true
		}
		if slices.Contains(own.agents, "*") {
			everybody.statements = append(everybody.statements, withoutAccess(own.statements)...)
			everybody.links = append(everybody.links, own.links...)
		}
		if own.everybody {
			everybody.statements = append(everybody.statements, restrictionsOf(own.statements)...)
		}
	}
	for i := range g.groups {
		own := &g.groups[i]
		restrictions := restrictionsOf(own.statements)
		if own.unnamed != "" && len(restrictions) > 0 {
			g.r.addGap("robots_agent_unreadable", own.unnamed, "")
		}
		listed := slices.DeleteFunc(own.listed, func(agent string) bool { return named[agent] })
		if own.everybody {
			listed = append(listed, "*")
		}
		if len(listed) > 0 && len(restrictions) > 0 {
			g.groups = append(g.groups, ruleGroup{
				agents: listed, statements: append(restrictions, everybody.statements...), links: slices.Concat(own.links, everybody.links),
			})
		}
	}
}

// withoutAccess leaves out what opens a path again.
func withoutAccess(in []statements.Statement) []statements.Statement {
	return slices.DeleteFunc(slices.Clone(in), func(s statements.Statement) bool {
		return s.Channel == statements.Robots && s.Effect != statements.Disallow
	})
}

func restrictionsOf(in []statements.Statement) []statements.Statement {
	return slices.DeleteFunc(slices.Clone(in), func(s statements.Statement) bool { return s.Effect != statements.Disallow })
}

func (g *groupReader) emitGroup(own *ruleGroup, number int) {
	for _, s := range own.statements {
		s.Group = number
		g.r.addStatement(s)
	}
	for _, l := range own.links {
		l.Group = number
		g.r.Links = append(g.r.Links, l)
	}
}

// groupKey returns the same for groups that say the same.
func (g *ruleGroup) groupKey() string {
	var b strings.Builder
	for i := range g.statements {
		b.WriteString(statementKey(&g.statements[i]))
		b.WriteByte('\n')
	}
	for _, l := range g.links {
		b.WriteString(l.URL)
		b.WriteByte('\n')
	}
	return b.String()
}

func statementKey(s *statements.Statement) string {
	return string(s.Channel) + " " + s.Word + " " + strconv.Itoa(int(s.Effect)) + " " + s.Origin + " " + s.Pattern
}

// uniqueStatements drops repetitions inside one group.
func uniqueStatements(in []statements.Statement) []statements.Statement {
	seen := make(map[string]bool, len(in))
	return slices.DeleteFunc(in, func(s statements.Statement) bool {
		key := statementKey(&s)
		again := seen[key]
		seen[key] = true
		return again
	})
}
