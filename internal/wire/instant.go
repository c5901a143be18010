package wire

import (
	"strings"
	"time"
)

// ToUTC reads an instant as RFC 3339 (section 5.6) writes it, with any offset
// and any fraction of a second, and returns it as this dialect writes it:
// "2026-11-20T10:00:00.5+01:00" becomes "2026-11-20T09:00:00Z". Fractions are
// cut off; a leap second becomes the second that follows. The second result is
// false for any other text, for a day that does not exist, and for a year
// outside 0000 to 9999 in UTC.
func ToUTC(s string) (string, bool) {
	if len(s) < len("0000-00-00T00:00:00Z") {
		return "", false
	}
	clock, zone := s[:19], s[19:]
	leap := clock[17:] == "60"
	if leap {
		clock = clock[:17] + "59"
	}
	clock = strings.ToUpper(clock) + "Z"
	if !IsTime(clock) {
		return "", false
	}
	if zone[0] == '.' {
		digits := len(zone) - 1 - len(strings.TrimLeft(zone[1:], "0123456789"))
		if digits == 0 {
			return "", false
		}
		zone = zone[1+digits:]
	}
	minutes, ok := offsetMinutes(zone)
	if !ok {
		return "", false
	}
	local := time.Date(number(clock[:4]), time.Month(number(clock[5:7])), number(clock[8:10]), number(clock[11:13]), number(clock[14:16]), number(clock[17:19]), 0, time.UTC)
	if local.Day() != number(clock[8:10]) {
		return "", false
	}
	at := local.Add(-time.Duration(minutes) * time.Minute)
	if leap {
		// Leap seconds are at the end of a month in UTC.
		if at = at.Add(time.Second); at.Day() != 1 || at.Hour() != 0 || at.Minute() != 0 || at.Second() != 0 {
			return "", false
		}
	}
	if at.Year() < 0 || at.Year() > 9999 {
		return "", false
	}
	return FormatTime(at), true
}

// offsetMinutes reads "Z" or an offset such as "+01:00".
func offsetMinutes(s string) (minutes int, ok bool) {
	if s == "Z" || s == "z" {
		return 0, true
	}
	if len(s) != len("+00:00") || s[3] != ':' || strings.Trim(s[1:3]+s[4:], "0123456789") != "" {
		return 0, false
	}
	hours, rest := number(s[1:3]), number(s[4:])
	if hours > 23 || rest > 59 {
		return 0, false
	}
	switch s[0] {
	case '+':
		return hours*60 + rest, true
	case '-':
		return -hours*60 - rest, true
	}
	return 0, false
}

// number returns the value of ASCII digits.
func number(digits string) (n int) {
	for i := 0; i < len(digits); i++ {
		n = n*10 + int(digits[i]-'0')
	}
	return n
}

// FormatTime writes t as this dialect does, in UTC with whole seconds. Years
// outside 0000 to 9999 do not occur.
func FormatTime(t time.Time) string {
	t = t.UTC()
	b := []byte("0000-00-00T00:00:00Z")
	put := func(end, n int) {
		for i := end - 1; n > 0; i-- {
			b[i] += byte(n % 10)
			n /= 10
		}
	}
	put(4, t.Year())
	put(7, int(t.Month()))
	put(10, t.Day())
	put(13, t.Hour())
	put(16, t.Minute())
	put(19, t.Second())
	return string(b)
}
