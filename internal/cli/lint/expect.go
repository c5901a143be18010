package lint

import (
	"fmt"
	"io"
	"strings"

	"colophon/exports"
	"colophon/internal/observed"
	"colophon/internal/usage"
)

// assertWords are the verdicts by the words that --assert accepts.
var assertWords = map[string]string{"allow": "signal_allow", "deny": "declined", "ask": "license_required", "unknown": "unknown"}

// readExpectations reads --assert and --baseline. The error is a usage.Error for an
// agent that is no product token and a use or verdict that is not known, or one of the file.
func (l *linter) readExpectations() ([]observed.Expectation, error) {
	for _, agent := range l.agents {
		if i := strings.IndexAny(agent, " /;()"); i >= 0 {
			return nil, usage.Errorf("--agents %q is not a product token as in robots.txt, such as %q", agent, agent[:i])
		}
	}
	agents := l.agents
	if len(agents) == 0 {
		agents = []string{""}
	}
	var out []observed.Expectation
	for _, a := range l.asserted {
		name, word, _ := strings.Cut(a, "=")
		use, _, ok := exports.ParseUse(strings.TrimSpace(name))
		verdict := assertWords[strings.TrimSpace(word)]
		if !ok || verdict == "" {
			return nil, usage.Errorf("--assert %q is not USE=allow, deny, ask or unknown, with USE one of %s", a, strings.Join(exports.UseWords(), ", "))
		}
		for _, agent := range agents {
			out = append(out, observed.Expectation{Agent: agent, Use: string(use), Verdict: verdict})
		}
	}
	if l.baseline == "" {
		return out, nil
	}
	before, err := observed.ReadBaseline(l.baseline, agents)
	return append(out, before...), err
}

func agentRows(list []observed.AgentVerdicts) []any {
	rows := []any{}
	for _, a := range list {
		verdicts := []any{}
		for _, v := range a.Verdicts {
			verdicts = append(verdicts, map[string]any{"use": v.Use, "verdict": v.Verdict, "reason": v.Reason})
		}
		rows = append(rows, map[string]any{"agent": a.Agent, "rights_vector": a.Vector, "verdicts": verdicts})
	}
	return rows
}

// printAgents prints a table of what the site tells each agent about each use.
func printAgents(w io.Writer, r *observed.Report) {
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
