package letter

import (
	"context"
	"strconv"

	"colophon/internal/inquiry"
	"colophon/internal/notify"
	"colophon/internal/origin"
	"colophon/internal/prose"
)

// writeToAsker writes to the sender of an inquiry.
func (w Writer) writeToAsker(ctx context.Context, m notify.Message, publisher, settings string) (draft, error) {
	r, err := w.Store.Request(ctx, m.Event.RequestID)
	if err != nil {
		return draft{}, err
	}
	if m.Event.Kind == notify.KindConfirm {
		return w.writeConfirmation(ctx, &r, publisher, settings)
	}

	var b draft
	b.addTitle(describeForAsker(&m.Event, &r, publisher))
	b.add("Request " + r.RequestID + ", " + prose.Moment(m.Event.At))
	b.addLink("Read it in the private conversation", w.conversation(&r))
	b.addQuiet("This link is private: anyone with it can read and answer for you. Do not forward this message.")
	return b, nil
}

// writeConfirmation asks whether an address is the requester's. It contains no link
// to the conversation, because the address may be somebody else's.
func (w Writer) writeConfirmation(ctx context.Context, r *origin.Request, publisher, settings string) (draft, error) {
	to := "an inquiry to " + publisher
	if r.GroupID != "" {
		n, err := w.Store.CountRequests(ctx, origin.RequestFilter{GroupID: r.GroupID})
		if err != nil {
			return draft{}, err
		}
		if n > 1 {
			to = strconv.FormatInt(n, 10) + " inquiries, one of them to " + publisher
		}
	}

	var b draft
	b.addTitle("Confirm your address for "+w.Service, "Someone, presumably you, sent "+to+" with this e-mail address. It was delivered, and is marked as unconfirmed until you confirm the address.")
	b.add("Confirm that it is yours to get answers and deadlines by e-mail:")
	b.addLink("Confirm the address, or stop e-mails", settings)
	b.addQuiet("If it was not you, do nothing: no other e-mail will follow.")
	return b, nil
}

// describeForAsker says in words what happened to an inquiry.
func describeForAsker(e *origin.Event, r *origin.Request, publisher string) (headline, sentence string) {
	switch e.Kind {
	case notify.KindMessage:
		return "New message from " + publisher, publisher + " wrote a message about your licensing inquiry."
	case notify.KindReminder:
		end := deadlineWords(r)
		if e.Status == string(inquiry.InfoRequested) {
			return publisher + " waits for your answer", publisher + " asked a question about your licensing inquiry, which is still open." + end
		}
		return "No answer yet from " + publisher, "Your licensing inquiry to " + publisher + " has not been answered." + end
	}
	words, ok := askerWords[e.Status]
	if !ok {
		words = "moved on"
	}
	return "Your inquiry to " + publisher + " " + words, "Your licensing inquiry to " + publisher + " " + words + "."
}

// deadlineWords says when an inquiry expires, if it does.
func deadlineWords(r *origin.Request) string {
	d := inquiry.DeadlinesOf(r)
	if d.Expires == "" {
		return ""
	}
	return " It expires on " + prose.Day(d.Expires) + " unless somebody acts."
}

// askerWords say what an inquiry's new state means to its sender.
var askerWords = map[string]string{
	"in_review":       "is being reviewed",
	"info_requested":  "waits for your answer to a question",
	"in_discussion":   "has an answer and waits for yours",
	"terms_indicated": "has indicative terms and waits for your answer",
	"referred":        "continues in the publisher’s own process",
	"declined":        "was declined",
	"withdrawn":       "was withdrawn",
	"expired":         "expired without an answer",
	"transferred":     "continues with another publisher",
}
