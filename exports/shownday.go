package exports

import "strconv"

var months = [12]string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"}

// Day shows an RFC 3339 instant as "20 November 2026", or what is not known.
func Day(at string) string {
	y, m, d, ok := dayParts(at)
	if !ok {
		return "not known"
	}
	return strconv.Itoa(d) + " " + months[m-1] + " " + y
}

// DayWords are the parts of the date of an RFC 3339 instant: "2026",
// "November", "20". They are empty when it has none.
func DayWords(at string) (year, month, day string) {
	y, m, d, ok := dayParts(at)
	if !ok {
		return "", "", ""
	}
	return y, months[m-1], strconv.Itoa(d)
}

// dayParts reads the date of an RFC 3339 instant.
func dayParts(at string) (year string, month, d int, ok bool) {
	if len(at) < 10 || at[4] != '-' || at[7] != '-' {
		return "", 0, 0, false
	}
	month, err := strconv.Atoi(at[5:7])
	d, err2 := strconv.Atoi(at[8:10])
	_, err3 := strconv.Atoi(at[:4])
	ok = err == nil && err2 == nil && err3 == nil && month >= 1 && month <= 12 && d >= 1 && d <= 31
	return at[:4], month, d, ok
}

// IsDay reports whether at can be shown as a day.
func IsDay(at string) bool {
	_, _, _, ok := dayParts(at)
	return ok
}

// Moment shows an RFC 3339 instant to the minute: "20 November 2026, 09:04 UTC".
func Moment(at string) string {
	if len(at) < 16 || !IsDay(at) {
		return Day(at)
	}
	return Day(at) + ", " + at[11:16] + " UTC"
}
