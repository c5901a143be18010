package exports_test

import (
	"net/url"
	"testing"

	"colophon/exports"
)

// TestEscapeQuery compares every octet with url.QueryEscape, which differs from
// RFC 3986 only for the space.
func TestEscapeQuery(t *testing.T) {
	for c := range 256 {
		text := string([]byte{byte(c)})
		want := url.QueryEscape(text)
		if c == ' ' {
			want = "%20"
		}
		if got := exports.EscapeQuery(text, ""); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	if got := exports.EscapeQuery("https://a.example/*?b=ü", ":/*"); got != "https://a.example/*%3Fb%3D%C3%BC" {
		t.Errorf("with more characters: %s", got)
	}
}
