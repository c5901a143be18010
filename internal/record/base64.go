package record

import "encoding/base64"

// encodeBase64URL is b as unpadded base64url.
func encodeBase64URL(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

// decodeB64u decodes exactly size bytes of unpadded base64url. It accepts one
// text for each value: unused bits must be zero and, because the decoder itself
// skips line ends, the length must be exact.
func decodeB64u(s string, size int) ([]byte, bool) {
	if len(s) != base64.RawURLEncoding.EncodedLen(size) {
		return nil, false
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(s)
	return b, err == nil && len(b) == size
}
