package said

import (
	"slices"
	"strings"

	"colophon/exports"
	"colophon/internal/wire/order"
)

// Answer is what one channel says about one use of one resource, after the
// channel's own rules of precedence.
type Answer struct {
	Channel Name
	Agent   string // robots product token it holds for, "" = everybody
	Use     exports.Use
	Effect  Effect   // Allow when any option is free, Priced when all are priced
	Options []Option // the permissions, when Effect is Allow or Priced
	Value   string   // what was said, in the channel's words
	Why     string   // why a channel that speaks says nothing here, see below
	Loss    []string // words that cover the use only loosely
	Sources []Source
}

// Reasons in Answer.Why.
const (
	WhyNotCovered = "channel_does_not_cover_use"
	WhyWiderWord  = "word_wider_than_use"
	WhyRefined    = "refined_by_policy"
)

// Option is one permission: free (Allow) or to be acquired (Priced).
type Option struct {
	Effect Effect
	Terms  Terms
}

// Source is where a statement was found.
type Source struct {
	URL        string
	Locator    string
	Text       string
	CheckedAt  int64
	ValidUntil int64
	Digest     string
}

// Combine answers for one resource (an absolute URL, or a path with query)
// and one agent ("" for any) from everything that was found about its site. A
// channel that speaks of the resource gives eight answers, in the order of
// exports.Uses; a silent one gives none. The order of results has no meaning.
func Combine(results []Document, resource, agent string) []Answer {
	q := question{agent: agent}
	q.host, q.path = Split(resource)
	said := q.statements(results)
	var out []Answer
	for _, name := range Names {
		if own := said[name]; len(own) > 0 {
			out = append(out, q.channel(name, own, said)...)
		}
	}
	return out
}

// Answers is Combine for everybody, followed by what differs for each agent
// that some result names: all eight answers of each channel that tells that
// agent something else than everybody, even when it tells it nothing.
func Answers(results []Document, resource string) []Answer {
	general := Combine(results, resource, "")
	out := slices.Clone(general)
	for _, agent := range Agents(results) {
		own := Combine(results, resource, agent)
		for _, name := range Names {
			a, g := ofChannel(own, name), ofChannel(general, name)
			if sameAnswers(a, g) {
				continue
			}
			if len(a) == 0 {
				a = silence(name)
			}
			for _, answer := range a {
				answer.Agent = agent
				out = append(out, answer)
			}
		}
	}
	return out
}

func ofChannel(answers []Answer, name Name) []Answer {
	var out []Answer
	for _, a := range answers {
		if a.Channel == name {
			out = append(out, a)
		}
	}
	return out
}

func silence(name Name) []Answer {
	out := make([]Answer, 0, len(exports.Uses))
	for _, u := range exports.Uses {
		out = append(out, Answer{Channel: name, Use: u})
	}
	return out
}

// Agents lists the product tokens that any of the results names, so that a
// caller can ask for each of them.
func Agents(results []Document) []string {
	var out []string
	for i := range results {
		out = append(out, results[i].Agents...)
	}
	return sortedSet(out)
}

type question struct{ host, path, agent string }

// found is a statement in force with the document it stands in.
type found struct {
	Statement
	from *Document
}

func (q *question) statements(results []Document) map[Name][]found {
	said := map[Name][]found{}
	licences := licencesInForce(results, q.agent)
	for i := range results {
		r := &results[i]
		if r.Embedded && !q.isResource(r.URL) {
			continue
		}
		if r.Channel == RSL && licences.hidden(r.URL) {
			continue
		}
		agent := r.GroupAgent(q.agent)
		for _, s := range r.Statements {
			if q.applies(&s, agent) {
				said[s.Channel] = append(said[s.Channel], found{s, r})
			}
		}
	}
	for _, own := range said {
		order.By(own, compareFound)
	}
	return said
}

func compareFound(a, b *found) int {
	for _, c := range []int{
		strings.Compare(a.from.URL, b.from.URL), strings.Compare(a.from.Digest, b.from.Digest),
		a.Group - b.Group, strings.Compare(a.Locator, b.Locator), strings.Compare(a.Text, b.Text),
	} {
		if c != 0 {
			return c
		}
	}
	return 0
}

// isResource tells whether an embedded document travels with the resource.
func (q *question) isResource(u string) bool {
	if u == "" {
		return true
	}
	host, path := Split(u)
	return (q.host == "" || host == q.host) && exports.NormalPattern(path) == exports.NormalPattern(q.path)
}

func (q *question) applies(s *Statement, group string) bool {
	if s.Host != "" && q.host != "" && s.Host != q.host {
		return false
	}
	if s.Pattern != "" && !exports.MatchPattern(s.Pattern, q.path) {
		return false
	}
	switch {
	case s.Agent == "":
		return true
	case s.Channel == HTMLMeta: // a named agent obeys both
		return s.Agent == "*" || sameAgent(s.Agent, q.agent)
	}
	return sameAgent(s.Agent, group)
}

// channel applies the precedence of one standard and reads the eight uses.
func (q *question) channel(name Name, own []found, said map[Name][]found) []Answer {
	switch name {
	case RSL:
		return rslAnswers(own)
	case Robots:
		return plainAnswers(name, own, mostSpecific(own, Allow))
	case AIPrefRobots:
		if crawlForbidden(said[Robots]) {
			return plainAnswers(name, own, nil) // no preference where there is no crawling
		}
		return plainAnswers(name, own, longest(own))
	case AITxt:
		return plainAnswers(name, own, mostSpecific(own, Disallow))
	case TDMRep:
		return tdmAnswers(own, said[TDMPolicy])
	case TDMPolicy:
		return plainAnswers(name, own, policiesInForce(own, said[TDMRep]))
	}
	return plainAnswers(name, own, own)
}

func crawlForbidden(rules []found) bool {
	for _, f := range mostSpecific(rules, Allow) {
		if f.Effect == Disallow {
			return true
		}
	}
	return false
}

// longest keeps the statements with the most specific matching pattern.
func longest(in []found) []found {
	most := -1
	var out []found
	for _, f := range in {
		n := exports.PatternSpecificity(f.Pattern)
		if n > most {
			most, out = n, nil
		}
		if n == most {
			out = append(out, f)
		}
	}
	return out
}

// mostSpecific is longest, with a tie going to the preferred effect.
func mostSpecific(in []found, tie Effect) []found {
	out := longest(in)
	for _, f := range out {
		if f.Effect == tie {
			return slices.DeleteFunc(slices.Clone(out), func(g found) bool { return g.Effect != tie })
		}
	}
	return out
}

// Speaks reports whether an embedded document travels with a resource.
func (d *Document) Speaks(resource string) bool {
	q := question{}
	q.host, q.path = Split(resource)
	return q.isResource(d.URL)
}
