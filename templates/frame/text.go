package frame

import (
	"colophon/internal/prose"
)

// OrElse is s, or fallback when nothing is left of it.
func OrElse(s, fallback string) string {
	if s == "" {
		return fallback
	}
	return s
}

// Name returns the name of a publisher as it is shown.
func Name(s, siteID string) string { return OrElse(prose.Clean(s, NameLimit), siteID) }

// Title returns the title of a page as it is shown.
func Title(s string) string { return OrElse(prose.Clean(s, TitleTextLimit), "Untitled page") }
