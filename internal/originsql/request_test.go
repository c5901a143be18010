package originsql_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"colophon/internal/assert"
	"colophon/internal/origin"
)

// TestMoves checks what each move changes of its request, and that it changes
// nothing of others.
func TestMoves(t *testing.T) {
	ctx, s := context.Background(), inquiries(t)
	r := ask(t, s, "1", func(r *origin.Request) { r.State, r.Reminders, r.HeldFor, r.Successor = "received", 3, "", "" })
	other := ask(t, s, "2", func(r *origin.Request) { r.State = "received" })
	for _, c := range []struct {
		move   origin.Move
		change func(r *origin.Request)
	}{
		{origin.Move{To: "held", By: "system", At: "1", HeldFor: "site"}, func(r *origin.Request) { r.HeldFor = "site" }},
		{origin.Move{To: "delivered", By: "operator", At: "2"}, func(r *origin.Request) { r.PublisherAt = "2" }},
		{origin.Move{To: "in_review", By: "publisher", At: "3"}, func(r *origin.Request) { r.PublisherAt, r.Reminders = "3", 0 }},
		{origin.Move{To: "in_discussion", By: "requester", At: "4"}, func(*origin.Request) {}},
		{origin.Move{To: "transferred", By: "operator", At: "5", Reason: "moved", Successor: "req_9"}, func(r *origin.Request) { r.Successor = "req_9" }},
		{origin.Move{To: "closed", By: "system", At: "6"}, func(*origin.Request) {}},
	} {
		c.move.RequestID, c.move.From = "req_1", r.State
		late := c.move
		late.From = "nowhere"
		if moved, err := s.MoveRequest(ctx, late); moved || err != nil {
			t.Errorf("from another state: moved %v, %v", moved, err)
		}
		if moved, err := s.MoveRequest(ctx, c.move); !moved || err != nil {
			t.Errorf("%+v: moved %v, %v", c.move, moved, err)
		}
		r.State, r.StateSince, r.UpdatedAt, r.Moves, r.MovedBy, r.MoveReason = c.move.To, c.move.At, c.move.At, r.Moves+1, c.move.By, c.move.Reason
		c.change(&r)
		same(t, c.move.To, request(t, s, "req_1"), r, nil)
	}
	same(t, "another request", request(t, s, "req_2"), other, nil)
	first, err := s.History(ctx, "req_1")
	must(t, err)
	second, err := s.History(ctx, "req_2")
	must(t, err)
	both, err := s.History(ctx, "req_2", "req_1", "req_3")
	same(t, "both histories", both, append(first, second...), err)
	if len(first) != 7 || len(second) != 1 {
		t.Errorf("%d and %d moves", len(first), len(second))
	}
}

// TestRequestFilters checks which requests each filter selects, among five that
// differ.
func TestRequestFilters(t *testing.T) {
	ctx, s := context.Background(), inquiries(t)
	must(t, s.PutPublisher(ctx, origin.Publisher{PublisherID: "q", LegalName: "Q", CreatedAt: "t"}))
	must(t, s.PutSite(ctx, origin.Site{SiteID: "b-site", PublisherID: "q", Name: "B", SiteURL: "v", State: origin.Approved, CreatedAt: "t", ChangedAt: "t"}))
	for id, change := range map[string]func(r *origin.Request){
		"1": func(r *origin.Request) {
			r.State, r.RequestedUse, r.GroupID, r.Message = "delivered", "rag", "grp", "one Fish"
		},
		"2": func(r *origin.Request) {
			r.State, r.RequestedUse, r.GroupID, r.OrgID = "in_discussion", "training", "grp", "org"
		},
		"3": func(r *origin.Request) {
			r.State, r.RequestedUse, r.SiteID, r.BuyerName = "in_discussion", "rag", "b-site", "FISH"
		},
		"4": func(r *origin.Request) { r.State, r.RequestedUse, r.BuyerCompany = "held", "", "fish and one" },
		"5": func(r *origin.Request) { r.State, r.RequestedUse = "in_discussion", "research" },
	} {
		ask(t, s, id, func(r *origin.Request) {
			r.CreatedAt, r.GroupID, r.OrgID = "2026-0"+id+"-01", "", ""
			change(r)
		})
	}
	for _, id := range []string{"2", "3", "4"} { // answered by the publisher, the third one by the requester again
		added, err := s.AddMessage(ctx, origin.Message{MessageID: "msg_p" + id, ThreadID: "thr_" + id, AuthorRole: "publisher", Kind: "text", FromState: request(t, s, "req_"+id).State, At: "2026-10"})
		if !added || err != nil {
			t.Fatal(added, err)
		}
	}
	if added, err := s.AddMessage(ctx, origin.Message{MessageID: "msg_r3", ThreadID: "thr_3", AuthorRole: "requester", Kind: "text", FromState: "in_discussion", At: "2026-11"}); !added || err != nil {
		t.Fatal(added, err)
	}
	for _, c := range []struct {
		what string
		f    origin.RequestFilter
		want string
	}{
		{"all", origin.RequestFilter{}, "5 4 3 2 1"},
		{"partner", origin.RequestFilter{OrgID: "org"}, "2"},
		{"site", origin.RequestFilter{SiteID: "b-site"}, "3"},
		{"publisher", origin.RequestFilter{PublisherID: "p"}, "5 4 2 1"},
		{"publisher", origin.RequestFilter{PublisherID: "q"}, "3"},
		{"group", origin.RequestFilter{GroupID: "grp"}, "2 1"},
		{"uses", origin.RequestFilter{Uses: []string{"rag", "research"}}, "5 3 1"},
		{"states", origin.RequestFilter{States: []string{"held", "delivered"}}, "4 1"},
		{"a word", origin.RequestFilter{Words: []string{"fiSH"}}, "4 3 1"},
		{"words", origin.RequestFilter{Words: []string{"one", "fish"}}, "4 1"},
		{"the requester's turn", origin.RequestFilter{Turn: "requester"}, "4 2 1"},
		{"the publisher's turn", origin.RequestFilter{Turn: "publisher"}, "5 4 3 1"},
		{"a turn in discussion", origin.RequestFilter{Turn: "publisher", States: []string{"in_discussion"}}, "5 3"},
		{"created later", origin.RequestFilter{CreatedAfter: "2026-03-01"}, "5 4"},
		{"updated later", origin.RequestFilter{UpdatedAfter: "2026-10"}, "3"},
		{"below an id", origin.RequestFilter{Before: "req_3"}, "2 1"},
	} {
		want := strings.Fields(c.want)
		for _, c.f.Limit = range []int{9, 1} {
			rows, err := s.RequestsOf(ctx, c.f)
			must(t, err)
			var ids []string
			for _, r := range rows {
				ids = append(ids, strings.TrimPrefix(r.RequestID, "req_"))
			}
			if !slices.Equal(ids, want[:min(c.f.Limit, len(want))]) {
				t.Errorf("%s, at most %d: %s, want %s", c.what, c.f.Limit, ids, c.want)
			}
		}
		if n, err := s.CountRequests(ctx, c.f); c.f.Before == "" && n != int64(len(want)) || err != nil {
			t.Errorf("%s: counted %d, %v", c.what, n, err)
		}
	}
	counts, err := s.RequestCounts(ctx, origin.RequestFilter{States: []string{"in_discussion", "held"}})
	same(t, "counts by month", counts, []origin.RequestCount{
		{Month: "2026-05", Use: "research", State: "in_discussion", Count: 1}, {Month: "2026-04", State: "held", Count: 1},
		{Month: "2026-03", Use: "rag", State: "in_discussion", Count: 1}, {Month: "2026-02", Use: "training", State: "in_discussion", Count: 1},
	}, err)
}

// TestKeysOfRequests checks that a key belongs to its scope, and that a second
// request with it, or with the digest of one made lately, is not stored.
func TestKeysOfRequests(t *testing.T) {
	ctx, s := context.Background(), inquiries(t)
	for id, key := range map[string][3]string{"1": {"a", "x", ""}, "2": {"a", "y", ""}, "3": {"b", "x", "d"}} {
		ask(t, s, id, func(r *origin.Request) { r.KeyScope, r.Key, r.Dedupe, r.CreatedAt = key[0], key[1], key[2], "5" })
		if r, err := s.RequestByKey(ctx, key[0], key[1]); r.RequestID != "req_"+id || err != nil {
			t.Errorf("key %v: %s, %v", key, r.RequestID, err)
		}
	}
	if r, err := s.RequestByKey(ctx, "b", "y"); !errors.Is(err, origin.ErrNotFound) {
		t.Errorf("a key of another scope: %s, %v", r.RequestID, err)
	}
	for _, c := range []struct {
		scope, key, dedupe, since string
		added                     bool
	}{
		{"a", "x", "", "", false}, {"c", "1", "d", "4", false}, {"c", "2", "d", "5", true}, {"c", "3", "", "", true}, {"c", "4", "", "", true}, {"c", "5", "e", "", true},
	} {
		id := "n" + c.key
		r := origin.Request{RequestID: "req_" + id, ThreadID: "thr_" + id, MessageID: "msg_" + id, SiteID: "a-site", KeyScope: c.scope, Key: c.key, Dedupe: c.dedupe, CreatedAt: "6"}
		if added, err := s.AddRequest(ctx, r, c.since); added != c.added || err != nil {
			t.Errorf("%+v: added %v, %v", c, added, err)
		}
	}
}

// TestLettersOfRequests checks that letters are changed for all inquiries sent
// together, where they are wanted at all and nothing was erased.
func TestLettersOfRequests(t *testing.T) {
	ctx, s := context.Background(), inquiries(t)
	for id, change := range map[string]func(r *origin.Request){
		"1": func(r *origin.Request) { r.GroupID = "grp" },
		"2": func(r *origin.Request) { r.GroupID = "grp" },
		"3": func(r *origin.Request) { r.GroupID, r.Letters = "grp", origin.LettersNone },
		"4": func(r *origin.Request) { r.GroupID, r.ErasedAt = "grp", "1" },
		"5": func(r *origin.Request) { r.GroupID = "" },
		"6": func(r *origin.Request) { r.GroupID = "" },
		"7": func(r *origin.Request) { r.GroupID, r.Letters, r.LettersAt = "grp", origin.LettersConfirmed, "2" },
	} {
		ask(t, s, id, func(r *origin.Request) {
			r.State, r.Letters, r.LettersAt = "received", origin.LettersUnconfirmed, "1"
			change(r)
		})
	}
	letters := func(want string) {
		t.Helper()
		var got []string
		for _, id := range []string{"1", "2", "3", "4", "5", "6", "7"} {
			r := request(t, s, "req_"+id)
			got = append(got, r.Letters+r.LettersAt)
		}
		assert.Equal(t, strings.Join(got, " "), want, "letters %q", got)
	}
	for _, c := range []struct {
		id, to, at string
		changed    bool
		want       string
	}{
		{"req_1", origin.LettersConfirmed, "3", true, "confirmed3 confirmed3 1 unconfirmed1 unconfirmed1 unconfirmed1 confirmed2"},
		{"req_1", origin.LettersConfirmed, "4", false, "confirmed3 confirmed3 1 unconfirmed1 unconfirmed1 unconfirmed1 confirmed2"},
		{"req_5", origin.LettersEnded, "5", true, "confirmed3 confirmed3 1 unconfirmed1 ended5 unconfirmed1 confirmed2"},
		{"req_9", origin.LettersEnded, "6", false, "confirmed3 confirmed3 1 unconfirmed1 ended5 unconfirmed1 confirmed2"},
		{"req_2", origin.LettersEnded, "7", true, "ended7 ended7 1 unconfirmed1 ended5 unconfirmed1 ended7"},
	} {
		if changed, err := s.SetLetters(ctx, c.id, c.to, c.at); changed != c.changed || err != nil {
			t.Errorf("%s %s: changed %v, %v", c.id, c.to, changed, err)
		}
		letters(c.want)
	}
}

// TestThreads checks that messages, and what finds them, stay in their
// conversation and with their author.
func TestThreads(t *testing.T) {
	ctx, s := context.Background(), inquiries(t)
	for _, id := range []string{"1", "2"} {
		ask(t, s, id, func(r *origin.Request) { r.State, r.TokenHash = "in_discussion", "hash_"+id })
	}
	ask(t, s, "3", func(r *origin.Request) { r.State, r.ErasedAt = "in_discussion", "1" })
	message := func(id, thread, role, client string) origin.Message {
		return origin.Message{MessageID: id, ThreadID: thread, AuthorRole: role, Kind: role + " text", ClientID: client, FromState: "in_discussion", At: "3"}
	}
	for _, c := range []struct {
		m     origin.Message
		added bool
	}{
		{message("m1", "thr_1", "publisher", "x"), true},
		{message("m2", "thr_1", "requester", "x"), true},
		{message("m3", "thr_1", "publisher", "y"), true},
		{message("m4", "thr_2", "publisher", "x"), true},
		{message("m5", "thr_1", "publisher", "x"), false},
		{message("m6", "thr_3", "publisher", "x"), false},
		{message("m7", "thr_9", "publisher", "x"), false},
		{origin.Message{MessageID: "m8", ThreadID: "thr_1", AuthorRole: "publisher", FromState: "delivered"}, false},
	} {
		if added, err := s.AddMessage(ctx, c.m); added != c.added || err != nil {
			t.Errorf("%s: added %v, %v", c.m.MessageID, added, err)
		}
	}
	for _, c := range []struct{ thread, role, client, want string }{
		{"thr_1", "publisher", "x", "m1"}, {"thr_1", "requester", "x", "m2"}, {"thr_1", "publisher", "y", "m3"}, {"thr_2", "publisher", "x", "m4"},
		{"thr_2", "requester", "x", ""}, {"thr_1", "publisher", "", ""},
	} {
		m, err := s.MessageByClient(ctx, c.thread, c.role, c.client)
		if m.MessageID != c.want || errors.Is(err, origin.ErrNotFound) != (c.want == "") {
			t.Errorf("%+v: %s, %v", c, m.MessageID, err)
		}
	}
	ids := func(list []origin.Message, err error) string {
		t.Helper()
		must(t, err)
		var out []string
		for _, m := range list {
			out = append(out, m.MessageID)
		}
		return strings.Join(out, " ")
	}
	for _, c := range []struct{ what, got, want string }{
		{"of a conversation", ids(s.MessagesOf(ctx, "thr_1", 0, 9)), "msg_1 m1 m2 m3"},
		{"after a number", ids(s.MessagesOf(ctx, "thr_1", 2, 9)), "m2 m3"},
		{"up to a limit", ids(s.MessagesOf(ctx, "thr_1", 0, 2)), "msg_1 m1"},
		{"of a kind", ids(s.LastOfKind(ctx, "thr_1", "publisher text", 9)), "m3 m1"},
		{"the last of a kind", ids(s.LastOfKind(ctx, "thr_1", "publisher text", 1)), "m3"},
		{"of a kind elsewhere", ids(s.LastOfKind(ctx, "thr_2", "publisher text", 9)), "m4"},
	} {
		assert.Equal(t, c.got, c.want, "messages %s", c.what)
	}
	if m, err := s.Message(ctx, "thr_2", "m1"); !errors.Is(err, origin.ErrNotFound) {
		t.Errorf("a message of another conversation: %+v, %v", m, err)
	}
	for _, c := range []struct {
		thread, old string
		replaced    bool
	}{{"thr_1", "hash_2", false}, {"thr_1", "hash_1", true}, {"thr_1", "hash_1", false}} {
		if replaced, err := s.ReplaceToken(ctx, c.thread, c.old, "fresh", "9"); replaced != c.replaced || err != nil {
			t.Errorf("%+v: replaced %v, %v", c, replaced, err)
		}
	}
	if a, b := request(t, s, "req_1"), request(t, s, "req_2"); a.TokenHash != "fresh" || a.TokenExpires != "9" || b.TokenHash != "hash_2" {
		t.Errorf("tokens %s until %s and %s", a.TokenHash, a.TokenExpires, b.TokenHash)
	}
}
