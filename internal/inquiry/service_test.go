package inquiry_test

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	_ "modernc.org/sqlite"

	"colophon/exports"
	"colophon/internal/assert"
	"colophon/internal/inquiry"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/originsql/schematest"
)

var must = assert.NoError

// bench is a service on a store, with its own clock.
type bench struct {
	inquiry.Service
	*originsql.Store
	at time.Time
}

func newBench(t *testing.T) *bench {
	t.Helper()
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "o.db")
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=foreign_keys(1)&_pragma=journal_mode(WAL)&_pragma=busy_timeout(20000)")
	must(t, err)
	t.Cleanup(func() { db.Close() })
	must(t, schematest.Write(path))
	b := &bench{Store: originsql.New(db), at: time.Date(2026, 11, 20, 9, 2, 0, 0, time.UTC)}
	b.Service = inquiry.Service{Store: b.Store, Now: func() time.Time { return b.at }, Rand: rand.Reader}
	const then = "2026-01-01T00:00:00Z"
	must(t, b.PutPublisher(ctx, origin.Publisher{PublisherID: "pub_a", LegalName: "A", CreatedAt: then}))
	for _, id := range []string{"site-a", "site-b"} {
		must(t, b.PutSite(ctx, origin.Site{SiteID: id, PublisherID: "pub_a", Name: id, SiteURL: "https://" + id + ".example/", State: origin.Approved, CreatedAt: then, ChangedAt: then}))
	}
	must(t, b.PutWebhook(ctx, origin.Webhook{WebhookID: "whk_all", URL: "http://127.0.0.1:1/", State: "active", CreatedAt: then, ChangedAt: then}))
	return b
}

func request(key string) origin.Request {
	r := origin.Request{SiteID: "site-a", Channel: "partner", OrgID: "org_a", BuyerName: "N", BuyerEmail: "n@example.org", IntendedUse: "use",
		RequestedScope: "scope", Message: "message", TokenHash: "hash", BudgetCents: -1, TermMonths: -1}
	if key != "" {
		r.KeyScope, r.Key, r.Fingerprint = "org_a", key, "body of "+key
	}
	return r
}

func (b *bench) submitted(t *testing.T, key string) origin.Request {
	t.Helper()
	r, _, err := b.Submit(context.Background(), request(key))
	must(t, err)
	must(t, b.Deliver(context.Background(), r))
	return r
}

func (b *bench) state(t *testing.T, id string) string {
	t.Helper()
	r, err := b.Store.Request(context.Background(), id)
	must(t, err)
	return r.State
}

func (b *bench) maintain(t *testing.T, days int) inquiry.MaintenanceResult {
	t.Helper()
	b.at = b.at.AddDate(0, 0, days)
	got, err := inquiry.RunMaintenance(context.Background(), b.Store, b.at)
	must(t, err)
	return got
}

func TestSubmitIsOneStatement(t *testing.T) {
	ctx, b := context.Background(), newBench(t)
	first, replayed, err := b.Submit(ctx, request("k"))
	must(t, err)
	again, replayed2, err := b.Submit(ctx, request("k"))
	must(t, err)
	if replayed || !replayed2 || first.RequestID != again.RequestID {
		t.Errorf("replayed %v, %v; ids %s, %s", replayed, replayed2, first.RequestID, again.RequestID)
	}
	other := request("k")
	other.Fingerprint = "another body"
	if _, _, err := b.Submit(ctx, other); !errors.Is(err, inquiry.ErrKeyReused) {
		t.Errorf("another body: %v", err)
	}
	moves, err := b.History(ctx, first.RequestID)
	must(t, err)
	messages, err := b.MessagesOf(ctx, first.ThreadID, 0, 10)
	must(t, err)
	if len(moves) != 1 || moves[0].To != "received" || len(messages) != 1 || messages[0].Body != "message" {
		t.Errorf("a new request has moves %+v and messages %+v", moves, messages)
	}
}

// shy hides stored keys for a while, as a replica of a database may.
type shy struct{ *originsql.Store }

func (shy) RequestByKey(context.Context, string, string) (origin.Request, error) {
	return origin.Request{}, origin.ErrNotFound
}

func TestKeyTakenAndNotYetShown(t *testing.T) {
	ctx, b := context.Background(), newBench(t)
	b.submitted(t, "k")
	b.Service.Store = shy{b.Store}
	if _, _, err := b.Submit(ctx, request("k")); !errors.Is(err, inquiry.ErrInProgress) {
		t.Errorf("got %v", err)
	}
}

func TestDedupe(t *testing.T) {
	ctx, b := context.Background(), newBench(t)
	r := request("")
	r.Dedupe = "twin"
	_, _, err := b.Submit(ctx, r)
	must(t, err)
	if _, _, err := b.Submit(ctx, r); !errors.Is(err, inquiry.ErrDuplicate) {
		t.Errorf("the same at once: %v", err)
	}
	b.at = b.at.Add(24*time.Hour + time.Second)
	if _, _, err := b.Submit(ctx, r); err != nil {
		t.Errorf("the same a day later: %v", err)
	}
}

func TestConcurrentMessagesAreNumbered(t *testing.T) {
	ctx, b := context.Background(), newBench(t)
	r := b.submitted(t, "k")
	_, err := b.Decide(ctx, r.RequestID, inquiry.Decision{By: inquiry.Publisher, Act: inquiry.Open})
	must(t, err)
	var group sync.WaitGroup
	errs := make(chan error, 200)
	for i := range 100 {
		group.Add(2)
		for _, by := range []inquiry.Role{inquiry.Requester, inquiry.Publisher} {
			go func() {
				defer group.Done()
				_, _, _, err := b.PostMessage(ctx, r.RequestID, inquiry.MessageDraft{By: by, Kind: inquiry.Text, Body: fmt.Sprint(i), ClientID: fmt.Sprint(i / 2)})
				errs <- err
			}()
		}
	}
	group.Wait()
	close(errs)
	said, reused := 0, 0
	for err := range errs {
		switch {
		case err == nil:
			said++
		case errors.Is(err, inquiry.ErrKeyReused):
			reused++
		default:
			t.Error(err)
		}
	}
	messages, err := b.MessagesOf(ctx, r.ThreadID, 0, 1000)
	must(t, err)
	if said != 100 || reused != 100 || len(messages) != 101 {
		t.Fatalf("%d said, %d refused, %d stored", said, reused, len(messages))
	}
	for i, m := range messages {
		if m.Seq != int64(i+1) {
			t.Fatalf("message %d has number %d", i, m.Seq)
		}
	}
	moves, err := b.History(ctx, r.RequestID)
	must(t, err)
	if n := len(moves); n != 4 || moves[3].To != "in_discussion" {
		t.Errorf("moves: %+v", moves)
	}
}

func TestConcurrentDecisionsMoveOnce(t *testing.T) {
	ctx, b := context.Background(), newBench(t)
	r := b.submitted(t, "k")
	var group sync.WaitGroup
	var mu sync.Mutex
	done := map[inquiry.Act]int{}
	for range 20 {
		for _, act := range []inquiry.Act{inquiry.Refer, inquiry.Decline} {
			group.Add(1)
			go func() {
				defer group.Done()
				_, err := b.Decide(ctx, r.RequestID, inquiry.Decision{By: inquiry.Publisher, Act: act})
				var refused *inquiry.Refused
				mu.Lock()
				defer mu.Unlock()
				if err == nil {
					done[act]++
				} else if !errors.As(err, &refused) {
					t.Error(err)
				}
			}()
		}
	}
	group.Wait()
	assert.Equal(t, done[inquiry.Refer]+done[inquiry.Decline], 1, "decided %v", done)
}

func TestDeadlines(t *testing.T) {
	ctx, b := context.Background(), newBench(t)
	silent, answered := b.submitted(t, "k1"), b.submitted(t, "k2")
	assert.Equal(t, b.maintain(t, 14), (inquiry.MaintenanceResult{}), "after 14 days")
	if got := b.maintain(t, 1); got.Reminded != 2 || b.maintain(t, 0).Reminded != 0 {
		t.Errorf("after 15 days: %+v", got)
	}
	_, _, err := b.Reply(ctx, answered.RequestID, inquiry.MessageDraft{Kind: inquiry.Question, Body: "Which pages?"})
	must(t, err)
	if got := b.maintain(t, 20); got.Reminded != 2 { // the second reminder of one, the first of the other
		t.Errorf("after 35 days: %+v", got)
	}
	if got := b.maintain(t, 19); got.Expired != 0 {
		t.Errorf("after 54 days: %+v", got)
	}
	if got := b.maintain(t, 1); got.Expired != 1 || b.state(t, silent.RequestID) != "expired" || b.state(t, answered.RequestID) != "info_requested" {
		t.Errorf("after 55 days: %+v", got)
	}
	if got := b.maintain(t, 15); got.Expired != 1 {
		t.Errorf("55 days after the question: %+v", got)
	}
	events, err := b.Events(ctx, origin.EventFilter{Limit: 100})
	must(t, err)
	reminders := 0
	for _, e := range events {
		if e.Kind == "inquiry.reminder" {
			reminders++
		}
	}
	if reminders != 5 { // two for the silent one; one before and two after the other's question
		t.Errorf("%d reminders were told", reminders)
	}
}

// TestDeadlinesAreKept compares the stated deadlines with what happens with
// time, for a request in each state: the reminder after 15 days, expiry after
// 55, or nothing.
func TestDeadlinesAreKept(t *testing.T) {
	ctx, b := context.Background(), newBench(t)
	start := b.at
	told := map[string]inquiry.Deadlines{}
	for _, s := range inquiry.States[2:] { // the earlier states last only until somebody acts on them
		r := b.submitted(t, "k-"+string(s))
		must(t, exec(b, "UPDATE requests SET state = ?1, moves = moves + 1 WHERE request_id = ?2 AND state <> ?1", string(s), r.RequestID))
		r.State = string(s)
		told[r.RequestID] = inquiry.DeadlinesOf(&r)
	}
	expiring := 0
	for _, x := range []struct {
		days    int
		expired bool
	}{{54, false}, {55, true}} {
		b.at = start
		b.maintain(t, x.days)
		for id, d := range told {
			r, err := b.Store.Request(ctx, id)
			must(t, err)
			due := d.Expires != "" && d.Expires <= exports.Instant(b.at)
			moved := r.State == string(inquiry.Expired) && d != inquiry.Deadlines{}
			if due != x.expired && d.Expires != "" || due != moved || (r.Reminders > 0) != (d.Reminder != "") {
				t.Errorf("after %d days %s is %s, reminded %d times; it was told %+v", x.days, id, r.State, r.Reminders, d)
			}
			if due {
				expiring++
			}
		}
	}
	if expiring != 3 { // delivered, in_review, info_requested
		t.Errorf("%d expire", expiring)
	}
}

// exec runs a statement on the store.
func exec(b *bench, query string, args ...any) error {
	_, err := b.DB().ExecContext(context.Background(), query, args...)
	return err
}

// TestDeadlinesBeforeDelivery checks that a held request looks like a received
// one, and that both have the deadlines of the receipt.
func TestDeadlinesBeforeDelivery(t *testing.T) {
	r := origin.Request{CreatedAt: "2026-11-20T09:02:00Z", PublisherAt: "2026-11-20T09:02:00Z"}
	receipt := inquiry.Receipt(r, "cvt_x")
	for _, s := range []inquiry.State{inquiry.Received, inquiry.Held} {
		r.State = string(s)
		p := inquiry.Procurement(r, origin.Site{}, nil, nil, nil)
		v := inquiry.PartnerView(r, nil)
		if p.ReminderAt != "2026-12-05T09:02:00Z" || p.ExpiresAt != "2027-01-14T09:02:00Z" || p.ReminderAt != receipt.ReminderAt || p.ExpiresAt != receipt.ExpiresAt || v.NextBy != p.ReminderAt {
			t.Errorf("%s: %+v, next by %s", s, p, v.NextBy)
		}
	}
	for _, s := range []inquiry.State{inquiry.InDiscussion, inquiry.TermsIndicated, inquiry.Declined, inquiry.Rejected} {
		r.State = string(s)
		if p, v := inquiry.Procurement(r, origin.Site{}, nil, nil, nil), inquiry.PartnerView(r, nil); p.ReminderAt+p.ExpiresAt+v.NextBy != "" {
			t.Errorf("%s has the deadlines %s, %s and %s", s, p.ReminderAt, p.ExpiresAt, v.NextBy)
		}
	}
}

// TestReceiptTellsOfAddress checks that the receipt says what is known about
// the sender's address, in the words of the procurement view.
func TestReceiptTellsOfAddress(t *testing.T) {
	for letters, want := range map[string]string{
		origin.LettersNone: "not_performed", origin.LettersUnconfirmed: "pending", origin.LettersConfirmed: "passed", origin.LettersEnded: "not_performed",
	} {
		r := origin.Request{Letters: letters}
		if got := inquiry.Receipt(r, "").EmailCheck; got != want || inquiry.Procurement(r, origin.Site{}, nil, nil, nil).Checks[0].State != want {
			t.Errorf("%q: the receipt says %q", letters, got)
		}
	}
}

func TestDeliveryThatBrokeOff(t *testing.T) {
	ctx, b := context.Background(), newBench(t)
	good, _, err := b.Submit(ctx, request("k1"))
	must(t, err)
	doubtful := request("k2")
	doubtful.HeldFor = "honeypot"
	bad, _, err := b.Submit(ctx, doubtful)
	must(t, err)
	b.at = b.at.Add(2 * time.Minute)
	if got := b.maintain(t, 0); got.Delivered != 2 || b.state(t, good.RequestID) != "delivered" || b.state(t, bad.RequestID) != "held" {
		t.Errorf("%+v: %s, %s", got, b.state(t, good.RequestID), b.state(t, bad.RequestID))
	}
}

func TestErasure(t *testing.T) {
	ctx, b := context.Background(), newBench(t)
	r := b.submitted(t, "k")
	_, err := b.Decide(ctx, r.RequestID, inquiry.Decision{By: inquiry.Publisher, Act: inquiry.Decline, Reason: "budget"})
	must(t, err)
	if got := b.maintain(t, 179); got.Erased != 0 || got.Forgotten != 1 {
		t.Errorf("after 179 days: %+v", got)
	}
	if got := b.maintain(t, 1); got.Erased != 1 {
		t.Errorf("after 180 days: %+v", got)
	}
	after, err := b.Store.Request(ctx, r.RequestID)
	must(t, err)
	messages, err := b.MessagesOf(ctx, r.ThreadID, 0, 10)
	must(t, err)
	if text := fmt.Sprintf("%+v", after); len(messages) != 0 || strings.Contains(text, "n@example.org") || strings.Contains(text, "message:message") || after.BuyerName != "" || after.Message != "" {
		t.Errorf("what is left: %s, %d messages", text, len(messages))
	}
	moves, err := b.History(ctx, r.RequestID)
	must(t, err)
	assert.Equal(t, len(moves), 3, "the history lost moves: %+v", moves)
}

func TestKeysAreForgotten(t *testing.T) {
	b := newBench(t)
	first := b.submitted(t, "k")
	b.maintain(t, exports.IdempotencyDays-1)
	again, replayed, err := b.Submit(context.Background(), request("k"))
	must(t, err)
	if !replayed || again.RequestID != first.RequestID {
		t.Error("a key was forgotten too early")
	}
	b.maintain(t, 1)
	if again, replayed, err = b.Submit(context.Background(), request("k")); err != nil || replayed || again.RequestID == first.RequestID {
		t.Errorf("a key is still known: %v", err)
	}
}

func TestTransferIsRepeatable(t *testing.T) {
	ctx, b := context.Background(), newBench(t)
	r := b.submitted(t, "k")
	after, err := b.Decide(ctx, r.RequestID, inquiry.Decision{By: inquiry.Operator, Act: inquiry.Transfer, SiteID: "site-b"})
	must(t, err)
	next, err := b.Store.Request(ctx, after.Successor)
	must(t, err)
	if next.SiteID != "site-b" || next.OrgID != "org_a" || next.State != "delivered" || next.TokenHash != r.TokenHash || next.RequestID == r.RequestID {
		t.Errorf("the successor: %+v", next)
	}
	assert.Fails(t, assert.Err(b.Decide(ctx, r.RequestID, inquiry.Decision{By: inquiry.Operator, Act: inquiry.Transfer, SiteID: "site-b"})), "transferred twice")
}

// TestTransferStartsAnew checks that the successor has nothing of what happened
// at the first publisher, and is no duplicate of the first request.
func TestTransferStartsAnew(t *testing.T) {
	ctx, b := context.Background(), newBench(t)
	first := request("")
	first.Dedupe = "digest of the request"
	first, _, err := b.Submit(ctx, first)
	must(t, err)
	must(t, b.Deliver(ctx, first))
	must(t, exec(b, "UPDATE requests SET held_for = 'links', move_reason = 'more_information', reminders = 2, reminded_at = created_at, messages = 5 WHERE request_id = ?", first.RequestID))
	after, err := b.Decide(ctx, first.RequestID, inquiry.Decision{By: inquiry.Operator, Act: inquiry.Transfer, SiteID: "site-b"})
	must(t, err)
	next, err := b.Store.Request(ctx, after.Successor)
	must(t, err)
	if next.MoveReason != "" || next.Reminders != 0 || next.RemindedAt != "" || next.Messages != 1 || next.Successor != "" || next.State != "delivered" {
		t.Errorf("the successor: %+v", next)
	}
}

// A transfer needs another publisher. A refused transfer creates nothing and moves
// nothing.
func TestTransferThatIsRefused(t *testing.T) {
	ctx := context.Background()
	transfer := func(siteID string) inquiry.Decision {
		return inquiry.Decision{By: inquiry.Operator, Act: inquiry.Transfer, SiteID: siteID}
	}
	for _, tc := range []struct {
		name    string
		prepare func(b *bench, id string) error
		siteID  string
		state   string // afterwards
	}{
		{"to nobody", nil, "", "delivered"},
		{"to the same publisher", nil, "site-a", "delivered"},
		{"of what was withdrawn", func(b *bench, id string) error {
			_, err := b.Decide(ctx, id, inquiry.Decision{By: inquiry.Requester, Act: inquiry.Withdraw})
			return err
		}, "site-b", "withdrawn"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			b := newBench(t)
			r := b.submitted(t, "k")
			if tc.prepare != nil {
				must(t, tc.prepare(b, r.RequestID))
			}
			assert.Fails(t, assert.Err(b.Decide(ctx, r.RequestID, transfer(tc.siteID))), "it was transferred")
			assert.Equal(t, b.state(t, r.RequestID), tc.state, "state")
			after, err := b.Store.Request(ctx, r.RequestID)
			must(t, err)
			assert.Equal(t, after.Successor, "", "it has the successor")
			if n := b.count(t); n != 1 {
				t.Errorf("there are %d requests", n)
			}
		})
	}
}

func (b *bench) count(t *testing.T) (n int) {
	t.Helper()
	must(t, b.DB().QueryRow("SELECT count(*) FROM requests").Scan(&n))
	return n
}
