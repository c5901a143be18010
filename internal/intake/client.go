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
	return (&guard{allowPrivate: allowPrivate, connectTo: connectTo}).newClient(timeout, &http.Transport{})
}

// newClient returns a client that dials through the guard and follows no
// redirects. It uses no proxy: a proxy would dial in our place, and the guard
// would see only the proxy.
func (g *guard) newClient(timeout time.Duration, transport *http.Transport) *http.Client {
	transport.DialContext, transport.ForceAttemptHTTP2, transport.MaxResponseHeaderBytes = g.dialGuarded, true, maxHeaderBytes
	transport.MaxIdleConns, transport.IdleConnTimeout = 64, 30*time.Second
	transport.TLSHandshakeTimeout = min(timeout, 10*time.Second)
	return &http.Client{
		Timeout: timeout, Transport: transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}
