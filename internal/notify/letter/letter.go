// Package letter writes notifications for people: for publishers and operators
// who receive them by e-mail, and for those who sent inquiries.
//
// A letter says that something waits and where to read it. It neither names the
// other side nor repeats what was written: confidential content stays in the
// conversation, behind the link.
package letter

import (
	"context"
	"strings"
	"time"

	"colophon/exports"
	"colophon/internal/inquiry"
	"colophon/internal/notify"
	"colophon/internal/origin"
)

// Message is what one notification says to a person.
type Message struct {
	Service     string // name of the service, which the letter is from
	To          string // e-mail address
	ID          string // the same in every attempt, for Message-ID
	Date        time.Time
	Subject     string
	Text        string
	HTML        string
	Unsubscribe string // address that ends such letters with one POST (RFC 8058)
}

// Store is what letters are written from.
type Store interface {
	origin.SiteReader
	LinkStore
	// Request returns one request or ErrNotFound.
	Request(ctx context.Context, requestID string) (origin.Request, error)
	// CountRequests counts requests.
	CountRequests(ctx context.Context, f origin.RequestFilter) (int64, error)
}

// Writer writes letters for a registry.
type Writer struct {
	Service string // its name
	BaseURL string // without a final slash
	Contact string // of its operator: an e-mail address or URL, "" if none
	Secret  []byte // from which the secrets of links are derived
	Store   Store
	Now     func() time.Time
}

// WriteLetter writes the letter of one notification.
func (w Writer) WriteLetter(ctx context.Context, m notify.Message) (Message, error) {
	site, err := w.Store.Site(ctx, m.Event.SiteID)
	if err != nil {
		return Message{}, err
	}
	to := strings.TrimPrefix(m.URL, notify.MailScheme)
	settings := w.BaseURL + exports.PathLetters + m.Receiver.WebhookID + "/" + inquiry.LetterKey(w.Secret, m.Receiver.WebhookID, to)

	var b draft
	switch {
	case m.Event.ReceiverKind == origin.ReceiverAsker:
		b, err = w.writeToAsker(ctx, m, site.Name, settings)
	case len(m.Events) > 1:
		b, err = w.writeDigest(ctx, m, site.Name)
	default:
		b, err = w.writeToReceiver(ctx, m, site.Name)
	}
	if err != nil {
		return Message{}, err
	}

	b.addQuiet("Nothing in this message grants rights, and an inquiry is not an agreement.")
	reason := w.Service + " (" + w.BaseURL + ") sends these e-mails to this address."
	if w.Contact != "" {
		reason += " Its operator can be reached at " + w.Contact + "."
	}
	b.addQuiet(reason)
	if m.Event.Kind != notify.KindConfirm {
		b.addLink(settingsLabel(m), settings)
	}
	return Message{
		Service: w.Service, To: to, ID: m.ID, Date: m.At, Subject: b.headline, Text: b.text(), HTML: b.html(), Unsubscribe: settings,
	}, nil
}

func settingsLabel(m notify.Message) string {
	if m.Event.ReceiverKind == origin.ReceiverAsker {
		return "Stop these e-mails"
	}
	return "One e-mail a day, or none"
}

// conversation returns the link to a conversation in a letter to its requester.
func (w Writer) conversation(r *origin.Request) string {
	return w.BaseURL + exports.PathConversationPage + "#thread=" + r.ThreadID + "&token=" + inquiry.LetterToken(w.Secret, r)
}
