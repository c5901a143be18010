package demo

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"colophon/internal/urlkey"
	"colophon/internal/wire"
)

// knownWord returns word, which must be one of list.
func (b *block) knownWord(word string, list []string) string {
	for _, w := range list {
		if w == word {
			return word
		}
	}
	b.setFault("%q is not one of %s", word, strings.Join(list, ", "))
	return word
}

// parseTime turns a day into an instant and returns an instant unchanged.
func (b *block) parseTime(text string) string {
	if len(text) == len("2026-01-02") {
		text += "T08:00:00Z"
	}
	if text != "" && !wire.IsTime(text) {
		b.setFault("%q is neither a day nor an instant", text)
	}
	return text
}

// canonicalURL returns an address in canonical form, and "" unchanged.
func (b *block) canonicalURL(text string) string {
	if text == "" {
		return ""
	}
	canonical, err := urlkey.URLKey(text)
	if err != nil {
		b.setFault("%q is not an address: %w", text, err)
	}
	return canonical
}

// checkPrivate returns a private text with the canary prefix.
func (b *block) checkPrivate(text string) string {
	if text == "" {
		b.setFault("a private text is missing")
	}
	return CanaryPrefix + text
}

// hexDigest returns the lower-case hex SHA-256 of a text.
func hexDigest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
