package inquiry_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"colophon/internal/inquiry"
)

// Sealed agrees with the standard library for keys of any length.
func TestSealedIsHMAC(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.SliceOfN(rapid.Byte(), 0, 200).Draw(t, "key")
		parts := rapid.SliceOfN(rapid.String(), 0, 4).Draw(t, "parts")
		h := hmac.New(sha256.New, key)
		h.Write([]byte(strings.Join(parts, "\n")))
		want := base64.RawURLEncoding.EncodeToString(h.Sum(nil))
		if got := inquiry.Sealed(key, parts...); got != want {
			t.Fatalf("Sealed(%x, %q) = %s, want %s", key, parts, got, want)
		}
	})
}
