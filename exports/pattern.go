package exports

import "strings"

// MatchPattern reports whether an RFC 9309 path pattern matches a path (with
// its query, if any). "*" stands for any run of octets, "$" at the end for the
// end of the path, and without "$" a pattern matches every path it begins. An
// empty pattern matches nothing.
//
// Both sides are compared in one spelling: octets outside ASCII are
// percent-encoded, percent-encoded letters, digits and "-._~" are decoded,
// and the digits of the rest are upper case.
func MatchPattern(pattern, path string) bool {
	if pattern == "" {
		return false
	}
	return matchStars(NormalPattern(pattern), NormalPattern(path))
}

// MatchNormalPattern is MatchPattern for a pattern and a path already in the
// spelling of NormalPattern. Its time is about len(pattern) plus len(path) for
// each "*".
func MatchNormalPattern(pattern, path string) bool {
	return pattern != "" && matchStars(pattern, path)
}

// MayMatch reports, without normalizing, whether a pattern can match a path in
// the spelling of NormalPattern. It returns false only if an octet before the
// pattern's first "*", "$" or percent-encoding differs, which rules out most
// patterns of a long robots.txt after a few octets.
func MayMatch(pattern, path string) bool {
	for i := 0; i < len(pattern); i++ {
		c := pattern[i]
		if c == '*' || c == '$' || c == '%' || c >= 0x80 {
			return true
		}
		if i >= len(path) || path[i] != c {
			return false
		}
	}
	return true
}

// matchStars looks for the texts between stars from left to right: the
// earliest place of each leaves the most room for the next.
func matchStars(pattern, path string) bool {
	anchored := strings.HasSuffix(pattern, "$")
	if anchored {
		pattern = pattern[:len(pattern)-1]
	}
	head, rest, starred := strings.Cut(pattern, "*")
	if !strings.HasPrefix(path, head) {
		return false
	}
	path = path[len(head):]
	if !starred {
		return !anchored || path == ""
	}
	for {
		part, more, another := strings.Cut(rest, "*")
		if !another {
			if anchored {
				return strings.HasSuffix(path, part)
			}
			return strings.Contains(path, part)
		}
		at := strings.Index(path, part)
		if at < 0 {
			return false
		}
		path, rest = path[at+len(part):], more
	}
}

// NormalPattern returns a pattern or path in the spelling in which they are
// compared.
func NormalPattern(s string) string {
	if !needsNormal(s) {
		return s
	}
	b := make([]byte, 0, len(s)+8)
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '%' && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2]) {
			octet := nibbleOf(s[i+1])<<4 | nibbleOf(s[i+2])
			if isUnreserved(octet) {
				b = append(b, octet)
			} else {
				b = appendOctet(b, octet)
			}
			i += 2
			continue
		}
		if c >= 0x80 || c == '%' { // a stray "%" stands for itself
			b = appendOctet(b, c)
			continue
		}
		b = append(b, c)
	}
	return string(b)
}

func needsNormal(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] == '%' || s[i] >= 0x80 {
			return true
		}
	}
	return false
}

func appendOctet(b []byte, c byte) []byte {
	const digits = "0123456789ABCDEF"
	return append(b, '%', digits[c>>4], digits[c&15])
}

func isUnreserved(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' ||
		c == '-' || c == '.' || c == '_' || c == '~'
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

func nibbleOf(c byte) byte {
	switch {
	case c >= 'a':
		return c - 'a' + 10
	case c >= 'A':
		return c - 'A' + 10
	}
	return c - '0'
}
