package delivery

import (
	"encoding/base64"
	"strconv"
	"strings"

	"colophon/exports"
)

// position is where a listing goes on: after an entry of a site. The order is
// by site, then by entry.
type position struct{ site, entry string }

const maxCursor = 512

// encodeCursor writes a position in the listing of one query.
func encodeCursor(p position, mark string) string {
	return base64.RawURLEncoding.EncodeToString([]byte("1|" + mark + "|" + p.site + "|" + p.entry))
}

// parseCursor reads what encodeCursor writes; "" and "*" are the beginning.
func parseCursor(text, mark string) (position, error) {
	if text == "" || text == "*" {
		return position{}, nil
	}
	if len(text) > maxCursor {
		return position{}, ErrCursor
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(text)
	parts := strings.Split(string(b), "|")
	if err != nil || len(parts) != 4 || parts[0] != "1" || parts[1] != mark || !exports.ValidEntryID(parts[3]) {
		return position{}, ErrCursor
	}
	if parts[2] != "" && !exports.ValidSiteID(parts[2]) {
		return position{}, ErrCursor
	}
	return position{parts[2], parts[3]}, nil
}

// deltaCursor is where a delta goes on: after an event, in the scope of a snapshot.
type deltaCursor struct {
	sequence int64
	snapshot string // "" the whole feed
}

// String is the form that callers see: c.90251, or c.90251.01jcz5p0… with the
// id of a snapshot.
func (c deltaCursor) String() string {
	text := "c." + strconv.FormatInt(c.sequence, 10)
	if c.snapshot != "" {
		text += "." + strings.TrimPrefix(c.snapshot, exports.PrefixSnapshot)
	}
	return text
}

// parseDeltaCursor reads a cursor or the id of a snapshot, whose sequence is then
// still to come (fresh).
func parseDeltaCursor(text string) (c deltaCursor, fresh bool, err error) {
	if text == "" || text == "*" {
		return deltaCursor{}, false, nil
	}
	if len(text) > maxCursor {
		return c, false, ErrSince
	}
	if strings.HasPrefix(text, exports.PrefixSnapshot) {
		return deltaCursor{snapshot: text}, true, nil
	}
	rest, ok := strings.CutPrefix(text, "c.")
	digits, snapshot, scoped := strings.Cut(rest, ".")
	n, failed := strconv.ParseInt(digits, 10, 53)
	if !ok || failed != nil || n < 0 || scoped && snapshot == "" {
		return c, false, ErrSince
	}
	c = deltaCursor{sequence: n}
	if scoped {
		c.snapshot = exports.PrefixSnapshot + snapshot
	}
	if c.String() != text {
		return deltaCursor{}, false, ErrSince
	}
	return c, false, nil
}
