package templates

import (
	"strconv"

	"colophon/exports"
	"colophon/internal/prose"
)

func day(at string) string { return prose.Day(at) }

func isDay(at string) bool { return exports.IsDay(at) }

// itoa is strconv.Itoa, short for templates.
func itoa(n int) string { return strconv.Itoa(n) }
