package credential_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"colophon/internal/credential"
)

// TestSealedIsHMAC checks that Sealed agrees with the standard library for keys
// of any length.
func TestSealedIsHMAC(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.SliceOfN(rapid.Byte(), 0, 200).Draw(t, "key")
		parts := rapid.SliceOfN(rapid.String(), 0, 4).Draw(t, "parts")
		h := hmac.New(sha256.New, key)
		h.Write([]byte(strings.Join(parts, "\n")))
		want := base64.RawURLEncoding.EncodeToString(h.Sum(nil))
		if got := credential.Sealed(key, parts...); got != want {
			t.Fatalf("Sealed(%x, %q) = %s, want %s", key, parts, got, want)
		}
	})
}

// TestPurposes checks the prefixes of secrets and the domains of derived
// secrets, which are in use.
func TestPurposes(t *testing.T) {
	key := []byte("a key of the registry")
	zeros := strings.Repeat("A", 43)
	for _, c := range []struct {
		purpose        credential.Purpose
		prefix, domain string
	}{
		{credential.PartnerKey, "ptk_live_", ""}, {credential.PartnerKeyTest, "ptk_test_", ""},
		{credential.Buyer, "byr_live_", ""}, {credential.BuyerTest, "byr_test_", ""},
		{credential.Webhook, "whsec_", ""}, {credential.Join, "jns_", ""},
		{credential.Inbox, "ibx_", "colophon.mail-inbox.v1"},
		{credential.Conversation, "cvt_", "colophon.conversation-token.v1"},
		{credential.LetterConversation, "cvt_", "colophon.letter-conversation.v1"},
		{credential.Letters, "", "colophon.letters.v1"},
	} {
		if got, err := c.purpose.New(bytes.NewReader(make([]byte, 32))); err != nil || got != c.prefix+zeros {
			t.Errorf("%q is made, want the prefix %q: %v", got, c.prefix, err)
		}
		h := hmac.New(sha256.New, key)
		h.Write([]byte(c.domain + "\na\nb"))
		if got, want := c.purpose.Derive(key, "a", "b"), c.prefix+base64.RawURLEncoding.EncodeToString(h.Sum(nil)); got != want {
			t.Errorf("%q is derived, want %q", got, want)
		}
	}
}
