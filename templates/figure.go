package templates

import (
	"strconv"

	"colophon/exports"
)

func day(at string) string { return exports.Day(at) }

func isDay(at string) bool { return exports.IsDay(at) }

// itoa is strconv.Itoa, short for templates.
func itoa(n int) string { return strconv.Itoa(n) }
