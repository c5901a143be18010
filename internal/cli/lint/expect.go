package lint

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"colophon/exports"
	"colophon/internal/observed"
	"colophon/internal/rights"
	"colophon/internal/usage"
)

// An expectation is the verdict that a use must have for an agent, or for
// everybody where Agent is "".
type expectation struct{ Agent, Use, Verdict string }

// A difference is an expectation that is not met.
type difference struct {
	Agent  string `json:"agent,omitempty"`
	Use    string `json:"use"`
	Want   string `json:"want"`
	Got    string `json:"got"`
	Reason string `json:"reason"`
}

// String returns the difference in one line.
func (d difference) String() string {
	use := d.Use
	if d.Agent != "" {
		use += " for " + d.Agent
	}
	return fmt.Sprintf("%s: want %s, is %s (%s)", use, d.Want, d.Got, d.Reason)
}

// assertWords are the verdicts by the words that --assert accepts.
var assertWords = map[string]string{"allow": "signal_allow", "deny": "declined", "ask": "license_required", "unknown": "unknown"}

// readExpectations reads --assert and --baseline. The error is a usage.Error for an
// agent that is no product token and a use or verdict that is not known, or one of the file.
func (l *linter) readExpectations() ([]expectation, error) {
	for _, agent := range l.agents {
		if i := strings.IndexAny(agent, " /;()"); i >= 0 {
			return nil, usage.Errorf("--agents %q is not a product token as in robots.txt, such as %q", agent, agent[:i])
		}
	}
	agents := l.agents
	if len(agents) == 0 {
		agents = []string{""}
	}
	var out []expectation
	for _, a := range l.asserted {
		name, word, _ := strings.Cut(a, "=")
		use, _, ok := exports.ParseUse(strings.TrimSpace(name))
		verdict := assertWords[strings.TrimSpace(word)]
		if !ok || verdict == "" {
			return nil, usage.Errorf("--assert %q is not USE=allow, deny, ask or unknown, with USE one of %s", a, strings.Join(exports.UseWords(), ", "))
		}
		for _, agent := range agents {
			out = append(out, expectation{agent, string(use), verdict})
		}
	}
	if l.baseline == "" {
		return out, nil
	}
	before, err := readBaseline(l.baseline, agents)
	return append(out, before...), err
}

type baselineVerdict struct{ Use, Verdict string }

// readBaseline reads the verdicts of an earlier output of lint --json for some
// agents.
func readBaseline(name string, agents []string) ([]expectation, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var before struct {
		Data struct {
			Verdicts []baselineVerdict
			ByAgent  []struct {
				Agent    string
				Verdicts []baselineVerdict
			} `json:"by_agent"`
		}
	}
	if err := json.Unmarshal(text, &before); err != nil || len(before.Data.Verdicts) == 0 {
		return nil, fmt.Errorf("%s is no output of colophon lint --json: make it with \"colophon lint URL --json > %s\"", name, name)
	}
	var out []expectation
	add := func(agent string, verdicts []baselineVerdict) {
		for _, v := range verdicts {
			out = append(out, expectation{agent, v.Use, v.Verdict})
		}
	}
	for _, agent := range agents {
		if agent == "" {
			add("", before.Data.Verdicts)
			continue
		}
		found := false
		for _, x := range before.Data.ByAgent {
			if strings.EqualFold(x.Agent, agent) {
				add(agent, x.Verdicts)
				found = true
			}
		}
		if !found {
			return nil, fmt.Errorf("%s has no verdicts for the agent %q: make it with the same --agents", name, agent)
		}
	}
	return out, nil
}

// compareVerdicts lists the expectations that a report does not meet.
func compareVerdicts(r *observed.Report, wanted []expectation) []difference {
	var out []difference
	for _, want := range wanted {
		verdicts := r.Verdicts
		if want.Agent != "" {
			i := slices.IndexFunc(r.ByAgent, func(a observed.AgentVerdicts) bool { return a.Agent == want.Agent })
			verdicts = r.ByAgent[i].Verdicts
		}
		i := slices.IndexFunc(verdicts, func(v rights.UseVerdict) bool { return string(v.Use) == want.Use })
		if i >= 0 && verdicts[i].Verdict != want.Verdict {
			out = append(out, difference{want.Agent, want.Use, want.Verdict, verdicts[i].Verdict, verdicts[i].Reason})
		}
	}
	return out
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
