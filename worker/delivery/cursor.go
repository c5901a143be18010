package delivery

import (
	"encoding/base64"
	"strconv"
	"strings"

	"colophon/exports"
)

// place is where a walk goes on: after an entry of a site. The order of a walk
// is by site, then by entry.
type place struct{ site, entry string }

const maxCursor = 512

// walkCursor writes a place in the walk of one question.
func walkCursor(p place, mark string) string {
	return base64.RawURLEncoding.EncodeToString([]byte("1|" + mark + "|" + p.site + "|" + p.entry))
}

// parseWalk reads what walkCursor writes; "" and "*" are the beginning.
func parseWalk(text, mark string) (place, error) {
	if text == "" || text == "*" {
		return place{}, nil
	}
	if len(text) > maxCursor {
		return place{}, ErrCursor
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(text)
	parts := strings.Split(string(b), "|")
	if err != nil || len(parts) != 4 || parts[0] != "1" || parts[1] != mark || !exports.ValidEntryID(parts[3]) {
		return place{}, ErrCursor
	}
	if parts[2] != "" && !exports.ValidSiteID(parts[2]) {
		return place{}, ErrCursor
	}
	return place{parts[2], parts[3]}, nil
}

// since is where a delta goes on: after an event, in the scope of a snapshot.
type since struct {
	sequence int64
	snapshot string // "" the whole feed
}

// String is the form that callers see: c.90251, or c.90251.01jcz5p0… with the
// id of a snapshot.
func (c since) String() string {
	text := "c." + strconv.FormatInt(c.sequence, 10)
	if c.snapshot != "" {
		text += "." + strings.TrimPrefix(c.snapshot, exports.PrefixSnapshot)
	}
	return text
}

// parseSince reads a cursor or the id of a snapshot, whose sequence is then
// still to come (fresh).
func parseSince(text string) (c since, fresh bool, err error) {
	if text == "" || text == "*" {
		return since{}, false, nil
	}
	if len(text) > maxCursor {
		return c, false, ErrCursor
	}
	if strings.HasPrefix(text, exports.PrefixSnapshot) {
		return since{snapshot: text}, true, nil
	}
	rest, ok := strings.CutPrefix(text, "c.")
	digits, snapshot, scoped := strings.Cut(rest, ".")
	n, failed := strconv.ParseInt(digits, 10, 53)
	if !ok || failed != nil || n < 0 {
		return c, false, ErrCursor
	}
	c = since{sequence: n}
	if scoped {
		c.snapshot = exports.PrefixSnapshot + snapshot
	}
	if c.String() != text {
		return since{}, false, ErrCursor
	}
	return c, false, nil
}
