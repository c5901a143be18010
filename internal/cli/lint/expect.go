package lint

import (
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
