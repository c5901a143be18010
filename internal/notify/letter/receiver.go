package letter

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"colophon/exports"
	"colophon/internal/inquiry"
	"colophon/internal/notify"
	"colophon/internal/origin"
	"colophon/internal/prose"
)

// writeToReceiver tells a publisher or an operator what happened.
func (w Writer) writeToReceiver(ctx context.Context, m notify.Message, publisher string) (draft, error) {
	var b draft
	if m.Event.Kind == notify.KindPolicy {
		b.addTitle(describeEvent(&m.Event, nil, publisher))
		b.add("It was found " + prose.Moment(m.Event.At) + ".")
		w.addHistory(&b, m.Event.SiteID, publisher)
		return b, nil
	}
	r, err := w.findRequest(ctx, m.Event.RequestID)
	if err != nil {
		return b, err
	}
	b.addTitle(describeEvent(&m.Event, &r, publisher))
	b.add("Request " + m.Event.RequestID + ", " + prose.Moment(m.Event.At))
	if m.Receiver.SiteID == "" {
		b.add("Show it with: colophon inquiry show " + m.Event.RequestID)
		return b, nil
	}
	err = w.addInbox(ctx, &b, m, publisher, "/"+m.Event.RequestID)
	return b, err
}

// findRequest returns a request, or an empty one if it was erased since.
func (w Writer) findRequest(ctx context.Context, id string) (origin.Request, error) {
	r, err := w.Store.Request(ctx, id)
	if errors.Is(err, origin.ErrNotFound) {
		return origin.Request{}, nil
	}
	return r, err
}

// writeDigest writes of all that happened since the last letter.
func (w Writer) writeDigest(ctx context.Context, m notify.Message, publisher string) (draft, error) {
	var b draft
	ofPolicies := slices.ContainsFunc(m.Events, func(e origin.Event) bool { return e.Kind == notify.KindPolicy })
	many := strconv.Itoa(len(m.Events)) + " notices"
	switch {
	case !ofPolicies && m.Receiver.SiteID != "":
		many += " about licensing inquiries to " + publisher
	case !ofPolicies:
		many += " about licensing inquiries"
	case m.Receiver.SiteID != "":
		many += " about " + publisher
	}
	b.addTitle(many, "Since the last letter:")
	for i := range m.Events {
		e := &m.Events[i]
		site, err := w.Store.Site(ctx, e.SiteID)
		if err != nil {
			return b, err
		}
		if e.Kind == notify.KindPolicy {
			headline, _ := describeEvent(e, nil, site.Name)
			b.add(prose.Moment(e.At) + ": " + headline)
			w.addHistory(&b, e.SiteID, site.Name)
			continue
		}
		r, err := w.findRequest(ctx, e.RequestID)
		if err != nil {
			return b, err
		}
		headline, _ := describeEvent(e, &r, site.Name)
		b.add(prose.Moment(e.At) + ": " + headline + " (" + e.RequestID + ")")
	}
	if m.Receiver.SiteID == "" {
		b.add("List them with: colophon inquiry list")
		return b, nil
	}
	err := w.addInbox(ctx, &b, m, publisher, "")
	return b, err
}

// addHistory adds the link to the published history of what a publisher states.
func (w Writer) addHistory(b *draft, siteID, publisher string) {
	b.addLink("What "+publisher+" stated, and when", w.BaseURL+exports.PolicyPage(siteID))
}

// addInbox adds the link to the inbox, if there may be one.
func (w Writer) addInbox(ctx context.Context, b *draft, m notify.Message, publisher, rest string) error {
	links := Links{Store: w.Store, BaseURL: w.BaseURL, Secret: w.Secret, Now: w.Now}
	address, err := links.FindAddress(ctx, m)
	if err != nil || address == "" {
		return err
	}
	b.addLink("Read and answer it in the inbox of "+publisher, address+rest)
	b.addQuiet("This link is private: anyone with it can read and answer for " + publisher + ". Do not forward this message.")
	return nil
}

// describeEvent says in words what happened: to the inquiry r, or to what the publisher
// states.
func describeEvent(e *origin.Event, r *origin.Request, publisher string) (headline, sentence string) {
	switch e.Kind {
	case notify.KindPolicy:
		return describePolicy(e.Status, publisher)
	case notify.KindMessage:
		return "New message in an inquiry to " + publisher,
			"The buyer wrote a message in a licensing inquiry to " + publisher + "."
	case notify.KindReminder:
		return "An inquiry to " + publisher + " waits for an answer",
			"A licensing inquiry to " + publisher + " has not been answered yet. It expires " +
				strconv.Itoa(inquiry.ExpiryDays) + " days after the publisher last acted."
	}
	if end, ok := stateWords[e.Status]; ok {
		if e.Status == r.State && e.Status == string(inquiry.InDiscussion) {
			end += turnWords[inquiry.WaitsFor(r)]
		}
		return "An inquiry to " + publisher + " " + end, "A licensing inquiry to " + publisher + " " + end + "."
	}
	return "An inquiry to " + publisher + " moved on",
		"A licensing inquiry to " + publisher + " is now in the state “" + prose.Clean(strings.ReplaceAll(e.Status, "_", " "), 60) + "”."
}

// describePolicy says what became of training. It names channels, because the change may be
// somebody else's than the publisher's.
func describePolicy(status, publisher string) (headline, sentence string) {
	if status == notify.PolicyOpened {
		return "The channels of " + publisher + " allow training now",
			"Until the last reading they did not. If you did not mean this, look at what changed: a CDN or a plugin can write such files too."
	}
	return "The channels of " + publisher + " close training now",
		"Training is declined, or not allowed any more. If you did not mean this, look at what changed: a CDN or a plugin can write such files too."
}

// turnWords say who is next in a discussion.
var turnWords = map[inquiry.Role]string{
	inquiry.Publisher: " and waits for the publisher’s answer",
	inquiry.Requester: " and waits for the buyer’s answer",
}

// stateWords describe what it means that an inquiry entered a state.
var stateWords = map[string]string{
	"delivered":       "has arrived",
	"in_review":       "is being reviewed",
	"info_requested":  "waits for the buyer’s answer to a question",
	"in_discussion":   "is being discussed",
	"terms_indicated": "has indicative terms",
	"referred":        "was referred to the publisher’s own process",
	"declined":        "was declined",
	"withdrawn":       "was withdrawn by the buyer",
	"expired":         "expired without an answer",
	"transferred":     "was transferred",
}
