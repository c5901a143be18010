//go:build js && wasm

package edgejs

import (
	"errors"

	"colophon/internal/record"
)

// Signer signs with the key whose Ed25519 seed, 32 bytes in base64url, is the
// secret SIGNING_KEY. The seed stays with the runtime's WebCrypto.
type Signer struct{}

// KeyID returns the id of the key, "" if the secret is not a seed.
func (Signer) KeyID() string {
	public, ok, err := ask(opSign, nil)
	if err != nil || !ok || len(public) != 32 {
		return ""
	}
	return record.Thumbprint([32]byte(public))
}

// Sign returns the 64 bytes of a signature.
func (Signer) Sign(message []byte) ([]byte, error) {
	signature, ok, err := ask(opSign, message)
	if err == nil && (!ok || len(signature) != 64) {
		err = errors.New("ed25519: not signed")
	}
	return signature, err
}
