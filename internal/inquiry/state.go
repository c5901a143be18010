package inquiry

// State is the state of a licensing request.
type State string

// The states. Held and Rejected are internal: see Visible.
const (
	Received       State = "received"
	Held           State = "held" // spam or identity is being looked at
	Delivered      State = "delivered"
	InReview       State = "in_review"
	InfoRequested  State = "info_requested"
	InDiscussion   State = "in_discussion"
	TermsIndicated State = "terms_indicated"
	Referred       State = "referred" // goes on in the publisher's own process
	Declined       State = "declined"
	Withdrawn      State = "withdrawn"
	Expired        State = "expired"
	Transferred    State = "transferred"
	Rejected       State = "rejected" // confirmed abuse
)

// States lists them all, terminal ones last.
var States = []State{
	Received, Held, Delivered, InReview, InfoRequested, InDiscussion, TermsIndicated,
	Referred, Declined, Withdrawn, Expired, Transferred, Rejected,
}

var (
	open     = States[:7]
	terminal = States[7:]
	// atPublisher are the open states that a publisher sees.
	atPublisher = States[2:7]
	// expirable are the states that a silent publisher lets expire.
	expirable = []State{Delivered, InReview, InfoRequested}
)

// Visible returns the state as the parties see it: held shows as received, and
// rejected as closed.
func (s State) Visible() string {
	switch s {
	case Held:
		return string(Received)
	case Rejected:
		return "closed"
	}
	return string(s)
}

// Terminal reports whether nothing can follow.
func (s State) Terminal() bool { return containsState(s, terminal) }

// AtPublisher reports whether the publisher sees a request in this state.
func (s State) AtPublisher() bool { return s != Received && s != Held && s != Rejected }

// InternalOf lists the states that show as one of the visible words.
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

func containsState(s State, list []State) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

func stateNames(list []State) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = string(s)
	}
	return out
}

// OpenStates lists the states that something can follow.
func OpenStates() []string { return stateNames(open) }
