package statements

import (
	"slices"
	"strings"
)

// Document is one document of a site and what it says. Times are unix
// seconds.
type Document struct {
	Channel    Name // of the document; statements may belong to others
	URL        string
	Statements []Statement
	Links      []Link
	Gaps       []Gap    // what could not be read, empty = the reading is complete
	Groups     []Group  // of a robots-like file; Statement.Group and Link.Group count them from 1
	Agents     []string // product tokens that statements name outside groups, sorted, without "*"
	CheckedAt  int64
	ValidUntil int64  // 0 = unknown
	Digest     string // SHA-256 of the bytes, lower-case hex
	Embedded   bool   // the document travels with the resource it speaks of
	Gone       bool   // it no longer exists; its restrictions may still apply
}

// Group is one group of a robots-like file: the product tokens to which its
// rules apply, in lower case. "*" means everybody without a group of their own.
type Group struct {
	Agents []string
}

func (g *Group) hasAgent(agent string) bool {
	return slices.Contains(g.Agents, agent)
}

// groupsFor returns the numbers, from 1, of the groups in force for an agent:
// its own if the document names it, else those of "*" (RFC 9309, section
// 2.2.1). Several groups of one agent count together.
func (d *Document) groupsFor(agent string) []int {
	if own := d.groupsOf(strings.ToLower(agent)); agent != "" && len(own) > 0 {
		return own
	}
	return d.groupsOf("*")
}

func (d *Document) groupsOf(token string) []int {
	var out []int
	for i := range d.Groups {
		if d.Groups[i].hasAgent(token) {
			out = append(out, i+1)
		}
	}
	return out
}

// WithFollower returns the document as an agent reads it that follows the rules
// for another agent where robots.txt names only that one. What other standards
// say in robots.txt stays what everybody is told, because they know no such
// agents.
func (d Document) WithFollower(agent, followed string) Document {
	rules, rest := d.groupsOf(followed), d.groupsOf("*")
	if d.Channel != Robots || len(rules) == 0 || len(d.groupsOf(agent)) > 0 {
		return d
	}
	d.Groups = append(slices.Clip(d.Groups), Group{Agents: []string{agent}})
	d.Statements, d.Links = slices.Clip(d.Statements), slices.Clip(d.Links)
	for _, s := range d.Statements {
		if s.Channel == Robots && slices.Contains(rules, s.Group) || s.Channel != Robots && slices.Contains(rest, s.Group) {
			s.Group = len(d.Groups)
			d.Statements = append(d.Statements, s)
		}
	}
	for _, l := range d.Links {
		if slices.Contains(rest, l.Group) {
			l.Group = len(d.Groups)
			d.Links = append(d.Links, l)
		}
	}
	return d
}

// sameAgent compares product tokens, which ignore case.
func sameAgent(a, b string) bool { return strings.EqualFold(a, b) }

// Split cuts an absolute URL into its lower-case host and its path with
// query; a bare path has no host.
func Split(resource string) (host, path string) {
	i := strings.Index(resource, "://")
	if i < 0 {
		resource, _, _ = strings.Cut(resource, "#")
		if !strings.HasPrefix(resource, "/") {
			resource = "/" + resource
		}
		return "", resource
	}
	rest, _, _ := strings.Cut(resource[i+3:], "#")
	end := strings.IndexAny(rest, "/?")
	if end < 0 {
		end = len(rest)
	}
	host, path = rest[:end], rest[end:]
	if at := strings.LastIndexByte(host, '@'); at >= 0 {
		host = host[at+1:]
	}
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return strings.ToLower(host), path
}

// SortedSet sorts words in place and returns them once each.
func SortedSet(words []string) []string {
	slices.Sort(words)
	return slices.Compact(words)
}
