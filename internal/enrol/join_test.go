package enrol

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/miekg/dns"

	"colophon/internal/assert"
	"colophon/internal/intake"
)

var must = assert.NoError

// nobodysResolver returns a resolver whose server knows no host.
func nobodysResolver(t *testing.T) *net.Resolver {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	must(t, err)
	ready := make(chan struct{})
	server := &dns.Server{PacketConn: conn, NotifyStartedFunc: func() { close(ready) }, Handler: dns.HandlerFunc(func(w dns.ResponseWriter, q *dns.Msg) {
		w.WriteMsg(new(dns.Msg).SetRcode(q, dns.RcodeNameError)) //nolint:errcheck // the client asks again
	})}
	go server.ActivateAndServe() //nolint:errcheck // it ends with Shutdown
	<-ready
	t.Cleanup(func() { server.Shutdown() }) //nolint:errcheck // nothing follows
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, conn.LocalAddr().String())
	}}
}

// TestStrangersMeetNoResolver checks that an applicant is told in a sentence
// why a site cannot be read, and nothing about the server's network, which only
// the log has.
func TestStrangersMeetNoResolver(t *testing.T) {
	resolver := nobodysResolver(t)
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	refusing := closed.Addr().String()
	closed.Close()
	foreign := httptest.NewTLSServer(http.NotFoundHandler()) // with a certificate of another authority
	defer foreign.Close()
	for _, tc := range []struct {
		host, connect, want, system string
	}{
		{host: "nowhere.invalid", want: "DNS has no such host", system: "lookup nowhere.invalid"},
		{"refusing.example", refusing, "it cannot be reached", "connection refused"},
		{"site.example", foreign.Listener.Addr().String(), "its certificate is not valid for it", "certificate"},
	} {
		opt := intake.Options{Contact: "desk@registry.example", Registry: "https://registry.example", Resolver: resolver, AllowPrivate: true, Retries: -1}
		if tc.connect != "" {
			opt.ConnectTo = map[string]string{tc.host + ":443": tc.connect}
		}
		p, err := intake.NewProver(opt)
		must(t, err)
		found, system := LookToJoin(t.Context(), p, tc.host, "2026-11-01T12:00:00Z")
		p.Close()
		found.At = "" // it contains a minute, as :53 of a server of names
		shown := fmt.Sprintf("%+v", found)
		if found.Problem != tc.want || !strings.Contains(strings.Join(found.Channels, "\n")+strings.Join(found.Missing, "\n"), tc.want) {
			t.Errorf("%s: shown %s, want %q", tc.host, shown, tc.want)
		}
		assert.Lacks(t, tc.host+": shown to strangers", shown, "127.0.0.1", "lookup", "dial", ":53", "x509")
		if !strings.Contains(strings.Join(system, "\n"), tc.system) {
			t.Errorf("%s: the operator is told %q, want %q", tc.host, system, tc.system)
		}
	}
}
