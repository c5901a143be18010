package delivery

import (
	"encoding/base64"
	"errors"
	"strings"
	"testing"

	"colophon/internal/assert"
	"colophon/internal/paging"
)

func TestCursorIsReadBack(t *testing.T) {
	t.Parallel()
	for _, p := range []position{{"site-a", "ent_1"}, {"", "ent_1"}} {
		text := encodeCursor(p, "mark")
		if got, err := parseCursor(text, "mark"); got != p || err != nil {
			t.Errorf("%+v came back as %+v, %v", p, got, err)
		}
		assert.ErrorIs(t, assert.Err(parseCursor(text, "other")), ErrCursor, "the cursor of another query")
	}
}

func TestParseCursorRefuses(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"x", "!", strings.Repeat("A", 1000),
		paging.Keyset("mark", "site-a"), paging.Keyset("mark", "site-a", "ent_1", "more"),
		paging.Keyset("mark", "site-a", ""), paging.Keyset("mark", "site-a", "../ent"), paging.Keyset("mark", "Site_A", "ent_1"),
		paging.Keyset("mark", "site-a", "ent_1") + "=",
		base64.RawURLEncoding.EncodeToString([]byte("1|mark|site-a")), base64.RawURLEncoding.EncodeToString([]byte("2|mark|site-a|ent_1")),
	} {
		if p, err := parseCursor(text, "mark"); !errors.Is(err, ErrCursor) || p != (position{}) {
			t.Errorf("%.40q: %+v, %v", text, p, err)
		}
	}
	for _, text := range []string{"", "*", encodeCursor(position{}, "mark")} {
		if p, err := parseCursor(text, "mark"); err != nil || p != (position{}) {
			t.Errorf("%q is the beginning: %+v, %v", text, p, err)
		}
	}
}

// TestOldCursors checks that former forms of cursors are refused as expired, so
// that a client that kept one learns where to begin again.
func TestOldCursors(t *testing.T) {
	t.Parallel()
	old := base64.RawURLEncoding.EncodeToString([]byte("1|mark|site-a|ent_1"))
	assert.ErrorIs(t, assert.Err(parseCursor(old, "mark")), ErrExpired, "of a listing")
	for _, text := range []string{"c.0", "c.90251", "c.90251.01jcz5p0"} {
		if c, fresh, err := parseDeltaCursor(text); !errors.Is(err, ErrExpired) || fresh || c != (deltaCursor{}) {
			t.Errorf("%s: %+v, fresh %v, %v", text, c, fresh, err)
		}
	}
}

func TestDeltaCursorIsReadBack(t *testing.T) {
	t.Parallel()
	for _, c := range []deltaCursor{{}, {sequence: 1}, {sequence: 1, floor: 7}, {sequence: 90251, snapshot: "snp_01jcz5p0"}} {
		got, fresh, err := parseDeltaCursor(c.String())
		if got != c || fresh || err != nil {
			t.Errorf("%s came back as %+v, fresh %v, %v", c, got, fresh, err)
		}
	}
	for _, id := range []string{"snp_01jcz5p0", "snp_" + strings.Repeat("a", maxSnapshotID-4)} {
		got, fresh, err := parseDeltaCursor(id)
		if want := (deltaCursor{snapshot: id}); got != want || !fresh || err != nil {
			t.Errorf("a snapshot: %+v, fresh %v, %v", got, fresh, err)
		}
	}
	for _, text := range []string{"", "*"} {
		if got, fresh, err := parseDeltaCursor(text); got != (deltaCursor{}) || fresh || err != nil {
			t.Errorf("%q: %+v, fresh %v, %v", text, got, fresh, err)
		}
	}
}

func TestParseDeltaCursorRefuses(t *testing.T) {
	t.Parallel()
	of := func(keys ...string) string { return paging.Keyset(deltaList, keys...) }
	for _, text := range []string{
		"c", "c.", "c.x", "c.-1", "c.+1", "d.1", "1", "snp_" + strings.Repeat("a", maxSnapshotID-3),
		of("1", "0"), of("-1", "0", ""), of("1", "-1", ""), of("01", "0", ""), of("+1", "0", ""), of("9007199254740993999", "0", ""), of("1", "0", "", ""),
		paging.Keyset("requests", "1", "0", ""),
	} {
		if c, fresh, err := parseDeltaCursor(text); !errors.Is(err, ErrSince) || fresh {
			t.Errorf("%.40q: %+v, %v", text, c, err)
		}
	}
}

// TestDeltaCursorExpires checks that a cursor is accepted as long as its reader
// misses no tombstone: below the floor too, if the reader began at the
// beginning and has passed that floor.
func TestDeltaCursorExpires(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		cursor          deltaCursor
		sequence, floor int64
		want            bool
	}{
		{deltaCursor{}, 9, 5, false},
		{deltaCursor{sequence: 9}, 9, 5, false},
		{deltaCursor{sequence: 10}, 9, 5, true},
		{deltaCursor{sequence: 5}, 9, 5, false},
		{deltaCursor{sequence: 4}, 9, 5, true},
		{deltaCursor{sequence: 4, floor: 5}, 9, 5, false},
		{deltaCursor{sequence: 4, floor: 4}, 9, 5, true},
		{deltaCursor{sequence: 4, floor: 6}, 9, 5, true},
	} {
		assert.Equal(t, tc.cursor.isExpired(tc.sequence, tc.floor), tc.want, "%+v at %d above %d", tc.cursor, tc.sequence, tc.floor)
	}
}
