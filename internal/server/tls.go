package server

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/acme"
	"golang.org/x/crypto/acme/autocert"
)

// newTLS returns the TLS configuration of a server, with certificates from
// files or from an ACME server, or nil for plain HTTP.
func newTLS(c Config, baseURL string, log *slog.Logger) (*tls.Config, *certificateFiles, *autocert.Manager, error) {
	switch {
	case c.ACME && (c.TLSCert != "" || c.TLSKey != ""):
		return nil, nil, nil, fmt.Errorf("%w: certificates come either from ACME or from files, not from both", ErrConfig)
	case c.ACME:
		manager, err := newACME(c, baseURL)
		if err != nil {
			return nil, nil, nil, err
		}
		config := manager.TLSConfig()
		config.MinVersion = tls.VersionTLS12
		config.GetCertificate = logFailure(manager, log)
		return config, nil, manager, nil
	case c.TLSCert == "" && c.TLSKey == "":
		return nil, nil, nil, nil
	case c.TLSCert == "" || c.TLSKey == "":
		return nil, nil, nil, fmt.Errorf("%w: a certificate and its key are needed, each in a file", ErrConfig)
	}
	files := &certificateFiles{}
	if err := files.loadFiles(c.TLSCert, c.TLSKey); err != nil {
		return nil, nil, nil, err
	}
	config := &tls.Config{MinVersion: tls.VersionTLS12, NextProtos: []string{"h2", "http/1.1"}, GetCertificate: files.getCertificate}
	return config, files, nil, nil
}

// logFailure logs why the host of the service gets no certificate. That other
// hosts get none is expected.
func logFailure(manager *autocert.Manager, log *slog.Logger) func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	return func(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
		cert, err := manager.GetCertificate(hello)
		if err != nil && manager.HostPolicy(hello.Context(), hello.ServerName) == nil {
			log.Error("no certificate by ACME", "error", err.Error())
		}
		return cert, err
	}
}

// certificateFiles is a certificate that can be replaced while it is in use.
type certificateFiles struct {
	current atomic.Pointer[tls.Certificate]
}

// loadFiles reads a certificate chain and its key, both in PEM. If it returns
// an error, the previous certificate stays in use.
func (f *certificateFiles) loadFiles(certFile, keyFile string) error {
	pair, err := tls.LoadX509KeyPair(certFile, keyFile)
	if err != nil {
		return fmt.Errorf("%w: %v", ErrConfig, err) // it names the file without revealing the key
	}
	f.current.Store(&pair)
	return nil
}

func (f *certificateFiles) getCertificate(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	return f.current.Load(), nil
}

// newACME returns a manager that obtains certificates for the host of the
// service only. Account key and certificates are kept in the folder
// Config.ACMEDir.
func newACME(c Config, baseURL string) (*autocert.Manager, error) {
	base, err := url.Parse(baseURL)
	if err != nil || base.Scheme != "https" {
		return nil, fmt.Errorf("%w: ACME needs an https base URL, not %q", ErrConfig, baseURL)
	}
	if net.ParseIP(base.Hostname()) != nil {
		return nil, fmt.Errorf("%w: ACME needs a host name in the base URL, not the address %q", ErrConfig, base.Hostname())
	}
	if c.ACMEDir == "" {
		return nil, fmt.Errorf("%w: ACME needs a folder for its certificates", ErrConfig)
	}
	if err := os.MkdirAll(c.ACMEDir, 0o700); err != nil {
		return nil, err
	}
	client := &acme.Client{DirectoryURL: c.ACMEDirectory, UserAgent: "colophon"}
	if c.ACMERoots != "" {
		if client.HTTPClient, err = clientTrusting(c.ACMERoots); err != nil {
			return nil, err
		}
	}
	return &autocert.Manager{
		Prompt:     autocert.AcceptTOS,
		Cache:      autocert.DirCache(c.ACMEDir),
		HostPolicy: autocert.HostWhitelist(base.Hostname()),
		Client:     client,
		Email:      c.ACMEEmail,
	}, nil
}

// clientTrusting returns an HTTP client that trusts only the certificates in a
// PEM file, for an ACME server of one's own.
func clientTrusting(file string) (*http.Client, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrConfig, err)
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("%w: %q has no certificates in PEM", ErrConfig, file)
	}
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}, TLSHandshakeTimeout: 10 * time.Second}
	return &http.Client{Transport: transport, Timeout: time.Minute}, nil
}

// RedirectHandler answers plain HTTP beside TLS: ACME challenges, and redirects
// for all other requests.
func (s *HTTP) RedirectHandler() http.Handler {
	redirect := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Connection", "close")
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			http.Error(w, "Use HTTPS: "+s.baseURL, http.StatusBadRequest)
			return
		}
		http.Redirect(w, r, s.baseURL+r.URL.RequestURI(), http.StatusPermanentRedirect)
	})
	if s.acme == nil {
		return redirect
	}
	challenges := s.acme.HTTPHandler(redirect)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if host, _, err := net.SplitHostPort(r.Host); err == nil {
			r.Host = host // the challenge is for the host, whatever the port
		}
		challenges.ServeHTTP(w, r)
	})
}

// redirectConnections bounds the connections of plain HTTP beside TLS.
const redirectConnections = 512

// ServeRedirect answers plain HTTP beside TLS until ctx ends.
func (s *HTTP) ServeRedirect(ctx context.Context, l net.Listener) error {
	limiter := newConnLimiter(redirectConnections, s.config.MaxConnectionsPerClient, s.proxies.Load)
	server := &http.Server{
		Handler:           s.RedirectHandler(),
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       5 * time.Second,
		WriteTimeout:      5 * time.Second,
		MaxHeaderBytes:    maxHeader,
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
	}
	return serveUntil(ctx, server, limiter.Listen(l))
}
