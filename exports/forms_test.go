package exports

import (
	"encoding/base64"
	"strings"
	"testing"
)

func TestValidSiteID(t *testing.T) {
	for s, want := range map[string]bool{
		"ab": true, "a0": true, "0a": true, "a-": true, "harbor-ledger": true, "a--b": true, strings.Repeat("a", 64): true,
		"": false, "a": false, "-a": false, "Ab": false, "a_b": false, "a.b": false, "a b": false, "a/b": false, "é-a": false, "a\n": false,
		strings.Repeat("a", 65): false,
	} {
		if ValidSiteID(s) != want {
			t.Errorf("%q: want %v", s, want)
		}
	}
}

func TestValidEntryID(t *testing.T) {
	for s, want := range map[string]bool{
		"a": true, "A": true, "_": true, "-": true, "9": true, "Zz_-09": true, strings.Repeat("A", 64): true,
		"": false, "a.b": false, "a/b": false, "a b": false, "é": false, "a\x00": false, "@": false, "[": false, strings.Repeat("A", 65): false,
	} {
		if ValidEntryID(s) != want {
			t.Errorf("%q: want %v", s, want)
		}
	}
}

func TestCursor(t *testing.T) {
	for _, c := range []Cursor{
		{Gen: "g1", Mark: "m"}, {Gen: "g1", Mark: "m", Pos: 100}, {Mark: "m", Pos: 7, After: AfterRecord("2026-11-20T09:00:00Z", "ent_1")},
	} {
		if back, ok := ParseCursor(c.String()); !ok || back != c {
			t.Errorf("%+v comes back as %+v, %v", c, back, ok)
		}
	}
	encode := func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }
	if _, ok := ParseCursor(encode(`{"k":"5.m","r":"g","v":1}`)); !ok {
		t.Error("a cursor written by hand is refused")
	}
	for name, text := range map[string]string{
		"none":                  "",
		"no base64":             "%%%",
		"padded":                base64.URLEncoding.EncodeToString([]byte(`{"k":"55.m","r":"g","v":1}`)),
		"no JSON":               encode("x"),
		"a negative place":      encode(`{"k":"-5.m","r":"g","v":1}`),
		"a place with a plus":   encode(`{"k":"+5.m","r":"g","v":1}`),
		"a place with a zero":   encode(`{"k":"05.m","r":"g","v":1}`),
		"no place":              encode(`{"k":".m","r":"g","v":1}`),
		"no mark":               encode(`{"k":"5","r":"g","v":1}`),
		"another version":       encode(`{"k":"5.m","r":"g","v":2}`),
		"another order":         encode(`{"v":1,"k":"5.m","r":"g"}`),
		"an unknown member":     encode(`{"k":"5.m","r":"g","v":1,"x":1}`),
		"white space":           encode(`{"k": "5.m","r":"g","v":1}`),
		"longer than 256 bytes": encode(`{"k":"5.` + strings.Repeat("m", 200) + `","r":"g","v":1}`),
	} {
		if c, ok := ParseCursor(text); ok {
			t.Errorf("%s: read as %+v", name, c)
		}
	}
	marks := map[string]bool{CursorMark(): true, CursorMark(""): true, CursorMark("a"): true, CursorMark("ab"): true, CursorMark("a", "b"): true, CursorMark("b", "a"): true, CursorMark("a", ""): true}
	if len(marks) != 7 {
		t.Errorf("seven questions have %d marks", len(marks))
	}
}

func TestDisposableEmail(t *testing.T) {
	for s, want := range map[string]bool{"a@mailinator.com": true, "a@YOPmail.com": true, "a@b.example": false, "a@xmailinator.com": false, "a@": false, "a@mailinator.com ": false} {
		if DisposableEmail(s) != want {
			t.Errorf("%q: disposable: want %v", s, want)
		}
	}
}
