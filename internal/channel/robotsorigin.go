package channel

import (
	"slices"
	"strings"

	"colophon/internal/channel/statements"
)

// The comments between which a CDN inserts its lines into a publisher's
// robots.txt. Cloudflare capitalizes the last word of the second.
const (
	cdnBegins = "begin cloudflare managed content"
	cdnEnds   = "end cloudflare managed content"
)

// The codes of the warnings about a CDN's lines: that there are some, and that
// they say the opposite of the publisher's own.
const (
	CDNLines       = "cdn_lines"
	CDNContradicts = "cdn_contradicts_publisher"
)

// noteOrigin learns from a comment who wrote the lines after it.
func (r *Result) noteOrigin(n int, line string) {
	comment, ok := strings.CutPrefix(strings.TrimSpace(line), "#")
	if !ok {
		return
	}
	switch strings.ToLower(strings.TrimSpace(comment)) {
	case cdnBegins:
		r.origin = statements.FromCDN
		r.addWarning(CDNLines, lineLocator(n), strings.TrimSpace(comment))
	case cdnEnds:
		r.origin = ""
	}
}

// noteContradictions warns if the CDN's lines say the opposite of the
// publisher's own about the whole site, to everybody or to an agent that the
// CDN names.
func (g *groupReader) noteContradictions() {
	own, cdn := g.ofOrigin(""), g.ofOrigin(statements.FromCDN)
	agents := []string{"*"}
	for i := range cdn.groups {
		agents = append(agents, cdn.groups[i].agents...)
	}
	for _, agent := range statements.SortedSet(agents) {
		for _, c := range cdn.aboutSite(agent) {
			for _, p := range own.aboutSite(agent) {
				if p.Channel == c.Channel && p.Word == c.Word && (p.Effect == statements.Disallow) != (c.Effect == statements.Disallow) {
					g.r.addWarning(CDNContradicts, c.Locator, agent+": \""+c.Text+"\"; the publisher's own "+p.Locator+": \""+p.Text+"\"")
				}
			}
		}
	}
}

// ofOrigin returns the file as it would be with the lines of one origin only.
func (g *groupReader) ofOrigin(origin string) groupReader {
	var out groupReader
	for _, group := range g.groups {
		group.statements = slices.DeleteFunc(slices.Clone(group.statements), func(s statements.Statement) bool { return s.Origin != origin })
		if len(group.statements) > 0 {
			out.groups = append(out.groups, group)
		}
	}
	return out
}

// aboutSite lists the statements to an agent about every path of the site.
func (g *groupReader) aboutSite(agent string) []statements.Statement {
	groups := g.groupsFor(agent)
	if len(groups) == 0 {
		groups = g.groupsFor("*")
	}
	var out []statements.Statement
	for i := range groups {
		for _, s := range uniqueStatements(groups[i].statements) {
			if s.Pattern == "/" || s.Pattern == "/*" || s.Pattern == "*" {
				out = append(out, s)
			}
		}
	}
	return out
}
