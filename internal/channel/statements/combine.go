package statements

import (
	"slices"

	"colophon/exports"
)

// Answer is what one channel says about one use of one resource, after the
// channel's own rules of precedence.
type Answer struct {
	Channel   Name
	Agent     string   // robots product token it applies to, "" for everybody
	Alike     []string // further product tokens with the same answer
	Use       exports.Use
	Effect    Effect   // Allow when any option is free, Priced when all are priced
	Options   []Option // the permissions, when Effect is Allow or Priced
	Value     string   // what was said, in the channel's words
	Why       string   // why a channel that speaks says nothing here, see below
	Loss      []string // words that cover the use only loosely
	Retention string   // the strictest of what the channel says about keeping a copy, "" if nothing
	Sources   []Source
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
	Origin     string // see Statement.Origin
	CheckedAt  int64
	ValidUntil int64
	Digest     string
}

// Combine answers for one resource (an absolute URL, or a path with query) and
// one agent ("" for any) from everything found about its site. A channel that
// says something about the resource gives eight answers, in the order of
// exports.Uses; a silent one gives none. The order of results does not matter.
func Combine(results []Document, resource, agent string) []Answer {
	m := findMatches(results, resource)
	return m.combineFor(agent)
}

// Answers is Combine for everybody, followed by the differences for agents that
// some result names: all eight answers of each channel that says something else
// to an agent than to everybody, even if it says nothing to it. Agents to which
// a channel says the same are answered once; Answer.Agent is the first of them
// and Answer.Alike holds the others.
func Answers(results []Document, resource string) []Answer {
	m := findMatches(results, resource)
	return m.combineAnswers()
}

func (m *matches) combineAnswers() []Answer {
	general := m.combineFor("")
	out := slices.Clone(general)
	for _, class := range m.agentClasses() {
		own := m.combineFor(class[0])
		for _, name := range Names {
			a, g := ofChannel(own, name), ofChannel(general, name)
			if sameAnswers(a, g) {
				continue
			}
			if len(a) == 0 {
				a = silentAnswers(name)
			}
			for _, answer := range a {
				answer.Agent, answer.Alike = class[0], class[1:]
				out = append(out, answer)
			}
		}
	}
	return out
}

// ofChannel returns what one channel answers. The answers of a channel stand
// together.
func ofChannel(answers []Answer, name Name) []Answer {
	for i := range answers {
		if answers[i].Channel != name {
			continue
		}
		end := i
		for end < len(answers) && answers[end].Channel == name {
			end++
		}
		return answers[i:end:end]
	}
	return nil
}

func silentAnswers(name Name) []Answer {
	out := make([]Answer, 0, len(exports.Uses))
	for _, u := range exports.Uses {
		out = append(out, Answer{Channel: name, Use: u})
	}
	return out
}

// channel applies the precedence of one standard and reads the eight uses.
func channelAnswers(name Name, own []found, said map[Name][]found) []Answer {
	switch name {
	case RSL:
		return rslAnswers(own)
	case Robots:
		return plainAnswers(name, own, append(mostSpecific(crawlRules(own)), purposeRules(own)...))
	case AIPrefRobots:
		if crawlForbidden(said[Robots]) {
			return plainAnswers(name, own, nil) // a preference says nothing where crawling is disallowed
		}
		return plainAnswers(name, own, longestMatches(own))
	case TDMRep:
		return tdmAnswers(own, said[TDMPolicy])
	case TDMPolicy:
		return plainAnswers(name, own, policiesInForce(own, said[TDMRep]))
	case AITxt, PublisherFile:
		return plainAnswers(name, own, longestOfEachWord(own))
	}
	return plainAnswers(name, own, own)
}

// CrawlWord is the word of the robots channel for access; its other words are
// about what is done with a page.
const CrawlWord = "crawl"

func crawlRules(in []found) []found {
	return slices.DeleteFunc(slices.Clone(in), func(f found) bool { return f.Word != CrawlWord })
}

// purposeRules returns the most specific rules of each word that is about a
// purpose.
func purposeRules(in []found) []found {
	return longestOfEachWord(slices.DeleteFunc(slices.Clone(in), func(f found) bool { return f.Word == CrawlWord }))
}

func crawlForbidden(rules []found) bool {
	return slices.ContainsFunc(mostSpecific(crawlRules(rules)), func(f found) bool { return f.Effect == Disallow })
}

// longestMatches keeps the statements with the most specific matching pattern.
func longestMatches(in []found) []found {
	most := -1
	var out []found
	for _, f := range in {
		if f.octets > most {
			most, out = f.octets, nil
		}
		if f.octets == most {
			out = append(out, f)
		}
	}
	return out
}

// longestOfEachWord is longest for each word separately: what a file says about
// one use below a path leaves open what it says about others.
func longestOfEachWord(in []found) []found {
	most := map[string]int{}
	for _, f := range in {
		if n, seen := most[f.Word]; !seen || f.octets > n {
			most[f.Word] = f.octets
		}
	}
	var out []found
	for _, f := range in {
		if f.octets == most[f.Word] {
			out = append(out, f)
		}
	}
	return out
}

// mostSpecific is longestMatches with a tie going to what allows (RFC 9309, section
// 2.2.2).
func mostSpecific(in []found) []found {
	out := longestMatches(in)
	for _, f := range out {
		if f.Effect == Allow {
			return slices.DeleteFunc(slices.Clone(out), func(g found) bool { return g.Effect != Allow })
		}
	}
	return out
}
