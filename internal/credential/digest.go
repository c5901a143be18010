package credential

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
)

// Digest returns the hex SHA-256 of texts joined by line feeds.
func Digest(parts ...string) string {
	h := sha256.New()
	for i, p := range parts {
		if i > 0 {
			h.Write([]byte{'\n'})
		}
		h.Write([]byte(p))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Sealed returns the MAC of texts joined by line feeds, in unpadded base64url.
func Sealed(key []byte, parts ...string) string {
	return base64.RawURLEncoding.EncodeToString(MAC(key, parts...))
}

// MAC returns the HMAC-SHA-256 (RFC 2104) of texts joined by line feeds. It is
// implemented here because crypto/hmac would bring the block ciphers of a FIPS
// module, with their tables, into the worker.
func MAC(key []byte, parts ...string) []byte {
	if len(key) > sha256.BlockSize {
		sum := sha256.Sum256(key)
		key = sum[:]
	}
	var pad [sha256.BlockSize]byte
	copy(pad[:], key)
	inner, outer := sha256.New(), sha256.New()
	inner.Write(xorPad(pad, 0x36))
	outer.Write(xorPad(pad, 0x5c))
	for i, p := range parts {
		if i > 0 {
			inner.Write([]byte{'\n'})
		}
		inner.Write([]byte(p))
	}
	outer.Write(inner.Sum(nil))
	return outer.Sum(nil)
}

func xorPad(pad [sha256.BlockSize]byte, with byte) []byte {
	for i := range pad {
		pad[i] ^= with
	}
	return pad[:]
}

// Same reports whether two texts are equal, in a time that depends only on
// their length.
func Same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }
