package exports_test

import (
	"net/url"
	"testing"

	"colophon/exports"
	"colophon/internal/assert"
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
		assert.Equal(t, exports.EscapeQuery(text, ""), want, "%q", text)
	}
	assert.Equal(t, exports.EscapeQuery("https://a.example/*?b=ü", ":/*"), "https://a.example/*%3Fb%3D%C3%BC", "with more characters")
}
