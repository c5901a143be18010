package exports

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"colophon/internal/urlkey"
)

// ValidEmail reports whether s is an address of the form local@domain that
// can be written to (RFC 5321, RFC 6531): at most 254 bytes, a local part of 1 to
// 64 bytes without quotes, space and characters that do not show, and a domain of
// at least two labels. Either may have letters beyond ASCII.
func ValidEmail(s string) bool {
	at := strings.LastIndexByte(s, '@')
	return len(s) <= 254 && at >= 1 && at <= 64 && validLocal(s[:at]) && validDomain(s[at+1:])
}

func validLocal(s string) bool {
	if s[0] == '.' || s[len(s)-1] == '.' || strings.Contains(s, "..") || !utf8.ValidString(s) {
		return false
	}
	return !strings.ContainsFunc(s, func(r rune) bool { return strings.ContainsRune("\"(),:;<>@[\\]", r) || !shows(r) })
}

// shows reports whether a character is visible in an identifier: neither a
// space, a control, a directional mark nor a character that renderers leave
// out.
func shows(r rune) bool {
	switch r {
	case ' ', 0xFFFD, 0x2800, 0x034F: // BRAILLE PATTERN BLANK, COMBINING GRAPHEME JOINER
		return false
	}
	return unicode.IsPrint(r) && !unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// validDomain accepts host names, also those beyond ASCII (RFC 5890).
func validDomain(s string) bool {
	if strings.ContainsAny(s, "%_") || strings.TrimRight(s, ".。．｡") != s || strings.ContainsFunc(s, func(r rune) bool { return !shows(r) }) {
		return false
	}
	ascii, ok := urlkey.ASCIIHost(s)
	if !ok {
		return false
	}
	for label := range strings.SplitSeq(ascii, ".") {
		if label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
	}
	last := ascii[strings.LastIndexByte(ascii, '.')+1:]
	return len(last) >= 2 && (last[0] < '0' || last[0] > '9')
}

// ASCIIEmail returns an address with its domain in the ASCII form that DNS
// uses. A local part beyond ASCII is kept; only servers with SMTPUTF8 accept
// it.
func ASCIIEmail(s string) string {
	at := strings.LastIndexByte(s, '@')
	if ascii, ok := urlkey.ASCIIHost(s[at+1:]); ok {
		return s[:at+1] + ascii
	}
	return s
}

// EmailHint shortens an address to a form that its owner recognizes:
// r***@domain.
func EmailHint(s string) string {
	at := strings.LastIndexByte(s, '@')
	if at < 1 {
		return ""
	}
	for i := range s {
		if i > 0 {
			return s[:i] + "***" + s[at:]
		}
	}
	return ""
}

// disposable lists mail domains that hand out throw-away addresses.
const disposable = " 10minutemail.com discard.email getnada.com guerrillamail.com maildrop.cc mailinator.com mailnesia.com " +
	"sharklasers.com temp-mail.org tempmail.dev throwawaymail.com trashmail.com yopmail.com "

// DisposableEmail reports whether an address is at a throw-away domain.
func DisposableEmail(s string) bool {
	domain := strings.ToLower(ASCIIEmail(s)[strings.LastIndexByte(s, '@')+1:])
	return strings.Contains(disposable, " "+domain+" ")
}

// OneClick is the header List-Unsubscribe-Post, and the body of the POST by which
// a mail program ends letters (RFC 8058).
const OneClick = "List-Unsubscribe=One-Click"
