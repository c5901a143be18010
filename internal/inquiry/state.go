package inquiry

import "slices"

// State is the state of a licensing request.
type State string

// The states. Held and Rejected are internal: see Visible.
const (
	Received       State = "received"
	Held           State = "held" // spam or identity is under review
	Delivered      State = "delivered"
	InReview       State = "in_review"
	InfoRequested  State = "info_requested"
	InDiscussion   State = "in_discussion"
	TermsIndicated State = "terms_indicated"
	Referred       State = "referred" // continues in the publisher's own process
	Declined       State = "declined"
	Withdrawn      State = "withdrawn"
	Expired        State = "expired"
	Transferred    State = "transferred"
	Rejected       State = "rejected" // confirmed abuse
)

// States lists all states, terminal ones last.
var States = []State{
	Received, Held, Delivered, InReview, InfoRequested, InDiscussion, TermsIndicated,
	Referred, Declined, Withdrawn, Expired, Transferred, Rejected,
}

var (
	open     = States[:7]
	terminal = States[7:]
	// atPublisher are the open states that a publisher sees.
	atPublisher = States[2:7]
	// expirable are the states in which a request expires if the publisher
	// stays silent.
	expirable = []State{Delivered, InReview, InfoRequested}
)

// Visible returns the state as the parties see it: held appears as received,
// and rejected as closed.
func (s State) Visible() string {
	switch s {
	case Held:
		return string(Received)
	case Rejected:
		return "closed"
	}
	return string(s)
}

// Terminal reports whether a request stays in this state.
func (s State) Terminal() bool { return slices.Contains(terminal, s) }

// AtPublisher reports whether the publisher sees a request in this state.
func (s State) AtPublisher() bool { return s != Received && s != Held && s != Rejected }

// InternalOf returns the states that appear as one of the visible words.
func InternalOf(visible []string) []string {
	var out []string
	for _, s := range States {
		for _, v := range visible {
			if s.Visible() == v {
				out = append(out, string(s))
			}
		}
	}
	return out
}

func stateNames(list []State) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = string(s)
	}
	return out
}

// OpenStates returns the states that are not terminal.
func OpenStates() []string { return stateNames(open) }
