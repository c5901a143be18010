package email

import (
	"context"
	"net/url"
	"strings"

	"colophon/exports"
	"colophon/internal/notify"
	"colophon/templates"
)

// Letter is what one notification says to a person.
type Letter struct {
	Service     string // name of the service, which the letter is from
	Subject     string
	Text        string
	HTML        string
	Unsubscribe string // address that ends such letters, "" none
}

// Writer writes letters for a registry.
type Writer struct {
	Service   string // its name
	BaseURL   string // without a final slash
	Contact   string // of its operator: an e-mail address or URL
	Publisher func(ctx context.Context, siteID string) (name string, err error)
	// Inbox returns the private address at which the receiver reads and answers
	// the inquiries of its publisher, "" when it may have none.
	Inbox func(ctx context.Context, m notify.Message) (string, error)
}

// WriteLetter writes the letter of one notification.
func (w Writer) WriteLetter(ctx context.Context, m notify.Message) (Letter, error) {
	publisher, err := w.Publisher(ctx, m.Event.SiteID)
	if err != nil {
		return Letter{}, err
	}
	view := templates.Mail{
		Service: w.Service, BaseURL: w.BaseURL, Contact: w.Contact,
		Publisher: publisher, RequestID: m.Event.RequestID, At: m.Event.At,
		ReceiverID: m.Receiver.WebhookID, Operator: m.Receiver.SiteID == "",
	}
	view.Headline, view.Sentence = describeEvent(m.Event.Kind, m.Event.Status, publisher)
	if !view.Operator {
		if view.Inbox, err = w.Inbox(ctx, m); err != nil {
			return Letter{}, err
		}
	}
	html, err := templates.RenderMail(ctx, view)
	if err != nil {
		return Letter{}, err
	}
	return Letter{Service: w.Service, Subject: view.Headline, Text: view.Text(), HTML: html, Unsubscribe: w.unsubscribeAddress(m)}, nil
}

// unsubscribeAddress is a mailto address of the operator: who keeps the list of
// receivers is who can take one off it.
func (w Writer) unsubscribeAddress(m notify.Message) string {
	if !exports.ValidEmail(w.Contact) {
		return ""
	}
	subject := url.PathEscape("unsubscribe " + m.Receiver.WebhookID)
	return notify.MailScheme + w.Contact + "?subject=" + subject
}

// describeEvent says in words what happened to an inquiry.
func describeEvent(kind, status, publisher string) (headline, sentence string) {
	switch kind {
	case notify.KindMessage:
		return "New message in an inquiry to " + publisher,
			"The buyer wrote a message in a licensing inquiry to " + publisher + "."
	case notify.KindReminder:
		return "An inquiry to " + publisher + " waits for an answer",
			"A licensing inquiry to " + publisher + " has not been answered yet. It expires when it stays unanswered."
	}
	if end, ok := stateWords[status]; ok {
		return "An inquiry to " + publisher + " " + end, "A licensing inquiry to " + publisher + " " + end + "."
	}
	return "An inquiry to " + publisher + " moved on", "A licensing inquiry to " + publisher + " is now in the state “" + strings.ReplaceAll(status, "_", " ") + "”."
}

// stateWords say what it means that an inquiry came into a state.
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
