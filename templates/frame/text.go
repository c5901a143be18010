package frame

import (
	"cmp"

	"colophon/internal/prose"
)

// Name returns the name of a publisher as pages show it.
func Name(s, siteID string) string { return cmp.Or(prose.Clean(s, NameLimit), siteID) }

// Title returns the title of a page as pages show it.
func Title(s string) string { return cmp.Or(prose.Clean(s, TitleTextLimit), "Untitled page") }
