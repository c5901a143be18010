package letter_test

import (
	"context"
	"database/sql"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	_ "modernc.org/sqlite"

	"colophon/internal/assert"
	"colophon/internal/credential"
	"colophon/internal/inquiry"
	"colophon/internal/notify"
	"colophon/internal/notify/letter"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/originsql/local"
	"colophon/internal/originsql/schematest"
)

var must = assert.NoError

const secret = "0123456789abcdef0123456789abcdef"

// newWriter returns a writer on a store with the publisher "Harbor & Ledger"
// and one request to it, from a confirmed address.
func newWriter(t *testing.T) (letter.Writer, *originsql.Store, origin.Request) {
	t.Helper()
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "origin.db")
	db, err := sql.Open("sqlite", local.Address(path))
	must(t, err)
	t.Cleanup(func() { db.Close() })
	must(t, schematest.Write(path))
	store := originsql.New(db)
	const then = "2026-01-01T00:00:00Z"
	must(t, store.PutPublisher(ctx, origin.Publisher{PublisherID: "pub_a", LegalName: "A", CreatedAt: then}))
	must(t, store.PutSite(ctx, origin.Site{SiteID: "harbor", PublisherID: "pub_a", Name: "Harbor & Ledger", SiteURL: "https://harbor.example/", State: origin.Approved, CreatedAt: then, ChangedAt: then}))
	r := origin.Request{
		RequestID: "req_1", ThreadID: "thr_1", SiteID: "harbor", Channel: "public", BuyerName: "Ada Asker", BuyerEmail: "ada@example.org",
		BuyerCompany: "Asker Works", IntendedUse: "Grounding of answers", RequestedScope: "/secret-plans/*", Message: "What would it cost?",
		MessageID: "msg_1", BudgetCents: -1, TermMonths: -1, State: "received", StateSince: then, Moves: 1, MovedBy: "requester",
		TokenHash: credential.Digest("cvt_first"), TokenExpires: "2027-01-01T00:00:00Z", PublisherAt: "2026-11-01T10:00:00Z",
		CreatedAt: then, UpdatedAt: then, Letters: origin.LettersConfirmed,
	}
	added, err := store.AddRequest(ctx, r, "")
	if err != nil || !added {
		t.Fatal("the request was not added:", err)
	}
	w := letter.Writer{
		Service: "Coast Registry", BaseURL: "https://registry.example", Contact: "ops@registry.example", Secret: []byte(secret), Store: store,
		Now: func() time.Time { return time.Date(2026, 11, 20, 9, 2, 0, 0, time.UTC) },
	}
	return w, store, r
}

// notice returns a notification to a receiver of the site.
func notice(kind, status string) notify.Message {
	return notify.Message{
		URL: "mailto:desk@harbor.example", ID: "evt_1_s2", At: time.Date(2026, 11, 20, 9, 2, 0, 0, time.UTC),
		Event:    origin.Event{EventID: "evt_1_s2", Kind: kind, SiteID: "harbor", RequestID: "req_1", Status: status, At: "2026-11-20T09:02:00Z"},
		Receiver: origin.Webhook{WebhookID: "whk_1", SiteID: "harbor"},
	}
}

// asked returns the same notification, to the sender of the request.
func asked(kind, status string) notify.Message {
	m := notice(kind, status)
	m.URL, m.Receiver.WebhookID, m.Event.ReceiverKind = "mailto:ada@example.org", "req_1", origin.ReceiverAsker
	return m
}

func write(t *testing.T, w letter.Writer, m notify.Message) letter.Message {
	t.Helper()
	l, err := w.WriteLetter(t.Context(), m)
	must(t, err)
	return l
}

// TestLettersSayWhatHappened checks that each kind has its own wording, and
// that no letter repeats what was written or who wrote it.
func TestLettersSayWhatHappened(t *testing.T) {
	w, _, r := newWriter(t)
	subjects := map[string]string{}
	for _, m := range []notify.Message{
		notice(notify.KindState, "delivered"), notice(notify.KindState, "expired"), notice(notify.KindState, "some_new_state"),
		notice(notify.KindMessage, "delivered"), notice(notify.KindReminder, "delivered"),
		notice(notify.KindPolicy, notify.PolicyOpened), notice(notify.KindPolicy, notify.PolicyClosed),
		asked(notify.KindConfirm, "delivered"), asked(notify.KindState, "in_review"), asked(notify.KindState, "info_requested"),
		asked(notify.KindState, "in_discussion"), asked(notify.KindState, "terms_indicated"), asked(notify.KindState, "declined"),
		asked(notify.KindState, "expired"), asked(notify.KindState, "some_new_state"), asked(notify.KindMessage, "in_discussion"),
		asked(notify.KindReminder, "info_requested"), asked(notify.KindReminder, "delivered"),
	} {
		l := write(t, w, m)
		what := m.Receiver.WebhookID + " " + m.Event.Kind + " " + m.Event.Status
		if other, twice := subjects[l.Subject]; twice {
			t.Errorf("%s and %s have one subject", what, other)
		}
		subjects[l.Subject] = what
		if !strings.Contains(l.HTML, "Harbor &amp; Ledger") || strings.Contains(l.HTML, "Harbor & Ledger") || strings.Contains(l.HTML, "<script") {
			t.Errorf("%s in HTML: %s", what, l.HTML)
		}
		for _, private := range []string{r.BuyerName, r.BuyerCompany, r.BuyerEmail, r.IntendedUse, r.RequestedScope, r.Message, "cvt_first"} {
			assert.Lacks(t, what+" repeats", l.Text+l.HTML+l.Subject, private)
		}
		if !strings.HasPrefix(l.Unsubscribe, "https://registry.example/letters/"+m.Receiver.WebhookID+"/") || !strings.Contains(l.Text, l.Unsubscribe) {
			t.Errorf("%s does not tell how to end letters: %s", what, l.Text)
		}
	}
}

// TestLettersTellWhoIsNext checks that letters name the side that a discussion
// waits for, as the inbox and the status do.
func TestLettersTellWhoIsNext(t *testing.T) {
	w, store, _ := newWriter(t)
	ctx := t.Context()
	for i, step := range []struct{ author, to, want string }{
		{"publisher", "in_discussion", "is being discussed and waits for the buyer’s answer"},
		{"requester", "", "is being discussed and waits for the publisher’s answer"},
		{"publisher", "", "is being discussed and waits for the buyer’s answer"},
	} {
		id := "msg_next" + strconv.Itoa(i)
		r, err := store.Request(ctx, "req_1")
		must(t, err)
		added, err := store.AddMessage(ctx, origin.Message{
			MessageID: id, ThreadID: r.ThreadID, RequestID: r.RequestID, Seq: r.Messages + 1, At: r.UpdatedAt, AuthorRole: step.author, AuthorKind: "human", Kind: "text",
			Body: "Words.", FromState: r.State, ToState: step.to,
		})
		if err != nil || !added {
			t.Fatal(added, err)
		}
		if l := write(t, w, notice(notify.KindState, "in_discussion")); !strings.Contains(l.Text, step.want) {
			t.Errorf("after the %s wrote: %s", step.author, l.Text)
		}
	}
	if l := write(t, w, asked(notify.KindState, "in_discussion")); !strings.Contains(l.Text, "has an answer and waits for yours") {
		t.Errorf("to whoever asked: %s", l.Text)
	}
}

// TestRemindersWithoutDeadline checks reminders of requests that have since
// moved to a state that does not expire.
func TestRemindersWithoutDeadline(t *testing.T) {
	w, store, r := newWriter(t)
	for i, state := range []string{"in_discussion", "terms_indicated", "declined"} {
		moved, err := store.MoveRequest(context.Background(), origin.Move{RequestID: r.RequestID, At: "2026-11-20T0" + strconv.Itoa(i) + ":00:00Z", From: r.State, To: state, By: "publisher"})
		if err != nil || !moved {
			t.Fatal(moved, err)
		}
		r.State = state
		if l := write(t, w, asked(notify.KindReminder, "delivered")); strings.Contains(l.Text+l.HTML, "expires") {
			t.Errorf("%s: %s", state, l.Text)
		}
	}
}

// TestLinksOfLetters checks that a publisher gets a link to its inbox, the
// sender one to the conversation, and an unconfirmed address neither.
func TestLinksOfLetters(t *testing.T) {
	w, _, r := newWriter(t)
	if l := write(t, w, notice(notify.KindState, "delivered")); !strings.Contains(l.Text, ":\nhttps://registry.example/inbox/ibx_") || !strings.Contains(l.Text, "/req_1\n") {
		t.Errorf("to the publisher: %s", l.Text)
	}
	token := inquiry.LetterToken([]byte(secret), &r)
	if l := write(t, w, asked(notify.KindState, "declined")); !strings.Contains(l.Text, ":\nhttps://registry.example/conversation/#thread=thr_1&token="+token+"\n") {
		t.Errorf("to who asked: %s", l.Text)
	}
	if l := write(t, w, asked(notify.KindConfirm, "delivered")); strings.Contains(l.Text+l.HTML, "thr_1") || strings.Contains(l.Text+l.HTML, "cvt_") {
		t.Errorf("an address that is not confirmed gets the conversation: %s", l.Text)
	}
	if l := write(t, w, asked(notify.KindReminder, "info_requested")); !strings.Contains(l.Text, "It expires on 26 December 2026 ") { // 55 days after 1 November
		t.Errorf("the deadline: %s", l.Text)
	}

	if l := write(t, w, asked(notify.KindMessage, "delivered")); !strings.Contains(l.Text, "Request req_1, 20 November 2026, 09:02 UTC\n") {
		t.Errorf("when it happened: %s", l.Text)
	}

	if l := write(t, w, notice(notify.KindPolicy, notify.PolicyClosed)); !strings.Contains(l.Text, ":\nhttps://registry.example/publishers/harbor/policy/\n") || strings.Contains(l.Text, "ibx_") {
		t.Errorf("of a policy: %s", l.Text)
	}

	m := notice(notify.KindState, "delivered")
	m.Receiver.SiteID = ""
	if l := write(t, w, m); strings.Contains(l.Text+l.HTML, "/inbox/") || !strings.Contains(l.Text, "colophon inquiry show req_1") {
		t.Errorf("to the operator: %s", l.Text)
	}
}

// TestDigest checks that a digest has a line for each notice.
func TestDigest(t *testing.T) {
	w, _, _ := newWriter(t)
	m := notice(notify.KindMessage, "in_discussion")
	first := m.Event
	first.Kind, first.Status, first.RequestID, first.At = notify.KindState, "delivered", "req_0", "2026-11-19T08:00:00Z"
	m.Events = []origin.Event{first, m.Event}
	l := write(t, w, m)
	assert.Equal(t, l.Subject, "2 notices about licensing inquiries to Harbor & Ledger", "subject")
	assert.Contains(t, "the letter", l.Text,
		"19 November 2026, 08:00 UTC: An inquiry to Harbor & Ledger has arrived (req_0)",
		"20 November 2026, 09:02 UTC: New message in an inquiry to Harbor & Ledger (req_1)", ":\nhttps://registry.example/inbox/ibx_",
	)
}

// TestDigestOfPolicies checks that a digest lists policy changes beside
// inquiries.
func TestDigestOfPolicies(t *testing.T) {
	w, _, _ := newWriter(t)
	m := notice(notify.KindMessage, "in_discussion")
	policy := m.Event
	policy.Kind, policy.Status, policy.RequestID = notify.KindPolicy, notify.PolicyOpened, ""
	m.Events = []origin.Event{policy, m.Event}
	l := write(t, w, m)
	assert.Equal(t, l.Subject, "2 notices about Harbor & Ledger", "subject")
	assert.Contains(t, "the letter", l.Text, "20 November 2026, 09:02 UTC: The channels of Harbor & Ledger allow training now\n", "https://registry.example/publishers/harbor/policy/\n")
}

// TestTokenOfLettersEndsWithTheConversation checks that the link of letters
// opens nothing with another token, another secret or an unconfirmed address.
func TestTokenOfLettersEndsWithTheConversation(t *testing.T) {
	_, _, r := newWriter(t)
	key := []byte(secret)
	token := inquiry.LetterToken(key, &r)
	if !inquiry.OpensConversation(key, &r, token) || !inquiry.OpensConversation(key, &r, "cvt_first") {
		t.Fatal("one of the two tokens opens nothing")
	}
	rotated := r
	rotated.TokenHash = credential.Digest("cvt_second")
	unconfirmed := r
	unconfirmed.Letters = origin.LettersUnconfirmed
	other := r
	other.RequestID = "req_2"
	for name, opened := range map[string]bool{
		"after another token": inquiry.OpensConversation(key, &rotated, token),
		"unconfirmed":         inquiry.OpensConversation(key, &unconfirmed, token),
		"another request":     inquiry.OpensConversation(key, &other, token),
		"another secret":      inquiry.OpensConversation([]byte("another secret of thirty-two bytes"), &r, token),
		"nothing":             inquiry.OpensConversation(key, &r, ""),
	} {
		if opened {
			t.Errorf("%s, the link opens the conversation", name)
		}
	}
}
