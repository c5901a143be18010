package intake

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"syscall"
	"time"
)

// guard dials for the importer. It checks the address of a connection that is
// about to be made, after name resolution, so that a name that resolves to a
// private address, now or at a second lookup, is refused.
type guard struct {
	allowPrivate bool
	connectTo    map[string]string
	private      sync.Map // "host:port" that led to an address that is not public
}

// addressError refuses a connection.
type addressError struct{ host, address, kind string }

func (e *addressError) Error() string {
	return fmt.Sprintf("%s is at %s, a %s address, which is not public", e.host, e.address, e.kind)
}

func (g *guard) dialGuarded(ctx context.Context, network, addr string) (net.Conn, error) {
	d := net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}
	if to := g.connectTo[strings.ToLower(addr)]; to != "" {
		return d.DialContext(ctx, network, to)
	}
	d.ControlContext = func(_ context.Context, _, address string, _ syscall.RawConn) error {
		return g.checkAddress(addr, address)
	}
	return d.DialContext(ctx, network, addr)
}

func (g *guard) checkAddress(asked, address string) error {
	ap, err := netip.ParseAddrPort(address)
	if err != nil {
		return &addressError{asked, address, "malformed"}
	}
	kind := addressKind(ap.Addr())
	switch {
	case kind == "":
		return nil
	case kind == "metadata" || !g.allowPrivate:
		return &addressError{asked, ap.Addr().String(), kind}
	}
	g.private.Store(strings.ToLower(asked), true)
	return nil
}

// ledToPrivate reports whether a connection for the address went to a private one.
func (g *guard) ledToPrivate(u *url.URL) bool {
	_, ok := g.private.Load(hostPort(u))
	return ok
}

func hostPort(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return net.JoinHostPort(strings.ToLower(u.Hostname()), port)
}

// blocks lists the networks that are not public, the most specific name first
// (the special purpose registries of RFC 6890).
var blocks = []struct{ prefix, kind string }{
	{"169.254.169.254/32", "metadata"}, {"169.254.170.2/32", "metadata"}, {"100.100.100.200/32", "metadata"},
	{"168.63.129.16/32", "metadata"}, {"192.0.0.192/32", "metadata"}, {"fd00:ec2::/32", "metadata"}, {"fd20:ce::254/128", "metadata"},
	{"127.0.0.0/8", "loopback"}, {"::1/128", "loopback"},
	{"10.0.0.0/8", "private"}, {"172.16.0.0/12", "private"}, {"192.168.0.0/16", "private"},
	{"169.254.0.0/16", "link-local"}, {"fe80::/10", "link-local"},
	{"fc00::/7", "unique local"}, {"fec0::/10", "site-local"}, {"100.64.0.0/10", "carrier-grade NAT"},
	{"0.0.0.0/8", "unspecified"}, {"::/96", "unspecified"},
	{"192.0.0.0/24", "reserved"}, {"192.0.2.0/24", "reserved"}, {"198.51.100.0/24", "reserved"}, {"203.0.113.0/24", "reserved"},
	{"198.18.0.0/15", "reserved"}, {"192.88.99.0/24", "reserved"}, {"224.0.0.0/4", "multicast"}, {"240.0.0.0/4", "reserved"},
	{"ff00::/8", "multicast"}, {"100::/64", "reserved"}, {"2001::/23", "reserved"}, {"2001:db8::/32", "reserved"}, {"3fff::/20", "reserved"},
	{"64:ff9b:1::/48", "reserved"}, {"5f00::/16", "reserved"},
}

// addressKind returns the kind of an address that is not public, "" for a
// public one. An address that contains an IPv4 address is classified by that.
func addressKind(ip netip.Addr) string {
	ip = ip.Unmap().WithZone("")
	if v4, ok := embeddedIPv4(ip); ok {
		return addressKind(v4)
	}
	for _, b := range blocks {
		if netip.MustParsePrefix(b.prefix).Contains(ip) {
			return b.kind
		}
	}
	return ""
}

// embeddedIPv4 returns the IPv4 address in a NAT64 or 6to4 address.
func embeddedIPv4(ip netip.Addr) (netip.Addr, bool) {
	if !ip.Is6() {
		return ip, false
	}
	b := ip.As16()
	switch {
	case netip.MustParsePrefix("64:ff9b::/96").Contains(ip):
		return netip.AddrFrom4([4]byte(b[12:16])), true
	case netip.MustParsePrefix("2002::/16").Contains(ip):
		return netip.AddrFrom4([4]byte(b[2:6])), true
	}
	return ip, false
}
