package mcp

import "strings"

// originOf normalizes an Origin header: scheme, host and port in lower case,
// without the scheme's default port. ok is false for a text that is not a web
// origin, such as "null".
func originOf(s string) (origin string, ok bool) {
	scheme, host, found := strings.Cut(strings.ToLower(s), "://")
	if !found || host == "" || scheme != "http" && scheme != "https" {
		return "", false
	}
	for i := 0; i < len(host); i++ {
		c := host[i]
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && !strings.ContainsRune(".-_:[]", rune(c)) {
			return "", false
		}
	}
	if scheme == "http" {
		host = strings.TrimSuffix(host, ":80")
	} else {
		host = strings.TrimSuffix(host, ":443")
	}
	return scheme + "://" + host, true
}

// isLoopback reports whether an origin is on this machine, whatever its port.
func isLoopback(origin string) bool {
	host, ok := strings.CutPrefix(origin, "http://")
	if !ok {
		return false
	}
	for _, h := range [...]string{"localhost", "127.0.0.1", "[::1]"} {
		if rest, ok := strings.CutPrefix(host, h); ok && (rest == "" || isPort(rest)) {
			return true
		}
	}
	return false
}

func isPort(s string) bool {
	if len(s) < 2 || len(s) > 6 || s[0] != ':' {
		return false
	}
	for i := 1; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// siteOrigin cuts the path off a base URL.
func siteOrigin(base string) string {
	scheme, rest, _ := strings.Cut(base, "://")
	host, _, _ := strings.Cut(rest, "/")
	return scheme + "://" + host
}

// allowsOrigin reports whether browsers may call from an origin: the service's
// own or, where the service itself runs on loopback, any on this machine.
func (s *Server) allowsOrigin(origin string) bool {
	o, ok := originOf(origin)
	return ok && (o == s.origin || isLoopback(s.origin) && isLoopback(o))
}
