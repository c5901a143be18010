package edgelab

import (
	"context"
	"encoding/base64"

	"colophon/worker/edge"
)

// A small signed record: RFC 8032, section 7.1, test 3.
const (
	testKey       = "_FHNjmIYoaONpH7QAjDwWAgW7RO6MwOsXeuRFUiQgCU"
	testMessage   = "\xaf\x82"
	testSignature = "YpHWV97sJAJIJ-acOr4BowzlSKKEdDpEXjaA19taw6wY_5tTjRbykK5n92CYTcZZSnwV6XFu0o3AJ77O6h7ECg"
)

// verify checks the record; ?bad=1 changes its message first.
func (l *Lab) verify(ctx context.Context, r *edge.Request) *edge.Response {
	key, err := base64.RawURLEncoding.DecodeString(testKey)
	if err != nil {
		return problem(500, "bad_key")
	}
	sig, err := base64.RawURLEncoding.DecodeString(testSignature)
	if err != nil {
		return problem(500, "bad_signature")
	}
	message := testMessage
	if param(r, "bad") != "" {
		message += "!"
	}
	ok, err := l.Verify(ctx, key, []byte(message), sig)
	if err != nil {
		return problem(500, "verify_failed")
	}
	if ok {
		return jsonBody([]byte(`{"valid":true}`))
	}
	return jsonBody([]byte(`{"valid":false}`))
}
