package rights

import (
	"slices"
	"strings"
)

// reading is the evidence that counts for a group of agents to which every
// channel says the same. agents is nil for everybody that no channel names.
type reading struct {
	agents   []string
	evidence []*Evidence
}

// readingsOf returns the readings that a question is about: that of the agent
// it names, or else the general one followed by one for each group of agents to
// which some channel says something different.
func readingsOf(all []Evidence, agent string) []reading {
	if agent != "" {
		return []reading{{[]string{agent}, countingFor(all, agent)}}
	}
	out := []reading{{nil, countingFor(all, "")}}
	for _, name := range agentsNamed(all) {
		evidence := countingFor(all, name)
		i := slices.IndexFunc(out, func(r reading) bool { return sameReading(r.evidence, evidence) })
		switch {
		case i == 0: // the channel says the same to it as to everybody
		case i > 0:
			out[i].agents = append(out[i].agents, namesOf(all, name)...)
		default:
			out = append(out, reading{namesOf(all, name), evidence})
		}
	}
	return out
}

// namesOf returns an agent and those with the same reading.
func namesOf(all []Evidence, agent string) []string {
	names := []string{agent}
	for i := range all {
		if e := &all[i]; strings.EqualFold(e.Agent, agent) {
			return append(names, e.Alike...)
		}
	}
	return names
}

// agentsNamed returns the product tokens in the evidence, in lower case.
func agentsNamed(all []Evidence) []string {
	var names []string
	last := ""
	for i := range all {
		if name := all[i].Agent; name != "" && name != last {
			last = name
			names = append(names, strings.ToLower(name))
		}
	}
	return uniqueWords(names)
}

// countingFor returns the evidence that counts for one agent: from each channel
// that names the agent, what it says to that agent, and from the others what
// they say to everybody. No channel names the agent "".
func countingFor(all []Evidence, agent string) []*Evidence {
	var knows []string
	for i := range all {
		if e := &all[i]; agent != "" && strings.EqualFold(e.Agent, agent) && !slices.Contains(knows, e.Channel) {
			knows = append(knows, e.Channel)
		}
	}
	var out []*Evidence
	for i := range all {
		e := &all[i]
		if slices.Contains(knows, e.Channel) {
			if strings.EqualFold(e.Agent, agent) {
				out = append(out, e)
			}
		} else if e.Agent == "" {
			out = append(out, e)
		}
	}
	return out
}

// sameReading reports whether two lists say the same, apart from the agents
// they are for.
func sameReading(a, b []*Evidence) bool {
	return slices.EqualFunc(a, b, func(x, y *Evidence) bool {
		return x == y || x.Channel == y.Channel && x.Use == y.Use && x.Effect == y.Effect && x.Retention == y.Retention && x.CheckedAt == y.CheckedAt &&
			x.ValidUntil == y.ValidUntil && slices.EqualFunc(x.Options, y.Options, sameOption)
	})
}

func sameOption(a, b Option) bool {
	return a.Effect == b.Effect && slices.Equal(a.Obligations, b.Obligations) &&
		slices.Equal(a.Audience.UserTypes, b.Audience.UserTypes) && slices.Equal(a.Audience.NotUserTypes, b.Audience.NotUserTypes) &&
		slices.Equal(a.Audience.Territories, b.Audience.Territories) && slices.Equal(a.Audience.NotTerritories, b.Audience.NotTerritories)
}
