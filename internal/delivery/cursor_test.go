package delivery

import (
	"encoding/base64"
	"errors"
	"strings"
	"testing"
)

func TestCursorIsReadBack(t *testing.T) {
	for _, p := range []position{{"site-a", "ent_1"}, {"", "ent_1"}} {
		text := encodeCursor(p, "mark")
		if got, err := parseCursor(text, "mark"); got != p || err != nil {
			t.Errorf("%+v came back as %+v, %v", p, got, err)
		}
		if _, err := parseCursor(text, "other"); !errors.Is(err, ErrCursor) {
			t.Errorf("the cursor of another query: %v", err)
		}
	}
}

func TestParseCursorRefuses(t *testing.T) {
	encode := func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }
	for _, text := range []string{
		"x", "!", strings.Repeat("A", maxCursor+1),
		encode("2|mark|site-a|ent_1"), encode("1|mark|site-a"), encode("1|mark|site-a|ent_1|more"),
		encode("1|mark|site-a|"), encode("1|mark|site-a|../ent"), encode("1|mark|Site A|ent_1"),
		encode("1|mark|site-a|ent_1") + "=",
	} {
		if p, err := parseCursor(text, "mark"); !errors.Is(err, ErrCursor) || p != (position{}) {
			t.Errorf("%.40q: %+v, %v", text, p, err)
		}
	}
	for _, text := range []string{"", "*"} {
		if p, err := parseCursor(text, "mark"); err != nil || p != (position{}) {
			t.Errorf("%q is the beginning: %+v, %v", text, p, err)
		}
	}
}

func TestDeltaCursorIsReadBack(t *testing.T) {
	for _, c := range []deltaCursor{{}, {sequence: 1}, {sequence: 90251, snapshot: "snp_01jcz5p0"}} {
		got, fresh, err := parseDeltaCursor(c.String())
		if got != c || fresh || err != nil {
			t.Errorf("%s came back as %+v, fresh %v, %v", c, got, fresh, err)
		}
	}
	got, fresh, err := parseDeltaCursor("snp_01jcz5p0")
	if want := (deltaCursor{snapshot: "snp_01jcz5p0"}); got != want || !fresh || err != nil {
		t.Errorf("a snapshot: %+v, fresh %v, %v", got, fresh, err)
	}
}

func TestParseDeltaCursorRefuses(t *testing.T) {
	for _, text := range []string{"c", "c.", "c.x", "c.-1", "c.01", "c.+1", "c.1.", "d.1", "c.9007199254740993999", "1", strings.Repeat("c.1", maxCursor)} {
		if c, fresh, err := parseDeltaCursor(text); !errors.Is(err, ErrSince) || fresh {
			t.Errorf("%.40q: %+v, %v", text, c, err)
		}
	}
}
