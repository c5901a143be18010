// Package acme tests "colophon serve --acme" against Pebble, the ACME server
// with which Let's Encrypt tests clients. Run it with "make test-acme".
package acme

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/letsencrypt/pebble/v2/ca"
	"github.com/letsencrypt/pebble/v2/db"
	"github.com/letsencrypt/pebble/v2/va"
	"github.com/letsencrypt/pebble/v2/wfe"
	"github.com/miekg/dns"
)

const host = "registry.example"

// TestCertificateByACME checks that a certificate is obtained, trusted and
// kept: by TLS-ALPN-01 on the service's port, and by HTTP-01 on the redirect
// port if that one cannot be reached.
func TestCertificateByACME(t *testing.T) {
	for _, challenge := range []string{"tls-alpn-01", "http-01"} {
		t.Run(challenge, func(t *testing.T) {
			service, redirect, closed := freePort(t), freePort(t), freePort(t)
			tlsPort := service
			if challenge == "http-01" {
				tlsPort = closed
			}
			directory, roots, issued := startPebble(t, redirect, tlsPort)
			dir := newRegistry(t)
			settings := fmt.Sprintf("\n[server]\nacme_directory = '%s/dir'\nacme_roots = '%s'\n", directory, roots)
			appendTo(t, filepath.Join(dir, "colophon.toml"), settings)

			stop := serve(t, dir, service, redirect)
			first := leafOf(t, service, issued)
			if err := first.VerifyHostname(host); err != nil {
				t.Error(err)
			}
			stop()

			serve(t, dir, service, redirect)
			if again := leafOf(t, service, issued); !again.Equal(first) {
				t.Error("after a restart there is another certificate: the first was not kept")
			}
			kept(t, filepath.Join(dir, "acme"))
		})
	}
}

// kept checks that keys and certificates are stored and that no other user can
// read them.
func kept(t *testing.T, dir string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil || len(list) < 2 {
		t.Fatalf("%d files are kept: %v", len(list), err)
	}
	for _, entry := range list {
		info, err := entry.Info()
		if err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s can be read by others: %v", entry.Name(), err)
		}
	}
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// startPebble starts the ACME server. It resolves names with a server that
// knows one host, at 127.0.0.1. directory is its address, roots the file of
// certificates that it is trusted by, and issued the pool that its own
// certificates are trusted by.
func startPebble(t *testing.T, httpPort, tlsPort int) (directory, roots string, issued *x509.CertPool) {
	t.Helper()
	t.Setenv("PEBBLE_VA_NOSLEEP", "1")
	t.Setenv("PEBBLE_WFE_NONCEREJECT", "20") // it rejects good nonces too, which clients must handle
	logger := log.New(t.Output(), "pebble: ", 0)
	store := db.NewMemoryStore()
	authority := ca.New(logger, store, "", "ecdsa", 0, 1, map[string]ca.Profile{"default": {Description: "default"}})
	validation := va.New(logger, httpPort, tlsPort, false, startDNS(t), store)
	front := wfe.New(logger, store, validation, authority, []string{"pebble.letsencrypt.org"}, false, false, 1, 1)
	server := httptest.NewTLSServer(front.Handler())
	t.Cleanup(server.Close)

	roots = filepath.Join(t.TempDir(), "roots.pem")
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	must(t, os.WriteFile(roots, text, 0o600))
	issued = x509.NewCertPool()
	if !issued.AppendCertsFromPEM(authority.GetRootCert(0).PEM()) {
		t.Fatal("no root certificate")
	}
	return server.URL, roots, issued
}

func startDNS(t *testing.T) string {
	t.Helper()
	conn, err := net.Listen("tcp", "127.0.0.1:0") // Pebble sends DNS queries over TCP
	must(t, err)
	server := &dns.Server{Listener: conn, Handler: dns.HandlerFunc(func(w dns.ResponseWriter, q *dns.Msg) {
		answer := new(dns.Msg)
		answer.SetReply(q)
		if len(q.Question) == 1 && q.Question[0].Qtype == dns.TypeA && q.Question[0].Name == host+"." {
			answer.Answer = append(answer.Answer, &dns.A{
				Hdr: dns.RR_Header{Name: q.Question[0].Name, Rrtype: dns.TypeA, Class: dns.ClassINET, Ttl: 1}, A: net.IPv4(127, 0, 0, 1),
			})
		}
		w.WriteMsg(answer) //nolint:errcheck // the client asks again
	})}
	go server.ActivateAndServe() //nolint:errcheck // it ends with the test
	t.Cleanup(func() { server.Shutdown() })
	return conn.Addr().String()
}

func program(t *testing.T) string {
	t.Helper()
	path, err := filepath.Abs("../../bin/colophon")
	must(t, err)
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("%v; run \"make build\" first", err)
	}
	return path
}

// newRegistry makes a registry with one publisher, and builds it.
func newRegistry(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "registry")
	for _, args := range [][]string{
		{"init", "--base-url", "https://" + host},
		{"publisher", "add", "harbor-ledger", "--name", "Harbor Ledger", "--site-url", "https://harbor-ledger.example/"},
		{"publisher", "approve", "harbor-ledger"},
		{"build"},
	} {
		if out, err := exec.Command(program(t), append(args, "--dir", dir)...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v: %s", args, err, out)
		}
	}
	return dir
}

func appendTo(t *testing.T, file, text string) {
	t.Helper()
	f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
	must(t, err)
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
	must(t, f.Close())
}

// serve runs the service until stop is called or the test ends.
func serve(t *testing.T, dir string, port, redirect int) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, program(t), "serve", "--acme", "--dir", dir,
		"--addr", fmt.Sprintf("127.0.0.1:%d", port), "--redirect-addr", fmt.Sprintf("127.0.0.1:%d", redirect))
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	stderr, err := cmd.StderrPipe()
	must(t, err)
	must(t, cmd.Start())
	ended := false
	stop = func() {
		if !ended {
			cancel()
			cmd.Wait() //nolint:errcheck // it was asked to end
			ended = true
		}
	}
	t.Cleanup(stop)
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "serving ") {
			go io.Copy(t.Output(), stderr) //nolint:errcheck // it ends with the service
			return stop
		}
	}
	t.Fatal("the service does not start")
	return nil
}

// leafOf connects to the service over TLS, trusting issued alone, and returns
// the certificate that the service presents.
func leafOf(t *testing.T, port int, issued *x509.CertPool) *x509.Certificate {
	t.Helper()
	client := &http.Client{Timeout: 60 * time.Second, Transport: &http.Transport{
		TLSClientConfig:     &tls.Config{RootCAs: issued, ServerName: host},
		TLSHandshakeTimeout: 60 * time.Second,
	}}
	defer client.CloseIdleConnections()
	deadline := time.Now().Add(30 * time.Second)
	for {
		res, err := client.Get(fmt.Sprintf("https://127.0.0.1:%d/", port))
		if err == nil {
			res.Body.Close()
			if res.StatusCode != 200 {
				t.Errorf("answered %d", res.StatusCode)
			}
			return res.TLS.PeerCertificates[0]
		}
		if time.Now().After(deadline) {
			t.Fatal(err)
		}
		time.Sleep(200 * time.Millisecond)
	}
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}
