package rights

import (
	"slices"

	"colophon/exports"
)

// cell is the outcome for one audience: a group of agents, a user type and a
// territory, each given by its index in the list of distinguished ones.
type cell struct {
	outcome
	agents, userType, territory int
}

// grid holds the outcomes for every audience that a question is about.
type grid struct {
	cells       []cell
	readings    []reading
	userTypes   []string
	territories []territory
}

// evaluateUse judges one use for every audience that the question is about
// and combines the outcomes.
func evaluateUse(c *Case, q Question, use exports.Use, readings []reading) (UseVerdict, *evaluation) {
	evaluations := make([]*evaluation, len(readings))
	var limits []*Audience
	for i := range readings {
		evaluations[i] = &evaluation{c: c, q: q, use: use}
		evaluations[i].gatherStatements(&readings[i])
		limits = append(limits, evaluations[i].listAudiences()...)
	}
	g := grid{readings: readings}
	g.userTypes, g.territories = distinguishedAudiences(q, limits)
	g.cells = make([]cell, 0, len(evaluations)*len(g.userTypes)*len(g.territories))
	until := int64(noEnd)
	for a, v := range evaluations {
		for u, userType := range g.userTypes {
			for t := range g.territories {
				p := person{userType, g.territories[t].code}
				g.cells = append(g.cells, cell{v.decideFor(p), a, u, t})
			}
		}
		until = min(until, v.until)
	}
	general := evaluations[0]
	if q.Agent == "" {
		general.notePassedOver()
	}
	general.notApplied = uniqueNotApplied(general.notApplied)
	verdict := g.combineAudiences()
	verdict.Retention = exports.RetentionUnknown
	if c.State == Active {
		verdict.setRetention(g.retained(evaluations, verdict.Verdict))
	}
	verdict.Use, verdict.ValidUntil = use, until
	verdict.SignalsAgree = verdict.Verdict == "withdrawn" || !general.channelsDisagree()
	for _, v := range evaluations {
		verdict.Confirmation = strongerDoubt(verdict.Confirmation, v.confirmationState())
	}
	return verdict, general
}

// combineAudiences returns the answer to a question that leaves the audience
// open. If all audiences get the same verdict, it is that one. If some audience
// can get a licence, the answer is to ask for one; otherwise it is the
// strictest verdict, and never a permission.
func (g *grid) combineAudiences() UseVerdict {
	taken := g.cells[0].verdict
	for i := range g.cells {
		taken = combineVerdicts(taken, g.cells[i].verdict)
	}
	v := UseVerdict{Verdict: taken}
	for i := range g.cells {
		c := &g.cells[i]
		v.SomeoneMayAsk = v.SomeoneMayAsk || c.mayAsk || c.verdict == "license_required" || c.verdict == "unknown"
		if c.verdict != taken {
			continue
		}
		if v.Reason == "" {
			v.Reason = c.reason
		}
		v.LicenseIDs = append(v.LicenseIDs, c.licences...)
		v.Obligations = append(v.Obligations, c.obligations...)
		v.Basis = append(v.Basis, c.basis...)
	}
	v.LicenseIDs = uniqueWords(v.LicenseIDs)
	v.Obligations = orderObligations(v.Obligations)
	v.Basis = uniqueInOrder(v.Basis)
	v.DependsOn = g.dependsOn()
	if len(v.DependsOn) > 0 {
		v.Audiences = g.audienceRows()
	}
	return v
}

// retained returns what is said about keeping a copy: by the publisher and its
// channels to any of the audiences, and by the offers to those with the verdict.
func (g *grid) retained(evaluations []*evaluation, verdict string) []retained {
	var out []retained
	for _, v := range evaluations {
		out = append(out, v.retained...)
	}
	for i := range g.cells {
		if c := &g.cells[i]; c.verdict == verdict {
			out = append(out, c.retained...)
		}
	}
	return out
}

// combineVerdicts returns the verdict for two audiences together.
func combineVerdicts(a, b string) string {
	switch {
	case a == b:
		return a
	case a == "license_required" || b == "license_required":
		return "license_required"
	case verdictRank(a) < verdictRank(b):
		return a
	}
	return b
}

// dependsOn returns the properties by which the verdicts differ.
func (g *grid) dependsOn() []string {
	byAgent := false
	byUserType := false
	byTerritory := false
	users, places := len(g.userTypes), len(g.territories)
	for i := range g.cells {
		c := &g.cells[i]
		at := func(agents, userType, territory int) string {
			return g.cells[(agents*users+userType)*places+territory].verdict
		}
		byAgent = byAgent || c.verdict != at(0, c.userType, c.territory)
		byUserType = byUserType || c.verdict != at(c.agents, 0, c.territory)
		byTerritory = byTerritory || c.verdict != at(c.agents, c.userType, 0)
	}
	var out []string
	if byAgent {
		out = append(out, "agent")
	}
	if byTerritory {
		out = append(out, "territory")
	}
	if byUserType {
		out = append(out, "user_type")
	}
	return out
}

// audienceRows returns the verdict of each audience: one row for each verdict
// and set of audiences that share it. Properties on which the verdict does not
// depend are left out.
func (g *grid) audienceRows() []exports.AudienceVerdict {
	depends := g.dependsOn()
	var rows []exports.AudienceVerdict
	for i := range g.cells {
		c := &g.cells[i]
		row := exports.AudienceVerdict{Verdict: c.verdict, Reason: c.reason, LicenseIDs: uniqueWords(c.licences)}
		if slices.Contains(depends, "agent") {
			row.Agents = agentWords(g.readings[c.agents].agents)
		}
		if slices.Contains(depends, "territory") {
			row.Territories = []string{g.territories[c.territory].word}
		}
		if slices.Contains(depends, "user_type") {
			row.UserTypes = []string{g.userTypes[c.userType]}
		}
		rows = append(rows, row)
	}
	rows = mergeRows(rows, func(r *exports.AudienceVerdict) *[]string { return &r.Territories })
	rows = mergeRows(rows, func(r *exports.AudienceVerdict) *[]string { return &r.UserTypes })
	return nameAgents(mergeRows(rows, func(r *exports.AudienceVerdict) *[]string { return &r.Agents }))
}

func agentWords(agents []string) []string {
	if agents == nil {
		return []string{otherWord}
	}
	return slices.Clone(agents[:min(len(agents), maxAgents+1)])
}

// maxAgents bounds the agents that one row names; andOthers represents the
// rest.
const (
	maxAgents = 500
	andOthers = "and_others"
)

// nameAgents sorts the agents of each row, with those that no statement names
// last, and bounds their number.
func nameAgents(rows []exports.AudienceVerdict) []exports.AudienceVerdict {
	for i := range rows {
		agents := rows[i].Agents
		others := slices.Contains(agents, otherWord)
		agents = slices.DeleteFunc(agents, func(name string) bool { return name == otherWord })
		slices.Sort(agents)
		if len(agents) > maxAgents {
			agents = append(agents[:maxAgents], andOthers)
		}
		if others {
			agents = append(agents, otherWord)
		}
		rows[i].Agents = agents
	}
	return rows
}

// mergeRows joins rows that differ in one list only, and rows that do not
// differ.
func mergeRows(rows []exports.AudienceVerdict, list func(*exports.AudienceVerdict) *[]string) []exports.AudienceVerdict {
	var out []exports.AudienceVerdict
	for _, row := range rows {
		i := slices.IndexFunc(out, func(known exports.AudienceVerdict) bool {
			bare := row
			*list(&bare) = *list(&known)
			return sameVerdict(&bare, &known)
		})
		if i < 0 {
			out = append(out, row)
			continue
		}
		merged := list(&out[i])
		for _, word := range *list(&row) {
			if len(*merged) <= maxAgents && !slices.Contains(*merged, word) {
				*merged = append(*merged, word)
			}
		}
	}
	return out
}

func sameVerdict(r, x *exports.AudienceVerdict) bool {
	return r.Verdict == x.Verdict && r.Reason == x.Reason && slices.Equal(r.LicenseIDs, x.LicenseIDs) &&
		slices.Equal(r.Agents, x.Agents) && slices.Equal(r.UserTypes, x.UserTypes) && slices.Equal(r.Territories, x.Territories)
}
