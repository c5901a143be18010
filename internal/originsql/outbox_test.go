package originsql_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"colophon/internal/assert"
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
		assert.EqualSlices(t, dueReceivers(t, s, origin.DueFilter{Kind: origin.ReceiverAsker, Mail: c.mail}), c.want, "letters %q to %q, mail %v: due", c.letters, c.email, c.mail)
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
		assert.EqualSlices(t, dueReceivers(t, s, origin.DueFilter{Kind: origin.ReceiverWebhook, Mail: c.mail}), c.want, "%s, mail %v: due", c.state, c.mail)
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
			if id != "whk_web" { // which waits until 2027, and stays as it is
				if n, err := s.FailOldEvents(t.Context(), id, letterTime, "gone"); n == 0 || err != nil {
					t.Fatalf("%s: %d given up, %v", id, n, err)
				}
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

// TestDueEvents checks which events of a receiver are due: those that wait, whose
// time has come and which nobody is sending, the earliest first.
func TestDueEvents(t *testing.T) {
	ctx, s := context.Background(), inquiries(t)
	for _, id := range []string{"w", "v"} {
		must(t, s.PutWebhook(ctx, origin.Webhook{WebhookID: id, URL: "https://a.example/" + id, State: "active"}))
	}
	for _, id := range []string{"1", "2", "3", "4", "5", "6"} {
		ask(t, s, id, func(r *origin.Request) { r.State, r.Letters = "held", origin.LettersNone })
		if moved, err := s.MoveRequest(ctx, origin.Move{RequestID: "req_" + id, From: "held", To: "delivered", By: "operator", At: "3"}); !moved || err != nil {
			t.Fatal(moved, err)
		}
	}
	list, err := s.DueEvents(ctx, "w", "3", 9)
	if must(t, err); len(list) != 6 {
		t.Fatalf("due are %+v", list)
	}
	end := func(i int, state, due string) {
		t.Helper()
		e := list[i]
		e.State, e.DueAt, e.LastError = state, due, "refused"
		must(t, s.EndEvent(ctx, e))
	}
	if taken, err := s.LeaseEvent(ctx, list[1].Seq, "3", "9"); !taken || err != nil {
		t.Fatal(taken, err)
	}
	end(2, origin.EventDelivered, "3")
	end(3, origin.EventFailed, "3")
	end(4, origin.EventWaiting, "7")
	due := func(now string, limit int) (out string) {
		t.Helper()
		list, err := s.DueEvents(ctx, "w", now, limit)
		must(t, err)
		for _, e := range list {
			out += " " + strings.TrimPrefix(e.RequestID, "req_")
			assert.Equal(t, e.ReceiverID, "w", "an event of")
		}
		return out
	}
	for _, c := range []struct {
		now   string
		limit int
		want  string
	}{{"2", 9, ""}, {"3", 9, " 1 6"}, {"3", 1, " 1"}, {"6", 9, " 1 6"}, {"7", 9, " 1 6 5"}, {"8", 9, " 1 6 5"}, {"9", 9, " 1 2 6 5"}} {
		assert.Equal(t, due(c.now, c.limit), c.want, "at %s due", c.now)
	}
	for i, want := range []bool{true, true, false, false, true, true} {
		if taken, err := s.LeaseEvent(ctx, list[i].Seq, "9", "99"); taken != want || err != nil {
			t.Errorf("event %d was taken %v, %v", i+1, taken, err)
		}
	}
}

// TestWhenReceiversAreDue checks that a receiver is listed while it has an event
// to be sent, from the instant on at which that may be sent again.
func TestWhenReceiversAreDue(t *testing.T) {
	for _, c := range []struct {
		what string
		do   func(s *originsql.Store, e origin.Event) error
		due  string // "" never
	}{
		{"waiting", func(*originsql.Store, origin.Event) error { return nil }, "2026-01-02T00:00:00Z"},
		{"leased", func(s *originsql.Store, e origin.Event) error {
			_, err := s.LeaseEvent(t.Context(), e.Seq, "2026-01-02T00:00:00Z", "2026-01-05T00:00:00Z")
			return err
		}, "2026-01-05T00:00:00Z"},
		{"put off", func(s *originsql.Store, e origin.Event) error {
			e.DueAt = "2026-01-06T00:00:00Z"
			return s.EndEvent(t.Context(), e)
		}, "2026-01-06T00:00:00Z"},
		{"delivered", func(s *originsql.Store, e origin.Event) error {
			e.State = origin.EventDelivered
			return s.EndEvent(t.Context(), e)
		}, ""},
		{"given up", func(s *originsql.Store, e origin.Event) error {
			_, err := s.FailOldEvents(t.Context(), "whk_web", letterTime, "gone")
			return err
		}, ""},
	} {
		s := outboxOfLetters(t, origin.LettersUnconfirmed, "a@b.example")
		list, err := s.DueEvents(t.Context(), "whk_web", letterTime, 9)
		if must(t, err); len(list) != 1 {
			t.Fatalf("due are %+v", list)
		}
		must(t, c.do(s, list[0]))
		first := ""
		for _, now := range []string{"2026-01-01T23:59:59Z", "2026-01-02T00:00:00Z", "2026-01-04T23:59:59Z", "2026-01-05T00:00:00Z", "2026-01-05T23:59:59Z", "2026-01-06T00:00:00Z"} {
			due, err := s.DueReceivers(t.Context(), origin.DueFilter{Kind: origin.ReceiverWebhook, Now: now, Limit: 9})
			if must(t, err); len(due) > 0 && first == "" {
				first = now
			}
		}
		assert.Equal(t, first, c.due, "%s: due since", c.what)
	}
}

// TestGivingUp checks that only events which waited since before an instant, and
// were not retried since, are given up, each once, and what a retry makes of them.
func TestGivingUp(t *testing.T) {
	s := outboxOfLetters(t, origin.LettersUnconfirmed, "a@b.example") // whose events are of 2026-01-02
	event := func() origin.Event {
		t.Helper()
		list, err := s.Events(t.Context(), origin.EventFilter{ReceiverID: "whk_web", Limit: 9})
		if must(t, err); len(list) != 1 {
			t.Fatalf("events %+v", list)
		}
		return list[0]
	}
	for _, c := range []struct {
		before string
		n      int64
	}{{"2026-01-02T00:00:00Z", 0}, {"2026-01-02T00:00:01Z", 1}, {"2026-01-02T00:00:01Z", 0}} {
		if n, err := s.FailOldEvents(t.Context(), "whk_web", c.before, "gone"); n != c.n || err != nil {
			t.Errorf("before %s: %d given up, %v", c.before, n, err)
		}
	}
	if e := event(); e.State != origin.EventFailed || e.LastError != "gone" {
		t.Errorf("given up: %+v", e)
	}
	must(t, s.PutHealth(t.Context(), origin.ReceiverHealth{ReceiverID: "whk_web", Failures: 3, RetryAt: "2027"}))
	must(t, s.PutHealth(t.Context(), origin.ReceiverHealth{ReceiverID: "whk_mail", Failures: 3, RetryAt: "2027"}))
	if n, err := s.RetryEvents(t.Context(), "whk_web", letterTime); n != 1 || err != nil {
		t.Errorf("%d retried, %v", n, err)
	}
	if e := event(); e.State != origin.EventWaiting || e.DueAt != letterTime || e.RetriedAt != letterTime || e.Attempts != 0 {
		t.Errorf("retried: %+v", e)
	}
	for _, c := range []struct {
		before string
		n      int64
	}{{letterTime, 0}, {"2026-01-09T00:00:01Z", 1}} {
		if n, err := s.FailOldEvents(t.Context(), "whk_web", c.before, "gone"); n != c.n || err != nil {
			t.Errorf("retried, before %s: %d given up, %v", c.before, n, err)
		}
	}
	receivers, err := s.Receivers(t.Context())
	if must(t, err); len(receivers) != 2 || receivers[0].Health.Failures != 3 || receivers[1].Health.Failures != 0 {
		t.Errorf("receivers %+v", receivers)
	}
}

// TestRetryBringsForward checks that a retry lets every waiting event of a
// receiver be sent now, and changes neither events that ended nor other receivers.
func TestRetryBringsForward(t *testing.T) {
	s := outboxOfLetters(t, origin.LettersUnconfirmed, "a@b.example")
	for id, due := range map[string]string{"early": "2026-01-08T00:00:00Z", "late": "2027", "ended": "2027"} {
		ask(t, s, id, func(r *origin.Request) { r.State, r.Letters = "held", origin.LettersNone })
		move := origin.Move{RequestID: "req_" + id, From: "held", To: "delivered", By: "operator", At: "2026-01-02T00:00:00Z"}
		if moved, err := s.MoveRequest(t.Context(), move); !moved || err != nil {
			t.Fatal(moved, err)
		}
		list, err := s.Events(t.Context(), origin.EventFilter{Limit: 2}) // of both receivers
		must(t, err)
		for _, e := range list {
			if e.DueAt = due; id == "ended" {
				e.State = origin.EventDelivered
			}
			must(t, s.EndEvent(t.Context(), e))
		}
	}
	due := func(receiver string) string {
		t.Helper()
		list, err := s.Events(t.Context(), origin.EventFilter{ReceiverID: receiver, Limit: 9})
		must(t, err)
		var out []string
		for _, e := range list {
			out = append(out, strings.TrimPrefix(e.RequestID, "req_")+" "+e.DueAt)
		}
		slices.Sort(out)
		return strings.Join(out, ", ")
	}
	other := due("whk_mail")
	if n, err := s.RetryEvents(t.Context(), "whk_web", letterTime); n != 0 || err != nil {
		t.Errorf("%d had been given up, %v", n, err)
	}
	assert.Equal(t, due("whk_web"), "1 2026-01-02T00:00:00Z, early 2026-01-08T00:00:00Z, ended 2027, late "+letterTime, "due")
	if got := due("whk_mail"); got != other {
		t.Errorf("of another receiver due are %s, and were %s", got, other)
	}
}
