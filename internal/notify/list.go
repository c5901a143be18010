package notify

import (
	"context"
	"errors"
	"slices"
	"strings"

	"colophon/internal/origin"
)

// Outgoing is the part of the origin store that lists what is sent and to whom.
type Outgoing interface {
	Receivers(ctx context.Context) ([]origin.Receiver, error)
	EventCounts(ctx context.Context) ([]origin.EventCount, error)
	Events(ctx context.Context, f origin.EventFilter) ([]origin.Event, error)
}

// Listing has the receivers of notifications, and some notifications.
type Listing struct {
	Webhooks   []Receiver     `json:"webhooks"`
	Events     []origin.Event `json:"events"`
	NextBefore int64          `json:"next_before,omitempty"` // where a list that was cut goes on
}

// ErrLimit says that a list was asked for with a limit less than 1.
var ErrLimit = errors.New("the limit of a list is less than 1")

// List returns the receivers at an instant (RFC 3339), and f.Limit events at
// most. It returns ErrLimit for a limit less than 1.
func List(ctx context.Context, store Outgoing, f origin.EventFilter, now string) (*Listing, error) {
	if f.Limit < 1 {
		return nil, ErrLimit
	}
	limit := f.Limit
	f.Limit++ // one more shows that there are more
	receivers, err := store.Receivers(ctx)
	if err != nil {
		return nil, err
	}
	counts, err := store.EventCounts(ctx)
	if err != nil {
		return nil, err
	}
	events, err := store.Events(ctx, f)
	if err != nil {
		return nil, err
	}

	list := &Listing{Webhooks: []Receiver{}, Events: []origin.Event{}}
	for _, r := range receivers {
		list.Webhooks = append(list.Webhooks, NewReceiver(r, counts, now))
	}
	if len(events) > limit {
		events = events[:limit]
		list.NextBefore = events[limit-1].Seq
	}
	list.Events = append(list.Events, events...)
	return list, nil
}

// Letter is an e-mail, without the address that it goes to.
type Letter struct {
	EventID   string `json:"event_id"`
	To        string `json:"to"`       // publisher, operator, asker
	Receiver  string `json:"receiver"` // id of the webhook or of the request
	Kind      string `json:"kind"`
	SiteID    string `json:"site_id"`
	RequestID string `json:"request_id"`
	Status    string `json:"status"`
	At        string `json:"at"`
	State     string `json:"state"`
	Attempts  int64  `json:"attempts"`
	LastError string `json:"last_error,omitempty"`
}

// LetterListing has some letters, newest first.
type LetterListing struct {
	Letters []Letter `json:"letters"`
	Cut     bool     `json:"cut"` // there are more
}

// ListLetters returns the letters to publishers, operators and those who asked,
// f.Limit at most. It returns ErrLimit for a limit less than 1.
func ListLetters(ctx context.Context, store Outgoing, f origin.EventFilter) (*LetterListing, error) {
	if f.Limit < 1 {
		return nil, ErrLimit
	}
	limit := f.Limit
	f.Limit++ // one more shows that there are more
	receivers, err := store.Receivers(ctx)
	if err != nil {
		return nil, err
	}
	list := &LetterListing{Letters: []Letter{}}
	for _, r := range receivers {
		if !strings.HasPrefix(r.URL, MailScheme) {
			continue
		}
		f.ReceiverID = r.WebhookID
		events, err := store.Events(ctx, f)
		if err != nil {
			return nil, err
		}
		to := "publisher"
		if r.SiteID == "" {
			to = "operator"
		}
		list.add(to, events)
	}

	f.ReceiverKind, f.ReceiverID = origin.ReceiverAsker, ""
	events, err := store.Events(ctx, f)
	if err != nil {
		return nil, err
	}
	list.add("asker", events)

	slices.SortStableFunc(list.Letters, func(a, b Letter) int { return strings.Compare(b.At, a.At) })
	if len(list.Letters) > limit {
		list.Letters, list.Cut = list.Letters[:limit], true
	}
	return list, nil
}

func (l *LetterListing) add(to string, events []origin.Event) {
	for _, v := range events {
		l.Letters = append(l.Letters, Letter{v.EventID, to, v.ReceiverID, v.Kind, v.SiteID, v.RequestID, v.Status, v.At, v.State, v.Attempts, v.LastError})
	}
}
