package rights

import (
	"slices"
	"strings"

	"colophon/exports"
	"colophon/internal/agents"
	"colophon/internal/channel/statements"
	"colophon/internal/origin"
	"colophon/internal/wire"
)

// Agents returns what the known agents are told about a resource, those that
// are told the same together, and the rules that keep out search or assistants
// together with training. signals are those of the site, which hold the last
// check of its edge.
func (j *Judge) Agents(about *Resource, signals []origin.Signal) ([]exports.AgentGroup, []exports.AgentWarning) {
	edge := edgeResults(signals)
	docs := withFollowers(j.doc.Documents)
	index, named := statements.NewIndex(docs), statements.Agents(docs)
	known := map[string]told{} // by token; "" for all that no document names
	ask := func(token string) told {
		key := token
		if _, ok := slices.BinarySearch(named, token); !ok {
			key = ""
		}
		t, ok := known[key]
		if !ok {
			t = j.tellAgent(index, about, token)
			known[key] = t
		}
		return t
	}

	var groups []exports.AgentGroup
	place := map[string]int{}
	var w warnings
	for i := range agents.Known {
		a := &agents.Known[i]
		t := ask(a.Fetcher())
		g := exports.AgentGroup{Class: a.Class(), Uses: t.usesOf(a)}
		if a.Crawler != "" {
			g.Crawler = crawlerName(a.Crawler)
		} else {
			g.Edge = edge[g.Class]
			if g.Edge == "" {
				g.Edge = "unchecked"
			}
		}
		key := string(wire.Append(nil, &g))
		at, ok := place[key]
		if !ok {
			at = len(groups)
			place[key] = at
			groups = append(groups, g)
		}
		groups[at].Agents = append(groups[at].Agents, a.Name)
		w.collect(a, t)
	}
	slices.SortStableFunc(groups, func(a, b exports.AgentGroup) int {
		return slices.Index(exports.AgentClasses, a.Class) - slices.Index(exports.AgentClasses, b.Class)
	})
	return groups, w.list(j.doc.Preferences)
}

// told is what one agent is told.
type told struct {
	answer *Answer
	found  []statements.Answer
}

// tellAgent evaluates a resource for one agent.
func (j *Judge) tellAgent(index *statements.Index, about *Resource, token string) told {
	found := index.Combine(addressOf(j.doc, about), token) // already that for the agent
	return told{answer: j.evaluateFound(about, found), found: found}
}

// withFollowers returns documents in which agents that follow the rules for
// another agent, where robots.txt names only that one, have these rules.
func withFollowers(docs []statements.Document) []statements.Document {
	out := slices.Clone(docs)
	for i := range out {
		for k := range agents.Known {
			if a := &agents.Known[k]; a.Follows != "" {
				out[i] = out[i].WithFollower(a.Token, a.Follows)
			}
		}
	}
	return out
}

func crawlerName(token string) string {
	for i := range agents.Known {
		if a := &agents.Known[i]; a.Token == token {
			return a.Name
		}
	}
	return token
}

// usesOf returns what an agent is told about each of its uses.
func (t *told) usesOf(a *agents.Agent) []exports.AgentUse {
	out := make([]exports.AgentUse, 0, len(a.Uses))
	for _, use := range a.Uses {
		v := &t.answer.Uses[use.Index()]
		u := exports.AgentUse{Use: string(use), Verdict: v.Verdict, Reason: v.Reason}
		for i := range t.found {
			if f := &t.found[i]; f.Use == use && f.Effect != statements.Unknown {
				u.Told = append(u.Told, exports.Told{Channel: string(f.Channel), Effect: f.Effect.String(), Statement: clipStatement(f.Value)})
			}
		}
		out = append(out, u)
	}
	return out
}

// clipStatement bounds what is quoted of a channel.
func clipStatement(s string) string {
	const most = 160
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// warnings collects the lines of robots.txt that keep agents out.
type warnings struct {
	training []statements.Source // lines that keep out some agent that trains
	kept     []keptOut
}

// keptOut is an agent of search or an assistant that a line keeps out.
type keptOut struct {
	agent *agents.Agent
	use   exports.Use
	line  statements.Source
}

// collect notes the lines that keep an agent from fetching for a use, unless
// another channel declines that use by its own name.
func (w *warnings) collect(a *agents.Agent, t told) {
	lines := map[exports.Use][]statements.Source{}
	declined := map[exports.Use]bool{}
	for i := range t.found {
		f := &t.found[i]
		switch {
		case f.Effect != statements.Disallow:
		case len(f.Loss) == 0:
			declined[f.Use] = true
		case slices.Contains(f.Loss, statements.CrawlWord):
			lines[f.Use] = f.Sources
		}
	}
	use := a.Uses[0]
	switch {
	case a.Trains():
		w.training = append(w.training, lines[use]...)
	case !declined[use]:
		for _, line := range lines[use] {
			w.kept = append(w.kept, keptOut{a, use, line})
		}
	}
}

// list returns a warning for each line and use.
func (w *warnings) list(stated []exports.Preference) []exports.AgentWarning {
	var out []exports.AgentWarning
	for _, k := range w.kept {
		declined := slices.ContainsFunc(stated, func(p exports.Preference) bool { return p.Use == string(k.use) && p.Declared == "disallow" })
		if declined || !slices.Contains(w.training, k.line) {
			continue
		}
		i := slices.IndexFunc(out, func(x exports.AgentWarning) bool {
			return x.Use == string(k.use) && x.URL == k.line.URL && x.Locator == k.line.Locator && x.Statement == k.line.Text
		})
		if i < 0 {
			i = len(out)
			out = append(out, exports.AgentWarning{Use: string(k.use), Statement: k.line.Text, URL: k.line.URL, Locator: k.line.Locator, Origin: k.line.Origin})
		}
		out[i].Agents = append(out[i].Agents, k.agent.Name)
		for _, name := range agents.TrainingTokens(k.agent.Operator) {
			if !slices.Contains(out[i].Instead, name) {
				out[i].Instead = append(out[i].Instead, name)
			}
		}
	}
	return out
}

// edgeResults returns what the last check of a site's edge showed for each
// class of agents: the worst of its samples.
func edgeResults(signals []origin.Signal) map[string]string {
	out := map[string]string{}
	for i := range signals {
		if signals[i].Report == "" {
			continue
		}
		report, err := wire.Parse([]byte(signals[i].Report), wire.Trusted)
		if err != nil {
			continue
		}
		samples := report.Get("samples")
		if samples == nil {
			continue
		}
		for k := range samples.Items {
			class, _ := samples.Items[k].Get("class").Str()
			result, _ := samples.Items[k].Get("result").Str()
			if slices.Contains(exports.EdgeResults, result) {
				out[class] = worseResult(out[class], result)
			}
		}
	}
	return out
}

// worseResult returns the result that counts for two samples of one class.
func worseResult(a, b string) string {
	for _, word := range []string{"mismatch", "unreachable", "not_told_apart"} {
		if a == word || b == word {
			return word
		}
	}
	return b
}
