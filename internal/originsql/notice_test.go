package originsql_test

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"testing"

	"colophon/internal/origin"
	"colophon/internal/originsql"
)

// notices is an inquiry at a site with receivers of all kinds: whk_site and
// whk_all get its events, whk_paused and whk_other do not.
type notices struct {
	*originsql.Store
	t  *testing.T
	id string
	n  int
}

func newNotices(t *testing.T) *notices {
	t.Helper()
	ctx, s := context.Background(), inquiries(t)
	for _, w := range []origin.Webhook{
		{WebhookID: "whk_site", SiteID: "a-site", State: "active"}, {WebhookID: "whk_all", State: "active"},
		{WebhookID: "whk_paused", State: "paused"}, {WebhookID: "whk_other", SiteID: "b-site", State: "active"},
	} {
		must(t, s.PutWebhook(ctx, w))
	}
	return &notices{Store: s, t: t}
}

// add begins the next inquiry.
func (n *notices) add(state, letters string) {
	n.t.Helper()
	n.n++
	n.id = strconv.Itoa(n.n)
	r := origin.Request{RequestID: "req_" + n.id, ThreadID: "thr_" + n.id, MessageID: "msg_" + n.id, SiteID: "a-site", State: state, Letters: letters, Moves: 1, BuyerEmail: "a@b.example"}
	if added, err := n.AddRequest(context.Background(), r, ""); err != nil || !added {
		n.t.Fatalf("added %v, %v", added, err)
	}
}

// told returns what waits for receivers and for the inquiry's sender: kinds and
// the last parts of ids.
func (n *notices) told() (receivers, sender []string) {
	n.t.Helper()
	ctx := context.Background()
	events, err := n.Events(ctx, origin.EventFilter{ReceiverKind: origin.ReceiverWebhook, Limit: 10_000})
	must(n.t, err)
	for _, e := range events {
		if e.RequestID == "req_"+n.id && e.EventID != "evt_"+n.id+"_m" { // not about the first message
			receivers = append(receivers, e.ReceiverID+" "+e.Kind+" "+e.EventID)
		}
	}
	letters, err := n.Events(ctx, origin.EventFilter{ReceiverKind: origin.ReceiverAsker, ReceiverID: "req_" + n.id, Limit: 100})
	must(n.t, err)
	for _, e := range letters {
		sender = append(sender, e.Kind+" "+e.EventID)
	}
	slices.Sort(receivers)
	slices.Sort(sender)
	return receivers, sender
}

// wants compares what is waiting with a kind of event and the last part of its
// id; "" means none.
func (n *notices) wants(what, kind, end, letter, letterEnd string) {
	n.t.Helper()
	var receivers, sender []string
	if kind != "" {
		event := kind + " evt_" + n.id + end
		receivers = []string{"whk_all " + event, "whk_site " + event}
	}
	if letter != "" {
		sender = []string{letter + " evt_" + n.id + letterEnd}
	}
	gotReceivers, gotSender := n.told()
	if !slices.Equal(gotReceivers, receivers) || !slices.Equal(gotSender, sender) {
		n.t.Errorf("%s: receivers get %q, not %q; the sender gets %q, not %q", what, gotReceivers, receivers, gotSender, sender)
	}
}

// TestNoticesOfMoves moves inquiries into each state, by each role, with each
// setting of letters.
func TestNoticesOfMoves(t *testing.T) {
	const changed = "inquiry.state_changed"
	n := newNotices(t)
	for _, c := range []struct {
		to                string
		receivers, sender string // notice of a move that the sender did not make
		unconfirmed       string // notice to a sender whose address is not confirmed
	}{
		{"received", "", "", ""},
		{"held", "", "", ""},
		{"rejected", "", "", ""},
		{"delivered", changed, "", "letter.confirm"},
		{"in_review", changed, changed, ""},
		{"info_requested", changed, changed, ""},
		{"in_discussion", changed, changed, ""},
		{"terms_indicated", changed, changed, ""},
		{"referred", changed, changed, ""},
		{"declined", changed, changed, ""},
		{"expired", changed, changed, ""},
		{"transferred", changed, changed, ""},
		{"withdrawn", changed, changed, ""},
	} {
		for _, by := range []string{"requester", "publisher", "operator", "system"} {
			for _, letters := range []string{"", "unconfirmed", "confirmed", "ended"} {
				n.add("before", letters)
				moved, err := n.MoveRequest(context.Background(), origin.Move{RequestID: "req_" + n.id, From: "before", To: c.to, By: by, At: "2026-01-02T00:00:00Z"})
				if err != nil || !moved {
					t.Fatalf("moved %v, %v", moved, err)
				}
				letter, end := "", "_s2"
				switch {
				case letters == "confirmed" && by != "requester":
					letter = c.sender
				case letters == "unconfirmed" && c.unconfirmed != "":
					letter, end = c.unconfirmed, "_l"
				}
				n.wants(c.to+" by "+by+", letters "+letters, c.receivers, "_s2", letter, end)
			}
		}
	}
}

// TestNoticeOfGroup delivers inquiries that were sent together, the one with the last
// id first: that one has the letter that asks to confirm the address. A letter is
// neither lost with one that is rejected nor sent again for one that was held.
func TestNoticeOfGroup(t *testing.T) {
	n, ctx := newNotices(t), context.Background()
	for _, id := range []string{"1", "2", "3", "4", "5"} {
		r := origin.Request{RequestID: "req_" + id, ThreadID: "thr_" + id, MessageID: "msg_" + id, SiteID: "a-site", State: "received", Letters: "unconfirmed", Moves: 1, BuyerEmail: "a@b.example", GroupID: "grp_1"}
		if id > "3" { // sent alone
			r.GroupID = ""
		}
		added, err := n.AddRequest(ctx, r, "")
		if must(t, err); !added {
			t.Fatal("not added")
		}
	}
	for _, move := range []struct {
		id, to string
		letter bool
	}{{"1", "rejected", false}, {"3", "delivered", true}, {"2", "delivered", false}, {"4", "delivered", true}, {"5", "delivered", true}} {
		moved, err := n.MoveRequest(ctx, origin.Move{RequestID: "req_" + move.id, From: "received", To: move.to, By: "operator", At: "2026-01-02T00:00:00Z"})
		if must(t, err); !moved {
			t.Fatal("not moved")
		}
		n.id = move.id
		if _, letters := n.told(); (len(letters) == 1) != move.letter {
			t.Errorf("request %s, which is %s, has the letters %q", move.id, move.to, letters)
		}
	}
}

// TestNoticesOfMessages posts messages that do not change the state.
func TestNoticesOfMessages(t *testing.T) {
	const message = "inquiry.message"
	n := newNotices(t)
	for _, c := range []struct{ state, by, letters, receivers, sender string }{
		{"in_discussion", "requester", "confirmed", message, ""},
		{"in_discussion", "publisher", "confirmed", "", message},
		{"in_discussion", "publisher", "unconfirmed", "", ""},
		{"in_discussion", "publisher", "ended", "", ""},
		{"delivered", "requester", "confirmed", message, ""},
		{"received", "requester", "confirmed", "", ""},
		{"held", "requester", "confirmed", "", ""},
		{"rejected", "requester", "confirmed", "", ""},
	} {
		n.add(c.state, c.letters)
		m := origin.Message{MessageID: "msg_" + n.id + "b", ThreadID: "thr_" + n.id, AuthorRole: c.by, FromState: c.state, At: "2026-01-02T00:00:00Z"}
		if added, err := n.AddMessage(context.Background(), m); err != nil || !added {
			t.Fatalf("added %v, %v", added, err)
		}
		n.wants(c.state+" by "+c.by+", letters "+c.letters, c.receivers, "b_m", c.sender, "b_m")
	}
}

// TestNoticesOfReminders reminds the side that an inquiry waits for.
func TestNoticesOfReminders(t *testing.T) {
	const reminder = "inquiry.reminder"
	n := newNotices(t)
	for _, c := range []struct {
		state, letters, sender string
		count                  int64
	}{
		{"info_requested", "confirmed", reminder, 1},
		{"info_requested", "unconfirmed", "", 1},
		{"in_review", "confirmed", "", 1},
		{"in_review", "confirmed", reminder, 2},
	} {
		n.add(c.state, c.letters)
		if done, err := n.Remind(context.Background(), []string{c.state}, "2026-01-02T00:00:00Z", c.count, "2026-01-03T00:00:00Z", 100); err != nil || done == 0 {
			t.Fatalf("reminded %d, %v", done, err)
		}
		end := "_r1_1_" + strconv.FormatInt(c.count, 10)
		n.wants(c.state+", letters "+c.letters, reminder, end, c.sender, end)
	}
}

// TestNoticesOfLetters confirms an address, stops letters and erases an
// inquiry.
func TestNoticesOfLetters(t *testing.T) {
	ctx := context.Background()
	n := newNotices(t)
	for state, letter := range map[string]string{
		"received": "", "held": "", "delivered": "", "rejected": "", "withdrawn": "",
		"in_review": "inquiry.state_changed", "declined": "inquiry.state_changed",
	} {
		n.add(state, "unconfirmed")
		if set, err := n.SetLetters(ctx, "req_"+n.id, "confirmed", "2026-01-02T00:00:00Z"); err != nil || !set {
			t.Fatalf("set %v, %v", set, err)
		}
		n.wants("confirmed in "+state, "", "", letter, "_c")
		if set, err := n.SetLetters(ctx, "req_"+n.id, "ended", "2026-01-03T00:00:00Z"); err != nil || !set {
			t.Fatalf("set %v, %v", set, err)
		}
		n.wants("ended in "+state, "", "", "", "")
	}

	n.add("declined", "unconfirmed")
	_, err := n.SetLetters(ctx, "req_"+n.id, "confirmed", "2026-01-02T00:00:00Z")
	must(t, err)
	if erased, err := n.Erase(ctx, []string{"declined"}, "2026-01-03T00:00:00Z", "2026-01-04T00:00:00Z", 100); err != nil || erased == 0 {
		t.Fatalf("erased %d, %v", erased, err)
	}
	n.wants("erased", "", "", "", "")
	if set, err := n.SetLetters(ctx, "req_"+n.id, "ended", "2026-01-05T00:00:00Z"); set || err != nil {
		t.Errorf("letters of an erased request are set: %v, %v", set, err)
	}
	late := origin.Message{MessageID: "msg_late", ThreadID: "thr_" + n.id, AuthorRole: "requester", FromState: "declined", At: "2026-01-05T00:00:00Z"}
	if added, err := n.AddMessage(ctx, late); err != nil || added {
		t.Errorf("an erased inquiry took a message: %v, %v", added, err)
	}
	if messages, err := n.MessagesOf(ctx, "thr_"+n.id, 0, 10); err != nil || len(messages) != 0 {
		t.Errorf("an erased inquiry has %d messages, %v", len(messages), err)
	}
}

// TestNoticesOfPolicies adds versions of a policy: webhooks are notified of
// each but the first, receivers by e-mail only of changes about training.
func TestNoticesOfPolicies(t *testing.T) {
	ctx, s := context.Background(), inquiries(t)
	for _, w := range []origin.Webhook{
		{WebhookID: "whk_site", SiteID: "a-site", State: "active"}, {WebhookID: "whk_mail", State: "active", URL: "mailto:desk@a.example"},
		{WebhookID: "whk_paused", State: "paused"}, {WebhookID: "whk_other", SiteID: "b-site", State: "active"},
	} {
		must(t, s.PutWebhook(ctx, w))
	}
	for i, c := range []struct{ vector, status, receivers string }{
		{"UUUUUUUU", "", ""},
		{"UUUUUUUD", "changed", "whk_site"},
		{"USUUUUUU", "training_opened", "whk_mail whk_site"},
		{"UsUUUUUU", "changed", "whk_site"},
		{"ULUUUUUU", "training_closed", "whk_mail whk_site"},
		{"UDUUUUUU", "training_closed", "whk_mail whk_site"},
		{"UdUUUUUU", "changed", "whk_site"},
		{"ULUUUUUU", "changed", "whk_site"},
		{"UDUUUUUU", "training_closed", "whk_mail whk_site"},
		{"UsUUUUUU", "training_opened", "whk_mail whk_site"},
	} {
		version := int64(i + 1)
		must(t, s.AddPolicy(ctx, origin.PolicyVersion{SiteID: "a-site", Version: version, Vector: c.vector, EffectiveFrom: "2026-01-01T00:00:00Z", RecordedAt: "2026-01-02T00:00:00Z"}))
		events, err := s.Events(ctx, origin.EventFilter{ReceiverKind: origin.ReceiverWebhook, Limit: 1000})
		must(t, err)
		var receivers []string
		for _, e := range events {
			if e.EventID != "evt_a-site_p"+strconv.Itoa(i+1) {
				continue
			}
			receivers = append(receivers, e.ReceiverID)
			if e.Kind != "policy.changed" || e.Status != c.status || e.SiteID != "a-site" || e.RequestID != "" || e.At != "2026-01-02T00:00:00Z" {
				t.Errorf("version %d: %+v", version, e)
			}
		}
		slices.Sort(receivers)
		if got := strings.Join(receivers, " "); got != c.receivers {
			t.Errorf("version %d, %s: %q are told, not %q", version, c.vector, got, c.receivers)
		}
	}
}
