package originsql_test

import (
	"context"
	"strings"
	"testing"

	"colophon/internal/origin"
	"colophon/internal/originsql/origintest"
)

func newAct(action string) *origin.Act {
	return &origin.Act{ActID: "act_1", Actor: "anna", Role: "operator", Action: action}
}

// What is recorded cannot be changed, removed or put in between.
func TestAuditTrailOnlyGrows(t *testing.T) {
	ctx := context.Background()
	s, exec := origintest.Open(t)
	for range 3 {
		must(t, s.RecordAct(ctx, newAct("build"), ""))
	}
	const insert = "INTO audit_log (seq, at, act_id, actor, role, action, kind, target_id) VALUES (%, '', '', '', '', '', '', '')"
	for _, statement := range []string{
		"UPDATE audit_log SET actor = 'nobody' WHERE seq = 2",
		"DELETE FROM audit_log WHERE seq = 3",
		"DELETE FROM audit_log",
		"INSERT " + strings.Replace(insert, "%", "9", 1),
		"INSERT OR REPLACE " + strings.Replace(insert, "%", "2", 1),
		"INSERT OR REPLACE " + strings.Replace(insert, "%", "3", 1),
	} {
		if err := exec(statement); err == nil || !strings.Contains(err.Error(), "audit:") {
			t.Errorf("%s: %v", statement, err)
		}
	}
	records, err := s.AuditRecords(ctx, origin.AuditFilter{Limit: 9})
	must(t, err)
	if len(records) != 3 || records[0].Seq != 3 || records[2].Seq != 1 || records[1].Actor != "anna" {
		t.Errorf("%+v", records)
	}
}

// Within an act a row is recorded with what differs; secrets and personal data
// are told as changed, also when one takes the place of another.
func TestAuditOfRows(t *testing.T) {
	s, _ := origintest.Open(t)
	act := newAct("webhook add")
	ctx := origin.WithAct(context.Background(), act)
	w := origin.Webhook{WebhookID: "whk_1", URL: "https://a.example/token", Secret: "whsec_1", State: "active", CreatedAt: "1", ChangedAt: "1"}
	must(t, s.PutWebhook(ctx, w))
	w.ChangedAt = "2"
	must(t, s.PutWebhook(ctx, w)) // the same again
	w.URL = "https://b.example/token"
	must(t, s.PutWebhook(ctx, w))
	w.State = "paused"
	must(t, s.PutWebhook(ctx, w))
	w.State = "active"
	must(t, s.PutWebhook(context.Background(), w)) // no act

	records, err := s.AuditRecords(ctx, origin.AuditFilter{Kind: "webhooks", TargetID: "whk_1", Limit: 9})
	must(t, err)
	var got []string
	for i := len(records) - 1; i >= 0; i-- {
		got = append(got, records[i].Before+" "+records[i].After)
	}
	same(t, "records", got, []string{
		` {"allow_private":"0","created_at":"1","secret":"(withheld)","state":"active","url":"(withheld)"}`,
		`{"url":"(withheld)"} {"url":"(withheld)"}`,
		`{"state":"active"} {"state":"paused"}`,
	}, nil)
	if act.Recorded.Load() != 3 {
		t.Errorf("the act counts %d records", act.Recorded.Load())
	}
}
