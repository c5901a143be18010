package urlkey

import (
	"strings"
	"unicode"

	"golang.org/x/net/idna"

	"colophon/internal/outcome"
)

// Address returns the canonical form of an address as people and programs write
// it. It accepts what browsers accept (URL Standard) and writes it as URLKey
// does: a host beyond ASCII becomes its A-label (UTS 46), a backslash is a slash,
// tabs and line breaks go, blanks and stray percent signs are escaped. What
// URLKey accepts has the same form here. The error is one of URLKey's codes;
// user names, IP addresses and escaped control characters stay refused.
func Address(raw string) (string, error) {
	raw = strings.TrimFunc(raw, isPadding)
	if canonical, err := URLKey(raw); err == nil {
		return canonical, nil
	}
	plain, err := rewrite(raw)
	if err != nil {
		return "", err
	}
	return makeKey(plain, isBrowserHost)
}

// isPadding reports whether a character around an address is not part of it:
// blanks, control characters and characters without a glyph.
func isPadding(r rune) bool {
	return unicode.IsSpace(r) || unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Cf, r)
}

// rewrite brings an address that browsers accept into the grammar of URLKey.
func rewrite(raw string) (string, error) {
	if raw == "" || len(raw) > 2*MaxURLBytes {
		return "", outcome.URLTooLong
	}
	scheme, rest, found := strings.Cut(Reference(raw), ":")
	scheme = strings.ToLower(scheme)
	if !found || scheme != "http" && scheme != "https" {
		return "", outcome.URLScheme
	}
	rest, _, _ = strings.Cut(rest, "#")
	rest, query, asks := strings.Cut(rest, "?")
	rest = strings.TrimLeft(rest, "/")
	authority, path := cutAny(rest, "/")
	if strings.Contains(authority, "@") {
		return "", outcome.URLUserinfo
	}
	host, port, _ := strings.Cut(authority, ":")
	host, ok := ASCIIHost(host)
	if !ok {
		return "", outcome.URLHost
	}
	if port != "" {
		port = ":" + strings.TrimLeft(port[:len(port)-1], "0") + port[len(port)-1:]
	}
	if asks {
		query = "?" + query
	}
	return scheme + "://" + host + port + path + query, nil
}

// Reference writes a reference, relative or absolute, as RFC 3986 has it where
// browsers repair it: tabs and line breaks go, a backslash before the query is a
// slash and after it escaped, and so are blanks and stray percent signs.
func Reference(raw string) string {
	raw = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(raw)
	path, rest := cutAny(raw, "?#")
	path = strings.ReplaceAll(path, `\`, "/")
	return escapeLoose(path + strings.ReplaceAll(rest, `\`, "%5C"))
}

// escapeLoose escapes blanks and percent signs that begin no escape.
func escapeLoose(s string) string {
	if !strings.ContainsAny(s, " %") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == ' ':
			b.WriteString("%20")
		case s[i] == '%' && !isEscape(s[i:]):
			b.WriteString("%25")
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// isEscape reports whether s begins with a percent sign and two hexadecimal
// digits.
func isEscape(s string) bool {
	if len(s) < 3 {
		return false
	}
	_, high := hexDigit(s[1])
	_, low := hexDigit(s[2])
	return high && low
}

// browserProfile is UTS 46 as the URL Standard asks for it.
func browserProfile() *idna.Profile {
	return idna.New(idna.MapForLookup(), idna.BidiRule(), idna.Transitional(false), idna.StrictDomainName(false), idna.CheckHyphens(false))
}

// ASCIIHost returns a host name as DNS has it: in lower case, a name beyond ASCII
// as its A-label, without the dot at its end. ok is false for what is not a host name
// of two labels or more.
func ASCIIHost(host string) (ascii string, ok bool) {
	if strings.Contains(host, "%") {
		if host, ok = decodeHost(host); !ok {
			return "", false
		}
	}
	ascii = lowerASCII(host)
	if strings.Contains(ascii, "xn--") || !isASCII(ascii) {
		var err error
		if ascii, err = browserProfile().ToASCII(ascii); err != nil {
			return "", false
		}
	}
	ascii = strings.TrimSuffix(ascii, ".")
	return ascii, isBrowserHost(ascii)
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// decodeHost resolves the escapes of a host, as browsers do.
func decodeHost(s string) (host string, ok bool) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '%' {
			if !isEscape(s[i:]) {
				return "", false
			}
			high, _ := hexDigit(s[i+1])
			low, _ := hexDigit(s[i+2])
			c = high<<4 | low
			i += 2
		}
		b.WriteByte(c)
	}
	return b.String(), true
}

// isBrowserHost is isHost with the labels that names on the web have beyond
// those of host names: with "_", and with a hyphen at either end.
func isBrowserHost(s string) bool {
	return isName(s, func(label string) bool {
		return label != "" && len(label) <= 63 && strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-_") == ""
	})
}
