package server

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"colophon/internal/assert"
)

// writeCertificate makes a self-signed certificate with a serial number and
// returns it; the files are cert.pem and key.pem in dir.
func writeCertificate(t *testing.T, dir string, serial int64) *x509.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(serial), Subject: pkix.Name{CommonName: "service.example"}, DNSNames: []string{"service.example"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	must(t, err)
	keyDER, err := x509.MarshalECPrivateKey(key)
	must(t, err)
	for name, block := range map[string]*pem.Block{"cert.pem": {Type: "CERTIFICATE", Bytes: der}, "key.pem": {Type: "EC PRIVATE KEY", Bytes: keyDER}} {
		must(t, os.WriteFile(filepath.Join(dir, name), pem.EncodeToMemory(block), 0o600))
	}
	cert, err := x509.ParseCertificate(der)
	must(t, err)
	return cert
}

// askTLS sends a request, trusting one certificate, and returns the protocol.
func askTLS(t *testing.T, addr string, root *x509.Certificate) (protocol string, err error) {
	t.Helper()
	roots := x509.NewCertPool()
	roots.AddCert(root)
	client := &http.Client{Transport: &http.Transport{ForceAttemptHTTP2: true, TLSClientConfig: &tls.Config{RootCAs: roots}}}
	defer client.CloseIdleConnections()
	res, err := client.Get("https://" + addr + "/")
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	assert.Equal(t, string(body), "ok", "answered")
	return res.Proto, err
}

// TestCertificateFromFiles checks that a certificate from files is used with
// HTTP/2 and replaced without a restart, and that a broken one leaves the old
// one in use.
func TestCertificateFromFiles(t *testing.T) {
	dir := t.TempDir()
	first := writeCertificate(t, dir, 1)
	config := Config{TLSCert: filepath.Join(dir, "cert.pem"), TLSKey: filepath.Join(dir, "key.pem")}
	addr, s := start(t, config, answer("ok"))
	if protocol, err := askTLS(t, addr, first); err != nil || protocol != "HTTP/2.0" {
		t.Fatalf("%s %v", protocol, err)
	}

	second := writeCertificate(t, dir, 2)
	must(t, s.Reload(config, answer("ok")))
	if _, err := askTLS(t, addr, second); err != nil {
		t.Errorf("the new certificate: %v", err)
	}
	assert.Fails(t, assert.Err(askTLS(t, addr, first)), "the old certificate is still served")

	must(t, os.WriteFile(config.TLSKey, []byte("broken"), 0o600))
	assert.ErrorIs(t, s.Reload(config, answer("other")), ErrConfig, "a broken key")
	if _, err := askTLS(t, addr, second); err != nil {
		t.Errorf("after a broken key: %v", err)
	}
}

// TestSilentHandshakeEnds checks that a client which opens a connection and
// sends nothing, or speaks plain HTTP, is disconnected.
func TestSilentHandshakeEnds(t *testing.T) {
	dir := t.TempDir()
	writeCertificate(t, dir, 1)
	addr, _ := start(t, Config{TLSCert: filepath.Join(dir, "cert.pem"), TLSKey: filepath.Join(dir, "key.pem"), HeaderTimeout: Duration(100 * time.Millisecond)}, answer("ok"))
	isClosed(t, dial(t, addr, ""))
	isClosed(t, dial(t, addr, "GET / HTTP/1.1\r\nHost: x\r\n\r\n"))
}

func TestTLSSettings(t *testing.T) {
	dir := t.TempDir()
	writeCertificate(t, dir, 1)
	cert, key := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for name, tc := range map[string]struct {
		base   string
		config Config
	}{
		"a certificate alone":      {"https://service.example", Config{TLSCert: cert}},
		"a key alone":              {"https://service.example", Config{TLSKey: key}},
		"no such file":             {"https://service.example", Config{TLSCert: cert + "x", TLSKey: key}},
		"files exchanged":          {"https://service.example", Config{TLSCert: key, TLSKey: cert}},
		"files and ACME":           {"https://service.example", Config{TLSCert: cert, TLSKey: key, ACME: true, ACMEDir: dir}},
		"ACME for plain HTTP":      {"http://service.example", Config{ACME: true, ACMEDir: dir}},
		"ACME for an address":      {"https://192.0.2.1", Config{ACME: true, ACMEDir: dir}},
		"ACME with roots that are": {"https://service.example", Config{ACME: true, ACMEDir: dir, ACMERoots: key}},
	} {
		assert.ErrorIs(t, assert.Err(New(Options{BaseURL: tc.base, Config: tc.config, Handler: answer("ok")})), ErrConfig, "%s", name)
	}
	s, err := New(Options{BaseURL: "https://service.example", Config: Config{ACME: true, ACMEDir: filepath.Join(dir, "acme")}, Handler: answer("ok")})
	must(t, err)
	if info, err := os.Stat(filepath.Join(dir, "acme")); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder of private keys: %v %v", info, err)
	}
	if err := s.acme.HostPolicy(t.Context(), "service.example"); err != nil {
		t.Errorf("the host of the service: %v", err)
	}
	if s.acme.HostPolicy(t.Context(), "other.example") == nil {
		t.Error("any host name gets a certificate")
	}
}

// TestRedirect checks that plain HTTP beside TLS only redirects to the
// service's address, whatever host the client names.
func TestRedirect(t *testing.T) {
	_, s := start(t, Config{}, answer("ok"))
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	go s.ServeRedirect(t.Context(), l) //nolint:errcheck // the answers would fail
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	req, err := http.NewRequest("GET", "http://"+l.Addr().String()+"/a%2Fb?q=1", nil)
	must(t, err)
	req.Host = "evil.example"
	res, err := client.Do(req)
	must(t, err)
	res.Body.Close()
	if res.StatusCode != 308 || res.Header.Get("Location") != "https://service.example/a%2Fb?q=1" {
		t.Errorf("%d %s", res.StatusCode, res.Header.Get("Location"))
	}
	res, err = client.Post("http://"+l.Addr().String()+"/", "text/plain", nil)
	must(t, err)
	res.Body.Close()
	assert.Equal(t, res.StatusCode, 400, "a POST in the clear is answered")
}
