package worker_test

import (
	"strings"
	"testing"

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
