package server

import (
	"net/http"
	"testing"

	"colophon/internal/assert"
)

// TestClientAddr uses the examples of RFC 7239, sections 4, 5.2, 6 and 7, for
// the forms of Forwarded.
func TestClientAddr(t *testing.T) {
	for _, tc := range []struct {
		name   string
		peer   string
		header http.Header
		want   string
	}{
		{"no header", "127.0.0.1:5", nil, "127.0.0.1"},
		{"an untrusted peer is the client", "198.51.100.9:5", http.Header{"X-Real-Ip": {"192.0.2.1"}, "Forwarded": {"for=192.0.2.1"}, "X-Forwarded-For": {"192.0.2.1"}, "Cf-Connecting-Ip": {"192.0.2.1"}}, "198.51.100.9"},
		{"X-Real-IP", "127.0.0.1:5", http.Header{"X-Real-Ip": {"192.0.2.1"}}, "192.0.2.1"},
		{"CF-Connecting-IP", "10.1.2.3:5", http.Header{"Cf-Connecting-Ip": {"2001:DB8::7"}}, "2001:db8::7"},
		{"X-Forwarded-For", "127.0.0.1:5", http.Header{"X-Forwarded-For": {"192.0.2.1"}}, "192.0.2.1"},
		{"what the client wrote stands left", "127.0.0.1:5", http.Header{"X-Forwarded-For": {"203.0.113.66, 192.0.2.1"}}, "192.0.2.1"},
		{"repeated lines are one list", "127.0.0.1:5", http.Header{"X-Forwarded-For": {"203.0.113.66", "192.0.2.1, 10.0.0.9"}}, "192.0.2.1"},
		{"through two trusted proxies", "127.0.0.1:5", http.Header{"X-Forwarded-For": {"203.0.113.66, 192.0.2.1, 10.9.9.9"}}, "192.0.2.1"},
		{"with a port", "127.0.0.1:5", http.Header{"X-Forwarded-For": {"192.0.2.1:4711"}}, "192.0.2.1"},
		{"IPv6 with a port", "[::1]:5", http.Header{"X-Forwarded-For": {"[2001:db8::1]:4711"}}, "2001:db8::1"},
		{"IPv4 in IPv6 form", "[::ffff:127.0.0.1]:5", http.Header{"X-Forwarded-For": {"::ffff:192.0.2.1"}}, "192.0.2.1"},
		{"all trusted: the left-most", "127.0.0.1:5", http.Header{"X-Forwarded-For": {"10.3.3.3, 10.9.9.9"}}, "10.3.3.3"},
		{"no address", "127.0.0.1:5", http.Header{"X-Forwarded-For": {"nobody"}}, "127.0.0.1"},
		{"empty", "127.0.0.1:5", http.Header{"X-Forwarded-For": {""}}, "127.0.0.1"},
		{"Forwarded, hidden name", "127.0.0.1:5", http.Header{"Forwarded": {`for="_gazonk"`}}, "127.0.0.1"},
		{"Forwarded, IPv6 and port", "127.0.0.1:5", http.Header{"Forwarded": {`For="[2001:db8:cafe::17]:4711"`}}, "2001:db8:cafe::17"},
		{"Forwarded, parameters", "127.0.0.1:5", http.Header{"Forwarded": {"for=192.0.2.60;proto=http;by=203.0.113.43"}}, "192.0.2.60"},
		{"Forwarded, list", "127.0.0.1:5", http.Header{"Forwarded": {"for=192.0.2.43, for=198.51.100.17"}}, "198.51.100.17"},
		{"Forwarded, list and trusted", "127.0.0.1:5", http.Header{"Forwarded": {`for=192.0.2.43, for="[2001:db8:cafe::17]";x="a,for=1.1.1.1;", for=10.0.0.1`}}, "2001:db8:cafe::17"},
		{"Forwarded, unknown", "127.0.0.1:5", http.Header{"Forwarded": {"for=203.0.113.66, for=unknown, for=10.0.0.1"}}, "127.0.0.1"},
		{"Forwarded without for", "127.0.0.1:5", http.Header{"Forwarded": {"for=203.0.113.66, proto=https"}}, "127.0.0.1"},
		{"headers that agree", "127.0.0.1:5", http.Header{"X-Real-Ip": {"192.0.2.1"}, "X-Forwarded-For": {"203.0.113.66, 192.0.2.1"}}, "192.0.2.1"},
		{"headers that contradict each other", "127.0.0.1:5", http.Header{"X-Real-Ip": {"192.0.2.1"}, "X-Forwarded-For": {"203.0.113.66"}}, "127.0.0.1"},
		{"a trusted address contradicts nobody", "127.0.0.1:5", http.Header{"X-Real-Ip": {"10.0.0.1"}, "X-Forwarded-For": {"192.0.2.1, 10.0.0.1"}}, "192.0.2.1"},
		{"no peer", "@", http.Header{"X-Real-Ip": {"192.0.2.1"}}, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p, err := ParseProxies([]string{"127.0.0.0/8", "::1", "10.0.0.0/8"}, "")
			must(t, err)
			assert.Equal(t, p.ClientAddr(&http.Request{RemoteAddr: tc.peer, Header: tc.header}), tc.want, "client")
		})
	}
}

func TestTrustedHeader(t *testing.T) {
	p, err := ParseProxies([]string{"127.0.0.1"}, "x-real-ip")
	must(t, err)
	h := http.Header{"X-Real-Ip": {"192.0.2.1"}, "X-Forwarded-For": {"203.0.113.66"}, "Forwarded": {"for=203.0.113.67"}}
	assert.Equal(t, p.ClientAddr(&http.Request{RemoteAddr: "127.0.0.1:5", Header: h}), "192.0.2.1", "client")
}

func TestNobodyIsTrustedByDefault(t *testing.T) {
	p, err := ParseProxies(nil, "")
	must(t, err)
	r := &http.Request{RemoteAddr: "127.0.0.1:5", Header: http.Header{"X-Forwarded-For": {"192.0.2.1"}}}
	assert.Equal(t, p.ClientAddr(r), "127.0.0.1", "client")
	if !p.Untrusted(r) {
		t.Error("a forwarding header of an unknown proxy goes unnoticed")
	}
	if p.Untrusted(&http.Request{RemoteAddr: "127.0.0.1:5", Header: http.Header{}}) {
		t.Error("a request without such headers is noticed")
	}
}

func TestParseProxiesRefuses(t *testing.T) {
	for _, tc := range []struct{ network, header string }{
		{"localhost", ""}, {"192.0.2.0/33", ""}, {"", ""}, {"192.0.2.0/24", "X-Client"},
	} {
		assert.ErrorIs(t, assert.Err(ParseProxies([]string{tc.network}, tc.header)), ErrConfig, "%q %q", tc.network, tc.header)
	}
}
