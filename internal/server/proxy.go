package server

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// ErrConfig is a setting of the server that cannot be used.
var ErrConfig = errors.New("invalid server setting")

// forwardingHeaders are the headers in which proxies name their client.
var forwardingHeaders = []string{"Forwarded", "X-Forwarded-For", "X-Real-Ip", "Cf-Connecting-Ip"}

// maxHops bounds how many addresses of a header are read.
const maxHops = 32

// Proxies determines the address of a client behind an operator's proxies. The
// zero value trusts no proxy: the client is the other end of the connection.
type Proxies struct {
	trusted []netip.Prefix
	headers []string
}

// ParseProxies parses addresses and networks in CIDR form ("127.0.0.1",
// "2001:db8::/32"), and the one header that these proxies set; "" accepts
// Forwarded (RFC 7239), X-Forwarded-For, X-Real-IP and CF-Connecting-IP. It
// returns ErrConfig for an invalid address or header.
func ParseProxies(networks []string, header string) (*Proxies, error) {
	p := &Proxies{headers: forwardingHeaders}
	for _, text := range networks {
		prefix, err := parseNetwork(text)
		if err != nil {
			return nil, err
		}
		p.trusted = append(p.trusted, prefix)
	}
	if header == "" {
		return p, nil
	}
	for _, known := range forwardingHeaders {
		if strings.EqualFold(header, known) {
			p.headers = []string{known}
			return p, nil
		}
	}
	return nil, fmt.Errorf("%w: header %q is none of Forwarded, X-Forwarded-For, X-Real-IP and CF-Connecting-IP", ErrConfig, header)
}

func parseNetwork(text string) (netip.Prefix, error) {
	text = strings.TrimSpace(text)
	if addr, err := netip.ParseAddr(text); err == nil {
		addr = addr.Unmap().WithZone("")
		return netip.PrefixFrom(addr, addr.BitLen()), nil
	}
	prefix, err := netip.ParsePrefix(text)
	if err != nil {
		return prefix, fmt.Errorf("%w: %q is neither an address nor a network such as 192.0.2.0/24", ErrConfig, text)
	}
	return prefix.Masked(), nil
}

// Trusts reports whether an address is one of the operator's proxies.
func (p *Proxies) Trusts(addr netip.Addr) bool {
	addr = addr.Unmap().WithZone("")
	return slices.ContainsFunc(p.trusted, func(prefix netip.Prefix) bool { return prefix.Contains(addr) })
}

// ClientAddr returns the address of the client, without port, "" if unknown.
// Headers count only on a connection from a trusted proxy. In a list, the
// right-most address that is not a trusted proxy is the client, because
// everything left of it was sent by the client. If two headers name different
// clients, a proxy passed one of them on unread; then neither is believed, and
// the client is the proxy itself.
func (p *Proxies) ClientAddr(r *http.Request) string {
	peer, ok := peerAddr(r.RemoteAddr)
	if !ok {
		return ""
	}
	if !p.Trusts(peer) {
		return peer.String()
	}
	var client, inside netip.Addr
	for _, name := range p.headers {
		hops := hopsOf(name, r.Header.Values(name))
		addr, found := p.rightmostUntrusted(hops)
		switch {
		case found && client.IsValid() && client != addr:
			return peer.String()
		case found:
			client = addr
		case addr.IsValid() && !inside.IsValid():
			inside = addr
		}
	}
	switch {
	case client.IsValid():
		return client.String()
	case inside.IsValid():
		return inside.String()
	}
	return peer.String()
}

// rightmostUntrusted walks a list of hops from the right. If all addresses are
// trusted, it returns the left-most one, if any. A hop that hides its address
// ends the walk.
func (p *Proxies) rightmostUntrusted(hops []string) (addr netip.Addr, untrusted bool) {
	for i := len(hops) - 1; i >= 0 && i >= len(hops)-maxHops; i-- {
		hop, ok := parseNode(hops[i])
		if !ok {
			return netip.Addr{}, false
		}
		if !p.Trusts(hop) {
			return hop, true
		}
		addr = hop
	}
	return addr, false
}

// Untrusted reports whether a request has forwarding headers although its
// sender is not a trusted proxy: it comes through a proxy that was not
// configured, or from a client that tries to deceive.
func (p *Proxies) Untrusted(r *http.Request) bool {
	peer, ok := peerAddr(r.RemoteAddr)
	if !ok || p.Trusts(peer) {
		return false
	}
	return slices.ContainsFunc(forwardingHeaders, func(name string) bool { return r.Header.Get(name) != "" })
}

func peerAddr(remote string) (netip.Addr, bool) {
	addrPort, err := netip.ParseAddrPort(remote)
	if err != nil {
		return netip.Addr{}, false
	}
	return addrPort.Addr().Unmap().WithZone(""), true
}

// hopsOf lists the nodes of a header from left to right; repeated lines are
// one list.
func hopsOf(name string, lines []string) []string {
	var hops []string
	for _, line := range lines {
		if name == "Forwarded" {
			hops = append(hops, forwardedFor(line)...)
			continue
		}
		hops = append(hops, strings.Split(line, ",")...)
	}
	return hops
}

// forwardedFor returns the for parameter of each element of a Forwarded
// header, "" for an element without one (RFC 7239, section 4).
func forwardedFor(line string) []string {
	var nodes []string
	for _, element := range splitUnquoted(line, ',') {
		node := ""
		for _, pair := range splitUnquoted(element, ';') {
			name, value, _ := strings.Cut(pair, "=")
			if strings.EqualFold(strings.TrimSpace(name), "for") {
				node = unquoteString(strings.TrimSpace(value))
			}
		}
		nodes = append(nodes, node)
	}
	return nodes
}

// splitUnquoted splits at separators outside quoted strings.
func splitUnquoted(s string, separator byte) []string {
	var parts []string
	quoted, start := false, 0
	for i := 0; i < len(s); i++ {
		switch {
		case quoted && s[i] == '\\':
			i++
		case s[i] == '"':
			quoted = !quoted
		case s[i] == separator && !quoted:
			parts = append(parts, s[start:i])
			start = i + 1
		}
	}
	return append(parts, s[start:])
}

func unquoteString(s string) string {
	if len(s) < 2 || s[0] != '"' || s[len(s)-1] != '"' {
		return s
	}
	var b strings.Builder
	for i := 1; i < len(s)-1; i++ {
		if s[i] == '\\' && i+1 < len(s)-1 {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// parseNode parses an address with or without port: 192.0.2.7, 192.0.2.7:80,
// 2001:db8::7, [2001:db8::7], [2001:db8::7]:80.
func parseNode(node string) (netip.Addr, bool) {
	node = strings.TrimSpace(node)
	if host, _, err := net.SplitHostPort(node); err == nil {
		node = host
	}
	node = strings.TrimSuffix(strings.TrimPrefix(node, "["), "]")
	addr, err := netip.ParseAddr(node)
	if err != nil {
		return addr, false
	}
	return addr.Unmap().WithZone(""), true
}
