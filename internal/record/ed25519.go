//go:build !tinygo

// This file is not part of the worker, which asks the platform to verify and
// never signs, and so needs neither the code nor the tables of Ed25519.

package record

import (
	"crypto/ed25519"

	"colophon/internal/outcome"
)

// Ed25519 returns the VerifyFunc of the Go standard library.
func Ed25519(publicKey, message, signature []byte) bool {
	return len(publicKey) == PublicKeySize && ed25519.Verify(publicKey, message, signature)
}

// SeedSigner is a Signer that holds its private key in memory.
type SeedSigner struct {
	private ed25519.PrivateKey
	id      string
}

// NewSigner returns the Signer of a 32-byte RFC 8032 seed. It returns an error
// for a seed of any other length.
func NewSigner(seed []byte) (*SeedSigner, error) {
	if len(seed) != seedSize {
		return nil, outcome.KeyMalformed
	}
	s := &SeedSigner{private: ed25519.NewKeyFromSeed(seed)}
	s.id = Thumbprint(s.Public())
	return s, nil
}

// KeyID returns the thumbprint of the public key.
func (s *SeedSigner) KeyID() string { return s.id }

// Public returns the public key.
func (s *SeedSigner) Public() (public [32]byte) {
	copy(public[:], s.private[ed25519.SeedSize:])
	return public
}

// Sign signs message; it never fails.
func (s *SeedSigner) Sign(message []byte) ([]byte, error) {
	return ed25519.Sign(s.private, message), nil
}
