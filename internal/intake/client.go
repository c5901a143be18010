package intake

import (
	"net/http"
	"net/netip"
	"time"
)

// IsPublic reports whether PublicClient connects to an address.
func IsPublic(ip netip.Addr) bool { return addressKind(ip) == "" }

// PublicClient returns an HTTP client that connects only to public addresses,
// which it checks after name resolution, follows no redirects and uses no
// proxy. connectTo redirects "host:port" to "address:port", unchecked;
// allowPrivate lifts the check, except for metadata services.
func PublicClient(timeout time.Duration, allowPrivate bool, connectTo map[string]string) *http.Client {
	g := &guard{allowPrivate: allowPrivate, connectTo: connectTo}
	return &http.Client{
		Timeout: timeout,
		Transport: &http.Transport{
			DialContext: g.dialGuarded, ForceAttemptHTTP2: true, MaxIdleConns: 16, IdleConnTimeout: 30 * time.Second,
			TLSHandshakeTimeout: timeout, MaxResponseHeaderBytes: maxHeaderBytes,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}
