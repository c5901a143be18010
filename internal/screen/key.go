package screen

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"

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

// CanonicalURL is the canonical form of a URL as it is found in the wild: a
// host in Unicode is turned into ASCII (UTS 46) before. ok is false where there
// is none.
func CanonicalURL(raw string) (canonical string, ok bool) {
	raw = strings.Trim(raw, " \t\r\n")
	if !ascii(raw) {
		raw = asciiHost(raw)
	}
	canonical, err := urlkey.URLKey(raw)
	return canonical, err == nil
}

func ascii(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// asciiHost turns the host of a URL into ASCII, where it can be.
func asciiHost(raw string) string {
	scheme, rest, found := strings.Cut(raw, "://")
	if !found {
		return raw
	}
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	host, port := rest[:end], ""
	if i := strings.LastIndexByte(host, ':'); i >= 0 {
		host, port = host[:i], host[i:]
	}
	mapped, err := idna.Lookup.ToASCII(host)
	if err != nil {
		return raw
	}
	return scheme + "://" + mapped + port + rest[end:]
}

// trackers are parameters of a query that name a visit, not a page.
var trackers = []string{
	"_ga", "_gl", "dclid", "fbclid", "gbraid", "gclid", "gclsrc", "igshid", "mc_cid", "mc_eid", "mkt_tok", "msclkid", "ref_src", "srsltid",
	"twclid", "wbraid", "yclid",
}

func tracks(parameter string) bool {
	name, _, _ := strings.Cut(parameter, "=")
	name = strings.ToLower(name)
	_, listed := slices.BinarySearch(trackers, name)
	return listed || strings.HasPrefix(name, "utm_")
}

// LooseURL is a canonical URL without what rarely tells pages apart: scheme,
// "www.", tracking parameters, the slash at the end of the path. Pages that
// share it are the same page under another address, as a rule.
func LooseURL(canonical string) string {
	_, rest, _ := strings.Cut(canonical, "://")
	rest = strings.TrimPrefix(rest, "www.")
	address, query, _ := strings.Cut(rest, "?")
	kept := make([]string, 0, 8)
	for parameter := range strings.SplitSeq(query, "&") {
		if parameter != "" && !tracks(parameter) {
			kept = append(kept, parameter)
		}
	}
	address = strings.TrimRight(address, "/")
	if len(kept) > 0 {
		address += "?" + strings.Join(kept, "&")
	}
	return address
}

func strictPrefix(canonical string) prefix {
	return prefixOf(urlkey.LookupKey(urlkey.LookupURL, canonical))
}

func loosePrefix(canonical string) prefix {
	return prefixOf(sha256.Sum256([]byte(LooseURL(canonical))))
}

// hostOf is the host of a URL without port and "www.", in lower case; ok is
// false where it takes more than that to tell.
func hostOf(dst []byte, raw string) (host []byte, ok bool) {
	i := strings.Index(raw, "://")
	if i < 0 {
		return dst, false
	}
	for _, c := range []byte(raw[i+3:]) {
		switch {
		case c == '/' || c == ':' || c == '?' || c == '#':
			return trimWWW(dst), true
		case c >= utf8.RuneSelf || c == '%' || c == '@' || c <= ' ':
			return dst, false
		case c >= 'A' && c <= 'Z':
			c += 'a' - 'A'
		}
		dst = append(dst, c)
	}
	return trimWWW(dst), true
}

func trimWWW(host []byte) []byte {
	if len(host) > 4 && string(host[:4]) == "www." {
		return host[4:]
	}
	return host
}
