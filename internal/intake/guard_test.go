package intake

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"net/url"
	"testing"
	"time"

	"colophon/internal/assert"
)

func TestAddressKind(t *testing.T) {
	for _, c := range []struct{ ip, kind string }{
		{"127.0.0.1", "loopback"}, {"127.255.255.254", "loopback"}, {"::1", "loopback"}, {"::ffff:127.0.0.1", "loopback"},
		{"10.1.2.3", "private"}, {"172.16.0.1", "private"}, {"172.31.255.255", "private"}, {"192.168.1.1", "private"}, {"::ffff:10.0.0.1", "private"},
		{"169.254.1.1", "link-local"}, {"fe80::1%eth0", "link-local"}, {"fc00::1", "unique local"}, {"fdff::1", "unique local"},
		{"100.64.0.1", "carrier-grade NAT"}, {"100.127.255.255", "carrier-grade NAT"},
		{"169.254.169.254", "metadata"}, {"100.100.100.200", "metadata"}, {"168.63.129.16", "metadata"}, {"fd00:ec2::254", "metadata"},
		{"0.0.0.0", "unspecified"}, {"::", "unspecified"}, {"::7f00:1", "unspecified"}, {"224.0.0.1", "multicast"}, {"255.255.255.255", "reserved"},
		{"198.18.0.1", "reserved"}, {"192.0.2.1", "reserved"}, {"2001:db8::1", "reserved"}, {"ff02::1", "multicast"}, {"fec0::1", "site-local"},
		{"64:ff9b::7f00:1", "loopback"}, {"64:ff9b::a9fe:a9fe", "metadata"}, {"2002:c0a8:101::1", "private"}, {"64:ff9b::808:808", ""},
		{"8.8.8.8", ""}, {"172.32.0.1", ""}, {"100.128.0.1", ""}, {"2606:4700::1", ""}, {"11.0.0.1", ""}, {"192.167.255.255", ""},
	} {
		assert.Equal(t, addressKind(netip.MustParseAddr(c.ip)), c.kind, "%s", c.ip)
	}
}

func TestGuardDials(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	for _, c := range []struct {
		name, addr string
		guard      *guard
		refused    bool
		led        bool
	}{
		{"literal", l.Addr().String(), &guard{}, true, false},
		{"name that resolves to it", "localhost:" + port, &guard{}, true, false},
		{"allowed", l.Addr().String(), &guard{allowPrivate: true}, false, true},
		{"allowed name", "LocalHost:" + port, &guard{allowPrivate: true}, false, true},
		{"named by the operator", "www.harbor.example:80", &guard{connectTo: map[string]string{"www.harbor.example:80": l.Addr().String()}}, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			conn, err := c.guard.dialGuarded(ctx, "tcp", c.addr)
			var refused *addressError
			if errors.As(err, &refused) != c.refused || !c.refused && err != nil {
				t.Fatalf("error %v", err)
			}
			if err == nil {
				conn.Close()
			}
			if u := (&url.URL{Scheme: "http", Host: c.addr}); c.guard.ledToPrivate(u) != c.led {
				t.Errorf("led to a private address: %v, want %v", !c.led, c.led)
			}
		})
	}
	g := guard{allowPrivate: true}
	assert.Fails(t, g.checkAddress("metadata.internal:80", "169.254.169.254:80"), "the metadata service is allowed")
	assert.Fails(t, g.checkAddress("rebind.example:80", "not an address"), "an address that cannot be read is allowed")
	if err := (&guard{}).checkAddress("public.example:80", "8.8.8.8:80"); err != nil {
		t.Error(err)
	}
}
