package exports

import (
	"strconv"
	"time"

	"colophon/internal/wire"
)

// Instant writes t as records carry it: RFC 3339 in UTC with seconds,
// 2026-11-20T09:00:00Z. The year of t must be 0000 to 9999.
func Instant(t time.Time) string { return wire.FormatTime(t) }

// ParseInstant parses what Instant returns. ok is false for any other text and
// for a day that does not exist.
func ParseInstant(s string) (time.Time, bool) {
	if !wire.IsTime(s) {
		return time.Time{}, false
	}
	num := func(from, to int) (n int) {
		for i := from; i < to; i++ {
			n = n*10 + int(s[i]-'0')
		}
		return n
	}
	day := num(8, 10)
	t := time.Date(num(0, 4), time.Month(num(5, 7)), day, num(11, 13), num(14, 16), num(17, 19), 0, time.UTC)
	return t, t.Day() == day
}

// ParseDay reads the date of an RFC 3339 instant; ok is false when it has none.
func ParseDay(at string) (year string, month, d int, ok bool) {
	if len(at) < 10 || at[4] != '-' || at[7] != '-' {
		return "", 0, 0, false
	}
	month, err := strconv.Atoi(at[5:7])
	d, err2 := strconv.Atoi(at[8:10])
	_, err3 := strconv.Atoi(at[:4])
	ok = err == nil && err2 == nil && err3 == nil && month >= 1 && month <= 12 && d >= 1 && d <= 31
	return at[:4], month, d, ok
}

// IsDay reports whether an instant has a date.
func IsDay(at string) bool {
	_, _, _, ok := ParseDay(at)
	return ok
}
