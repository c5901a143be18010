package delivery

import (
	"encoding/base64"
	"strconv"
	"strings"

	"colophon/exports"
	"colophon/internal/paging"
)

// position is a place in a listing: after an entry of a site. Listings are
// ordered by site, then by entry.
type position struct{ site, entry string }

// encodeCursor returns the cursor of a position in the listing of one query;
// the position before the first row is "*".
func encodeCursor(p position, mark string) string {
	if p.entry == "" {
		return "*"
	}
	return paging.Keyset(mark, p.site, p.entry)
}

// parseCursor parses what encodeCursor returns; "" and "*" are the beginning.
// It returns ErrExpired for the former form of cursors, "1|mark|site|entry".
func parseCursor(text, mark string) (position, error) {
	if text == "" || text == "*" {
		return position{}, nil
	}
	keys, ok := paging.ParseKeyset(text, mark, 2)
	if !ok && isOldCursor(text) {
		return position{}, ErrExpired
	}
	if !ok || keys[0] != "" && !exports.ValidSiteID(keys[0]) || !exports.ValidEntryID(keys[1]) {
		return position{}, ErrCursor
	}
	return position{keys[0], keys[1]}, nil
}

func isOldCursor(text string) bool {
	b, err := base64.RawURLEncoding.DecodeString(text)
	return err == nil && strings.HasPrefix(string(b), "1|") && strings.Count(string(b), "|") == 3
}

const (
	deltaList     = "delta" // the name of a feed in its cursors
	maxSnapshotID = 512
)

// deltaCursor is a place in a delta: after an event, in the scope of a
// snapshot.
//
// The floor is that of the feed when the reader passed. A reader that began at
// the beginning does not need tombstones dropped before that, however old the
// last event it was told.
type deltaCursor struct {
	sequence int64
	floor    int64
	snapshot string // "" the whole feed
}

// String returns the text form, which callers must not take apart.
func (c deltaCursor) String() string {
	return paging.Keyset(deltaList, strconv.FormatInt(c.sequence, 10), strconv.FormatInt(c.floor, 10), c.snapshot)
}

// parseDeltaCursor parses a cursor, or the id of a snapshot, for which fresh is
// true and the sequence still has to be read. It returns ErrExpired for the
// former form of cursors, "c.90251", which the id of a snapshot may follow.
func parseDeltaCursor(text string) (c deltaCursor, fresh bool, err error) {
	if text == "" || text == "*" {
		return deltaCursor{}, false, nil
	}
	if len(text) <= maxSnapshotID && strings.HasPrefix(text, exports.PrefixSnapshot) {
		return deltaCursor{snapshot: text}, true, nil
	}
	if rest, old := strings.CutPrefix(text, "c."); old && rest != "" && rest[0] >= '0' && rest[0] <= '9' {
		return c, false, ErrExpired
	}
	keys, ok := paging.ParseKeyset(text, deltaList, 3)
	if !ok {
		return c, false, ErrSince
	}
	sequence, _ := strconv.ParseInt(keys[0], 10, 53)
	floor, _ := strconv.ParseInt(keys[1], 10, 53)
	c = deltaCursor{sequence, floor, keys[2]}
	if sequence < 0 || floor < 0 || c.String() != text { // not as String writes it, or no number
		return deltaCursor{}, false, ErrSince
	}
	return c, false, nil
}

// isExpired reports whether tombstones that the reader needs have been dropped,
// or the cursor does not belong to this feed.
func (c *deltaCursor) isExpired(sequence, floor int64) bool {
	if c.sequence > sequence || c.floor > floor {
		return true
	}
	return c.sequence > 0 && max(c.sequence, c.floor) < floor
}
