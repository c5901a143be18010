package templates

import "colophon/exports"

// Clean makes text from a publisher or buyer safe to set; see exports.Clean.
func Clean(s string, limit int) string { return exports.Clean(s, limit) }

// orElse is s, or fallback when nothing is left of it.
func orElse(s, fallback string) string {
	if s == "" {
		return fallback
	}
	return s
}

// name is a publisher's name as shown, and title a page's title.
func name(s, siteID string) string { return orElse(Clean(s, nameLimit), siteID) }

func title(s string) string { return orElse(Clean(s, titleTextLimit), "Untitled page") }

func langOf(s string) string { return exports.LanguageOf(s) }

func linkable(u string) bool { return exports.Linkable(u) }

func shortURL(u string) string { return exports.ShortURL(u) }
