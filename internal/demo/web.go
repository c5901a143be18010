package demo

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"io"
	"math/big"
	"net"
	"net/http"
	"sync"
	"time"

	"golang.org/x/net/dns/dnsmessage"
)

// web is the network of the invented world: an HTTPS server on a loopback port
// for all hosts, with its own certificate, and TXT records beside it. The
// importer uses it like any network.
type web struct {
	mu        sync.Mutex
	documents map[string]document // by address
	texts     map[string][]string // TXT records by name, without the trailing dot

	listener net.Listener
	server   *http.Server
	roots    *x509.CertPool
	connect  map[string]string // "host:port" to the listener's address
}

// document is the answer of an address.
type document struct {
	media string
	body  []byte
}

// serveWeb starts a server for the given hosts. The caller must close it.
func serveWeb(hosts []string) (*web, error) {
	certificate, root, err := certify(hosts)
	if err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	w := &web{documents: map[string]document{}, texts: map[string][]string{}, listener: listener, roots: x509.NewCertPool(), connect: map[string]string{}}
	w.roots.AddCert(root)
	for _, host := range hosts {
		w.connect[host+":443"] = listener.Addr().String()
	}
	w.server = &http.Server{
		Handler: http.HandlerFunc(w.answer), ReadHeaderTimeout: 10 * time.Second,
		TLSConfig: &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS13},
	}
	go w.server.ServeTLS(listener, "", "") //nolint:errcheck // it ends when it is closed
	return w, nil
}

func (w *web) close() { w.server.Close() } //nolint:errcheck // nothing is left to lose

// certify makes a self-signed certificate for hosts.
func certify(hosts []string) (tls.Certificate, *x509.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, nil, err
	}
	now := time.Now()
	what := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "Colophon demo"}, DNSNames: hosts,
		NotBefore: now.Add(-time.Hour), NotAfter: now.Add(24 * time.Hour),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	raw, err := x509.CreateCertificate(rand.Reader, what, what, key.Public(), key)
	if err != nil {
		return tls.Certificate{}, nil, err
	}
	root, err := x509.ParseCertificate(raw)
	return tls.Certificate{Certificate: [][]byte{raw}, PrivateKey: key}, root, err
}

// put serves a document at an address.
func (w *web) put(address, media string, body []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.documents[address] = document{media, body}
}

// setTexts sets the TXT records of a name.
func (w *web) setTexts(name string, records ...string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.texts[name] = records
}

func (w *web) answer(out http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	found, ok := w.documents["https://"+r.Host+r.URL.EscapedPath()]
	w.mu.Unlock()
	if !ok {
		http.NotFound(out, r)
		return
	}
	out.Header().Set("Content-Type", found.media)
	out.Write(found.body) //nolint:errcheck // the reader is gone
}

// resolver returns a resolver of the web's TXT records, and nothing else.
func (w *web) resolver() *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		client, server := net.Pipe()
		go w.answerQuestion(server)
		return client, nil
	}}
}

// answerQuestion answers one question in the framing that DNS uses over streams
// (RFC 1035, section 4.2.2).
func (w *web) answerQuestion(conn net.Conn) {
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(10 * time.Second)) //nolint:errcheck // a pipe has deadlines
	question, err := readFramed(conn)
	if err != nil {
		return
	}
	var m dnsmessage.Message
	if m.Unpack(question) != nil || len(m.Questions) != 1 {
		return
	}
	asked := m.Questions[0]
	m.Response = true
	m.RecursionAvailable = true
	m.Additionals = nil
	name := asked.Name.String()
	w.mu.Lock()
	records := w.texts[name[:len(name)-1]]
	w.mu.Unlock()
	if asked.Type != dnsmessage.TypeTXT || len(records) == 0 {
		m.RCode = dnsmessage.RCodeNameError
	}
	for _, text := range records {
		m.Answers = append(m.Answers, dnsmessage.Resource{
			Header: dnsmessage.ResourceHeader{Name: asked.Name, Type: dnsmessage.TypeTXT, Class: dnsmessage.ClassINET, TTL: 60},
			Body:   &dnsmessage.TXTResource{TXT: []string{text}},
		})
	}
	packed, err := m.Pack()
	if err != nil {
		return
	}
	conn.Write(append([]byte{byte(len(packed) >> 8), byte(len(packed))}, packed...)) //nolint:errcheck // the reader is gone
}

// readFramed reads a message that is preceded by its length in two bytes.
func readFramed(conn net.Conn) ([]byte, error) {
	var length [2]byte
	if _, err := io.ReadFull(conn, length[:]); err != nil {
		return nil, err
	}
	message := make([]byte, int(length[0])<<8|int(length[1]))
	_, err := io.ReadFull(conn, message)
	return message, err
}
