package credential

import (
	"encoding/base64"
	"io"
)

// Purpose is what a secret is used for.
type Purpose struct {
	Prefix string // of the secret, by which a leaked one is recognized; "" none
	domain string // separates secrets that are derived from one key; "" it is always random
}

// The purposes of the secrets of a registry. Prefixes and domains must not change:
// secrets in use have them.
var (
	PartnerKey     = Purpose{Prefix: "ptk_live_"}
	PartnerKeyTest = Purpose{Prefix: "ptk_test_"}
	Buyer          = Purpose{Prefix: "byr_live_"}
	BuyerTest      = Purpose{Prefix: "byr_test_"}
	Webhook        = Purpose{Prefix: "whsec_"} // signs messages to a receiver
	Join           = Purpose{Prefix: "jns_"}   // opens the page of a request to be listed
	Inbox          = Purpose{Prefix: "ibx_", domain: "colophon.mail-inbox.v1"}
	Conversation   = Purpose{Prefix: "cvt_", domain: "colophon.conversation-token.v1"}

	// LetterConversation opens a conversation from the letters about it.
	LetterConversation = Purpose{Prefix: "cvt_", domain: "colophon.letter-conversation.v1"}
	// Letters opens the page on which a receiver says which letters to send.
	Letters = Purpose{domain: "colophon.letters.v1"}
)

// New returns a secret of 32 random bytes, or an error of rand.
func (p Purpose) New(rand io.Reader) (secret string, err error) {
	var b [32]byte
	if _, err := io.ReadFull(rand, b[:]); err != nil {
		return "", err
	}
	return p.Prefix + base64.RawURLEncoding.EncodeToString(b[:]), nil
}

// Derive returns the secret that follows from a key and texts. It is always the
// same, so that a retry is answered with the token of the first call, and each
// letter has the same link, although only a digest is stored.
func (p Purpose) Derive(key []byte, parts ...string) string {
	return p.Prefix + Sealed(key, append([]string{p.domain}, parts...)...)
}
