package screen

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf8"

	"colophon/internal/urlkey"
)

// prefix is the first 16 bytes of a SHA-256.
type prefix struct{ high, low uint64 }

func prefixOf(sum [32]byte) prefix {
	return prefix{binary.BigEndian.Uint64(sum[:]), binary.BigEndian.Uint64(sum[8:])}
}

func (p prefix) compare(q prefix) int {
	switch {
	case p.high < q.high || p.high == q.high && p.low < q.low:
		return -1
	case p == q:
		return 0
	}
	return 1
}

func strictPrefix(canonical string) prefix {
	return prefixOf(urlkey.LookupKey(urlkey.LookupURL, canonical))
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
