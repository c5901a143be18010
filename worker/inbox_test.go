package worker_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"colophon/internal/assert"
	"colophon/internal/credential"
	"colophon/internal/inquiry"
	"colophon/internal/origin"
	"colophon/worker/edge"
)

// TestAnswersOfPublisher checks that a publisher's own texts are offered in its
// inbox, in the form that they are for, beside the program's, and in no other
// inbox.
func TestAnswersOfPublisher(t *testing.T) {
	s := newService(t)
	const at = "2026-11-23T09:00:00Z"
	put := func(name, act, label, text string) {
		t.Helper()
		must(t, s.store.PutAnswer(t.Context(), "harbor-ledger", origin.Answer{Name: name, Act: act, Label: label, Text: text}, at))
	}
	put("volume", "question", "How much & when", "Dear {buyer}, <b>{publisher}</b> asks: how many pages a month?")
	put("gone", "text", "Gone", "An old text.")
	put("gone", "", "", "")
	pages := map[string]string{}
	for _, x := range [][2]string{{"harbor-ledger", "inbox"}, {"quay-times", "inbox_other"}} {
		r, _, err := s.inquiries.Submit(t.Context(), origin.Request{SiteID: x[0], Channel: "public", BuyerName: "Ada <Asker>", BuyerEmail: "ada@example.org", IntendedUse: "Grounding", RequestedScope: "/", Message: "Hello.", BudgetCents: -1, TermMonths: -1, TokenHash: "x"})
		must(t, err)
		must(t, s.inquiries.Deliver(t.Context(), r))
		get := func(query string) string {
			resp := s.handle(t.Context(), &edge.Request{Method: "GET", Path: "/inbox/" + seedKeys[x[1]] + "/" + r.RequestID, Query: query, ID: "rid_x"})
			if resp.Status != 200 {
				t.Fatalf("%s?%s: %d %s", r.RequestID, query, resp.Status, resp.Body)
			}
			return string(resp.Body)
		}
		pages[x[0]], pages[x[0]+" chosen"] = get(""), get("act=question&template=volume")
		pages[x[0]+" elsewhere"], pages[x[0]+" gone"] = get("act=text&template=volume"), get("act=text&template=gone")
	}

	offer := `?act=question&amp;template=volume#act-question">How much &amp; when</a>`
	chosen := "Dear Ada &lt;Asker&gt;, &lt;b&gt;Harbor Ledger&lt;/b&gt; asks: how many pages a month?"
	for page, wants := range map[string][2]bool{
		"harbor-ledger": {true, false}, "harbor-ledger chosen": {true, true}, "harbor-ledger elsewhere": {true, false}, "harbor-ledger gone": {true, false},
		"quay-times": {}, "quay-times chosen": {}, "quay-times elsewhere": {}, "quay-times gone": {},
	} {
		if got := [2]bool{strings.Contains(pages[page], offer), strings.Contains(pages[page], chosen)}; got != wants {
			t.Errorf("%s: offered and filled in %v, not %v", page, got, wants)
		}
		if !strings.Contains(pages[page], "template=scope#act-question") || strings.Contains(pages[page], "template=gone") || strings.Contains(pages[page], "old text") {
			t.Errorf("%s lacks a text of the program, or has one that was removed", page)
		}
	}
	if t.Failed() {
		t.Log(pages["harbor-ledger chosen"])
	}
}

// TestUsesOfAGroup shows the reports of all sites of a group, those of no other
// publisher, the most used pages first and no more than 50, and says when there
// are more figures than are read.
func TestUsesOfAGroup(t *testing.T) {
	ctx, s := context.Background(), newService(t)
	const secret = "ibx_group-000000000000000000000000000000000000000000"
	hash := credential.Digest(secret)
	link := origin.InboxLink{LinkID: "inbox_group", SiteID: "harbor-ledger", PublisherID: "pub_all", Credential: origin.Credential{State: "active", ExpiresAt: "2099-01-01T00:00:00Z"}}
	link.Hash, link.Lookup, link.CreatedAt, link.ChangedAt = hash, credential.LookupOf(hash), seedTime, seedTime
	must(t, s.store.PutLink(ctx, link))
	var list []origin.UseReport
	add := func(site, entry, event string, n int) {
		for range n {
			list = append(list, origin.UseReport{ReporterKind: "buyer", ReporterID: "byr_gone", EventKey: fmt.Sprint(len(list)), EntryID: entry, SiteID: site,
				Event: event, Agent: "bot", OccurredAt: "2026-10-01T00:00:00Z", ReportedAt: seedTime})
		}
	}
	add("harbor-ledger", "ent_tides", "cited", 2)
	add("quay-times", "ent_quay", "grounded", 3)
	add("nobodys-site", "ent_strange", "cited", 9)
	for i := range 60 {
		add("quay-times", fmt.Sprintf("ent_gone%02d", i), "engaged", 1)
	}
	_, err := s.store.AddUseReports(ctx, list)
	must(t, err)
	get := func() string {
		resp := s.handle(ctx, &edge.Request{Method: "GET", Path: "/inbox/" + secret + "/uses", ID: "rid_x"})
		if resp.Status != 200 {
			t.Fatalf("%d %s", resp.Status, resp.Body)
		}
		return string(resp.Body)
	}
	body := get()
	quay, tides := strings.Index(body, `<th scope="row">https://quay-times.example/quay</th><td>0</td><td>3</td>`), strings.Index(body, `<th scope="row">https://harbor-ledger.example/shipping/tides</th>`)
	if quay < 0 || tides < quay || strings.Index(body, "ent_gone00") < tides {
		t.Error("the pages are not sorted by their uses")
	}
	for _, part := range []string{"By page (the 50 most used)", `<th scope="row">ent_gone47</th>`, `<th scope="row">byr_gone (buyer), agent bot</th>`, `<th scope="row">All</th><td>0</td><td>3</td><td>0</td><td>2</td><td>0</td><td>60</td><td>65</td>`} {
		assert.Contains(t, "the page lacks", body, part)
	}
	for _, part := range []string{"ent_strange", "ent_gone48", "are left out"} {
		assert.Lacks(t, "the page has", body, part)
	}
	list = nil
	for i := range 5000 {
		add("harbor-ledger", fmt.Sprintf("ent_x%d", i), "cited", 1)
		list[i].EventKey += "x"
	}
	_, err = s.store.AddUseReports(ctx, list)
	must(t, err)
	assert.Contains(t, "the page does not say that figures are left out", get(), "the oldest are left out")
}

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

const tokenLife = inquiry.TokenDays * 24 * time.Hour

// readConversation requests a conversation and returns the status.
func readConversation(s *service, thread, token string) int {
	r := &edge.Request{Method: "GET", Path: "/v1/public/licensing-conversations/" + thread, ID: "rid_x", Remote: "192.0.2.1"}
	r.Header.Set("x-conversation-token", token)
	return s.handle(context.Background(), r).Status
}

// TestConversationTokenExpires checks that a token ends if it is not used for
// TokenDays, and then opens nothing.
func TestConversationTokenExpires(t *testing.T) {
	for name, tc := range map[string]struct {
		unused time.Duration
		status int
	}{
		"a minute before its end": {tokenLife - time.Minute, 200},
		"at its end":              {tokenLife, 404},
		"a day after":             {tokenLife + 24*time.Hour, 404},
	} {
		t.Run(name, func(t *testing.T) {
			s := newService(t)
			thread, token := openConversation(t, s)
			s.later(tc.unused)

			if got := readConversation(s, thread, token); got != tc.status {
				t.Errorf("status %d, want %d", got, tc.status)
			}
		})
	}
}

// TestConversationTokenIsExtended checks that using a token extends it to
// TokenDays from then.
func TestConversationTokenIsExtended(t *testing.T) {
	s := newService(t)
	thread, token := openConversation(t, s)

	for _, unused := range []time.Duration{tokenLife - time.Hour, tokenLife - time.Hour} {
		s.later(unused)
		if got := readConversation(s, thread, token); got != 200 {
			t.Fatalf("status %d after %v without use", got, unused)
		}
	}
	s.later(tokenLife)

	if got := readConversation(s, thread, token); got != 404 {
		t.Errorf("status %d: the token does not end", got)
	}
}
