package worker_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"colophon/exports/inquiries"
	"colophon/internal/credential"
	"colophon/internal/inquiry"
	"colophon/internal/origin"
	"colophon/internal/wire"
	"colophon/worker/edge"
)

// TestHostileBodies sends bodies that are valid, nearly valid and hostile. None
// may be answered with a 5xx, and whatever is stored must pass the rules by
// which it was read. COLOPHON_HOSTILE sets their number (make test-licensing).
func TestHostileBodies(t *testing.T) {
	hostile(t, newService(t, withLimits(wide())), number("COLOPHON_HOSTILE", 1500))
}

// hostile sends n bodies to a service.
func hostile(t *testing.T, s *service, n int) {
	thread, token := openConversation(t, s)
	r := rand.New(rand.NewPCG(1, 2))
	statuses := map[int]int{}
	for i := range n {
		target := targets[r.IntN(len(targets))]
		body := mutate(r, target.base(i))
		req := &edge.Request{Method: "POST", Path: strings.Replace(target.path, "{thread}", thread, 1), Body: []byte(body), Remote: fmt.Sprintf("10.%d.%d.%d", i>>16, i>>8&255, i&255), ID: "rid_x"}
		req.Header = edge.Header{{Name: "content-type", Value: target.media}, {Name: "authorization", Value: "Bearer " + seedKeys["key_alpha"]},
			{Name: "x-conversation-token", Value: token}, {Name: "idempotency-key", Value: fmt.Sprintf("h-%d", i)}}
		resp := s.handle(context.Background(), req)
		statuses[resp.Status]++
		if resp.Status >= 500 {
			t.Fatalf("%s answered %d to %q: %v", target.path, resp.Status, body, s.lines)
		}
		if target.media == "application/json" && !json.Valid(resp.Body) {
			t.Fatalf("%s answered no JSON to %q: %s", target.path, body, resp.Body)
		}
	}
	if statuses[201] < n/20 || statuses[422] < n/20 || statuses[400] < n/20 {
		t.Errorf("too little variety: %v", statuses)
	}
	checkStored(t, s, n/20)
	t.Logf("statuses: %v", statuses)
}

var targets = []struct {
	path, media string
	base        func(i int) string
}{
	{"/v1/partner/licensing/requests", "application/json", func(i int) string {
		return fmt.Sprintf(`{"site_id":"harbor-ledger","buyer_name":"N %d","buyer_email":"n%d@example.org","intended_use":"Grounding of answers","requested_scope":"/shipping/*","message":"We would like to ground answers.","currency":"EUR","proposed_budget_cents":100,"term_months":12,"ext":{"a":[1,{"b":null}]}}`, i, i)
	}},
	{"/v1/public/licensing-request", "application/json", func(i int) string {
		return fmt.Sprintf(`{"site_id":"harbor-ledger","requester_name":"N %d","requester_email":"n%d@example.org","intended_use":"Grounding of answers","requested_scope":"/shipping/*","message":"We would like to ground answers.","company":"","requested_use":"rag","agent":{"name":"Bot","authorized_by_buyer":true},"locale":"en"}`, i, i)
	}},
	{"/v1/public/licensing-conversations/{thread}/messages", "application/json", func(i int) string {
		return fmt.Sprintf(`{"body":"Message %d","kind":"text","author_kind":"agent","client_message_id":"c-%d"}`, i, i)
	}},
	{"/v1/agent/licensing-intent/prepare", "application/json", func(i int) string {
		return fmt.Sprintf(`{"resource":"https://harbor-ledger.example/p%d","requested_use":"rag","territory":"NL","user_type":"commercial"}`, i)
	}},
	{"/v1/public/licensing-request", "application/x-www-form-urlencoded", func(i int) string {
		return fmt.Sprintf("site_id=harbor-ledger&requester_name=N+%d&requester_email=f%d%%40example.org&intended_use=Grounding+of+answers&requested_scope=%%2Fshipping&message=We+would+like+to+ground+answers.&website=", i, i)
	}},
	{"/conversation/", "application/x-www-form-urlencoded", func(i int) string {
		return fmt.Sprintf("thread_id=thr_x&token=cvt_x&kind=text&body=%d", i)
	}},
}

// odd are texts that are known to break programs.
var odd = []string{
	"\u202e", "\ufeff", "\u0000", `\u0000`, `\ud800`, `\udc00\ud800`, "\xff\xfe", "é", "e\u0301", "𝔘𝔫𝔦", "\U0010ffff", "<script>alert(1)</script>", "'; DROP TABLE requests; --",
	`"`, `\`, "%00", "%ff", "{{repeat 3}}", "${x}", "%%MAIN%%", "null", "true", "[]", "{}", "1e999", "-0", "9007199254740993", "-1", "0.1", "1E400", "NaN", strings.Repeat("a", 6000),
	strings.Repeat("[", 40), strings.Repeat(`{"a":`, 40), strings.Repeat("😀", 200), "\r\n\r\nSet-Cookie: a=b", "ﷺ", "\u202egnirts", "a@b", "@", "//", "..", "&#0;", "=", "&", "+",
}

// mutate changes two thirds of the bodies.
func mutate(r *rand.Rand, body string) string {
	if r.IntN(3) == 0 {
		return body
	}
	for range 1 + r.IntN(3) {
		at := r.IntN(len(body) + 1)
		word := odd[r.IntN(len(odd))]
		switch r.IntN(9) {
		case 0:
			body = body[:at]
		case 1:
			body = body[:at] + word + body[at:]
		case 2: // inside a text
			if i := strings.LastIndexAny(body[:at], ":="); i >= 0 {
				body = body[:i+1] + `"` + word + `"` + strings.TrimLeft(body[i+1:], `"`)
			}
		case 3: // a repeated or unknown member
			body = strings.Replace(body, "{", `{"`+[]string{"site_id", "message", "unknown", "__proto__"}[r.IntN(4)]+`":"`+word+`",`, 1)
		case 4:
			b := []byte(body)
			for range 1 + r.IntN(4) {
				if len(b) > 0 {
					b[r.IntN(len(b))] = byte(r.IntN(256))
				}
			}
			body = string(b)
		case 5: // a value of another type
			body = strings.Replace(body, `"`+[]string{"harbor-ledger", "rag", "en", "text"}[r.IntN(4)]+`"`, []string{"17", "null", "true", "[]", "{}", `"x"`}[r.IntN(6)], 1)
		case 6: // numbers out of range
			body = strings.Replace(body, ":100", ":"+[]string{"-1", "900000000000001", "1e3", "9007199254740992", "1.5", `"100"`}[r.IntN(6)], 1)
		case 7: // deeply nested
			n := r.IntN(3000)
			body = strings.Replace(body, "{", `{"ext":`+strings.Repeat("[", n)+strings.Repeat("]", n)+",", 1)
		case 8: // a valid text in an unusual form
			body = strings.Replace(body, "Grounding", "Grounding "+jsonText(word), 1)
		}
	}
	return body
}

func jsonText(s string) string {
	b, _ := json.Marshal(s)
	return string(b[1 : len(b)-1])
}

func openConversation(t testing.TB, s *service) (thread, token string) {
	t.Helper()
	secret, err := credential.Conversation.New(s.inquiries.Rand)
	must(t, err)
	r, _, err := s.inquiries.Submit(context.Background(), origin.Request{
		SiteID: "harbor-ledger", Channel: "public", BuyerName: "T", BuyerEmail: "t@example.org", IntendedUse: "Grounding of answers",
		RequestedScope: "/shipping/*", Message: "We would like to ground answers.", BudgetCents: -1, TermMonths: -1, TokenHash: credential.Digest(secret),
	})
	must(t, err)
	must(t, s.inquiries.Deliver(context.Background(), r))
	return r.ThreadID, secret
}

// checkStored reads every stored record back through the rules of its form.
func checkStored(t *testing.T, s *service, least int) {
	t.Helper()
	ctx := context.Background()
	rows, err := s.store.RequestsOf(ctx, origin.RequestFilter{Limit: 100_000})
	must(t, err)
	if len(rows) < least {
		t.Errorf("only %d requests were stored", len(rows))
	}
	for _, r := range rows {
		var form wire.Record
		partner := inquiries.NewPartnerRequest()
		public := inquiries.PublicRequest{}
		switch r.Channel {
		case "partner":
			partner = inquiries.PartnerRequest{SiteID: r.SiteID, BuyerName: r.BuyerName, BuyerEmail: r.BuyerEmail, BuyerCompany: r.BuyerCompany,
				IntendedUse: r.IntendedUse, RequestedScope: r.RequestedScope, BudgetRange: r.BudgetRange, RequestedTimeline: r.Timeline,
				Message: r.Message, Currency: r.Currency, BudgetCents: r.BudgetCents, TermMonths: r.TermMonths}
			form = &partner
		default:
			public = inquiries.PublicRequest{SiteID: r.SiteID, RequesterName: r.BuyerName, RequesterEmail: r.BuyerEmail, Company: r.BuyerCompany,
				IntendedUse: r.IntendedUse, RequestedScope: r.RequestedScope, BudgetRange: r.BudgetRange, RequestedTimeline: r.Timeline,
				Message: r.Message, RequestedUse: r.RequestedUse, Locale: r.Locale, IntentDigest: r.IntentDigest}
			form = &public
		}
		if err := inquiry.Check(form); err != nil {
			t.Errorf("%s is stored and invalid: %v", r.RequestID, err)
		}
		for _, text := range []string{r.Ext, r.Agent} {
			if text != "" && !json.Valid([]byte(text)) {
				t.Errorf("%s holds broken JSON: %q", r.RequestID, text)
			}
		}
		messages, err := s.store.MessagesOf(ctx, r.ThreadID, 0, 100_000)
		must(t, err)
		if int64(len(messages)) != r.Messages {
			t.Errorf("%s has %d messages and counts %d", r.RequestID, len(messages), r.Messages)
		}
		for _, m := range messages[1:] {
			if err := inquiry.Check(&inquiries.NewMessage{Body: m.Body, Kind: m.Kind, AuthorKind: m.AuthorKind, InReplyTo: m.InReplyTo, ClientMessageID: m.ClientID}); err != nil {
				t.Errorf("%s is stored and invalid: %v", m.MessageID, err)
			}
		}
	}
}
