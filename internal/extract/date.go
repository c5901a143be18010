package extract

import (
	"strings"
	"time"
)

// dateLayouts are the ways in which pages write instants without doubt about
// which number is the day. A date alone is midnight UTC, as is a time without
// a zone.
var dateLayouts = []string{
	time.RFC3339Nano, "2006-01-02T15:04:05.999999999Z0700", "2006-01-02T15:04Z07:00", "2006-01-02T15:04Z0700",
	"2006-01-02T15:04:05.999999999", "2006-01-02T15:04", "2006-01-02 15:04:05 Z0700", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05 -0700 MST",
	"2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02", "2006/01/02", "2006.01.02", "20060102",
	"Mon, 2 Jan 2006 15:04:05 Z0700", "Mon, 2 Jan 2006 15:04:05 GMT", "Mon, 2 Jan 2006 15:04:05 UTC", "2 Jan 2006 15:04:05 Z0700",
	"January 2, 2006", "Jan 2, 2006", "Jan. 2, 2006", "2 January 2006", "2 Jan 2006", "January 2 2006", "Monday, January 2, 2006",
}

// Instant returns a stated date as RFC 3339 text in UTC, or "" if it is not a date.
func Instant(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) < 8 || len(s) > 64 {
		return ""
	}
	for _, layout := range dateLayouts {
		if t, err := time.Parse(layout, s); err == nil {
			return InstantOf(t)
		}
	}
	return ""
}

// InstantOf returns an instant as RFC 3339 text in UTC with whole seconds, or
// "" for years that are placeholders rather than dates.
func InstantOf(t time.Time) string {
	if t = t.UTC(); t.Year() < 1000 || t.Year() > 2200 {
		return ""
	}
	return t.Truncate(time.Second).Format(time.RFC3339)
}
