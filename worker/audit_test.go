package worker_test

import (
	"context"
	"strings"
	"testing"

	"colophon/internal/origin"
	"colophon/worker/edge"
)

// TestInboxActsAreRecorded checks that a publisher's acts in its inbox are in
// the audit trail under the id of the link, and that refused forms and other
// people's acts are not.
func TestInboxActsAreRecorded(t *testing.T) {
	ctx := context.Background()
	s := newService(t)
	r, _, err := s.inquiries.Submit(ctx, origin.Request{SiteID: "harbor-ledger", Channel: "public", BuyerName: "R. Example", BuyerEmail: "r@example.org",
		IntendedUse: "Grounding", RequestedScope: "/x/*", Message: "Hello.", BudgetCents: -1, TermMonths: -1, TokenHash: "x"})
	must(t, err)
	must(t, s.inquiries.Deliver(ctx, r))
	post := func(want int, form string) {
		t.Helper()
		request := &edge.Request{Method: "POST", Path: "/inbox/" + seedKeys["inbox"] + "/" + r.RequestID, ID: "rid_x", Body: []byte(form)}
		request.Header.Set("content-type", "application/x-www-form-urlencoded")
		if resp := s.handle(ctx, request); resp.Status != want {
			t.Fatalf("%s: answered %d: %s", form, resp.Status, resp.Body)
		}
	}
	post(303, "act=text&body=a+private+answer")
	post(422, "act=decline&decline_reason=none-of-these")
	post(303, "act=decline&decline_reason=territory")

	records, err := s.store.AuditRecords(ctx, origin.AuditFilter{Limit: 9})
	must(t, err)
	if len(records) != 3 {
		t.Fatalf("%d records: %+v", len(records), records)
	}
	declined, answered, opened := records[0], records[1], records[2]
	if opened.Before != `{"state":"delivered"}` || opened.ActID != answered.ActID || opened.ActID == declined.ActID {
		t.Errorf("answering opens it, in the same act: %+v", opened)
	}
	if answered.Action != "inbox text" || answered.Kind != "messages" || strings.Contains(answered.After, "private answer") {
		t.Errorf("an answer: %+v", answered)
	}
	if declined.Action != "inbox decline" || declined.TargetID != r.RequestID || declined.Before != `{"state":"in_discussion"}` ||
		declined.After != `{"reason":"territory","state":"declined"}` {
		t.Errorf("a decline: %+v", declined)
	}
	for _, x := range records {
		if x.Actor != "inbox" || x.Role != "publisher" || !strings.HasPrefix(x.ActID, "act_") {
			t.Errorf("by %s, %s, %s", x.Actor, x.Role, x.ActID)
		}
	}
}
