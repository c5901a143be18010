package wire

import (
	"crypto/sha256"
	"encoding/hex"
)

// SHA256Hex returns the SHA-256 of bytes in lower-case hex, the form of the
// digests in all documents.
func SHA256Hex(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
