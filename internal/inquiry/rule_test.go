package inquiry

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"testing"

	"colophon/exports"
	"colophon/exports/inquiries"
	"colophon/internal/assert"
)

// described is the table of moves as the description of the service words it,
// written down independently: from | to | who | act.
const described = `
- | received | requester | submit
received | delivered | system | deliver
received | held | system operator | hold
held | delivered | operator | release
held | rejected | operator | reject
delivered | in_review | publisher | open
delivered in_review in_discussion terms_indicated | info_requested | publisher | question
info_requested | in_discussion | requester | answer
in_review | in_discussion | requester publisher | text
in_review | in_discussion | requester | question
in_review in_discussion | terms_indicated | publisher | indicative_terms
terms_indicated | in_discussion | requester publisher | text
terms_indicated | in_discussion | requester | question
delivered in_review info_requested in_discussion terms_indicated | referred | publisher | refer
delivered in_review info_requested in_discussion terms_indicated | declined | publisher | decline
received held delivered in_review info_requested in_discussion terms_indicated | withdrawn | requester | withdraw
delivered in_review info_requested | expired | system | expire
received held delivered in_review info_requested in_discussion terms_indicated | transferred | operator | transfer
`

// TestMoves checks that the rules allow exactly the moves of the description,
// for every state, role and act.
func TestMoves(t *testing.T) {
	want := map[string]bool{}
	for _, line := range strings.Split(strings.TrimSpace(described), "\n") {
		cols := strings.Split(line, "|")
		for _, from := range strings.Fields(cols[0]) {
			for _, role := range strings.Fields(cols[2]) {
				if from != "-" {
					want[fmt.Sprint(from, " ", role, " ", strings.TrimSpace(cols[3]), " ", strings.TrimSpace(cols[1]))] = true
				}
			}
		}
	}
	got := map[string]bool{}
	acts := map[Act]bool{}
	for _, r := range Rules {
		acts[r.Act] = true
	}
	for _, from := range States {
		for _, role := range []Role{Requester, Publisher, Operator, System} {
			for act := range acts {
				if to, ok := Next(from, role, act); ok && to != from {
					got[fmt.Sprint(from, " ", role, " ", act, " ", to)] = true
				}
			}
		}
	}
	for _, k := range sorted(want) {
		if !got[k] {
			t.Errorf("the rules lack %s", k)
		}
	}
	for _, k := range sorted(got) {
		if !want[k] {
			t.Errorf("the rules allow %s, which nobody described", k)
		}
	}
}

func sorted(m map[string]bool) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}

func TestTerminalStatesAllowNothing(t *testing.T) {
	for _, s := range States {
		n := 0
		for _, role := range []Role{Requester, Publisher, Operator, System} {
			n += len(Allowed(s, role))
		}
		if s.Terminal() != (n == 0) {
			t.Errorf("%s: terminal %v, %d acts", s, s.Terminal(), n)
		}
	}
}

func TestEveryStateIsReached(t *testing.T) {
	for _, s := range States {
		reached := s == Received
		for _, r := range Rules {
			reached = reached || r.To == s
		}
		if !reached {
			t.Errorf("nothing leads to %s", s)
		}
	}
}

// TestVisibleStates checks that states appear under the words of the contract,
// and that no internal state is visible.
func TestVisibleStates(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range States {
		v := s.Visible()
		if !slices.Contains(exports.RequestStates, v) {
			t.Errorf("%s shows as %q, which the contract does not know", s, v)
		}
		assert.Equal(t, s.Terminal(), slices.Contains(exports.TerminalStates, v), "%s shows as %q; one of them is terminal", s, v)
		if v == string(Held) || v == string(Rejected) {
			t.Errorf("%s shows", s)
		}
		seen[v] = true
	}
	for _, w := range exports.RequestStates {
		if !seen[w] {
			t.Errorf("no state shows as %q", w)
		}
	}
}

// TestHeldLooksLikeReceived compares what a requester may do: a difference
// would reveal that a request is held.
func TestHeldLooksLikeReceived(t *testing.T) {
	if a, b := fmt.Sprint(Allowed(Received, Requester)), fmt.Sprint(Allowed(Held, Requester)); a != b {
		t.Errorf("received allows %s, held %s", a, b)
	}
	assert.Equal(t, fmt.Sprint(InternalOf([]string{"received", "closed"})), "[received held rejected]", "received and closed")
}

func TestMessageKindsAreActs(t *testing.T) {
	for _, kind := range inquiries.MessageKinds {
		found := false
		for _, s := range States {
			_, ok := Next(s, Requester, Act(kind))
			found = found || ok
		}
		if !found {
			t.Errorf("a requester can never post %q", kind)
		}
	}
}
