package templates

import (
	"strconv"

	"colophon/exports"
)

func day(at string) string { return exports.Day(at) }

func isDay(at string) bool { return exports.IsDay(at) }

// count shows n with thin groups: 18 240 as "18,240".
func count(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// counted is "1 page" or "3 pages".
func counted(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return count(n) + " " + many
}

// itoa is strconv.Itoa, short for templates.
func itoa(n int) string { return strconv.Itoa(n) }
