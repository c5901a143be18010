package exports

import (
	"encoding/base64"
	"slices"
	"strings"
	"testing"
)

func TestKeysetCursor(t *testing.T) {
	for _, keys := range [][]string{{"req_1"}, {"site-a", "ent_1"}, {"", "ent_1"}, {"7", "3", ""}} {
		text := KeysetCursor("list", keys...)
		got, ok := ParseKeysetCursor(text, "list", len(keys))
		if !ok || !slices.Equal(got, keys) {
			t.Errorf("%q came back as %q, %v", keys, got, ok)
		}
		if got, ok := ParseKeysetCursor(text, "other", len(keys)); ok {
			t.Errorf("the cursor of another list: %q", got)
		}
		if got, ok := ParseKeysetCursor(text, "list", len(keys)+1); ok {
			t.Errorf("a key more: %q", got)
		}
	}
	// "list a", as RFC 4648 writes it.
	if got := KeysetCursor("list", "a"); got != "bGlzdCBh" {
		t.Error(got)
	}
	encode := base64.RawURLEncoding.EncodeToString
	for _, text := range []string{"", "x", "!", "bGlzdCBh=", "bGlzdCBi\n", encode([]byte("list")), KeysetCursor("list", strings.Repeat("a", maxKeyset))} {
		if keys, ok := ParseKeysetCursor(text, "list", 1); ok {
			t.Errorf("%.40q: %q", text, keys)
		}
	}
}
