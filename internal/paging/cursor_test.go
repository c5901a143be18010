package paging

import (
	"encoding/base64"
	"strings"
	"testing"
)

func TestCursor(t *testing.T) {
	for _, c := range []Cursor{
		{Mark: "m", Pos: 1, After: "a-site"}, {Mark: "m", Pos: 100, After: PlaceByNumber(7, "a-site")}, {Pos: 7, After: PlaceByTime("2026-11-20T09:00:00Z", "ent_1")},
	} {
		if back, err := ParseCursor(c.String()); err != nil || back != c {
			t.Errorf("%+v comes back as %+v, %v", c, back, err)
		}
	}
	encode := func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }
	if _, err := ParseCursor(encode("list m 5 x")); err != nil {
		t.Error("a cursor written by hand is refused:", err)
	}
	for name, text := range map[string]string{
		"none":                  "",
		"no base64":             "%%%",
		"padded":                base64.URLEncoding.EncodeToString([]byte("list m 55 x")),
		"JSON":                  encode(`{"k":"5.m","r":"g","v":2}`),
		"of another kind":       encode("requests m 5 x"),
		"a negative place":      encode("list m -5 x"),
		"the first place":       encode("list m 0 x"),
		"a place with a plus":   encode("list m +5 x"),
		"a place with a zero":   encode("list m 05 x"),
		"no place":              encode("list m  x"),
		"a place too far":       encode("list m 268435457 x"),
		"no record":             encode("list m 5 "),
		"a key less":            encode("list m 5"),
		"a key more":            encode("list m 5 x y"),
		"longer than it can be": encode("list m 5 " + strings.Repeat("x", 600)),
	} {
		if c, err := ParseCursor(text); err != ErrCursor {
			t.Errorf("%s: read as %+v, %v", name, c, err)
		}
	}
	for _, text := range []string{`{"k":"5.m","r":"0123456789abcdef","v":1}`, `{"a":"2026-11-20T09:00:00Z ent_1","k":"20.m","r":"","v":1}`} {
		if c, err := ParseCursor(encode(text)); err != ErrCursorFormer {
			t.Errorf("%s: read as %+v, %v", text, c, err)
		}
	}
	marks := map[string]bool{Mark(): true, Mark(""): true, Mark("a"): true, Mark("ab"): true, Mark("a", "b"): true, Mark("b", "a"): true, Mark("a", ""): true}
	if len(marks) != 7 {
		t.Errorf("seven questions have %d marks", len(marks))
	}
}

// TestPlaces puts records in order by the bytes of their places.
func TestPlaces(t *testing.T) {
	for name, places := range map[string][]string{
		"the latest first": {
			PlaceByTime("2026-11-20T09:00:00Z", "b"), PlaceByTime("2026-11-20T08:59:59Z", "a"), PlaceByTime("2026-11-20T08:59:59Z", "b"),
			PlaceByTime("2025-12-31T23:59:59Z", "a"), PlaceByTime("", "a"), PlaceByTime("", "b"),
		},
		"the highest first": {PlaceByNumber(1<<62, "b"), PlaceByNumber(100, "a"), PlaceByNumber(99, "a"), PlaceByNumber(99, "b"), PlaceByNumber(0, "a")},
	} {
		for i := 1; i < len(places); i++ {
			if places[i-1] >= places[i] {
				t.Errorf("%s: %q does not come before %q", name, places[i-1], places[i])
			}
		}
	}
}
