package worker_test

import (
	"crypto/sha256"
	"math/big"
)

// leadingZeros counts the zero bits that begin a SHA-256, by another way than
// the product's.
func leadingZeros(s string) int {
	sum := sha256.Sum256([]byte(s))
	return 256 - new(big.Int).SetBytes(sum[:]).BitLen()
}
