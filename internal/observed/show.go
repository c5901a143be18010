package observed

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"colophon/exports"
	"colophon/internal/agents"
	"colophon/internal/prose"
	"colophon/internal/wire"
)

// Result returns what machines read of a report: its members, the known agents
// with the documents of their operators, the warnings and the number of
// findings.
func (r *Report) Result() any {
	return struct {
		*Report
		Known        []knownAgent   `json:"known_agents"`
		Warnings     []agentWarning `json:"agent_warnings"`
		Findings     int            `json:"findings"`
		GrantsRights bool           `json:"grants_rights"`
	}{r, r.knownAgents(), r.agentWarnings(), r.Findings(), false}
}

// knownAgent is what one known agent is told.
type knownAgent struct {
	Agent     string                                         `json:"agent"`
	Class     string                                         `json:"class"`
	Crawler   string                                         `json:"crawler"`
	Edge      string                                         `json:"edge"`
	MayIgnore bool                                           `json:"may_ignore_robots"`
	Operator  string                                         `json:"operator"`
	Source    *string                                        `json:"source"` // of the operator, with its date and when it was read; nil: not known
	Dated     *string                                        `json:"source_dated"`
	Read      *string                                        `json:"source_read"`
	Uses      wire.Rows[exports.AgentUse, *exports.AgentUse] `json:"uses"`
}

func (r *Report) knownAgents() []knownAgent {
	rows := []knownAgent{}
	for i := range agents.Known {
		a := &agents.Known[i]
		at := slices.IndexFunc(r.Known, func(g exports.AgentGroup) bool { return slices.Contains(g.Agents, a.Name) })
		if at < 0 {
			continue
		}
		g := &r.Known[at]
		row := knownAgent{Agent: a.Name, Operator: a.Operator, Class: g.Class, Crawler: g.Crawler, Edge: g.Edge, Uses: g.Uses, MayIgnore: a.MayIgnore}
		if d := a.Source; d != nil {
			row.Source, row.Read = &d.URL, &d.Read
			if d.Dated != "" {
				row.Dated = &d.Dated
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// agentWarning is a rule that keeps out more than training.
type agentWarning struct {
	Agents    []string `json:"agents"`
	Instead   []string `json:"instead"`
	Origin    string   `json:"origin"`
	Statement string   `json:"statement"`
	URL       string   `json:"url"`
	Use       string   `json:"use"`
	Where     string   `json:"where"`
}

func (r *Report) agentWarnings() []agentWarning {
	rows := []agentWarning{}
	for i := range r.Warnings {
		x := &r.Warnings[i]
		rows = append(rows, agentWarning{
			Use: x.Use, Agents: x.Agents, Statement: x.Statement, URL: x.URL, Where: x.Locator, Origin: cmp.Or(x.Origin, publisher), Instead: append([]string{}, x.Instead...),
		})
	}
	return rows
}

// Print prints a report for people.
func (r *Report) Print(w io.Writer) {
	fmt.Fprintf(w, "%s\n\ndocuments\n", r.Resource)
	for i := range r.Documents {
		d := &r.Documents[i]
		fmt.Fprintf(w, "  %-15s %-11s %-8s %3d statement(s)  %s\n", d.Channel, d.State, d.Reading, d.Statements, d.URL)
		for _, x := range d.Warnings {
			fmt.Fprintf(w, "    warning %s %s %s\n", x.Code, x.Locator, x.Detail)
		}
	}
	fmt.Fprintln(w, "\nsaid")
	for _, s := range r.Stated {
		to := ""
		if s.Agent != "" {
			to = " to " + s.Agent
		}
		if s.Origin != publisher {
			to += " by the " + strings.ToUpper(s.Origin)
		}
		fmt.Fprintf(w, "  %-16s %-9s %s%s: %s\n", s.Use, s.Effect, s.Channel, to, s.Statement)
	}
	fmt.Fprintln(w, "\ncontradictions")
	for _, c := range r.Conflicts {
		var sides []string
		for i := range c.Between {
			sides = append(sides, c.Between[i]+" says "+c.Values[i])
		}
		fmt.Fprintf(w, "  %-16s %s; taken: %s\n", c.Use, strings.Join(sides, ", "), c.Taken)
	}
	for _, d := range r.Doubts {
		fmt.Fprintf(w, "  %-16s the statement in the registry is %s\n", d.Use, d.Confirmation)
	}
	printLines(w, "assumed", r.Assumed)
	fmt.Fprintf(w, "\nverdicts %s (nothing here grants rights)\n", r.Vector)
	for _, v := range r.Verdicts {
		fmt.Fprintf(w, "  %-16s %-16s %s; copies: %s\n", v.Use, v.Verdict, v.Reason, prose.RetentionWords(v.Retention))
	}
	if len(r.ByAgent) > 0 {
		r.printByAgent(w)
	}
	r.printKnown(w)
	if len(r.Differences) > 0 {
		printLines(w, "differences", r.Differences)
	}
	fmt.Fprintf(w, "\n%d finding(s)\n", r.Findings())
}

func printLines[T any](w io.Writer, heading string, list []T) {
	fmt.Fprintf(w, "\n%s\n", heading)
	for _, line := range list {
		fmt.Fprintf(w, "  %v\n", line)
	}
}

// printByAgent prints a table of what the site tells each agent about each use.
func (r *Report) printByAgent(w io.Writer) {
	fmt.Fprintf(w, "\n%-18s", "agents")
	for _, a := range r.ByAgent {
		fmt.Fprintf(w, " %-16s", a.Agent)
	}
	fmt.Fprintln(w)
	for i, use := range exports.Uses {
		fmt.Fprintf(w, "  %-16s", use)
		for _, a := range r.ByAgent {
			fmt.Fprintf(w, " %-16s", a.Verdicts[i].Verdict)
		}
		fmt.Fprintln(w)
	}
}

// printKnown prints what the known agents are told, those that are told the same
// in one row, and the rules that keep out more than training.
func (r *Report) printKnown(w io.Writer) {
	fmt.Fprintln(w, "\nknown agents")
	for i := range r.Known {
		g := &r.Known[i]
		for _, u := range g.Uses {
			fmt.Fprintf(w, "  %-16s %-16s %s\n", u.Use, u.Verdict, nameAgents(g))
			for _, t := range u.Told {
				fmt.Fprintf(w, "    %s %s: %s\n", t.Channel, t.Effect, t.Statement)
			}
		}
	}
	if len(r.Warnings) > 0 {
		fmt.Fprintln(w, "\nkept out together with training")
	}
	for i := range r.Warnings {
		x := &r.Warnings[i]
		fmt.Fprintf(w, "  %-16s %s\n    by %q (%s %s)\n", x.Use, strings.Join(x.Agents, ", "), x.Statement, x.URL, x.Locator)
		if len(x.Instead) > 0 {
			fmt.Fprintf(w, "    to decline training alone, disallow these instead: %s\n", strings.Join(x.Instead, ", "))
		}
	}
}

// nameAgents names the agents of a group, and says how the edge answered them.
func nameAgents(g *exports.AgentGroup) string {
	words := strings.Join(g.Agents, ", ")
	if g.Crawler != "" {
		words += " (fetched by " + g.Crawler + ")"
	}
	if g.Edge != "" && g.Edge != "unchecked" {
		words += " (edge: " + g.Edge + ")"
	}
	return words
}
