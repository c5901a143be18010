package templates

import "colophon/exports"

// Clean makes text from a publisher or buyer safe to set; see exports.Clean.
func Clean(s string, limit int) string { return exports.Clean(s, limit) }

func langOf(s string) string { return exports.LanguageOf(s) }

func linkable(u string) bool { return exports.Linkable(u) }

func shortURL(u string) string { return exports.ShortURL(u) }

// printable is a text of several lines; see exports.CleanLines.
func printable(s string) string { return exports.CleanLines(s) }
