package staticindex

import (
	"encoding/hex"
	"strings"
)

const hexDigits = "0123456789abcdef"

// DecodeHex decodes lower-case hex digits.
func DecodeHex(s string) ([]byte, bool) {
	out, err := hex.DecodeString(s)
	return out, err == nil && s == strings.ToLower(s)
}
