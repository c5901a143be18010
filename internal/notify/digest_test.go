package notify_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"colophon/internal/notify"
	"colophon/internal/origin"
)

// TestDigestIsOneMessageADay checks that a receiver with a digest gets
// everything due at once, then nothing for a day, then everything that came in
// between; a failed attempt is repeated and loses nothing.
func TestDigestIsOneMessageADay(t *testing.T) {
	store := outbox(t, filepath.Join(t.TempDir(), "o.db"), "mailto:desk@a.example", 0)
	w, err := store.Webhook(t.Context(), "whk_a")
	must(t, err)
	w.Digest = true
	must(t, store.PutWebhook(t.Context(), w))

	begin := time.Now().Add(time.Second)
	now := begin
	var sizes []int
	status := 503
	s := &notify.Sender{Outbox: store, Now: func() time.Time { return now }, Mail: true}
	s.Post = func(_ context.Context, m notify.Message) (notify.Answer, error) {
		if m.Receiver.WebhookID == "whk_a" && status == 200 {
			sizes = append(sizes, len(m.Events))
		}
		return notify.Answer{Status: status}, nil
	}
	addRequests(t, store, 3)
	if got := once(t, s); got.Delivered != 0 {
		t.Errorf("a server that refuses took %+v", got)
	}
	status = 200
	for _, step := range []struct {
		after time.Duration
		add   int
		want  []int
	}{
		{time.Minute, 0, []int{3}},
		{2 * time.Minute, 2, []int{3}},
		{23 * time.Hour, 0, []int{3}},
		{24*time.Hour + 2*time.Minute, 0, []int{3, 2}},
	} {
		addRequests(t, store, step.add)
		now = begin.Add(step.after)
		once(t, s)
		if len(sizes) != len(step.want) || sizes[len(sizes)-1] != step.want[len(step.want)-1] {
			t.Errorf("after %s the messages have %v notices, not %v", step.after, sizes, step.want)
		}
	}
	waiting, err := store.Events(t.Context(), origin.EventFilter{ReceiverID: "whk_a", State: origin.EventWaiting, Limit: 10})
	must(t, err)
	if len(waiting) != 0 {
		t.Errorf("%d notices wait still", len(waiting))
	}
}
