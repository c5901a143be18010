package inquiry

import (
	"slices"

	"colophon/internal/origin"
)

// Role is who acts.
type Role string

// The roles. A partner acts as a requester.
const (
	Requester Role = "requester"
	Publisher Role = "publisher"
	Operator  Role = "operator"
	System    Role = "system"
)

// Act is something done to a request: posting a message of some kind, or a
// decision.
type Act string

// The acts. The first six are kinds of message.
const (
	Text            Act = "text"
	Question        Act = "question"
	Answer          Act = "answer"
	IndicativeTerms Act = "indicative_terms"
	Withdraw        Act = "withdraw"
	RotateToken     Act = "rotate_token"

	Submit   Act = "submit"
	Deliver  Act = "deliver"
	Hold     Act = "hold"
	Release  Act = "release"
	Reject   Act = "reject"
	Open     Act = "open"
	Refer    Act = "refer"
	Decline  Act = "decline"
	Expire   Act = "expire"
	Transfer Act = "transfer"
)

// Rule is one row of the table: a role in By may do Act in any state in From,
// which moves the request to To, or leaves it in its state if To is "".
type Rule struct {
	From []State
	Act  Act
	By   []Role
	To   State
}

// Rules is the table of moves. The first row that fits an act decides.
//
// What follows an act is written with it, so that no state changes untold. D1 has
// no transaction over several statements, so triggers of the database do this, in
// internal/originsql/migrations. They keep these rules, which the tests TestNotices…
// of that package check; receivers are the webhooks of the site and those of all
// sites:
//
//   - Each move is added to the history. Receivers are told of it unless it leads
//     to Received, Held or Rejected. So is a requester who has confirmed the
//     address, unless the requester made the move or it leads to Delivered.
//   - Delivered asks a requester who has not confirmed the address to do so, once
//     for all inquiries of a group.
//   - Receivers are told of a requester's message, unless the inquiry is Received,
//     Held or Rejected. A requester who has confirmed is told of a publisher's
//     message that makes no move.
//   - Receivers are told of every reminder. A requester who has confirmed is told
//     of it if the inquiry is in InfoRequested or was reminded before.
//   - Whoever confirms the address later is told the present state, unless it is
//     Received, Held, Delivered, Rejected or Withdrawn. Whoever stops letters gets
//     none of those that wait. Erasing an inquiry removes its messages and letters.
//   - Without any move: webhooks are told of each version of a publisher's policy
//     but the first, and receivers of e-mail of one that opens or closes training.
var Rules = []Rule{
	{nil, Submit, []Role{Requester}, Received},
	{[]State{Received}, Deliver, []Role{System}, Delivered},
	{[]State{Received}, Hold, []Role{System, Operator}, Held},
	{[]State{Held}, Release, []Role{Operator}, Delivered},
	{[]State{Held}, Reject, []Role{Operator}, Rejected},
	{[]State{Delivered}, Open, []Role{Publisher}, InReview},

	{[]State{Delivered, InReview, InDiscussion, TermsIndicated}, Question, []Role{Publisher}, InfoRequested},
	{[]State{InfoRequested}, Answer, []Role{Requester}, InDiscussion},
	{[]State{InReview, InDiscussion}, IndicativeTerms, []Role{Publisher}, TermsIndicated},
	{[]State{TermsIndicated}, IndicativeTerms, []Role{Publisher}, ""}, // revised figures
	{[]State{InReview, TermsIndicated}, Text, []Role{Requester, Publisher}, InDiscussion},
	{[]State{InReview, TermsIndicated}, Question, []Role{Requester}, InDiscussion},
	{[]State{InfoRequested, InDiscussion}, Text, []Role{Requester, Publisher}, ""},
	{[]State{Received, Held, Delivered}, Text, []Role{Requester}, ""},
	{[]State{Received, Held, Delivered, InDiscussion}, Question, []Role{Requester}, ""},
	{open, RotateToken, []Role{Requester}, ""},

	{open, Withdraw, []Role{Requester}, Withdrawn},
	{atPublisher, Refer, []Role{Publisher}, Referred},
	{atPublisher, Decline, []Role{Publisher}, Declined},
	{expirable, Expire, []Role{System}, Expired},
	{open, Transfer, []Role{Operator}, Transferred},
}

// Next returns the state that an act leads to, which may be the present one. ok
// is false if Rules has no such row.
func Next(from State, by Role, act Act) (State, bool) {
	for _, r := range Rules {
		if r.Act == act && slices.Contains(r.From, from) && slices.Contains(r.By, by) {
			if r.To == "" {
				return from, true
			}
			return r.To, true
		}
	}
	return "", false
}

// Allowed lists what a role may do in a state, in the order of the table.
func Allowed(from State, by Role) []Act {
	var out []Act
	for _, act := range []Act{Text, Question, Answer, IndicativeTerms, Open, Refer, Decline, Hold, Release, Reject, Transfer, Withdraw, RotateToken} {
		if _, ok := Next(from, by, act); ok {
			out = append(out, act)
		}
	}
	return out
}

// Waiting lists the open states with the role that has to act in each. In a
// discussion, the side that did not write last has to act.
var Waiting = []struct {
	State State
	For   Role
}{
	{Received, Operator}, {Held, Operator}, {Delivered, Publisher}, {InReview, Publisher}, {InfoRequested, Requester},
	{InDiscussion, Publisher}, {InDiscussion, Requester}, {TermsIndicated, Requester},
}

// WaitsFor returns the role that has to act on a request, "" if none has.
func WaitsFor(r *origin.Request) Role {
	for _, w := range Waiting {
		if string(w.State) != r.State {
			continue
		}
		if w.State == InDiscussion && (w.For == Requester) != (r.LastAuthor == string(Publisher)) {
			continue
		}
		return w.For
	}
	return ""
}

// SelectWaiting narrows a filter to requests that wait for a role.
func SelectWaiting(f origin.RequestFilter, role Role) origin.RequestFilter {
	f.States = nil
	f.Turn = string(role)
	for _, w := range Waiting {
		if w.For == role {
			f.States = append(f.States, string(w.State))
		}
	}
	return f
}
