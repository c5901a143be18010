package worker_test

import (
	"crypto/sha256"
	"math/big"
)

// leadingZeros counts the leading zero bits of a SHA-256, by another method
// than the product's.
func leadingZeros(s string) int {
	sum := sha256.Sum256([]byte(s))
	return 256 - new(big.Int).SetBytes(sum[:]).BitLen()
}
