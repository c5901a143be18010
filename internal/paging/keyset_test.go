package paging

import (
	"encoding/base64"
	"slices"
	"strings"
	"testing"
)

func TestKeyset(t *testing.T) {
	for _, keys := range [][]string{{"req_1"}, {"site-a", "ent_1"}, {"", "ent_1"}, {"7", "3", ""}} {
		text := Keyset("list", keys...)
		got, ok := ParseKeyset(text, "list", len(keys))
		if !ok || !slices.Equal(got, keys) {
			t.Errorf("%q came back as %q, %v", keys, got, ok)
		}
		if got, ok := ParseKeyset(text, "other", len(keys)); ok {
			t.Errorf("the cursor of another list: %q", got)
		}
		if got, ok := ParseKeyset(text, "list", len(keys)+1); ok {
			t.Errorf("a key more: %q", got)
		}
	}
	// "list a", as RFC 4648 writes it.
	if got := Keyset("list", "a"); got != "bGlzdCBh" {
		t.Error(got)
	}
	encode := base64.RawURLEncoding.EncodeToString
	for _, text := range []string{"", "x", "!", "bGlzdCBh=", "bGlzdCBi\n", encode([]byte("list")), Keyset("list", strings.Repeat("a", maxKeyset))} {
		if keys, ok := ParseKeyset(text, "list", 1); ok {
			t.Errorf("%.40q: %q", text, keys)
		}
	}
}
