package originsql_test

import (
	"context"
	"testing"

	"colophon/internal/assert"
	"colophon/internal/origin"
	"colophon/internal/originsql"
)

func inquiries(t *testing.T) *originsql.Store {
	t.Helper()
	ctx, s := context.Background(), open(t)
	must(t, s.PutPublisher(ctx, origin.Publisher{PublisherID: "p", LegalName: "P", CreatedAt: "t"}))
	must(t, s.PutSite(ctx, origin.Site{SiteID: "a-site", PublisherID: "p", Name: "A", SiteURL: "u", State: origin.Approved, CreatedAt: "t", ChangedAt: "t"}))
	return s
}

func TestEveryInquiryFieldRoundTrips(t *testing.T) {
	ctx, s := context.Background(), inquiries(t)
	p := fill(t, origin.Partner{})
	must(t, s.PutPartner(ctx, p))
	gotP, err := s.Partner(ctx, p.OrgID)
	same(t, "partner", gotP, p, err)
	all, err := s.Partners(ctx)
	same(t, "partners", all, []origin.Partner{p}, err)

	k := fill(t, origin.PartnerKey{OrgID: p.OrgID}, "OrgID")
	must(t, s.PutKey(ctx, k))
	gotK, err := s.PartnerKey(ctx, k.KeyID)
	same(t, "key", gotK, k, err)
	found, err := s.KeysByLookup(ctx, k.Lookup)
	same(t, "key by lookup", found, []origin.PartnerKey{k}, err)
	found, err = s.KeysOf(ctx, p.OrgID)
	same(t, "keys", found, []origin.PartnerKey{k}, err)

	l := fill(t, origin.InboxLink{SiteID: "a-site"}, "SiteID")
	must(t, s.PutLink(ctx, l))
	links, err := s.LinksByLookup(ctx, l.Lookup)
	same(t, "link", links, []origin.InboxLink{l}, err)
	links, err = s.LinksOf(ctx, "a-site")
	same(t, "links", links, []origin.InboxLink{l}, err)

	w := fill(t, origin.Webhook{})
	must(t, s.PutWebhook(ctx, w))
	gotW, err := s.Webhook(ctx, w.WebhookID)
	same(t, "webhook", gotW, w, err)

	r := fill(t, origin.Request{SiteID: "a-site", Messages: 0, ErasedAt: ""}, "SiteID", "Messages", "ErasedAt")
	added, err := s.AddRequest(ctx, r, "")
	if err != nil || !added {
		t.Fatalf("added %v, %v", added, err)
	}
	r.Messages, r.UpdatedAt, r.LastAuthor = 1, r.CreatedAt, "requester" // the first message counts
	got, err := s.Request(ctx, r.RequestID)
	same(t, "request", got, r, err)
	got, err = s.RequestByThread(ctx, r.ThreadID)
	same(t, "request by thread", got, r, err)
	got, err = s.RequestByKey(ctx, r.KeyScope, r.Key)
	same(t, "request by key", got, r, err)

	m := fill(t, origin.Message{MessageID: "msg_2", ThreadID: r.ThreadID, RequestID: r.RequestID, Seq: 2, FromState: r.State}, "MessageID", "ThreadID", "RequestID", "Seq", "FromState")
	added, err = s.AddMessage(ctx, m)
	if err != nil || !added {
		t.Fatalf("added %v, %v", added, err)
	}
	gotM, err := s.Message(ctx, r.ThreadID, m.MessageID)
	same(t, "message", gotM, m, err)
	gotM, err = s.MessageByClient(ctx, r.ThreadID, m.AuthorRole, m.ClientID)
	same(t, "message by client", gotM, m, err)
	byKind, err := s.LastOfKind(ctx, r.ThreadID, m.Kind, 5)
	same(t, "messages of a kind", byKind, []origin.Message{m}, err)
}

func TestAbsentKeysDoNotCollide(t *testing.T) {
	ctx, s := context.Background(), inquiries(t)
	for _, id := range []string{"1", "2"} {
		r := origin.Request{RequestID: "req_" + id, ThreadID: "thr_" + id, MessageID: "msg_" + id, SiteID: "a-site", State: "received"}
		if added, err := s.AddRequest(ctx, r, ""); err != nil || !added {
			t.Errorf("request %s: added %v, %v", id, added, err)
		}
	}
	assert.ErrorIs(t, assert.Err(s.RequestByKey(ctx, "", "")), origin.ErrNotFound, "an empty key finds something")
	added, err := s.AddMessage(ctx, origin.Message{MessageID: "msg_3", ThreadID: "thr_1", AuthorRole: "requester", FromState: "received"})
	if !added || err != nil {
		t.Fatal(added, err)
	}
	assert.ErrorIs(t, assert.Err(s.MessageByClient(ctx, "thr_1", "requester", "")), origin.ErrNotFound, "a message without an id of its author is found by none")
}

// TestMoveResetsReminders checks that reminders start again when the publisher
// acts, and only then.
func TestMoveResetsReminders(t *testing.T) {
	ctx, s := context.Background(), inquiries(t)
	_, err := s.AddRequest(ctx, origin.Request{RequestID: "req_1", ThreadID: "thr_1", MessageID: "msg_1", SiteID: "a-site", State: "delivered", Moves: 1, Reminders: 2}, "")
	must(t, err)
	for _, m := range []struct {
		by, from, to string
		want         int64
	}{{"system", "delivered", "held", 2}, {"operator", "held", "delivered", 2}, {"publisher", "delivered", "in_review", 0}} {
		_, err := s.MoveRequest(ctx, origin.Move{RequestID: "req_1", From: m.from, To: m.to, By: m.by, At: "t"})
		must(t, err)
		if r, err := s.Request(ctx, "req_1"); r.Reminders != m.want || r.State != m.to || err != nil {
			t.Errorf("after an act of the %s: %d reminders in %s, %v", m.by, r.Reminders, r.State, err)
		}
	}
}

// TestDeadlinesToTheSecond checks on which side of its bound each deadline falls:
// a request waits since before an instant, and is reminded, expired and freed of
// its key at the instant itself.
func TestDeadlinesToTheSecond(t *testing.T) {
	ctx, s := context.Background(), inquiries(t)
	_, err := s.AddRequest(ctx, origin.Request{RequestID: "req_1", ThreadID: "thr_1", MessageID: "msg_1", SiteID: "a-site", State: "delivered", StateSince: "5",
		KeyScope: "s", Key: "k", Moves: 1, PublisherAt: "5", CreatedAt: "5"}, "")
	must(t, err)
	states := []string{"delivered"}
	for _, c := range []struct {
		what   string
		at     [2]string // the last instant at which nothing is due, and the first at which it is
		happen func(before string) (int64, error)
	}{
		{"waits", [2]string{"5", "6"}, func(before string) (int64, error) {
			list, err := s.Waiting(ctx, "delivered", before, 10)
			return int64(len(list)), err
		}},
		{"is reminded", [2]string{"4", "5"}, func(before string) (int64, error) { return s.Remind(ctx, states, before, 1, "9", 10) }},
		{"frees its key", [2]string{"4", "5"}, func(before string) (int64, error) { return s.ForgetKeys(ctx, before, 10) }},
		{"expires", [2]string{"4", "5"}, func(before string) (int64, error) { return s.Expire(ctx, states, before, "expired", "7", 10) }},
		{"is erased", [2]string{"6", "7"}, func(before string) (int64, error) { return s.Erase(ctx, []string{"expired"}, before, "9", 10) }},
	} {
		for i, before := range c.at {
			if n, err := c.happen(before); err != nil || n != int64(i) {
				t.Errorf("%s before %s: %d, %v", c.what, before, n, err)
			}
		}
	}
}

func TestFilters(t *testing.T) {
	ctx, s := context.Background(), inquiries(t)
	for i, id := range []string{"1", "2", "3"} {
		r := origin.Request{RequestID: "req_" + id, ThreadID: "thr_" + id, MessageID: "msg_" + id, SiteID: "a-site", OrgID: "org_" + id, State: []string{"received", "held", "delivered"}[i], CreatedAt: "2026-01-0" + id, UpdatedAt: "2026-02-0" + id}
		r.BuyerName, r.BuyerCompany, r.BuyerEmail = "Ada "+id, "100% Ports_"+id, "ada@ports-"+id+".example"
		r.IntendedUse, r.RequestedScope, r.Message = "An Assistant", "/shipping/*", "We ask!\nTwice."
		_, err := s.AddRequest(ctx, r, "")
		must(t, err)
	}
	for _, c := range []struct {
		f    origin.RequestFilter
		want int
	}{
		{origin.RequestFilter{}, 3}, {origin.RequestFilter{OrgID: "org_1"}, 1}, {origin.RequestFilter{SiteID: "a-site"}, 3}, {origin.RequestFilter{SiteID: "b"}, 0},
		{origin.RequestFilter{States: []string{"received", "held"}}, 2}, {origin.RequestFilter{CreatedAfter: "2026-01-01"}, 2},
		{origin.RequestFilter{UpdatedAfter: "2026-02-09"}, 0}, {origin.RequestFilter{States: []string{"held"}, CreatedAfter: "2026-01-01", OrgID: "org_2"}, 1},
		{origin.RequestFilter{Words: []string{"ADA"}}, 3}, {origin.RequestFilter{Words: []string{"ada", "2"}}, 1}, {origin.RequestFilter{Words: []string{"PORTS-2", "assistant", "/Shipping"}}, 1},
		{origin.RequestFilter{Words: []string{"ada", "bob"}}, 0}, {origin.RequestFilter{Words: []string{"req_3"}}, 1}, {origin.RequestFilter{Words: []string{"twice", "ask!"}}, 3},
		{origin.RequestFilter{Words: []string{"100%"}}, 3}, {origin.RequestFilter{Words: []string{"1%0"}}, 0}, {origin.RequestFilter{Words: []string{"ports_3"}}, 1}, {origin.RequestFilter{Words: []string{"ports!3"}}, 0},
		{origin.RequestFilter{Words: []string{"ada"}, States: []string{"held"}}, 1},
	} {
		c.f.Limit = 10
		rows, err := s.RequestsOf(ctx, c.f)
		must(t, err)
		n, err := s.CountRequests(ctx, c.f)
		must(t, err)
		if len(rows) != c.want || n != int64(c.want) {
			t.Errorf("%+v: %d rows, counted %d, not %d", c.f, len(rows), n, c.want)
		}
	}
	rows, err := s.RequestsOf(ctx, origin.RequestFilter{Before: "req_3", Limit: 1})
	must(t, err)
	if len(rows) != 1 || rows[0].RequestID != "req_2" {
		t.Errorf("before req_3: %+v", rows)
	}
}

func TestCountersAndProofs(t *testing.T) {
	ctx, s := context.Background(), open(t)
	two := []origin.Counter{{Name: "a", ResetsAt: "5"}, {Name: "b", ResetsAt: "9"}}
	for i := int64(1); i <= 3; i++ {
		got, err := s.Bump(ctx, two)
		must(t, err)
		if len(got) != 2 || got[0].Count != i || got[1].Count != i {
			t.Errorf("round %d: %+v", i, got)
		}
	}
	fresh, err := s.SpendProof(ctx, "n", "7")
	must(t, err)
	stale, err := s.SpendProof(ctx, "n", "7")
	must(t, err)
	if !fresh || stale {
		t.Errorf("a nonce is fresh %v, then %v", fresh, stale)
	}
	must(t, assert.Err(s.Bump(ctx, []origin.Counter{{Name: "c", ResetsAt: "7"}})))
	n, err := s.Sweep(ctx, "7")
	must(t, err)
	left, err := s.Counts(ctx, []string{"a", "b", "c"})
	must(t, err)
	if n != 3 || len(left) != 1 || left[0].Name != "b" {
		t.Errorf("swept %d, left %+v", n, left)
	}
}

func TestLeases(t *testing.T) {
	ctx, s := context.Background(), inquiries(t)
	must(t, s.PutWebhook(ctx, origin.Webhook{WebhookID: "w", State: "active"}))
	_, err := s.AddRequest(ctx, origin.Request{RequestID: "req_1", ThreadID: "thr_1", MessageID: "msg_1", SiteID: "a-site", State: "received", Moves: 1}, "")
	must(t, err)
	moved, err := s.MoveRequest(ctx, origin.Move{RequestID: "req_1", From: "received", To: "delivered", By: "system", At: "1"})
	must(t, err)
	again, err := s.MoveRequest(ctx, origin.Move{RequestID: "req_1", From: "received", To: "delivered", By: "system", At: "1"})
	must(t, err)
	due, err := s.DueEvents(ctx, "w", "2", 10)
	must(t, err)
	if !moved || again || len(due) != 1 || due[0].EventID != "evt_1_s2" || due[0].Status != "delivered" {
		t.Fatalf("moved %v, again %v, due %+v", moved, again, due)
	}
	first, err := s.LeaseEvent(ctx, due[0].Seq, "2", "4")
	must(t, err)
	second, err := s.LeaseEvent(ctx, due[0].Seq, "3", "5")
	must(t, err)
	third, err := s.LeaseEvent(ctx, due[0].Seq, "4", "6")
	must(t, err)
	if !first || second || !third {
		t.Errorf("leased %v, while leased %v, after the lease %v", first, second, third)
	}
}

// TestDueReceivers checks that each receiver has its own queue, that a receiver
// which is paused or must not be contacted yet is not listed, and that failing
// ones are listed separately.
func TestDueReceivers(t *testing.T) {
	ctx, s := context.Background(), inquiries(t)
	for _, w := range []origin.Webhook{
		{WebhookID: "w_new", State: "active"}, {WebhookID: "w_works", State: "active"}, {WebhookID: "w_fails", State: "active"},
		{WebhookID: "w_open", State: "active"}, {WebhookID: "w_paused", State: "active"}, {WebhookID: "w_other", SiteID: "other", State: "active"},
		{WebhookID: "w_zmail", URL: "mailto:desk@a-site.example", State: "active"},
	} {
		must(t, s.PutWebhook(ctx, w))
	}
	must(t, s.PutHealth(ctx, origin.ReceiverHealth{ReceiverID: "w_works", AskedAt: "2"}))
	must(t, s.PutHealth(ctx, origin.ReceiverHealth{ReceiverID: "w_fails", AskedAt: "1", Failures: 2, FailingSince: "1", RetryAt: "4", LastError: "x"}))
	must(t, s.PutHealth(ctx, origin.ReceiverHealth{ReceiverID: "w_open", AskedAt: "1", Failures: 1, FailingSince: "1", RetryAt: "6", LastError: "x"}))
	_, err := s.AddRequest(ctx, origin.Request{RequestID: "req_1", ThreadID: "thr_1", MessageID: "msg_1", SiteID: "a-site", State: "received", Letters: origin.LettersUnconfirmed, BuyerEmail: "a@b.example", Moves: 1}, "")
	must(t, err)
	_, err = s.MoveRequest(ctx, origin.Move{RequestID: "req_1", From: "received", To: "delivered", By: "system", At: "3"})
	must(t, err)
	must(t, s.PutWebhook(ctx, origin.Webhook{WebhookID: "w_paused", State: "paused"}))

	list := func(now string, failing bool, limit int) (ids []string) {
		t.Helper()
		due, err := s.DueReceivers(ctx, origin.DueFilter{Kind: origin.ReceiverWebhook, Now: now, Failing: failing, Limit: limit})
		must(t, err)
		for _, r := range due {
			ids = append(ids, r.WebhookID)
			if (r.Health.Failures > 0) != failing || r.Health.ReceiverID != r.WebhookID {
				t.Errorf("health of %s: %+v", r.WebhookID, r.Health)
			}
		}
		return ids
	}
	same(t, "before the event", list("2", false, 9), []string(nil), nil)
	same(t, "working", list("3", false, 9), []string{"w_new", "w_works"}, nil)
	same(t, "working, one", list("3", false, 1), []string{"w_new"}, nil)
	withMail, err := s.DueReceivers(ctx, origin.DueFilter{Kind: origin.ReceiverWebhook, Now: "3", Mail: true, Limit: 9})
	must(t, err)
	if len(withMail) != 3 || withMail[1].WebhookID != "w_zmail" {
		t.Errorf("with e-mail: %+v", withMail)
	}
	askers := func(mail, failing bool) []origin.Receiver {
		t.Helper()
		due, err := s.DueReceivers(ctx, origin.DueFilter{Kind: origin.ReceiverAsker, Now: "3", Mail: mail, Failing: failing, Limit: 9})
		must(t, err)
		return due
	}
	if due := askers(true, false); len(due) != 1 || due[0].WebhookID != "req_1" || due[0].URL != "mailto:a@b.example" || due[0].Health != (origin.ReceiverHealth{ReceiverID: "req_1"}) {
		t.Errorf("askers: %+v", due)
	}
	if len(askers(false, false))+len(askers(true, true)) > 0 {
		t.Error("an asker is due without e-mail, or as one that failed")
	}
	same(t, "failing, too early", list("3", true, 9), []string(nil), nil)
	same(t, "failing", list("5", true, 9), []string{"w_fails"}, nil)
	same(t, "failing, later", list("6", true, 9), []string{"w_fails", "w_open"}, nil)

	due, err := s.DueEvents(ctx, "w_new", "3", 9)
	must(t, err)
	_, err = s.LeaseEvent(ctx, due[0].Seq, "3", "9")
	must(t, err)
	same(t, "while its event is leased", list("3", false, 9), []string{"w_works"}, nil)
}

// TestEndEvent checks what is kept of an attempt: one that failed waits again,
// with its reason, and the result of one that ended an event is final.
func TestEndEvent(t *testing.T) {
	ctx, s := context.Background(), inquiries(t)
	must(t, s.PutWebhook(ctx, origin.Webhook{WebhookID: "w", State: "active"}))
	_, err := s.AddRequest(ctx, origin.Request{RequestID: "req_1", ThreadID: "thr_1", MessageID: "msg_1", SiteID: "a-site", State: "received", Moves: 1}, "")
	must(t, err)
	_, err = s.MoveRequest(ctx, origin.Move{RequestID: "req_1", From: "received", To: "delivered", By: "system", At: "3"})
	must(t, err)
	event := func() origin.Event {
		list, err := s.Events(ctx, origin.EventFilter{ReceiverID: "w", Limit: 9})
		must(t, err)
		if len(list) != 1 {
			t.Fatalf("events %+v", list)
		}
		return list[0]
	}
	e := event()
	taken, err := s.LeaseEvent(ctx, e.Seq, "3", "4")
	must(t, err)
	if again, err := s.LeaseEvent(ctx, e.Seq, "3", "4"); !taken || again || err != nil {
		t.Errorf("leased %t, and once more %t %v", taken, again, err)
	}
	e.DueAt, e.LastError = "7", "refused"
	must(t, s.EndEvent(ctx, e))
	if got := event(); got.State != "waiting" || got.DueAt != "7" || got.LastError != "refused" || got.LeasedUntil != "" || got.Attempts != 1 || got.DeliveredAt != "" {
		t.Errorf("after an attempt that failed: %+v", got)
	}
	e.State, e.LastError, e.DeliveredAt = origin.EventDelivered, "", "8"
	must(t, s.EndEvent(ctx, e))
	e.State, e.LastError = origin.EventFailed, "late"
	must(t, s.EndEvent(ctx, e))
	if got := event(); got.State != origin.EventDelivered || got.LastError != "" || got.DeliveredAt != "8" {
		t.Errorf("after it was delivered: %+v", got)
	}
}

// TestDeadLetters checks that a notification that was given up waits again when
// an operator retries it, and that its receiver is contacted at once.
func TestDeadLetters(t *testing.T) {
	ctx, s := context.Background(), inquiries(t)
	must(t, s.PutWebhook(ctx, origin.Webhook{WebhookID: "w", State: "active"}))
	for _, at := range []string{"3", "5"} {
		_, err := s.AddRequest(ctx, origin.Request{RequestID: "req_" + at, ThreadID: "thr_" + at, MessageID: "msg_" + at, SiteID: "a-site", State: "received", Moves: 1}, "")
		must(t, err)
		_, err = s.MoveRequest(ctx, origin.Move{RequestID: "req_" + at, From: "received", To: "delivered", By: "system", At: at})
		must(t, err)
	}
	must(t, s.PutHealth(ctx, origin.ReceiverHealth{ReceiverID: "w", AskedAt: "5", Failures: 9, FailingSince: "1", RetryAt: "99", LastError: "x"}))

	old, err := s.FailOldEvents(ctx, "w", "4", "gone")
	must(t, err)
	failed, err := s.Events(ctx, origin.EventFilter{ReceiverID: "w", State: origin.EventFailed, Limit: 9})
	must(t, err)
	if old != 1 || len(failed) != 1 || failed[0].RequestID != "req_3" || failed[0].LastError != "gone" {
		t.Fatalf("%d given up: %+v", old, failed)
	}
	counts, err := s.EventCounts(ctx)
	must(t, err)
	if len(counts) != 2 || counts[0] != (origin.EventCount{ReceiverID: "w", State: origin.EventFailed, Count: 1}) {
		t.Errorf("counts %+v", counts)
	}
	none, err := s.Events(ctx, origin.EventFilter{ReceiverID: "w", Before: failed[0].Seq, Limit: 9})
	must(t, err)
	assert.Equal(t, len(none), 0, "before the first: %+v", none)

	again, err := s.RetryEvents(ctx, "w", "8")
	must(t, err)
	due, err := s.DueReceivers(ctx, origin.DueFilter{Kind: origin.ReceiverWebhook, Now: "8", Limit: 9})
	must(t, err)
	if again != 1 || len(due) != 1 {
		t.Errorf("%d wait again, due %+v", again, due)
	}
	old, err = s.FailOldEvents(ctx, "w", "7", "gone")
	must(t, err)
	if old != 1 { // the one that was not retried
		t.Errorf("%d given up after the retry", old)
	}
}
