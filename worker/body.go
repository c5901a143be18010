package worker

import (
	"strings"

	"colophon/exports"
	"colophon/internal/inquiry"
	"colophon/internal/wire"
	"colophon/worker/edge"
	"colophon/worker/problem"
)

// respondRecord answers with a record.
func respondRecord(status int, r wire.Record) *edge.Response {
	resp := &edge.Response{Status: status, Body: wire.Append(nil, r)}
	resp.Header.Set("content-type", exports.MediaJSON)
	return resp
}

// requestMediaType is the media type of the request body, lower case.
func (c *call) requestMediaType() string {
	return strings.ToLower(strings.TrimSpace(mediaOf(c.Header.Get("content-type"))))
}

// decodeBody reads a JSON body of at most most bytes into r, and returns the
// fingerprint of the call: the digest of method, path and canonical body.
func (c *call) decodeBody(r wire.Record, most int) (fingerprint string, err error) {
	if c.requestMediaType() != "application/json" {
		return "", problem.New("unsupported_media_type", "Content-Type must be "+c.bodyForms()+".")
	}
	if len(c.Body) > most {
		return "", problem.New("body_too_large", "")
	}
	// Any number is JSON; the record says where it must be an integer.
	v, err := wire.Parse(c.Body, wire.Limits{Bytes: most, Floats: true})
	if err != nil {
		return "", err
	}
	if v.Kind != wire.KindObject {
		return "", problem.New("malformed_json", "The body must be a JSON object.")
	}
	if err := wire.DecodeValue(&v, r); err != nil {
		return "", err
	}
	return c.callFingerprint(v), nil
}

// bodyForms are the media types that an endpoint takes, in words.
func (c *call) bodyForms() string {
	if c.endpoint != nil && c.endpoint.ID == "create_request" {
		return "application/json or application/x-www-form-urlencoded"
	}
	return "application/json"
}

func (c *call) callFingerprint(v wire.Value) string {
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
		return "", problem.New("idempotency_key_invalid", "")
	}
	return key, nil
}

// inquiryService is where the stored requests are worked on, or an error when this
// server keeps none.
func (c *call) inquiryService() (inquiry.Service, error) {
	d := c.deps
	if d.Inquiries == nil || d.Sites == nil || len(d.Secret) == 0 {
		return inquiry.Service{}, problem.Unavailable()
	}
	return inquiry.Service{Store: d.Inquiries, Now: d.Now, Rand: d.Rand}, nil
}
