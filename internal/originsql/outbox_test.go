package originsql_test

import (
	"context"
	"slices"
	"testing"

	"colophon/internal/origin"
	"colophon/internal/originsql"
)

// letterTime is an instant after everything that outboxOfLetters writes.
const letterTime = "2026-01-09T00:00:00Z"

// outboxOfLetters returns a store with one waiting event each for an asker, a
// receiver by letter and a receiver by webhook. letters is the state of the
// asker's letters.
func outboxOfLetters(t *testing.T, letters, email string) *originsql.Store {
	t.Helper()
	ctx, s := context.Background(), inquiries(t)
	must(t, s.PutWebhook(ctx, origin.Webhook{WebhookID: "whk_mail", URL: "mailto:desk@a.example", State: "active"}))
	must(t, s.PutWebhook(ctx, origin.Webhook{WebhookID: "whk_web", URL: "https://a.example/hook", State: "active"}))
	r := origin.Request{RequestID: "req_1", ThreadID: "thr_1", MessageID: "msg_1", SiteID: "a-site", State: "held", Letters: origin.LettersUnconfirmed, Moves: 1, BuyerEmail: email}
	if added, err := s.AddRequest(ctx, r, ""); err != nil || !added {
		t.Fatalf("added %v, %v", added, err)
	}
	move := origin.Move{RequestID: "req_1", From: "held", To: "delivered", By: "operator", At: "2026-01-02T00:00:00Z"}
	if moved, err := s.MoveRequest(ctx, move); err != nil || !moved {
		t.Fatalf("moved %v, %v", moved, err)
	}
	if letters != origin.LettersUnconfirmed {
		_, err := s.SetLetters(ctx, "req_1", letters, "2026-01-03T00:00:00Z")
		must(t, err)
	}
	return s
}

// dueReceivers returns the ids of receivers of a kind whose events are due.
func dueReceivers(t *testing.T, s *originsql.Store, f origin.DueFilter) []string {
	t.Helper()
	f.Now, f.Limit = letterTime, 10
	list, err := s.DueReceivers(t.Context(), f)
	must(t, err)
	ids := []string{}
	for _, r := range list {
		ids = append(ids, r.Webhook.WebhookID)
	}
	slices.Sort(ids)
	return ids
}

// TestDueAskers checks that an asker is listed for letters as long as they are
// wanted and there is an address.
func TestDueAskers(t *testing.T) {
	for _, c := range []struct {
		letters, email string
		mail           bool
		want           []string
	}{
		{origin.LettersUnconfirmed, "a@b.example", true, []string{"req_1"}},
		{origin.LettersConfirmed, "a@b.example", true, []string{"req_1"}},
		{"ended", "a@b.example", true, []string{}},
		{"", "a@b.example", true, []string{}},
		{origin.LettersUnconfirmed, "", true, []string{}},
		{origin.LettersConfirmed, "a@b.example", false, []string{}},
	} {
		s := outboxOfLetters(t, c.letters, c.email)
		if got := dueReceivers(t, s, origin.DueFilter{Kind: origin.ReceiverAsker, Mail: c.mail}); !slices.Equal(got, c.want) {
			t.Errorf("letters %q to %q, mail %v: due are %q, not %q", c.letters, c.email, c.mail, got, c.want)
		}
	}
}

// TestDueWebhooks checks that active receivers are listed, those by letter only
// if letters are sent.
func TestDueWebhooks(t *testing.T) {
	for _, c := range []struct {
		state string // of both receivers
		mail  bool
		want  []string
	}{
		{"active", true, []string{"whk_mail", "whk_web"}},
		{"active", false, []string{"whk_web"}},
		{"paused", true, []string{}},
	} {
		s := outboxOfLetters(t, origin.LettersUnconfirmed, "a@b.example")
		for id, url := range map[string]string{"whk_mail": "mailto:desk@a.example", "whk_web": "https://a.example/hook"} {
			must(t, s.PutWebhook(t.Context(), origin.Webhook{WebhookID: id, URL: url, State: c.state}))
		}
		if got := dueReceivers(t, s, origin.DueFilter{Kind: origin.ReceiverWebhook, Mail: c.mail}); !slices.Equal(got, c.want) {
			t.Errorf("%s, mail %v: due are %q, not %q", c.state, c.mail, got, c.want)
		}
	}
}

// TestFailingReceivers checks that a receiver whose last attempt failed is
// listed separately from the others, and only when its next attempt is due.
func TestFailingReceivers(t *testing.T) {
	for _, c := range []struct {
		name            string
		health          origin.ReceiverHealth
		healthy, failed []string
	}{
		{"never asked", origin.ReceiverHealth{}, []string{"whk_web"}, []string{}},
		{"asked with success", origin.ReceiverHealth{AskedAt: "2026-01-08T00:00:00Z"}, []string{"whk_web"}, []string{}},
		{"failed, and due again", origin.ReceiverHealth{Failures: 1, RetryAt: letterTime}, []string{}, []string{"whk_web"}},
		{"failed, and put off", origin.ReceiverHealth{Failures: 1, RetryAt: "2026-01-10T00:00:00Z"}, []string{}, []string{}},
	} {
		s := outboxOfLetters(t, origin.LettersUnconfirmed, "a@b.example")
		if c.health != (origin.ReceiverHealth{}) {
			c.health.ReceiverID = "whk_web"
			must(t, s.PutHealth(t.Context(), c.health))
		}
		healthy := dueReceivers(t, s, origin.DueFilter{Kind: origin.ReceiverWebhook})
		failed := dueReceivers(t, s, origin.DueFilter{Kind: origin.ReceiverWebhook, Failing: true})
		if !slices.Equal(healthy, c.healthy) || !slices.Equal(failed, c.failed) {
			t.Errorf("%s: %q and failing %q", c.name, healthy, failed)
		}
	}
}

// TestRetryLetters checks that only letters that were given up wait again:
// those to receivers by letter, and to askers who still want them.
func TestRetryLetters(t *testing.T) {
	for _, c := range []struct {
		name, letters, event string
		receivers, askers    int64
	}{
		{"all", origin.LettersConfirmed, "", 1, 1},
		{"an asker who did not confirm", origin.LettersUnconfirmed, "", 1, 1},
		{"an asker who ended them", "ended", "", 1, 0},
		{"the receivers' event", origin.LettersUnconfirmed, "evt_1_s2", 1, 0},
		{"the asker's event", origin.LettersUnconfirmed, "evt_1_l", 0, 1},
		{"no such event", origin.LettersUnconfirmed, "evt_9", 0, 0},
	} {
		s := outboxOfLetters(t, origin.LettersUnconfirmed, "a@b.example")
		for _, id := range []string{"req_1", "whk_mail", "whk_web"} {
			if n, err := s.FailOldEvents(t.Context(), id, letterTime, "gone"); n == 0 || err != nil {
				t.Fatalf("%s: %d given up, %v", id, n, err)
			}
			must(t, s.PutHealth(t.Context(), origin.ReceiverHealth{ReceiverID: id, Failures: 9, RetryAt: "2027"}))
		}
		if c.letters != origin.LettersUnconfirmed {
			_, err := s.SetLetters(t.Context(), "req_1", c.letters, "2026-01-03T00:00:00Z")
			must(t, err)
		}
		receivers, askers, err := s.RetryLetters(t.Context(), c.event, letterTime)
		if receivers != c.receivers || askers != c.askers || err != nil {
			t.Errorf("%s: %d to receivers, %d to askers, %v", c.name, receivers, askers, err)
		}
		due := len(dueReceivers(t, s, origin.DueFilter{Kind: origin.ReceiverWebhook, Mail: true})) + len(dueReceivers(t, s, origin.DueFilter{Kind: origin.ReceiverAsker, Mail: true}))
		if want := int(c.receivers + c.askers); due != want {
			t.Errorf("%s: %d receivers are due, not %d", c.name, due, want)
		}
	}
}
