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

// PatternSpecificity orders patterns that match the same path: the one with
// more octets wins (RFC 9309, section 2.2.2).
func PatternSpecificity(pattern string) int { return len(NormalPattern(pattern)) }

// matchStars walks both strings once per "*": it never backtracks further than the
// latest star, so time is bounded by len(pattern) * len(path).
func matchStars(pattern, path string) bool {
	anchored := strings.HasSuffix(pattern, "$")
	if anchored {
		pattern = pattern[:len(pattern)-1]
	}
	p, s, star, mark := 0, 0, -1, 0
	for s < len(path) {
		switch {
		case p == len(pattern) && !anchored:
			return true
		case p < len(pattern) && pattern[p] == '*':
			star, mark = p, s
			p++
		case p < len(pattern) && pattern[p] == path[s]:
			p++
			s++
		case star >= 0:
			mark++
			p, s = star+1, mark
		default:
			return false
		}
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}

// NormalPattern gives the spelling in which patterns and paths are compared.
func NormalPattern(s string) string {
	if !needsNormal(s) {
		return s
	}
	b := make([]byte, 0, len(s)+8)
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '%' && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2]) {
			octet := nibbleOf(s[i+1])<<4 | nibbleOf(s[i+2])
			if unreserved(octet) {
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

func unreserved(c byte) bool {
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
