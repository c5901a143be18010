package inquiries

import (
	"errors"
	"strings"
	"testing"

	"colophon/exports"
	"colophon/internal/assert"
	"colophon/internal/wire"
)

func TestLinks(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "no links here": 0, "https://a.example": 1, "see HTTP://A and www.b.example": 2, "https://www.a.example": 1, "awww.cute": 0, "www.a www.b www.c www.d": 4,
	} {
		if got := Links(text); got != want {
			t.Errorf("%q has %d links, not %d", text, got, want)
		}
	}
}

// TestBoundsOfRequests tries both sides of each bound of the contract with
// texts of these lengths.
func TestBoundsOfRequests(t *testing.T) {
	good := func() PublicRequest {
		return PublicRequest{SiteID: "aa", RequesterName: "N", RequesterEmail: "n@example.org", IntendedUse: strings.Repeat("u", 10), RequestedScope: "scope", Message: strings.Repeat("m", 20)}
	}
	for _, c := range []struct {
		name      string
		low, high int
		set       func(r *PublicRequest, s string)
	}{
		{"requester_name", 1, 120, func(r *PublicRequest, s string) { r.RequesterName = s }},
		{"intended_use", 10, 2000, func(r *PublicRequest, s string) { r.IntendedUse = s }},
		{"requested_scope", 1, 2000, func(r *PublicRequest, s string) { r.RequestedScope = s }},
		{"message", 20, 5000, func(r *PublicRequest, s string) { r.Message = s }},
		{"company", 0, 160, func(r *PublicRequest, s string) { r.Company = s }},
		{"budget_range", 0, 120, func(r *PublicRequest, s string) { r.BudgetRange = s }},
		{"requested_timeline", 0, 120, func(r *PublicRequest, s string) { r.RequestedTimeline = s }},
	} {
		for n, ok := range map[int]bool{c.low - 1: false, c.low: true, c.high: true, c.high + 1: false} {
			if n < 0 {
				continue
			}
			r := good()
			c.set(&r, strings.Repeat("é", n))
			if err := again(&r); (err == nil) != ok {
				t.Errorf("%s of %d characters: %v", c.name, n, err)
			}
		}
		if c.low > 0 {
			r := good()
			c.set(&r, strings.Repeat(" ", c.low+1))
			if again(&r) == nil {
				t.Errorf("%s may be blank", c.name)
			}
		}
	}
}

// again reads a record from what it writes.
func again(r wire.Record) error {
	return wire.Decode(wire.Append(nil, r), r, wire.Default)
}

func TestMoneyComesWithItsCurrency(t *testing.T) {
	for _, c := range []struct {
		cents    int64
		currency string
		ok       bool
	}{{-1, "", true}, {0, "EUR", true}, {MaxCents, "EUR", true}, {MaxCents + 1, "EUR", false}, {1, "", false}, {-1, "EUR", false}, {1, "XXX", false}} {
		r := NewPartnerRequest()
		r.SiteID, r.BuyerName, r.BuyerEmail, r.IntendedUse, r.RequestedScope, r.Message = "aa", "N", "n@example.org", strings.Repeat("u", 10), "scope", strings.Repeat("m", 20)
		r.BudgetCents, r.Currency = c.cents, c.currency
		if err := again(&r); (err == nil) != c.ok {
			t.Errorf("%d %q: %v", c.cents, c.currency, err)
		}
	}
}

func TestExtIsBounded(t *testing.T) {
	for body, code := range map[string]string{`{"ext":{}}`: "", `{"ext":[]}`: "type_mismatch", `{"ext":{"a":"` + strings.Repeat("x", exports.MaxExt) + `"}}`: "too_long"} {
		var in Intent
		err := wire.Decode([]byte(strings.Replace(body, "{", `{"resource":"https://a.example/",`, 1)), &in, wire.Default)
		var invalid *wire.Invalid
		if code == "" && err != nil || code != "" && (!errors.As(err, &invalid) || invalid.Fields[0].Code != code) {
			t.Errorf("%.40s: %v", body, err)
		}
	}
}

// TestViewsRoundTrip writes each answer, reads it back strictly and compares.
func TestViewsRoundTrip(t *testing.T) {
	const at = "2026-11-20T09:10:00Z"
	v := PartnerView{RequestID: "req_1", Status: "declined", StatusSince: at, SiteID: "aa", EmailHint: "r***@x.example", IntendedUse: "u", RequestedScope: "s", Currency: "EUR",
		BudgetCents: 5, TermMonths: -1, CreatedAt: at, UpdatedAt: at, History: []Step{{1, at, "", "received", "requester"}}, NextOwner: "publisher", NextBy: at, DeclineReason: "budget"}
	view2 := PartnerView{}
	thread := Thread{ThreadID: "thr_1", RequestID: "req_1", SiteID: "aa", State: "open", Status: "delivered", Participants: []Participant{{"publisher", "P"}},
		Messages: []Message{{MessageID: "msg_1", Seq: 1, At: at, AuthorRole: "publisher", AuthorKind: "human", Kind: "indicative_terms", Terms: &IndicativeTerms{Uses: []string{"rag"}, Cents: 1, Currency: "EUR", TermMonths: -1}}},
		Allowed:  []string{"text"}, Limit: 50}
	proc := Procurement{ThreadID: "thr_1", Status: "delivered", Stage: "submitted", RequestedScope: "s", OpenItems: []OpenItem{{"publisher", "respond", "", at}}, Checks: []Check{{"email_verified", "not_performed"}}}
	for name, pair := range map[string][2]wire.Record{
		"partner view": {&v, &view2}, "thread": {&thread, &Thread{}}, "procurement": {&proc, &Procurement{}},
		"receipt": {&RequestReceipt{RequestID: "req_1", SiteID: "aa", CreatedAt: at, Conversation: Conversation{"thr_1", "cvt_1", at}, ReminderAt: at, ExpiresAt: at, EmailCheck: "pending"}, &RequestReceipt{}},
		"status":  {&PartnerStatus{OrgID: "org_1", OrgName: "N", KeyID: "key_1", Last4: "abcd", CreatedAt: at, Scopes: exports.PartnerScopes, Environment: "live", ServerTime: at, Limits: []QuotaLeft{{"partner", "partner", 120, 60, 3, 4}}}, &PartnerStatus{}},
	} {
		first := wire.Append(nil, pair[0])
		if err := wire.Decode(first, pair[1], wire.Default); err != nil {
			t.Errorf("%s: %v in %s", name, err, first)
			continue
		}
		if second := wire.Append(nil, pair[1]); string(second) != string(first) {
			t.Errorf("%s:\n%s\n%s", name, first, second)
		}
		assert.Contains(t, name+" says nothing of rights", string(first), `"grants_rights":false`)
	}
}

func TestIntentSchemaDescribesEveryBody(t *testing.T) {
	v := IntentSchema("https://svc.example")
	defs := v.Get("$defs")
	for _, e := range exports.Surface {
		// A report of use asks for no licence; the description of the API has its schema.
		if e.Group != "licensing" && e.Group != "partner" || e.Body == "" || e.Body == "use_report" {
			continue
		}
		body := defs.Get(e.Body)
		if body == nil || body.Get("properties") == nil || body.Get("additionalProperties") == nil {
			t.Errorf("%s takes %q, which the schema does not describe", e.ID, e.Body)
		}
	}
	required := defs.Get("public_request").Get("required")
	assert.Equal(t, len(required.Items), 6, "members of a public request are required")
	if defs.Get("public_request").Get("properties").Get("website") != nil {
		t.Error("the schema gives the trap away")
	}
}
