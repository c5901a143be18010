// Package paging has the cursors by which lists are continued: places in
// published lists, and keys of the last record of others.
package paging

import (
	"encoding/base64"
	"errors"
	"strconv"
	"strings"
)

// Cursor is a place in the published list that answers one question: after one
// of its records. Its text form is that of Keyset.
type Cursor struct {
	Mark  string // see Mark
	Pos   int    // how many records were before it
	After string // the place of the last of these: PlaceByTime, PlaceByNumber or an id
}

// PlaceByTime returns the place of a record in a list that has the latest first
// and, among records of one instant, the lower id first. Places rise along a
// list when compared as bytes. A record without an instant comes last.
func PlaceByTime(at, id string) string {
	if at == "" {
		at = "~"
	}
	return complementDigits(at) + "/" + id
}

// PlaceByNumber is PlaceByTime for a list that has the highest number first.
func PlaceByNumber(n int64, id string) string {
	digits := strconv.FormatInt(n, 10)
	return complementDigits(strings.Repeat("0", max(0, 19-len(digits)))+digits) + "/" + id
}

// complementDigits replaces each digit d by 9-d, which reverses the order of
// texts of one form.
func complementDigits(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= '0' && c <= '9' {
			b[i] = '0' + '9' - c
		}
	}
	return string(b)
}

// maxPos bounds the position in a cursor, so that hosts with a 32-bit int agree
// with others.
const maxPos = 1 << 28

// Errors of ParseCursor.
var (
	ErrCursor       = errors.New("not a cursor")
	ErrCursorFormer = errors.New("a cursor of an earlier form, which named a place in a release that is gone")
)

// String returns the text form, which callers must not take apart.
func (c Cursor) String() string {
	return Keyset("list", c.Mark, strconv.Itoa(c.Pos), c.After)
}

// ParseCursor parses what String returned. It returns ErrCursorFormer for a
// cursor in the form used until November 2026 (JSON with a generation of the
// index), and ErrCursor for any other text.
func ParseCursor(text string) (Cursor, error) {
	keys, ok := ParseKeyset(text, "list", 3)
	if !ok {
		b, err := base64.RawURLEncoding.DecodeString(text)
		if former := string(b); err == nil && strings.HasPrefix(former, `{"`) && strings.HasSuffix(former, `,"v":1}`) {
			return Cursor{}, ErrCursorFormer
		}
		return Cursor{}, ErrCursor
	}
	pos, err := strconv.Atoi(keys[1])
	c := Cursor{Mark: keys[0], Pos: pos, After: keys[2]}
	if err != nil || pos < 1 || pos > maxPos || c.After == "" || c.String() != text {
		return Cursor{}, ErrCursor
	}
	return c, nil
}

// Mark returns a short hash of a query, which makes a cursor valid for
// that query only. parts are the name of the list, then everything else that
// distinguishes the query.
func Mark(parts ...string) string {
	h := uint64(14695981039346656037)
	for _, p := range parts {
		for i := 0; i < len(p); i++ {
			h = (h ^ uint64(p[i])) * 1099511628211
		}
		h = (h ^ 0xff) * 1099511628211
	}
	return strconv.FormatUint(h, 36)
}
