package rights

import (
	"slices"
	"strings"

	"colophon/exports"
)

// reading is the evidence that counts for some agents: those to which every
// channel says the same. agents is nil for everybody whom no channel names.
type reading struct {
	agents   []string
	evidence []*Evidence
}

// readingsOf lists the readings a question is about: that of the agent which
// it names, else the general one followed by one for each group of agents
// to which some channel says something else.
func readingsOf(all []Evidence, agent string) []reading {
	if agent != "" {
		return []reading{{[]string{agent}, countingFor(all, agent)}}
	}
	out := []reading{{nil, countingFor(all, "")}}
	for _, name := range agentsNamed(all) {
		evidence := countingFor(all, name)
		i := slices.IndexFunc(out, func(r reading) bool { return sameReading(r.evidence, evidence) })
		switch {
		case i == 0: // the channel says to it what it says to everybody
		case i > 0:
			out[i].agents = append(out[i].agents, namesOf(all, name)...)
		default:
			out = append(out, reading{namesOf(all, name), evidence})
		}
	}
	return out
}

// namesOf lists an agent and those with the same reading.
func namesOf(all []Evidence, agent string) []string {
	names := []string{agent}
	for i := range all {
		if e := &all[i]; strings.EqualFold(e.Agent, agent) {
			return append(names, e.Alike...)
		}
	}
	return names
}

// agentsNamed lists the product tokens in the evidence, in lower case.
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

// countingFor picks the evidence that counts for one agent: in each channel
// that knows the agent by name, what it says to that agent; elsewhere what it
// says to everybody. An agent of "" is known to no channel.
func countingFor(all []Evidence, agent string) []*Evidence {
	var knows []string
	for i := range all {
		if e := &all[i]; agent != "" && strings.EqualFold(e.Agent, agent) && !exports.OneOf(e.Channel, knows) {
			knows = append(knows, e.Channel)
		}
	}
	var out []*Evidence
	for i := range all {
		e := &all[i]
		if exports.OneOf(e.Channel, knows) {
			if strings.EqualFold(e.Agent, agent) {
				out = append(out, e)
			}
		} else if e.Agent == "" {
			out = append(out, e)
		}
	}
	return out
}

// sameReading reports whether two lists say the same, whatever agents they are for.
func sameReading(a, b []*Evidence) bool {
	return slices.EqualFunc(a, b, func(x, y *Evidence) bool {
		return x == y || x.Channel == y.Channel && x.Use == y.Use && x.Effect == y.Effect && x.CheckedAt == y.CheckedAt &&
			x.ValidUntil == y.ValidUntil && slices.EqualFunc(x.Options, y.Options, sameOption)
	})
}

func sameOption(a, b Option) bool {
	return a.Effect == b.Effect && slices.Equal(a.Obligations, b.Obligations) &&
		slices.Equal(a.Audience.UserTypes, b.Audience.UserTypes) && slices.Equal(a.Audience.NotUserTypes, b.Audience.NotUserTypes) &&
		slices.Equal(a.Audience.Territories, b.Audience.Territories) && slices.Equal(a.Audience.NotTerritories, b.Audience.NotTerritories)
}
