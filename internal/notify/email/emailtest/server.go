// Package emailtest runs an SMTP server for tests.
package emailtest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"io"
	"math/big"
	"net"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"

	"colophon/internal/notify/email"
)

const (
	user     = "registry"
	password = "correct horse"
)

// Letter is what the server took.
type Letter struct {
	From, To string
	UTF8     bool // the sender asked for SMTPUTF8
	Data     []byte
}

// Server is an SMTP server on the loopback address. It keeps what it takes.
type Server struct {
	Config email.Config // by which letters reach it
	Refuse error        // nil: every receiver is known

	server *smtp.Server
	mu     sync.Mutex
	taken  []Letter
}

// NewServer starts a server until the test ends. Security is that of the Config:
// with starttls and tls it wants a password, with none nothing.
func NewServer(t testing.TB, security string) *Server {
	t.Helper()
	s := &Server{Config: email.Config{Security: security, From: "notices@registry.example"}}
	s.server = smtp.NewServer(backend{s, security != "none"})
	s.server.Domain = "127.0.0.1"
	s.server.ReadTimeout, s.server.WriteTimeout = 10*time.Second, 10*time.Second
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.Config.Server = listener.Addr().String()
	if security != "none" {
		s.Config.User, s.Config.Password = user, password
		s.server.TLSConfig, s.Config.Roots = newCertificate(t)
	}
	if security == "tls" {
		listener = tls.NewListener(listener, s.server.TLSConfig)
	}
	go s.server.Serve(listener) //nolint:errcheck // it ends with the test
	t.Cleanup(func() { s.server.Close() })
	return s
}

// OfferUTF8 lets the server take addresses beyond ASCII.
func (s *Server) OfferUTF8() { s.server.EnableSMTPUTF8 = true }

// ForgetTLS makes the server stop offering STARTTLS.
func (s *Server) ForgetTLS() { s.server.TLSConfig = nil }

// Letters lists what was taken so far.
func (s *Server) Letters() []Letter {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.taken)
}

type backend struct {
	server *Server
	login  bool
}

func (b backend) NewSession(*smtp.Conn) (smtp.Session, error) {
	return &session{server: b.server, known: !b.login}, nil
}

// session is one connection.
type session struct {
	server *Server
	known  bool
	letter Letter
}

func (s *session) AuthMechanisms() []string { return []string{sasl.Plain} }

func (s *session) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, name, secret string) error {
		if name != user || secret != password {
			return errors.New("wrong name or password")
		}
		s.known = true
		return nil
	}), nil
}

func (s *session) Mail(from string, options *smtp.MailOptions) error {
	if !s.known {
		return smtp.ErrAuthRequired
	}
	s.letter.From, s.letter.UTF8 = from, options.UTF8
	return nil
}

func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.letter.To = to
	return s.server.Refuse
}

func (s *session) Data(r io.Reader) error {
	data, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	s.letter.Data = data
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
	s.server.taken = append(s.server.taken, s.letter)
	return nil
}

func (s *session) Reset()        { s.letter = Letter{} }
func (s *session) Logout() error { return nil }

// newCertificate makes a certificate for 127.0.0.1 and the pool that trusts it.
func newCertificate(t testing.TB) (*tls.Config, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "127.0.0.1"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(certificate)
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}, MinVersion: tls.VersionTLS12}, roots
}
