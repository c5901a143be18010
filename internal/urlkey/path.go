package urlkey

import (
	"strings"

	"colophon/internal/outcome"
)

const upperHexDigits = "0123456789ABCDEF"

// appendPath appends the path with its escapes normal and its dot segments
// gone; an empty path is "/". Escapes come first, as %2e is a dot.
func appendPath(dst []byte, path string) ([]byte, error) {
	if path == "" {
		return append(dst, '/'), nil
	}
	escaped, err := appendEscaped(make([]byte, 0, len(path)+len(path)/2), path, "/")
	if err != nil {
		return nil, err
	}
	return appendSegments(dst, escaped), nil
}

// appendSegments appends a path that begins with "/" without its dot segments
// (RFC 3986, section 5.2.4). Empty segments are segments.
func appendSegments(dst, path []byte) []byte {
	root := len(dst)
	for len(path) > 0 {
		end := 1
		for end < len(path) && path[end] != '/' {
			end++
		}
		segment, last := string(path[1:end]), end == len(path)
		if segment == ".." {
			dst = trimSegment(dst, root)
		}
		switch {
		case segment != "." && segment != "..":
			dst = append(dst, path[:end]...)
		case last:
			dst = append(dst, '/')
		}
		path = path[end:]
	}
	return dst
}

// trimSegment takes the last segment and its slash off dst[root:].
func trimSegment(dst []byte, root int) []byte {
	for i := len(dst) - 1; i >= root; i-- {
		if dst[i] == '/' {
			return dst[:i]
		}
	}
	return dst
}

// appendEscaped appends s, a path or a query, with escapes in upper case,
// unreserved characters plain, and everything escaped that is neither a pchar
// nor in also.
func appendEscaped(dst []byte, s, also string) ([]byte, error) {
	for i := 0; i < len(s); i++ {
		c, escaped := s[i], s[i] == '%'
		if escaped {
			if i+2 >= len(s) {
				return nil, outcome.URLPercentEncoding
			}
			high, okHigh := hexDigit(s[i+1])
			low, okLow := hexDigit(s[i+2])
			c = high<<4 | low
			if !okHigh || !okLow || c < ' ' || c == 0x7F {
				return nil, outcome.URLPercentEncoding
			}
			i += 2
		}
		if isUnreserved(c) || !escaped && (strings.IndexByte("!$&'()*+,;=:@", c) >= 0 || strings.IndexByte(also, c) >= 0) {
			dst = append(dst, c)
		} else {
			dst = append(dst, '%', upperHexDigits[c>>4], upperHexDigits[c&15])
		}
	}
	return dst, nil
}

// isUnreserved returns the set of RFC 3986, section 2.3.
func isUnreserved(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' ||
		c == '-' || c == '.' || c == '_' || c == '~'
}
