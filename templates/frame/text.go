package frame

import (
	"colophon/internal/prose"
)

// OrElse returns s, or fallback if s is empty.
func OrElse(s, fallback string) string {
	if s == "" {
		return fallback
	}
	return s
}

// Name returns the name of a publisher as pages show it.
func Name(s, siteID string) string { return OrElse(prose.Clean(s, NameLimit), siteID) }

// Title returns the title of a page as pages show it.
func Title(s string) string { return OrElse(prose.Clean(s, TitleTextLimit), "Untitled page") }
