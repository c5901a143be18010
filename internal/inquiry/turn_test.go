package inquiry_test

import (
	"context"
	"testing"

	"colophon/internal/inquiry"
	"colophon/internal/origin"
)

// TestTurns checks a discussion within one second: in both sides' views and in
// the lists, it waits for the side that did not write last.
func TestTurns(t *testing.T) {
	ctx, b := context.Background(), newBench(t)
	r := b.submitted(t, "")
	for i, tc := range []struct {
		by    inquiry.Role
		kind  inquiry.Act // "" opens the request
		state inquiry.State
		next  inquiry.Role
	}{
		{by: inquiry.Publisher, state: inquiry.InReview, next: inquiry.Publisher},
		{inquiry.Requester, inquiry.Text, inquiry.InDiscussion, inquiry.Publisher},
		{inquiry.Publisher, inquiry.Text, inquiry.InDiscussion, inquiry.Requester},
		{inquiry.Publisher, inquiry.Text, inquiry.InDiscussion, inquiry.Requester},
		{inquiry.Requester, inquiry.Question, inquiry.InDiscussion, inquiry.Publisher},
		{inquiry.Publisher, inquiry.Question, inquiry.InfoRequested, inquiry.Requester},
		{inquiry.Requester, inquiry.Answer, inquiry.InDiscussion, inquiry.Publisher},
		{inquiry.Publisher, inquiry.IndicativeTerms, inquiry.TermsIndicated, inquiry.Requester},
		{inquiry.Requester, inquiry.Text, inquiry.InDiscussion, inquiry.Publisher},
		{inquiry.Publisher, inquiry.Text, inquiry.InDiscussion, inquiry.Requester},
		{inquiry.Requester, inquiry.Withdraw, inquiry.Withdrawn, ""},
	} {
		if tc.kind == "" {
			_, err := b.Decide(ctx, r.RequestID, inquiry.Decision{By: tc.by, Act: inquiry.Open})
			must(t, err)
		} else {
			_, _, _, err := b.PostMessage(ctx, r.RequestID, inquiry.MessageDraft{By: tc.by, Kind: tc.kind, Body: "Words."})
			must(t, err)
		}
		now, err := b.Store.Request(ctx, r.RequestID)
		must(t, err)
		if got := inquiry.WaitsFor(&now); now.State != string(tc.state) || got != tc.next {
			t.Errorf("step %d: %s waits for %q, want %s and %q", i, now.State, got, tc.state, tc.next)
		}
		if got := inquiry.PartnerView(now, nil).NextOwner; got != string(tc.next) {
			t.Errorf("step %d: a partner sees %q", i, got)
		}
		side := map[inquiry.Role]string{inquiry.Publisher: "publisher", inquiry.Requester: "buyer"}[tc.next]
		question := origin.Message{MessageID: "msg_q", AuthorRole: "publisher", At: now.UpdatedAt}
		items := inquiry.Procurement(now, origin.Site{}, nil, nil, []origin.Message{question}).OpenItems
		if side == "" && len(items) > 0 || side != "" && (len(items) != 1 || items[0].Owner != side) {
			t.Errorf("step %d: procurement sees %+v, want %q", i, items, side)
		}
		for _, role := range []inquiry.Role{inquiry.Operator, inquiry.Publisher, inquiry.Requester} {
			n, err := b.CountRequests(ctx, inquiry.SelectWaiting(origin.RequestFilter{SiteID: "site-a"}, role))
			must(t, err)
			if want := map[bool]int64{true: 1}[role == tc.next]; n != want {
				t.Errorf("step %d: %d requests wait for the %s, want %d", i, n, role, want)
			}
		}
	}
}
