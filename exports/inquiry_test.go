package exports

import (
	"errors"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"colophon/internal/wire"
)

func TestInstantTwins(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := time.Unix(rapid.Int64Range(0, 253402300799).Draw(t, "seconds"), 0)
		s := Instant(at)
		if want := at.UTC().Format("2006-01-02T15:04:05Z"); s != want {
			t.Fatalf("wrote %s, not %s", s, want)
		}
		if back, ok := ParseInstant(s); !ok || !back.Equal(at) {
			t.Fatalf("%s was read as %v", s, back)
		}
	})
	for _, bad := range []string{"", "2026-02-30T00:00:00Z", "2026-11-20T09:00:00+00:00", "2026-11-20 09:00:00Z", "2026-13-01T00:00:00Z", "2026-11-20T24:00:00Z"} {
		if _, ok := ParseInstant(bad); ok {
			t.Errorf("%q was read", bad)
		}
	}
}

func TestULID(t *testing.T) {
	full := [10]byte{255, 255, 255, 255, 255, 255, 255, 255, 255, 255}
	for _, c := range []struct {
		ms   int64
		e    [10]byte
		want string
	}{
		{0, [10]byte{}, "00000000000000000000000000"},
		{1<<48 - 1, full, "7zzzzzzzzzzzzzzzzzzzzzzzzz"},
		{1469918176385, [10]byte{}, "01aryz6s410000000000000000"},
		{0, [10]byte{9: 1}, "00000000000000000000000001"},
		{0, [10]byte{0, 0, 0, 0, 1}, "00000000000000000100000000"},
	} {
		if got := ULID(c.ms, c.e); got != c.want {
			t.Errorf("ULID(%d, %x) = %s, not %s", c.ms, c.e, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.Int64Range(0, 1<<47).Draw(t, "a"), rapid.Int64Range(0, 1<<47).Draw(t, "b")
		if x, y := ULID(a, full), ULID(b, [10]byte{}); a < b && x >= y {
			t.Fatalf("%d made %s, and later %d made %s", a, x, b, y)
		}
	})
}

func TestValidEmail(t *testing.T) {
	for _, good := range []string{"a@b.example", "r.example+tag@sub.example.org", "o'neil@example.org", "é@example.org", "a@xn--bcher-kva.example",
		"desk@bücher.example", "a@é.example", "редакция@пример.example", "用户@例え。テスト", "a@BÜCHER.example", strings.Repeat("l", 64) + "@example.org"} {
		if !ValidEmail(good) {
			t.Errorf("%q is refused", good)
		}
	}
	for _, bad := range []string{"", "@", "a", "a@", "@b.example", "a@b", "a b@c.example", "a@b..example", ".a@b.example", "a.@b.example", "a..b@c.example",
		"a@-b.example", "a@b-.example", "a@b.1", "a@b.exam ple", "a@b.example\r\nBcc: x@y.example", "\"a\"@b.example", "a@[127.0.0.1]",
		"\u200bdesk@b.example", "desk\u200b@b.example", "de\u202esk@b.example", "de\u00adsk@b.example", "de\u2060sk@b.example", "de\u200dsk@b.example",
		"de\u3164sk@b.example", "de\u115fsk@b.example", "de\ufe0fsk@b.example", "de\u2800sk@b.example", "de\U000e0061sk@b.example", "de\u00a0sk@b.example",
		"desk@b\u200b.example", "desk@b.exam\u00adple", "desk@b.example.", "desk@b.example。", "desk@b%c3%bc.example", "desk@b..example", "desk@\ufeffb.example", "de\xffsk@b.example",
		"<a@b.example>", strings.Repeat("l", 65) + "@example.org", "a@" + strings.Repeat("b", 64) + ".example", "a@" + strings.Repeat("b.", 130) + "example", "a\u0000@b.example", "a@b_c.example", "a@b.\x10c"} {
		if ValidEmail(bad) {
			t.Errorf("%q is accepted", bad)
		}
	}
}

func TestEmailHint(t *testing.T) {
	for in, want := range map[string]string{"r@example.org": "r***@example.org", "robert@example.org": "r***@example.org", "éa@example.org": "é***@example.org", "": "", "@x": ""} {
		if got := EmailHint(in); got != want {
			t.Errorf("hint of %q is %q, not %q", in, got, want)
		}
	}
}

func TestLinks(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "no links here": 0, "https://a.example": 1, "see HTTP://A and www.b.example": 2, "https://www.a.example": 1, "awww.cute": 0, "www.a www.b www.c www.d": 4,
	} {
		if got := Links(text); got != want {
			t.Errorf("%q has %d links, not %d", text, got, want)
		}
	}
}

func TestCurrencies(t *testing.T) {
	for _, c := range []string{"EUR", "USD", "AED", "ZWG", "JPY"} {
		if !ValidCurrency(c) {
			t.Errorf("%s is refused", c)
		}
	}
	for _, c := range []string{"", "eur", "EU", "XXX", "UR ", "DAF", "EURO"} {
		if ValidCurrency(c) {
			t.Errorf("%q is accepted", c)
		}
	}
	if len(currencies)%3 != 0 || len(currencies) < 450 {
		t.Errorf("the list has %d letters", len(currencies))
	}
	for i := 3; i < len(currencies); i += 3 {
		if currencies[i-3:i] >= currencies[i:i+3] {
			t.Errorf("%s stands before %s", currencies[i-3:i], currencies[i:i+3])
		}
	}
}

// text of a length: the bounds of the contract, tried on both sides.
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
	for body, code := range map[string]string{`{"ext":{}}`: "", `{"ext":[]}`: "type_mismatch", `{"ext":{"a":"` + strings.Repeat("x", MaxExt) + `"}}`: "too_long"} {
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
		"status":  {&PartnerStatus{OrgID: "org_1", OrgName: "N", KeyID: "key_1", Last4: "abcd", CreatedAt: at, Scopes: PartnerScopes, Environment: "live", ServerTime: at, Limits: []QuotaLeft{{Quota{"partner", 120, 60}, "partner", 3, 4}}}, &PartnerStatus{}},
	} {
		first := wire.Append(nil, pair[0])
		if err := wire.Decode(first, pair[1], wire.Default); err != nil {
			t.Errorf("%s: %v in %s", name, err, first)
			continue
		}
		if second := wire.Append(nil, pair[1]); string(second) != string(first) {
			t.Errorf("%s:\n%s\n%s", name, first, second)
		}
		if !strings.Contains(string(first), `"grants_rights":false`) {
			t.Errorf("%s says nothing of rights", name)
		}
	}
}

func TestIntentSchemaDescribesEveryBody(t *testing.T) {
	v := IntentSchema("https://svc.example")
	defs := v.Get("$defs")
	for _, e := range Surface {
		if e.Group != "licensing" && e.Group != "partner" || e.Body == "" {
			continue
		}
		body := defs.Get(e.Body)
		if body == nil || body.Get("properties") == nil || body.Get("additionalProperties") == nil {
			t.Errorf("%s takes %q, which the schema does not describe", e.ID, e.Body)
		}
	}
	required := defs.Get("public_request").Get("required")
	if n := len(required.Items); n != 6 {
		t.Errorf("%d members of a public request are required", n)
	}
	if defs.Get("public_request").Get("properties").Get("website") != nil {
		t.Error("the schema gives the trap away")
	}
}

func TestEveryPolicyOfTheSurfaceHasQuotas(t *testing.T) {
	for _, e := range Surface {
		if e.Limits != "" && QuotasOf(DefaultLimits(), e.Limits) == nil {
			t.Errorf("%s names the policy %q, which has no quotas", e.ID, e.Limits)
		}
	}
	if got := RateLimitPolicy(QuotasOf(DefaultLimits(), "partner")); got != `"partner";q=120;w=60, "partner-day";q=20000;w=86400` {
		t.Errorf("header %s", got)
	}
}
