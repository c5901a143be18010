package worker

import (
	"strings"

	"colophon/exports"
	"colophon/internal/inquiry"
	"colophon/internal/wire"
	"colophon/worker/edge"
)

// respond answers with a record.
func respond(status int, r wire.Record) *edge.Response {
	resp := &edge.Response{Status: status, Body: wire.Append(nil, r)}
	resp.Header.Set("content-type", exports.MediaJSON)
	return resp
}

// media is the media type of the request body, lower case.
func (c *call) media() string {
	return strings.ToLower(strings.TrimSpace(mediaOf(c.Header.Get("content-type"))))
}

// decode reads a JSON body of at most most bytes into r, and returns the
// fingerprint of the call: the digest of method, path and canonical body.
func (c *call) decode(r wire.Record, most int) (fingerprint string, err error) {
	if c.media() != "application/json" {
		return "", fail("unsupported_media_type", "Content-Type must be application/json.")
	}
	if len(c.Body) > most {
		return "", fail("body_too_large", "")
	}
	// Any number is JSON; the record says where it must be an integer.
	v, err := wire.Parse(c.Body, wire.Limits{Bytes: most, Floats: true})
	if err != nil {
		return "", err
	}
	if v.Kind != wire.KindObject {
		return "", fail("malformed_json", "The body must be a JSON object.")
	}
	if err := wire.DecodeValue(&v, r); err != nil {
		return "", err
	}
	return c.fingerprint(v), nil
}

func (c *call) fingerprint(v wire.Value) string {
	return inquiry.Digest(c.Method, c.Path, string(v.Append(nil)))
}

// idempotencyKey reads the header of that name, bare or as a quoted string;
// "" means that there is none.
func (c *call) idempotencyKey() (string, error) {
	values := c.Header.Values("idempotency-key")
	if len(values) == 0 {
		return "", nil
	}
	key := strings.TrimSpace(values[0])
	if n := len(key); n >= 2 && key[0] == '"' && key[n-1] == '"' {
		key = key[1 : n-1]
	}
	ok := len(values) == 1 && key != "" && len(key) <= 255
	for i := 0; i < len(key); i++ {
		ok = ok && key[i] > ' ' && key[i] < 0x7f
	}
	if !ok {
		return "", fail("idempotency_key_invalid", "")
	}
	return key, nil
}

// desk is where the stored requests are worked on, or an error when this
// server keeps none.
func (c *call) desk() (inquiry.Desk, error) {
	d := c.deps
	if d.Inquiries == nil || d.Sites == nil || len(d.Secret) == 0 {
		return inquiry.Desk{}, unavailable()
	}
	return inquiry.Desk{Store: d.Inquiries, Now: d.Now, Rand: d.Rand}, nil
}

func unavailable() error { return &failure{code: "origin_unavailable", retry: 30} }
