package inquiry

import (
	"slices"
	"time"

	"colophon/exports"
	"colophon/exports/inquiries"
	"colophon/internal/origin"
	"colophon/internal/wire"
)

// The functions of this file are the only way from a stored request to an
// answer. They leave out notes, reasons for holding, e-mail addresses and
// internal states.

// Created returns a partner request as it was first answered, which is also the
// answer to a retry.
func Created(r origin.Request, token string) inquiries.PartnerView {
	r.State = string(Received)
	r.StateSince = r.CreatedAt
	r.UpdatedAt = r.CreatedAt
	r.PublisherAt = r.CreatedAt
	r.Successor = ""
	v := PartnerView(r, []origin.Move{{RequestID: r.RequestID, Seq: 1, At: r.CreatedAt, To: string(Received), By: string(Requester)}})
	v.Conversation = &inquiries.Conversation{ThreadID: r.ThreadID, Token: token, ExpiresAt: daysAfter(r.CreatedAt, TokenDays)}
	return v
}

// Receipt returns the answer to a public request. A retry gets the same answer,
// apart from what has become known about the sender's address.
func Receipt(r origin.Request, token string) inquiries.RequestReceipt {
	return inquiries.RequestReceipt{
		RequestID: r.RequestID, SiteID: r.SiteID, RequestedUse: r.RequestedUse, CreatedAt: r.CreatedAt,
		Conversation: inquiries.Conversation{ThreadID: r.ThreadID, Token: token, ExpiresAt: daysAfter(r.CreatedAt, TokenDays)},
		ReminderAt:   daysAfter(r.CreatedAt, ReminderDays), ExpiresAt: daysAfter(r.CreatedAt, ExpiryDays), EmailCheck: emailCheck(r.Letters),
	}
}

// PartnerView returns a request as the organization that submitted it sees it.
func PartnerView(r origin.Request, moves []origin.Move) inquiries.PartnerView {
	steps := Steps(moves)
	v := inquiries.PartnerView{
		RequestID: r.RequestID, Status: State(r.State).Visible(), StatusSince: r.CreatedAt, SiteID: r.SiteID, BuyerCompany: r.BuyerCompany,
		EmailHint: exports.EmailHint(r.BuyerEmail), IntendedUse: r.IntendedUse, RequestedScope: r.RequestedScope, Currency: r.Currency,
		BudgetCents: r.BudgetCents, TermMonths: r.TermMonths, CreatedAt: r.CreatedAt, UpdatedAt: r.CreatedAt, History: steps, Successor: r.Successor,
	}
	if len(steps) > 0 {
		v.StatusSince = steps[len(steps)-1].At
	}
	if v.UpdatedAt = v.StatusSince; r.UpdatedAt > v.UpdatedAt && State(r.State).AtPublisher() {
		v.UpdatedAt = r.UpdatedAt
	}
	if State(r.State) == Declined {
		v.DeclineReason = declineReason(r.MoveReason)
	}
	v.NextOwner, v.NextBy = nextAction(&r)
	return v
}

func declineReason(s string) string {
	if slices.Contains(inquiries.DeclineReasons, s) {
		return s
	}
	return "not_stated"
}

// nextAction returns who is expected to act, and until when.
func nextAction(r *origin.Request) (owner, by string) {
	d := DeadlinesOf(r)
	switch WaitsFor(r) {
	case "":
		return "", ""
	case Requester:
		return string(Requester), d.Expires
	}
	return string(Publisher), d.Reminder // that an operator holds the request is not shown
}

// Deadlines are the instants at which a request changes with time alone, "" if
// it does not.
type Deadlines struct {
	Reminder string // the publisher is reminded
	Expires  string // the request expires
}

// DeadlinesOf returns the deadlines of a request that RunMaintenance lets
// expire, and of one that its publisher does not see yet, which appears as
// received and whose receipt gave them. Other requests have none, because both
// sides may write.
func DeadlinesOf(r *origin.Request) Deadlines {
	s := State(r.State)
	if !slices.Contains(expirable, s) && s != Received && s != Held {
		return Deadlines{}
	}
	return Deadlines{daysAfter(r.PublisherAt, ReminderDays), daysAfter(r.PublisherAt, ExpiryDays)}
}

// Steps returns moves as both sides see them. A move between two states that
// look the same is left out.
func Steps(moves []origin.Move) []inquiries.Step {
	var out []inquiries.Step
	for _, m := range moves {
		from, to := State(m.From).Visible(), State(m.To).Visible()
		if from == to {
			continue
		}
		out = append(out, inquiries.Step{Seq: int64(len(out) + 1), At: m.At, From: from, To: to, By: m.By})
	}
	return out
}

// ThreadState returns the state of a conversation: open, paused or closed.
func ThreadState(r *origin.Request, now time.Time) string {
	switch s := State(r.State); {
	case s.Terminal():
		return "closed"
	case s == InfoRequested && daysAfter(r.StateSince, PausedDays) < exports.Instant(now):
		return "paused"
	}
	return "open"
}

// Thread returns a conversation as its requester sees it.
func Thread(r origin.Request, site origin.Site, messages []origin.Message, moves []origin.Move, now time.Time) inquiries.Thread {
	t := inquiries.Thread{
		ThreadID: r.ThreadID, RequestID: r.RequestID, SiteID: r.SiteID, State: ThreadState(&r, now), Status: State(r.State).Visible(),
		Participants: []inquiries.Participant{{Role: "requester", Display: requesterName(&r)}, {Role: "publisher", Display: site.Name + " licensing desk"}},
		History:      Steps(moves), Allowed: Actions(r, Requester), Successor: r.Successor,
	}
	for _, m := range messages {
		t.Messages = append(t.Messages, Message(m))
	}
	return t
}

func requesterName(r *origin.Request) string {
	if r.BuyerCompany == "" {
		return r.BuyerName
	}
	return r.BuyerName + ", " + r.BuyerCompany
}

// Actions returns, in words, what a role may do now.
func Actions(r origin.Request, by Role) []string {
	var out []string
	for _, a := range Allowed(State(r.State), by) {
		out = append(out, string(a))
	}
	return out
}

// Message returns a message as both sides see it.
func Message(m origin.Message) inquiries.Message {
	x := inquiries.Message{
		MessageID: m.MessageID, Seq: m.Seq, At: m.At, AuthorRole: m.AuthorRole, AuthorKind: m.AuthorKind, Kind: m.Kind, Body: m.Body, InReplyTo: m.InReplyTo,
	}
	if t, ok := termsOf(m); ok {
		x.Terms = &t
	}
	return x
}

func termsOf(m origin.Message) (inquiries.IndicativeTerms, bool) {
	t := inquiries.IndicativeTerms{Cents: -1, TermMonths: -1}
	if m.Terms == "" {
		return t, false
	}
	err := wire.Decode([]byte(m.Terms), &t, wire.Default) // on its own: which comes first in a return is not specified
	return t, err == nil
}

// Procurement returns a conversation as a buyer's procurement department sees
// it: offers are the license ids of the publisher, terms and questions the
// newest messages of those kinds, newest first.
func Procurement(r origin.Request, site origin.Site, offers []string, terms, questions []origin.Message) inquiries.Procurement {
	p := inquiries.Procurement{
		ThreadID: r.ThreadID, Status: State(r.State).Visible(), Stage: stageOf(State(r.State)), RequestedUse: r.RequestedUse,
		RequestedScope: r.RequestedScope, BudgetRange: r.BudgetRange, Timeline: r.Timeline, Offers: offers,
	}
	for _, m := range terms {
		if t, ok := termsOf(m); ok {
			p.Terms = append(p.Terms, t)
		}
	}
	switch owner := WaitsFor(&r); {
	case State(r.State) == InfoRequested:
		for _, q := range questions {
			if q.AuthorRole == string(Publisher) {
				p.OpenItems = append(p.OpenItems, inquiries.OpenItem{Owner: "buyer", Item: "answer_question", MessageID: q.MessageID, Since: q.At})
				break
			}
		}
	case owner == Requester:
		p.OpenItems = append(p.OpenItems, inquiries.OpenItem{Owner: "buyer", Item: "respond", Since: r.PublisherAt})
	case owner != "":
		p.OpenItems = append(p.OpenItems, inquiries.OpenItem{Owner: "publisher", Item: "respond", Since: visibleSince(&r)})
	}
	p.Checks = []inquiries.Check{{Name: "email_verified", State: emailCheck(r.Letters)}, {Name: "publisher_verified", State: verificationOf(site)}, {Name: "accepts_inquiries", State: passedOrFailed(site.AcceptsInquiries)}}
	d := DeadlinesOf(&r)
	p.ReminderAt, p.ExpiresAt = d.Reminder, d.Expires
	return p
}

// emailCheck reports, from the state of letters to it, whether the requester's address was
// confirmed: "pending", "passed" or "not_performed".
func emailCheck(letters string) string {
	switch letters {
	case origin.LettersUnconfirmed:
		return "pending"
	case origin.LettersConfirmed:
		return "passed"
	}
	return "not_performed"
}

// visibleSince returns the instant of the request's state, without showing when
// it was held.
func visibleSince(r *origin.Request) string {
	if !State(r.State).AtPublisher() {
		return r.CreatedAt
	}
	return r.StateSince
}

func stageOf(s State) string {
	switch s {
	case Received, Held, Delivered:
		return "submitted"
	case InReview:
		return "review"
	case InfoRequested:
		return "clarification"
	case InDiscussion:
		return "discussion"
	case TermsIndicated:
		return "terms"
	case Referred, Transferred:
		return "handoff"
	}
	return "ended"
}

func verificationOf(s origin.Site) string {
	return passedOrFailed(slices.Contains(exports.ProvenControls, s.DomainControl))
}

func passedOrFailed(ok bool) string {
	if ok {
		return "passed"
	}
	return "failed"
}
