package prose

import (
	"strconv"

	"colophon/exports"
)

var months = [12]string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"}

// Day returns the date of an RFC 3339 instant as "20 November 2026", or "not
// known".
func Day(at string) string {
	y, m, d, ok := exports.ParseDay(at)
	if !ok {
		return "not known"
	}
	return strconv.Itoa(d) + " " + months[m-1] + " " + y
}

// DayWords returns the parts of the date of an RFC 3339 instant: "2026",
// "November", "20". They are empty if it has none.
func DayWords(at string) (year, month, day string) {
	y, m, d, ok := exports.ParseDay(at)
	if !ok {
		return "", "", ""
	}
	return y, months[m-1], strconv.Itoa(d)
}

// Moment returns an RFC 3339 instant to the minute: "20 November 2026, 09:04
// UTC".
func Moment(at string) string {
	if len(at) < 16 || !exports.IsDay(at) {
		return Day(at)
	}
	return Day(at) + ", " + at[11:16] + " UTC"
}
