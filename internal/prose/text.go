// Package prose puts into words what records say in the terms of a vocabulary,
// and makes texts of others safe to show.
package prose

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"colophon/internal/urlkey"
)

// MarksInARow is how many combining marks may follow one character: enough
// for every living orthography, too few for a tower of marks.
const MarksInARow = 5

// Clean makes text from a publisher or buyer safe to show: valid UTF-8, one
// line, without control characters, bidirectional overrides and isolates, tags
// and noncharacters, with few combining marks in a row, and at most limit
// characters, the last of which is an ellipsis if something was cut. The rest
// stays as it was written.
func Clean(s string, limit int) string {
	if n, plain := countPlain(s); plain {
		return shortenText(s, n, limit)
	}
	var b strings.Builder
	marks := 0
	n := 0
	space := false
	for _, r := range strings.ToValidUTF8(s, "\uFFFD") {
		if isBlank(r) {
			space = n > 0
			continue
		}
		if Hidden(r) {
			continue
		}
		if isMark(r) {
			marks++
			if marks > MarksInARow || n == 0 {
				continue
			}
		} else {
			marks = 0
		}
		if space {
			b.WriteByte(' ')
			n++
			space = false
		}
		b.WriteRune(r)
		n++
	}
	return shortenText(b.String(), n, limit)
}

// CleanLines removes from a text of several lines what Clean removes; its
// spaces stay as they are.
func CleanLines(s string) string {
	if plainLines(s) {
		return s
	}
	marks := 0
	return strings.Map(func(r rune) rune {
		marks++
		switch {
		case r == '\n':
		case Hidden(r), r == 0x2028, r == 0x2029:
			return -1
		case isMark(r):
			if marks > MarksInARow {
				return -1
			}
			return r
		}
		marks = 0
		return r
	}, strings.TrimRight(strings.ToValidUTF8(s, "\uFFFD"), "\n"))
}

// isMark reports whether r is a combining mark. Unicode has none below U+0300
// and none among the ideographs and syllables of U+3400 to U+9FFF and U+AC00 to
// U+D7FF.
func isMark(r rune) bool {
	if r < 0x300 || r >= 0x3400 && r <= 0x9FFF || r >= 0xAC00 && r <= 0xD7FF {
		return false
	}
	return unicode.In(r, unicode.Mn, unicode.Me)
}

// countPlain counts the characters of a text; plain reports whether Clean would
// change nothing but its length. Most texts are plain: single spaces between
// words and nothing to remove.
func countPlain(s string) (n int, plain bool) {
	marks := 0
	space := true // whether a space must not follow
	for _, r := range s {
		switch {
		case r > ' ' && r <= '~':
			marks = 0
		case r == ' ':
			if space {
				return 0, false
			}
		case r == utf8.RuneError, isBlank(r), Hidden(r):
			return 0, false
		case isMark(r):
			if marks++; marks > MarksInARow || n == 0 {
				return 0, false
			}
		default:
			marks = 0
		}
		space = r == ' '
		n++
	}
	return n, !space || s == ""
}

// plainLines reports whether CleanLines leaves s unchanged.
func plainLines(s string) bool {
	marks := 0
	for _, r := range s {
		marks++
		switch {
		case r == '\n', r >= ' ' && r <= '~':
			marks = 0
		case r == utf8.RuneError, r == 0x2028, r == 0x2029, Hidden(r):
			return false
		case !isMark(r):
			marks = 0
		case marks > MarksInARow:
			return false
		}
	}
	return s == "" || s[len(s)-1] != '\n'
}

// shortenText cuts s, which has n characters, to limit.
func shortenText(s string, n, limit int) string {
	if n <= limit {
		return s
	}
	if limit < 1 {
		return ""
	}
	end := 0
	for i := 0; i < limit-1; i++ {
		_, size := utf8.DecodeRuneInString(s[end:])
		end += size
	}
	return strings.TrimRight(s[:end], " ") + "…"
}

// isBlank reports whether r separates words or lines.
func isBlank(r rune) bool {
	switch r {
	case '\t', '\n', '\v', '\f', '\r', ' ', 0x85, 0xA0, 0x2028, 0x2029, 0x3000, 0x202F, 0x205F, 0x1680:
		return true
	}
	return r >= 0x2000 && r <= 0x200A
}

// Hidden reports whether Clean removes r, because it shows nothing or changes
// how other text is shown.
func Hidden(r rune) bool {
	switch {
	case r < 0x20, r >= 0x7F && r < 0xA0: // controls
	case r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x206F: // bidi embeddings, overrides, isolates
	case r == 0x200B, r == 0x2060, r == 0xFEFF, r == 0xAD: // invisible
	case r >= 0xFFF9 && r <= 0xFFFB: // interlinear annotation
	case r >= 0xE0000 && r <= 0xE0FFF: // tags, variation selectors supplement
	case r >= 0xFDD0 && r <= 0xFDEF, r&0xFFFE == 0xFFFE: // noncharacters
	default:
		return false
	}
	return true
}

// LanguageOf returns s if it can be a language tag, otherwise "".
func LanguageOf(s string) string {
	if len(s) < 2 || len(s) > 35 {
		return ""
	}
	for i := 0; i < len(s); i++ {
		c := s[i] | 0x20
		letter := c >= 'a' && c <= 'z'
		digit := s[i] >= '0' && s[i] <= '9'
		if !letter && (i < 2 || !digit && s[i] != '-') || s[i] == '-' && i == len(s)-1 {
			return ""
		}
	}
	return s
}

// Linkable reports whether u may be used in a link: an http or https address,
// or a path of this site.
func Linkable(u string) bool {
	if strings.ContainsAny(u, "\x00\t\r\n \"<>\\`") || len(u) > 2048 {
		return false
	}
	if strings.HasPrefix(u, "/") {
		return !strings.HasPrefix(u, "//")
	}
	rest, ok := strings.CutPrefix(u, "https://")
	if !ok {
		rest, ok = strings.CutPrefix(u, "http://")
	}
	return ok && rest != "" && rest[0] != '/'
}

// ShortURL returns an address without its scheme and with its host as people
// write it; it is cut at the end if it is too long.
func ShortURL(u string) string {
	u = urlkey.Display(u)
	u = strings.TrimPrefix(strings.TrimPrefix(u, "https://"), "http://")
	return Clean(strings.TrimSuffix(u, "/"), 90)
}

// AppendHTML appends a text escaped for HTML, both as content and as the value
// of an attribute.
func AppendHTML(b []byte, s string) []byte {
	for _, r := range s {
		switch r {
		case '&':
			b = append(b, "&amp;"...)
		case '<':
			b = append(b, "&lt;"...)
		case '>':
			b = append(b, "&gt;"...)
		case '"':
			b = append(b, "&#34;"...)
		case '\'':
			b = append(b, "&#39;"...)
		case 0:
			b = append(b, "\ufffd"...)
		default:
			b = append(b, string(r)...)
		}
	}
	return b
}
