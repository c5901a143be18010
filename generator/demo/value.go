package demo

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"colophon/internal/provenance"
	"colophon/internal/wire"
)

// known returns word, which must be one of list.
func (b *block) known(word string, list []string) string {
	for _, w := range list {
		if w == word {
			return word
		}
	}
	b.fault("%q is not one of %s", word, strings.Join(list, ", "))
	return word
}

// time turns a day into an instant and lets an instant pass.
func (b *block) time(text string) string {
	if len(text) == len("2026-01-02") {
		text += "T08:00:00Z"
	}
	if text != "" && !wire.IsTime(text) {
		b.fault("%q is neither a day nor an instant", text)
	}
	return text
}

// url returns an address in canonical form; "" passes.
func (b *block) url(text string) string {
	if text == "" {
		return ""
	}
	canonical, err := provenance.URLKey(text)
	if err != nil {
		b.fault("%q is not an address: %w", text, err)
	}
	return canonical
}

// private marks a private text as such.
func (b *block) private(text string) string {
	if text == "" {
		b.fault("a private text is missing")
	}
	return CanaryPrefix + text
}

// hexDigest is the lower-case hex SHA-256 of a text.
func hexDigest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
