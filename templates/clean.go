package templates

import (
	"strings"

	"colophon/internal/prose"
)

// Clean makes text from a publisher or buyer safe to set; see prose.Clean.
func Clean(s string, limit int) string { return prose.Clean(s, limit) }

func langOf(s string) string { return prose.LanguageOf(s) }

func linkable(u string) bool { return prose.Linkable(u) }

func shortURL(u string) string { return prose.ShortURL(u) }

// evidenceLabel names a link to evidence; one to an answer of this service says
// that it is JSON.
func evidenceLabel(u string) string {
	if strings.HasPrefix(u, "/v1/") {
		return shortURL(u) + " (JSON)"
	}
	return shortURL(u)
}

// printable returns a text of several lines; see prose.CleanLines.
func printable(s string) string { return prose.CleanLines(s) }
