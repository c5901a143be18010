package urlkey

import (
	"strings"

	"colophon/internal/outcome"
)

// appendAuthority appends the lower-case host and, unless it is the scheme's
// own, the port.
func appendAuthority(dst []byte, scheme, authority string, hostOK func(string) bool) ([]byte, error) {
	if strings.Contains(authority, "@") {
		return nil, outcome.URLUserinfo
	}
	host, port := cutAny(authority, ":")
	host = lowerASCII(host)
	if !hostOK(host) {
		return nil, outcome.URLHost
	}
	dst = append(dst, host...)
	switch {
	case port == "" || port == ":":
		return dst, nil
	case !isPort(port[1:]):
		return nil, outcome.URLPort
	case scheme == "http://" && port == ":80" || scheme == "https://" && port == ":443":
		return dst, nil
	}
	return append(dst, port...), nil
}

// isPort accepts 1 to 65535 in decimal without leading zeros.
func isPort(s string) bool {
	if len(s) == 0 || len(s) > 5 || s[0] == '0' {
		return false
	}
	n := 0
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
		n = n*10 + int(s[i]-'0')
	}
	return n <= 65535
}

// isHost accepts a lower-case DNS name: two or more labels of letters, digits
// and inner hyphens, the last no number, since that would be read as an IPv4
// address by some clients.
func isHost(s string) bool { return isName(s, isLabel) }

// isName accepts two or more labels, the last no number.
func isName(s string, labelOK func(string) bool) bool {
	if len(s) > 253 {
		return false
	}
	labels, label := 0, ""
	for more := true; more; labels++ {
		label, s = cutAny(s, ".")
		if !labelOK(label) {
			return false
		}
		if more = s != ""; more {
			s = s[1:]
		}
	}
	return labels > 1 && !isNumber(label)
}

func isLabel(s string) bool {
	if s == "" || len(s) > 63 || s[0] == '-' || s[len(s)-1] == '-' {
		return false
	}
	for i := 0; i < len(s); i++ {
		if c := s[i]; !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-') {
			return false
		}
	}
	return true
}

// isNumber reports whether a label is a decimal or 0x number.
func isNumber(s string) bool {
	hex := len(s) >= 2 && s[:2] == "0x"
	if hex {
		s = s[2:]
	}
	for i := 0; i < len(s); i++ {
		if _, ok := hexDigit(s[i]); !ok || !hex && s[i] > '9' {
			return false
		}
	}
	return true
}
