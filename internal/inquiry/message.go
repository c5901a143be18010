package inquiry

import (
	"context"
	"errors"

	"colophon/exports"
	"colophon/internal/origin"
)

// MessageDraft is a message on its way into a conversation.
type MessageDraft struct {
	By        Role // Requester, Publisher
	Kind      Act
	ByAgent   bool
	Body      string
	Terms     string // JSON of indicative terms
	InReplyTo string
	ClientID  string // the author's own id: a retry with it adds nothing
}

// PostMessage posts a message and makes the move that Rules gives for it. It
// returns the message and the request after it; replayed is true if the author
// had already sent it. It returns *Refused, ErrClosed, ErrNoMessage,
// ErrKeyReused or ErrBusy.
func (d Service) PostMessage(ctx context.Context, requestID string, w MessageDraft) (m origin.Message, r origin.Request, replayed bool, err error) {
	id, err := d.NewID(exports.PrefixMessage)
	if err != nil {
		return m, r, false, err
	}
	err = d.retryDecision(ctx, requestID, func(at origin.Request) (bool, error) {
		r = at
		if m, replayed, err = d.findSent(ctx, at, w); replayed || err != nil {
			return true, err
		}
		if m, err = d.composeMessage(ctx, at, w, id); err != nil {
			return true, err
		}
		return d.Store.AddMessage(ctx, m)
	})
	if err != nil || replayed {
		return m, r, replayed, err
	}
	if m, err = d.Store.Message(ctx, r.ThreadID, m.MessageID); err != nil {
		return m, r, false, err
	}
	r, err = d.Store.Request(ctx, requestID)
	return m, r, false, err
}

// findSent looks for a message that the author already sent under the same id.
func (d Service) findSent(ctx context.Context, r origin.Request, w MessageDraft) (origin.Message, bool, error) {
	if w.ClientID == "" {
		return origin.Message{}, false, nil
	}
	m, err := d.Store.MessageByClient(ctx, r.ThreadID, string(w.By), w.ClientID)
	switch {
	case errors.Is(err, origin.ErrNotFound):
		return m, false, nil
	case err != nil:
		return m, false, err
	case m.Kind != string(w.Kind) || m.Body != w.Body || m.Terms != w.Terms || m.InReplyTo != w.InReplyTo:
		return m, false, ErrKeyReused
	}
	return m, true, nil
}

func (d Service) composeMessage(ctx context.Context, r origin.Request, w MessageDraft, id string) (origin.Message, error) {
	from := State(r.State)
	to, ok := Next(from, w.By, w.Kind)
	switch {
	case from.Terminal():
		return origin.Message{}, ErrClosed
	case !ok:
		return origin.Message{}, &Refused{from}
	case to == from:
		to = ""
	}
	if w.InReplyTo != "" {
		if _, err := d.Store.Message(ctx, r.ThreadID, w.InReplyTo); errors.Is(err, origin.ErrNotFound) {
			return origin.Message{}, ErrNoMessage
		} else if err != nil {
			return origin.Message{}, err
		}
	}
	kind := "human"
	if w.ByAgent {
		kind = "agent"
	}
	return origin.Message{
		MessageID: id, ThreadID: r.ThreadID, RequestID: r.RequestID, At: d.nowRFC3339(), AuthorRole: string(w.By), AuthorKind: kind,
		Kind: string(w.Kind), Body: w.Body, Terms: w.Terms, InReplyTo: w.InReplyTo, ClientID: w.ClientID, FromState: r.State, ToState: string(to),
	}, nil
}

// Reply is PostMessage for a publisher. A text or indicative terms on a request that has
// not been opened yet open it first.
func (d Service) Reply(ctx context.Context, requestID string, w MessageDraft) (origin.Message, origin.Request, error) {
	w.By = Publisher
	r, err := d.Store.Request(ctx, requestID)
	if err != nil {
		return origin.Message{}, r, err
	}
	if State(r.State) == Delivered && (w.Kind == Text || w.Kind == IndicativeTerms) {
		if _, err := d.Decide(ctx, requestID, Decision{By: Publisher, Act: Open}); err != nil {
			return origin.Message{}, r, err
		}
	}
	m, r, _, err := d.PostMessage(ctx, requestID, w)
	return m, r, err
}
