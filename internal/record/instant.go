package record

import "colophon/internal/wire"

// unixSeconds parses an instant in the form of the formats,
// 2026-11-20T09:00:00Z. It refuses days that the calendar does not have, such
// as 2026-02-30.
func unixSeconds(s string) (int64, bool) {
	if !wire.IsTime(s) {
		return 0, false
	}
	year := parseDigits(s[0:4])
	month := parseDigits(s[5:7])
	day := parseDigits(s[8:10])
	if day > daysIn(year, month) {
		return 0, false
	}
	days := daysBefore(year) - daysBefore(1970) + day - 1
	for m := int64(1); m < month; m++ {
		days += daysIn(year, m)
	}
	return days*86400 + parseDigits(s[11:13])*3600 + parseDigits(s[14:16])*60 + parseDigits(s[17:19]), true
}

func parseDigits(s string) (n int64) {
	for i := 0; i < len(s); i++ {
		n = n*10 + int64(s[i]-'0')
	}
	return n
}

// daysBefore returns the number of days in the Gregorian years 0 to year-1.
func daysBefore(year int64) int64 {
	if year == 0 {
		return 0
	}
	y := year - 1
	return 365*year + y/4 - y/100 + y/400 + 1
}

func daysIn(year, month int64) int64 {
	switch month {
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}
