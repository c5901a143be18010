package templates

import (
	"strings"

	"colophon/internal/prose"
)

// Clean makes text from a publisher or buyer safe to show; see prose.Clean.
func Clean(s string, limit int) string { return prose.Clean(s, limit) }

func langOf(s string) string { return prose.LanguageOf(s) }

func linkable(u string) bool { return prose.Linkable(u) }

func shortURL(u string) string { return prose.ShortURL(u) }

// evidenceLabel returns the label of a link to evidence; it says so if the link
// leads to JSON of this service.
func evidenceLabel(u string) string {
	if strings.HasPrefix(u, "/v1/") {
		return shortURL(u) + " (JSON)"
	}
	return shortURL(u)
}

// printable makes a text of several lines safe to show; see prose.CleanLines.
func printable(s string) string { return prose.CleanLines(s) }
