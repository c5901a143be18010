package exports

import (
	"encoding/base64"
	"strconv"
	"strings"

	"colophon/internal/wire"
)

// Cursor is where a walk over a list continues: a place in the list of one
// question, in one generation of the index. It travels as unpadded base64url
// of JSON {v,k,r}: k is the place and the mark of the question, r the
// generation. Callers must not look inside.
//
// One that continues from the first page of a publisher's list names no
// generation but, as a, the record after which it goes on, so that the page
// stays as it is while others change. Its place is then where that record was.
type Cursor struct {
	Gen   string
	Mark  string // see CursorMark
	Pos   int    // records before it
	After string // see AfterRecord, "" for a place in a generation
}

// AfterRecord names a page in a list that has the pages registered last first.
func AfterRecord(registeredAt, entryID string) string { return registeredAt + " " + entryID }

// cursorForm is the JSON form of a cursor.
type cursorForm struct {
	version int64
	key     string
	gen     string
	after   string
}

func (c *cursorForm) Members(m *wire.Members) {
	m.OptString("a", &c.after)
	m.String("k", &c.key)
	m.String("r", &c.gen)
	m.Int("v", &c.version)
}

const maxCursor = 256

// String is the form that callers see.
func (c Cursor) String() string {
	f := cursorForm{1, strconv.Itoa(c.Pos) + "." + c.Mark, c.Gen, c.After}
	return base64.RawURLEncoding.EncodeToString(wire.Append(nil, &f))
}

// ParseCursor reads what String wrote and nothing else.
func ParseCursor(text string) (Cursor, bool) {
	if len(text) > maxCursor {
		return Cursor{}, false
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(text)
	var f cursorForm
	if err != nil || wire.Decode(b, &f, wire.Default) != nil {
		return Cursor{}, false
	}
	place, mark, _ := strings.Cut(f.key, ".")
	pos, err := strconv.Atoi(place)
	c := Cursor{Gen: f.gen, Mark: mark, Pos: pos, After: f.after}
	if err != nil || pos < 0 || c.String() != text {
		return Cursor{}, false
	}
	return c, true
}

// CursorMark is a short hash of a query, so that a cursor is valid for the same
// query only. Its input is the name of the list, then everything else that
// distinguishes the query.
func CursorMark(parts ...string) string {
	h := uint64(14695981039346656037)
	for _, p := range parts {
		for i := 0; i < len(p); i++ {
			h = (h ^ uint64(p[i])) * 1099511628211
		}
		h = (h ^ 0xff) * 1099511628211
	}
	return strconv.FormatUint(h, 36)
}
