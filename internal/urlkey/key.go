package urlkey

import (
	"strings"
	"unicode/utf8"

	"colophon/internal/outcome"
)

// MaxURLBytes bounds a URL before and after it is made canonical.
const MaxURLBytes = 2048

// URLKey returns the canonical form of an absolute http or https URL under
// service.url-key.v1 (RFC 3986, sections 6.2.2 and 6.2.3). The form is its
// own canonical form. The error is a Code:
//
//	url_too_long             empty, or over MaxURLBytes in either form
//	url_forbidden_character  white space, control, backslash, ill-formed UTF-8
//	url_scheme               neither http:// nor https://
//	url_userinfo             an @ in the authority
//	url_host                 not a DNS name in ASCII of two labels or more
//	url_port                 not 1..65535 without leading zeros
//	url_percent_encoding     a bad escape, or an escaped control character
//
// An empty port is the default port. The fragment, dropped, is only searched
// for forbidden characters.
func URLKey(raw string) (string, error) { return makeKey(raw, isHost) }

// makeKey makes the canonical form of a URL with a host that hostOK accepts.
func makeKey(raw string, hostOK func(string) bool) (string, error) {
	if raw == "" || len(raw) > MaxURLBytes {
		return "", outcome.URLTooLong
	}
	if !cleanURL(raw) {
		return "", outcome.URLForbiddenCharacter
	}
	scheme, rest, ok := cutScheme(raw)
	if !ok {
		return "", outcome.URLScheme
	}
	authority, rest := cutAny(rest, "/?#")
	out, err := appendAuthority([]byte(scheme), scheme, authority, hostOK)
	if err != nil {
		return "", err
	}
	target, _ := cutAny(rest, "#")
	path, query := cutAny(target, "?")
	if out, err = appendPath(out, path); err != nil {
		return "", err
	}
	if len(query) > 1 {
		if out, err = appendEscaped(out, query, "/?"); err != nil {
			return "", err
		}
	}
	if len(out) > MaxURLBytes {
		return "", outcome.URLTooLong
	}
	return string(out), nil
}

func cleanURL(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c <= ' ' || c == 0x7F || c == '\\' {
			return false
		}
	}
	return utf8.ValidString(s)
}

// cutAny splits s before the first of the ASCII characters in stop.
func cutAny(s, stop string) (before, after string) {
	if i := strings.IndexAny(s, stop); i >= 0 {
		return s[:i], s[i:]
	}
	return s, ""
}

// cutScheme takes "http://" or "https://" of any case off s.
func cutScheme(s string) (scheme, rest string, ok bool) {
	for _, scheme := range [...]string{"http://", "https://"} {
		if len(s) >= len(scheme) && lowerASCII(s[:len(scheme)]) == scheme {
			return scheme, s[len(scheme):], true
		}
	}
	return "", "", false
}

func lowerASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}
