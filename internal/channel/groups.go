package channel

import (
	"slices"
	"strconv"
	"strings"

	"colophon/internal/channel/said"
)

// groupReader collects the groups of a robots-like file.
type groupReader struct {
	r       *Result
	groups  []ruleGroup
	inRules bool // a rule was seen: the next User-agent opens a new group
	named   int  // mentions of product tokens so far
	full    bool // a bound was met
}

type ruleGroup struct {
	agents     []string
	statements []Statement
	links      []Link
}

func (g *groupReader) open() bool { return len(g.groups) > 0 }

func (g *groupReader) last() *ruleGroup { return &g.groups[len(g.groups)-1] }

// everybody opens a group for "*", for rules that stand outside any.
func (g *groupReader) everybody() {
	g.groups = append(g.groups, ruleGroup{agents: []string{"*"}})
}

// agent reads a User-agent line.
func (g *groupReader) agent(n int, value string) {
	if g.inRules || !g.open() {
		g.groups = append(g.groups, ruleGroup{})
		g.inRules = false
	}
	token := strings.ToLower(productToken(value))
	if token == "" {
		g.r.warn("robots_agent_empty", line(n), value)
		return
	}
	if g.named++; g.named > maxRobotsAgents {
		g.stop("robots_too_many_agents", line(n))
		return
	}
	g.last().agents = append(g.last().agents, token)
}

func (g *groupReader) add(s Statement) {
	own := g.last()
	own.statements = append(own.statements, s)
}

// link keeps a licence with its group, or as one for the whole file.
func (g *groupReader) link(base string, l Link) {
	abs, ok := absolute(base, l.URL)
	if !ok {
		g.r.gap("link_not_a_url", l.Locator, l.URL)
		return
	}
	l.URL = abs
	if !g.open() {
		g.r.Links = append(g.r.Links, l)
		return
	}
	g.last().links = append(g.last().links, l)
}

// stop notes once that a bound was met.
func (g *groupReader) stop(code, locator string) {
	if !g.full {
		g.full = true
		g.r.gap(code, locator, "")
	}
}

// finish gives the groups to the result. Groups with the same rules become
// one, so that a file that repeats its rules for every agent costs what it
// says and not how often it says it.
func (g *groupReader) finish() {
	place := map[string]int{}
	for i := range g.groups {
		own := &g.groups[i]
		if len(own.agents) == 0 {
			continue
		}
		own.statements = uniqueStatements(own.statements)
		key := own.key()
		at, known := place[key]
		if !known {
			if len(g.r.Groups) == maxRobotsGroups {
				g.stop("robots_too_many_groups", "")
				continue
			}
			g.r.Groups = append(g.r.Groups, said.Group{})
			at = len(g.r.Groups)
			place[key] = at
			g.emit(own, at)
		}
		merged := &g.r.Groups[at-1]
		merged.Agents = append(merged.Agents, own.agents...)
	}
	for i := range g.r.Groups {
		g.r.Groups[i].Agents = sortedSet(g.r.Groups[i].Agents)
	}
}

func (g *groupReader) emit(own *ruleGroup, number int) {
	for _, s := range own.statements {
		s.Group = number
		g.r.say(s)
	}
	for _, l := range own.links {
		l.Group = number
		g.r.Links = append(g.r.Links, l)
	}
}

// key is the same for groups that say the same.
func (g *ruleGroup) key() string {
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

func statementKey(s *Statement) string {
	return string(s.Channel) + " " + s.Word + " " + strconv.Itoa(int(s.Effect)) + " " + s.Pattern
}

// uniqueStatements drops repetitions inside one group.
func uniqueStatements(in []Statement) []Statement {
	seen := make(map[string]bool, len(in))
	return slices.DeleteFunc(in, func(s Statement) bool {
		key := statementKey(&s)
		again := seen[key]
		seen[key] = true
		return again
	})
}
