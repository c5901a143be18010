package observed

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
)

// An Expectation is the verdict that a use must have for an agent, or for
// everybody where Agent is "".
type Expectation struct{ Agent, Use, Verdict string }

// A Difference is an expectation that is not met.
type Difference struct {
	Agent  string `json:"agent,omitempty"`
	Use    string `json:"use"`
	Want   string `json:"want"`
	Got    string `json:"got"`
	Reason string `json:"reason"`
}

// String returns the difference in one line.
func (d Difference) String() string {
	use := d.Use
	if d.Agent != "" {
		use += " for " + d.Agent
	}
	return fmt.Sprintf("%s: want %s, is %s (%s)", use, d.Want, d.Got, d.Reason)
}

type baselineVerdict struct{ Use, Verdict string }

// ReadBaseline reads the verdicts of an earlier output of lint --json for some
// agents.
func ReadBaseline(name string, agents []string) ([]Expectation, error) {
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
	var out []Expectation
	add := func(agent string, verdicts []baselineVerdict) {
		for _, v := range verdicts {
			out = append(out, Expectation{agent, v.Use, v.Verdict})
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

// Compare adds to a report the expectations that it does not meet.
func (r *Report) Compare(wanted []Expectation) {
	for _, want := range wanted {
		verdicts := r.Verdicts
		if want.Agent != "" {
			i := slices.IndexFunc(r.ByAgent, func(a AgentVerdicts) bool { return a.Agent == want.Agent })
			verdicts = r.ByAgent[i].Verdicts
		}
		i := slices.IndexFunc(verdicts, func(v Verdict) bool { return string(v.Use) == want.Use })
		if i >= 0 && verdicts[i].Verdict != want.Verdict {
			r.Differences = append(r.Differences, Difference{want.Agent, want.Use, want.Verdict, verdicts[i].Verdict, verdicts[i].Reason})
		}
	}
}
