package originsql_test

import (
	"context"
	"database/sql"
	"path/filepath"
	"testing"

	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/originsql/realstest"
)

// TestIntegersBoundAsReals runs the statements that bind numbers, with numbers
// bound as D1 binds them.
func TestIntegersBoundAsReals(t *testing.T) {
	ctx := context.Background()
	db, err := sql.Open(realstest.Driver, "file:"+filepath.Join(t.TempDir(), "o.db")+"?_pragma=foreign_keys(1)")
	must(t, err)
	t.Cleanup(func() { db.Close() })
	must(t, originsql.Migrate(ctx, db))
	s := originsql.New(db)
	must(t, s.PutPublisher(ctx, origin.Publisher{PublisherID: "p", LegalName: "P", CreatedAt: "t"}))
	must(t, s.PutSite(ctx, origin.Site{SiteID: "a-site", PublisherID: "p", Name: "A", SiteURL: "u", AcceptsInquiries: true, CreatedAt: "t", ChangedAt: "t"}))
	must(t, s.PutWebhook(ctx, origin.Webhook{WebhookID: "w", State: "active"}))
	const cents = 900_000_000_000_000
	r := origin.Request{RequestID: "req_1", ThreadID: "thr_1", MessageID: "msg_1", SiteID: "a-site", State: "received", StateSince: "1", KeyScope: "s", Key: "k", Moves: 1, BudgetCents: cents, TermMonths: 120, PublisherAt: "1", CreatedAt: "1"}
	added, err := s.AddRequest(ctx, r, "")
	must(t, err)
	late, err := s.Waiting(ctx, "received", "2", 10)
	must(t, err)
	moved, err := s.MoveRequest(ctx, origin.Move{RequestID: "req_1", From: "received", To: "delivered", By: "publisher", At: "2"})
	must(t, err)
	said, err := s.AddMessage(ctx, origin.Message{MessageID: "msg_2", ThreadID: "thr_1", AuthorRole: "requester", Kind: "text", Body: "b", At: "3", FromState: "delivered"})
	must(t, err)
	reminded, err := s.Remind(ctx, []string{"delivered"}, "9", 1, "9", 10)
	must(t, err)
	got, err := s.Request(ctx, "req_1")
	must(t, err)
	if !added || len(late) != 1 || !moved || !said || reminded != 1 || got.BudgetCents != cents || got.TermMonths != 120 || got.Moves != 2 || got.Messages != 2 || got.Reminders != 1 {
		t.Fatalf("added %v, late %d, moved %v, said %v, reminded %d: %+v", added, len(late), moved, said, reminded, got)
	}
	messages, err := s.MessagesOf(ctx, "thr_1", 1, 1)
	must(t, err)
	last, err := s.LastOfKind(ctx, "thr_1", "text", 1)
	must(t, err)
	if len(messages) != 1 || messages[0].Seq != 2 || len(last) != 1 || last[0].Seq != 2 {
		t.Errorf("messages %+v, last %+v", messages, last)
	}
	due, err := s.DueEvents(ctx, "w", "9", 10)
	must(t, err)
	var ids []string
	for _, e := range due {
		ids = append(ids, e.EventID)
		leased, err := s.LeaseEvent(ctx, e.Seq, "9", "99")
		must(t, err)
		if !leased {
			t.Errorf("%s was not leased", e.EventID)
		}
	}
	same(t, "events", ids, []string{"evt_1_s2", "evt_2_m", "evt_1_r2_2_1"}, nil)
	expired, err := s.Expire(ctx, []string{"delivered"}, "9", "expired", "9", 10)
	must(t, err)
	forgotten, err := s.ForgetKeys(ctx, "9", 10)
	must(t, err)
	erased, err := s.Erase(ctx, []string{"expired"}, "9", "10", 10)
	must(t, err)
	rows, err := s.RequestsOf(ctx, origin.RequestFilter{Limit: 5})
	must(t, err)
	if expired != 1 || forgotten != 1 || erased != 1 || len(rows) != 1 || rows[0].Messages != 2 {
		t.Errorf("expired %d, forgotten %d, erased %d, rows %+v", expired, forgotten, erased, rows)
	}
}
