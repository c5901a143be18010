package record

import "crypto/sha256"

// Sizes of RFC 8032, in bytes.
const (
	PublicKeySize = 32
	SignatureSize = 64
	seedSize      = 32
)

// Signer makes Ed25519 signatures (pure, RFC 8032). KeyID is the thumbprint
// of its public key.
type Signer interface {
	KeyID() string
	Sign(message []byte) ([]byte, error)
}

// VerifyFunc reports whether signature, 64 bytes, is the Ed25519 signature of
// message under publicKey, 32 bytes. It must refuse S >= L, as crypto/ed25519,
// OpenSSL and BoringSSL do. On a platform with its own implementation, callers
// pass that one.
type VerifyFunc func(publicKey, message, signature []byte) bool

// Thumbprint returns the RFC 7638 thumbprint of an Ed25519 public key (RFC
// 8037), 43 characters of base64url: the id of the key.
func Thumbprint(public [32]byte) string {
	jwk := append([]byte(`{"crv":"Ed25519","kty":"OKP","x":"`), encodeBase64URL(public[:])...)
	sum := sha256.Sum256(append(jwk, `"}`...))
	return encodeBase64URL(sum[:])
}
