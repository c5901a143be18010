package exports

import (
	"strings"
	"testing"

	"colophon/internal/assert"
)

func TestValidSiteID(t *testing.T) {
	for s, want := range map[string]bool{
		"ab": true, "a0": true, "0a": true, "a-": true, "harbor-ledger": true, "a--b": true, strings.Repeat("a", 64): true,
		"": false, "a": false, "-a": false, "Ab": false, "a_b": false, "a.b": false, "a b": false, "a/b": false, "é-a": false, "a\n": false,
		strings.Repeat("a", 65): false,
	} {
		assert.Equal(t, ValidSiteID(s), want, "%q", s)
	}
}

func TestValidEntryID(t *testing.T) {
	for s, want := range map[string]bool{
		"a": true, "A": true, "_": true, "-": true, "9": true, "Zz_-09": true, strings.Repeat("A", 64): true,
		"": false, "a.b": false, "a/b": false, "a b": false, "é": false, "a\x00": false, "@": false, "[": false, strings.Repeat("A", 65): false,
	} {
		assert.Equal(t, ValidEntryID(s), want, "%q", s)
	}
}

func TestDisposableEmail(t *testing.T) {
	for s, want := range map[string]bool{"a@mailinator.com": true, "a@YOPmail.com": true, "a@b.example": false, "a@xmailinator.com": false, "a@": false, "a@mailinator.com ": false} {
		assert.Equal(t, DisposableEmail(s), want, "%q: disposable", s)
	}
}
