package statements

import (
	"cmp"
	"slices"
	"strings"

	"colophon/exports"
)

// found is a statement about a resource, with the document that makes it.
type found struct {
	*Statement
	from   *Document
	doc    int // index of from
	number int // index in from.Statements
	octets int // length of the pattern, for "most specific"
}

// matches are the statements of some documents about one resource, for any
// agent. They are sorted, so that the order of documents does not matter.
type matches struct {
	docs       []Document
	host, path string // path in the spelling of NormalPattern
	list       []found
}

func newMatches(docs []Document, resource string) matches {
	host, path := Split(resource)
	return matches{docs: docs, host: host, path: exports.NormalPattern(path)}
}

// findMatches looks at every statement once.
func findMatches(docs []Document, resource string) matches {
	m := newMatches(docs, resource)
	for i := range docs {
		d := &docs[i]
		if !d.speaksOf(m.host, m.path) {
			continue
		}
		for k := range d.Statements {
			s := &d.Statements[k]
			if s.Host != "" && m.host != "" && s.Host != m.host {
				continue
			}
			if !exports.MayMatch(s.Pattern, m.path) {
				continue
			}
			pattern := exports.NormalPattern(s.Pattern)
			if pattern == "" || exports.MatchNormalPattern(pattern, m.path) {
				m.list = append(m.list, found{s, d, i, k, len(pattern)})
			}
		}
	}
	slices.SortFunc(m.list, compareFound)
	return m
}

// compareFound orders statements by what they and their documents say, whatever
// the order in which they were found. Only copies of one document with the same
// dates are told apart by their place.
func compareFound(a, b found) int {
	return cmp.Or(
		strings.Compare(a.from.URL, b.from.URL), strings.Compare(a.from.Digest, b.from.Digest),
		a.Group-b.Group, strings.Compare(a.Locator, b.Locator), strings.Compare(a.Text, b.Text),
		cmp.Compare(a.from.CheckedAt, b.from.CheckedAt), cmp.Compare(a.from.ValidUntil, b.from.ValidUntil),
		a.number-b.number, a.doc-b.doc,
	)
}

// RelSpeaksFor is the relation of the links by which a publisher's own file
// names the further hosts that it speaks for.
const RelSpeaksFor = "speaks-for"

// spokenFor lists the further hosts that a publisher's own file speaks for.
func (d *Document) spokenFor() []string {
	var hosts []string
	for i := range d.Links {
		if d.Links[i].Rel == RelSpeaksFor {
			host, _ := Split(d.Links[i].URL)
			hosts = append(hosts, host)
		}
	}
	return hosts
}

// combineFor answers for one agent.
func (m *matches) combineFor(agent string) []Answer {
	licences := licencesInForce(m.docs, agent)
	said := m.inForce(agent, licences)
	if len(said[TDMRep]) == 0 {
		said[TDMPolicy] = m.dropNamedPolicies(said[TDMPolicy])
	}
	out := make([]Answer, 0, len(said)*len(exports.Uses))
	for _, name := range Names {
		if own := said[name]; len(own) > 0 {
			out = append(out, channelAnswers(name, own, said)...)
		}
	}
	return withdrawPermissions(out, m.gapsFor(agent, licences))
}

// dropNamedPolicies drops policies that reservations of other resources point to: they
// are about those.
func (m *matches) dropNamedPolicies(policies []found) []found {
	if len(policies) == 0 {
		return nil
	}
	named := map[string]bool{}
	for i := range m.docs {
		for _, l := range m.docs[i].Links {
			if l.Rel == "tdm-policy" {
				named[addressKey(l.URL)] = true
			}
		}
	}
	var out []found
	for _, f := range policies {
		if !named[addressKey(f.from.URL)] {
			out = append(out, f)
		}
	}
	return out
}

// inForce picks the statements that are made to an agent, by channel.
func (m *matches) inForce(agent string, licences licenceSet) map[Name][]found {
	said := map[Name][]found{}
	groups := make([][]int, len(m.docs))
	for i := range m.docs {
		groups[i] = m.docs[i].groupsFor(agent)
	}
	for _, f := range m.list {
		if f.from.Channel == RSL && licences.isHidden(f.from.URL) {
			continue
		}
		if f.madeTo(agent, groups[f.doc]) {
			said[f.Channel] = append(said[f.Channel], f)
		}
	}
	return said
}

// madeTo reports whether a statement is addressed to an agent whose groups in
// the document are given. What a page says to an agent by name is in addition
// to what it says to everybody.
func (f *found) madeTo(agent string, groups []int) bool {
	if len(f.from.Groups) > 0 && f.Group > 0 {
		return slices.Contains(groups, f.Group)
	}
	return f.Agent == "" || f.Agent == "*" || sameAgent(f.Agent, agent)
}
