package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"os"
	"path/filepath"
	"time"
)

// testRoot is the authority that signs the certificates of all hosts of the
// tests. The program finds it in $SSL_CERT_FILE, in this process and in others.
var testRoot struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
}

// trustTestRoot makes testRoot, writes it into a folder and sets the variables
// that name it. It must be called before anything is fetched over TLS.
func trustTestRoot(folder string) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	testRoot.key = key
	testRoot.certificate = &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "root of the tests"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, testRoot.certificate, testRoot.certificate, &key.PublicKey, key)
	if err != nil {
		return err
	}
	file := filepath.Join(folder, "root.pem")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600); err != nil {
		return err
	}
	if err := os.Setenv("SSL_CERT_FILE", file); err != nil {
		return err
	}
	return os.Setenv("SSL_CERT_DIR", filepath.Join(folder, "none"))
}

// signCertificate returns a certificate of testRoot for some hosts.
func signCertificate(hosts ...string) (tls.Certificate, error) {
	leaf := &x509.Certificate{
		SerialNumber: big.NewInt(2), NotBefore: testRoot.certificate.NotBefore, NotAfter: testRoot.certificate.NotAfter, DNSNames: hosts,
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, leaf, testRoot.certificate, &testRoot.key.PublicKey, testRoot.key)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: testRoot.key}, err
}
