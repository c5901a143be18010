package screen

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"colophon/internal/urlkey"
)

// key is the first 16 bytes of a SHA-256.
type key [16]byte

func keyOf(canonical string) key {
	sum := urlkey.LookupKey(urlkey.LookupURL, canonical)
	return key(sum[:])
}

// hostOf returns the host of a URL without port and "www.", in lower case; ok
// is false where that is not enough to decide.
func hostOf(dst []byte, raw string) (host []byte, ok bool) {
	i := strings.Index(raw, "://")
	if i < 0 {
		return dst, false
	}
	for _, c := range []byte(raw[i+3:]) {
		switch {
		case c == '/' || c == ':' || c == '?' || c == '#':
			return plainName(dst)
		case c >= utf8.RuneSelf || c == '%' || c == '@' || c == '\\' || c <= ' ':
			return dst, false
		case c >= 'A' && c <= 'Z':
			c += 'a' - 'A'
		}
		dst = append(dst, c)
	}
	return plainName(dst)
}

// plainName removes "www." and a final dot from a host.
func plainName(host []byte) ([]byte, bool) {
	return trimWWW(bytes.TrimSuffix(host, []byte("."))), len(host) > 0
}

func trimWWW(host []byte) []byte {
	if len(host) > 4 && string(host[:4]) == "www." {
		return host[4:]
	}
	return host
}
