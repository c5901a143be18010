package exports

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"colophon/internal/assert"
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

func TestValidSiteID(t *testing.T) {
	for s, want := range map[string]bool{
		"ab": true, "a0": true, "0a": true, "a-": true, "harbor-ledger": true, "a--b": true, strings.Repeat("a", 64): true,
		"": false, "a": false, "-a": false, "Ab": false, "a_b": false, "a.b": false, "a b": false, "a/b": false, "é-a": false, "a\n": false,
		strings.Repeat("a", 65): false,
	} {
		assert.Equal(t, ValidSiteID(s), want, "%q", s)
	}
}

func TestValidEntryID(t *testing.T) {
	for s, want := range map[string]bool{
		"a": true, "A": true, "_": true, "-": true, "9": true, "Zz_-09": true, strings.Repeat("A", 64): true,
		"": false, "a.b": false, "a/b": false, "a b": false, "é": false, "a\x00": false, "@": false, "[": false, strings.Repeat("A", 65): false,
	} {
		assert.Equal(t, ValidEntryID(s), want, "%q", s)
	}
}

func TestDisposableEmail(t *testing.T) {
	for s, want := range map[string]bool{"a@mailinator.com": true, "a@YOPmail.com": true, "a@b.example": false, "a@xmailinator.com": false, "a@": false, "a@mailinator.com ": false} {
		assert.Equal(t, DisposableEmail(s), want, "%q: disposable", s)
	}
}
