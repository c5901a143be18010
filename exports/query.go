package exports

import "strings"

// EscapeQuery returns s escaped as a value of a query. It percent-encodes every
// octet except unreserved characters (RFC 3986) and those in also.
func EscapeQuery(s, also string) string { return string(AppendQuery(nil, s, also)) }

// AppendQuery appends what EscapeQuery returns.
func AppendQuery(b []byte, s, also string) []byte {
	const digits = "0123456789ABCDEF"
	for i := 0; i < len(s); i++ {
		c := s[i]
		letter := c|0x20 >= 'a' && c|0x20 <= 'z'
		if letter || c >= '0' && c <= '9' || strings.IndexByte("-._~", c) >= 0 || strings.IndexByte(also, c) >= 0 {
			b = append(b, c)
		} else {
			b = append(b, '%', digits[c>>4], digits[c&15])
		}
	}
	return b
}
