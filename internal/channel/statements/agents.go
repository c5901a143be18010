package statements

import (
	"strconv"
	"strings"
)

// Agents lists the product tokens that any of the documents names, in lower
// case and sorted.
func Agents(docs []Document) []string {
	var out []string
	for i := range docs {
		d := &docs[i]
		out = append(out, d.Agents...)
		for k := range d.Groups {
			for _, a := range d.Groups[k].Agents {
				if a != "*" {
					out = append(out, a)
				}
			}
		}
	}
	return SortedSet(out)
}

// agentClasses groups the named agents to which other statements apply than to
// everybody into classes with the same statements. Its cost is that of the
// matching statements, and one look at each mention of an agent.
func (m *matches) agentClasses() [][]string {
	sums := m.summarizeGroups()
	memberships := make([]map[string][]int, len(m.docs))
	for i := range m.docs {
		memberships[i] = m.docs[i].agentGroups()
	}
	everybody := m.classKey("", sums, memberships)
	place := map[string]int{}
	var out [][]string
	for _, agent := range Agents(m.docs) {
		key := m.classKey(agent, sums, memberships)
		if key == everybody {
			continue
		}
		at, known := place[key]
		if !known {
			at = len(out)
			place[key] = at
			out = append(out, nil)
		}
		out[at] = append(out[at], agent)
	}
	return out
}

// agentGroups returns the groups of each product token.
func (d *Document) agentGroups() map[string][]int {
	if len(d.Groups) == 0 {
		return nil
	}
	out := map[string][]int{}
	for i := range d.Groups {
		for _, a := range d.Groups[i].Agents {
			out[a] = append(out[a], i+1)
		}
	}
	return out
}

// summary is what one group says about the resource, after the rules of
// precedence within the group. The summary of two groups together consists of
// the rows of both.
type summary []summaryRow

type summaryRow struct {
	channel Name
	word    string
	effect  Effect
	octets  int
}

// summarizeGroups returns, by document and group, what each group says.
func (m *matches) summarizeGroups() []map[int]summary {
	out := make([]map[int]summary, len(m.docs))
	for i := range m.list {
		f := &m.list[i]
		if len(f.from.Groups) == 0 || f.Group == 0 {
			continue
		}
		if out[f.doc] == nil {
			out[f.doc] = map[int]summary{}
		}
		out[f.doc][f.Group] = out[f.doc][f.Group].addRow(summaryRow{f.Channel, f.Word, f.Effect, f.octets})
	}
	return out
}

// addRow adds a row. If only the most specific pattern counts, it drops shorter
// ones; equal rows are kept once.
func (s summary) addRow(r summaryRow) summary {
	if r.channel == ContentSignal {
		r.octets = 0
	}
	kept := s[:0:0]
	for _, x := range s {
		if x == r {
			return s
		}
		switch {
		case x.channel != r.channel || x.octets == r.octets || r.channel == AITxt && x.word != r.word:
			kept = append(kept, x)
		case x.octets > r.octets:
			return s
		}
	}
	return append(kept, r)
}

func (s summary) summaryKey() string {
	rows := make([]string, 0, len(s))
	for _, r := range s {
		rows = append(rows, string(r.channel)+":"+r.word+":"+r.effect.String())
	}
	return strings.Join(SortedSet(rows), ",")
}

// classKey returns the same for agents for which the same statements hold.
func (m *matches) classKey(agent string, sums []map[int]summary, memberships []map[string][]int) string {
	var parts []string
	for i := range m.docs {
		d := &m.docs[i]
		groups := memberships[i][agent]
		if agent == "" || len(groups) == 0 {
			groups = memberships[i]["*"]
		}
		var own summary
		for n, g := range groups {
			if n == 0 {
				own = sums[i][g]
				continue
			}
			for _, r := range sums[i][g] {
				own = own.addRow(r)
			}
		}
		if key := own.summaryKey(); key != "" {
			parts = append(parts, strconv.Itoa(i)+" "+key)
		}
		if licences := m.linkKey(d, groups); licences != "" {
			parts = append(parts, strconv.Itoa(i)+" "+licences)
		}
	}
	return strings.Join(append(parts, m.pageKey(agent)...), "|")
}

// maxNamed bounds the licence files that distinguish groups.
const maxNamed = 16

// linkKey names the licence files that groups point to.
func (m *matches) linkKey(d *Document, groups []int) string {
	if len(d.Groups) == 0 || len(d.Links) == 0 {
		return ""
	}
	named := d.licenceFiles(groups)
	if len(named) > maxNamed {
		named = named[:maxNamed]
	}
	return strings.Join(SortedSet(named), " ")
}

// pageKey lists what pages and headers say to an agent by name.
func (m *matches) pageKey(agent string) []string {
	var out []string
	for i := range m.list {
		f := &m.list[i]
		if agent != "" && (len(f.from.Groups) == 0 || f.Group == 0) && f.Agent != "" && f.Agent != "*" && sameAgent(f.Agent, agent) {
			out = append(out, string(f.Channel)+":"+f.Word+":"+f.Effect.String())
		}
	}
	return SortedSet(out)
}
