package notify_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"colophon/internal/notify"
	"colophon/internal/origin"
)

// outgoing has the receivers and events of a test.
type outgoing struct {
	receivers []origin.Receiver
	events    map[string][]origin.Event // by receiver, "asker" for those who asked
}

func (o *outgoing) Receivers(context.Context) ([]origin.Receiver, error) { return o.receivers, nil }

func (o *outgoing) EventCounts(context.Context) ([]origin.EventCount, error) { return nil, nil }

func (o *outgoing) Events(_ context.Context, f origin.EventFilter) ([]origin.Event, error) {
	of := f.ReceiverID
	if f.ReceiverKind == origin.ReceiverAsker {
		of = "asker"
	}
	return o.events[of][:min(f.Limit, len(o.events[of]))], nil
}

func newOutgoing() *outgoing {
	desk := origin.Receiver{Webhook: origin.Webhook{WebhookID: "whk_desk", URL: "mailto:desk@harbor.example", SiteID: "harbor"}}
	all := origin.Receiver{Webhook: origin.Webhook{WebhookID: "whk_all", URL: "mailto:all@registry.example"}}
	web := origin.Receiver{Webhook: origin.Webhook{WebhookID: "whk_web", URL: "https://desk.example/hooks"}}
	return &outgoing{
		receivers: []origin.Receiver{desk, all, web},
		events: map[string][]origin.Event{
			"whk_desk": {{EventID: "evt_2", Seq: 2, At: "2026-11-20T09:00:00Z"}},
			"whk_all":  {{EventID: "evt_1", Seq: 1, At: "2026-11-19T09:00:00Z"}},
			"whk_web":  {{EventID: "evt_4", Seq: 4, At: "2026-11-22T09:00:00Z"}},
			"asker":    {{EventID: "evt_3", Seq: 3, At: "2026-11-21T09:00:00Z"}},
			"":         {{EventID: "evt_4", Seq: 4}, {EventID: "evt_3", Seq: 3}, {EventID: "evt_2", Seq: 2}},
		},
	}
}

// TestListLetters checks that letters to all who get them are listed, newest
// first, that what goes to a web address is not among them, and that a cut list
// says so.
func TestListLetters(t *testing.T) {
	for limit, want := range map[int]string{4: "evt_3 asker, evt_2 publisher, evt_1 operator", 3: "evt_3 asker, evt_2 publisher, evt_1 operator", 2: "evt_3 asker, evt_2 publisher, cut", 1: "evt_3 asker, cut"} {
		list, err := notify.ListLetters(t.Context(), newOutgoing(), origin.EventFilter{Limit: limit})
		must(t, err)
		var got []string
		for _, l := range list.Letters {
			got = append(got, l.EventID+" "+l.To)
		}
		if list.Cut {
			got = append(got, "cut")
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("limit %d: %q, want %q", limit, strings.Join(got, ", "), want)
		}
	}
}

// TestListSaysWhereItGoesOn checks that a list that was cut names its last
// event, and that a whole one does not.
func TestListSaysWhereItGoesOn(t *testing.T) {
	for limit, want := range map[int]int64{1: 4, 2: 3, 3: 0, 4: 0} {
		list, err := notify.List(t.Context(), newOutgoing(), origin.EventFilter{Limit: limit}, "2026-11-23T09:00:00Z")
		if err != nil || len(list.Webhooks) != 3 || list.NextBefore != want || len(list.Events) != min(limit, 3) {
			t.Errorf("limit %d: %v, %+v, want %d", limit, err, list, want)
		}
	}
}

// TestListNeedsALimit checks that a list of nothing is refused.
func TestListNeedsALimit(t *testing.T) {
	for _, limit := range []int{0, -1} {
		f := origin.EventFilter{Limit: limit}
		if list, err := notify.List(t.Context(), newOutgoing(), f, "2026-11-23T09:00:00Z"); !errors.Is(err, notify.ErrLimit) || list != nil {
			t.Errorf("limit %d: %+v, %v", limit, list, err)
		}
		if list, err := notify.ListLetters(t.Context(), newOutgoing(), f); !errors.Is(err, notify.ErrLimit) || list != nil {
			t.Errorf("letters, limit %d: %+v, %v", limit, list, err)
		}
	}
}
