package inquiry

import (
	"encoding/base64"
	"io"
)

// Prefixes of secrets that are not credentials by themselves.
const (
	PrefixToken   = "cvt_"   // conversation token
	PrefixWebhook = "whsec_" // webhook signing key
)

// NewSecret returns a secret of 32 random bytes and the two texts that are
// stored of it: its digest, and the part of the digest by which it is looked
// up.
func NewSecret(rand io.Reader, prefix string) (secret, lookup, hash string, err error) {
	var b [32]byte
	if _, err := io.ReadFull(rand, b[:]); err != nil {
		return "", "", "", err
	}
	secret = prefix + base64.RawURLEncoding.EncodeToString(b[:])
	hash = Digest(secret)
	return secret, LookupOf(hash), hash, nil
}

// LookupOf returns the part of a digest by which secrets are looked up.
func LookupOf(hash string) string { return hash[:16] }

// TokenFor derives the conversation token of a request that was sent with an
// idempotency key. A retry therefore gets the same token although only its
// digest is stored.
func TokenFor(secret []byte, scope, key, fingerprint string) string {
	return PrefixToken + Sealed(secret, "colophon.conversation-token.v1", scope, key, fingerprint)
}
