package lint

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"colophon/exports"
	"colophon/internal/agents"
	"colophon/internal/cli"
	"colophon/internal/observed"
)

// printKnown prints what the known agents are told, those that are told the same
// in one row, and the rules that keep out more than training.
func printKnown(w io.Writer, r *observed.Report) {
	fmt.Fprintln(w, "\nknown agents")
	for i := range r.Known {
		g := &r.Known[i]
		for _, u := range g.Uses {
			fmt.Fprintf(w, "  %-16s %-16s %s\n", u.Use, u.Verdict, groupWords(g))
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

// groupWords names the agents of a group, and says how the edge answered them.
func groupWords(g *exports.AgentGroup) string {
	words := strings.Join(g.Agents, ", ")
	if g.Crawler != "" {
		words += " (fetched by " + g.Crawler + ")"
	}
	if g.Edge != "" && g.Edge != "unchecked" {
		words += " (edge: " + g.Edge + ")"
	}
	return words
}

// knownRows returns a row for each known agent, with the document of its
// operator.
func knownRows(groups []exports.AgentGroup) []any {
	rows := []any{}
	for i := range agents.Known {
		a := &agents.Known[i]
		at := slices.IndexFunc(groups, func(g exports.AgentGroup) bool { return slices.Contains(g.Agents, a.Name) })
		if at < 0 {
			continue
		}
		g := &groups[at]
		row := map[string]any{
			"agent": a.Name, "operator": a.Operator, "class": g.Class, "crawler": g.Crawler, "edge": g.Edge, "uses": cli.PublishedRows(g.Uses),
			"may_ignore_robots": a.MayIgnore, "source": nil, "source_dated": nil, "source_read": nil,
		}
		if d := a.Source; d != nil {
			row["source"], row["source_read"] = d.URL, d.Read
			if d.Dated != "" {
				row["source_dated"] = d.Dated
			}
		}
		rows = append(rows, row)
	}
	return rows
}

func warningRows(list []exports.AgentWarning) []any {
	rows := []any{}
	for i := range list {
		x := &list[i]
		rows = append(rows, map[string]any{
			"use": x.Use, "agents": x.Agents, "statement": x.Statement, "url": x.URL, "where": x.Locator,
			"origin": cmp.Or(x.Origin, "publisher"), "instead": append([]string{}, x.Instead...),
		})
	}
	return rows
}
