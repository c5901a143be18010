package request

import (
	"strings"

	"colophon/internal/credential"
	"colophon/internal/wire"
	"colophon/worker/problem"
)

// BodyType returns the media type of the request body, lower case.
func (c *Call) BodyType() string {
	return strings.ToLower(strings.TrimSpace(MediaOf(c.Header.Get("content-type"))))
}

// ParseBody parses a body that is a JSON object of at most most bytes.
func (c *Call) ParseBody(most int) (wire.Value, error) {
	if c.BodyType() != "application/json" {
		return wire.Value{}, problem.New("unsupported_media_type", "Content-Type must be "+c.bodyForms()+".")
	}
	if len(c.Body) > most {
		return wire.Value{}, problem.New("body_too_large", "")
	}
	// Any number is valid JSON; the record requires integers where they are
	// needed.
	v, err := wire.Parse(c.Body, wire.Limits{Bytes: most, Floats: true})
	if err == nil && v.Kind != wire.KindObject {
		err = problem.New("malformed_json", "The body must be a JSON object.")
	}
	return v, err
}

// DecodeBody decodes a JSON body of at most most bytes into r, and returns the
// fingerprint of the call: the digest of method, path and canonical body.
func (c *Call) DecodeBody(r wire.Record, most int) (fingerprint string, err error) {
	v, err := c.ParseBody(most)
	if err != nil {
		return "", err
	}
	if err := wire.DecodeValue(&v, r); err != nil {
		return "", err
	}
	return c.Fingerprint(v), nil
}

// bodyForms returns the media types that an endpoint takes, in words.
func (c *Call) bodyForms() string {
	if c.Endpoint != nil && c.Endpoint.ID == "create_request" {
		return "application/json or application/x-www-form-urlencoded"
	}
	return "application/json"
}

// Fingerprint returns the digest of method, path and a canonical body.
func (c *Call) Fingerprint(v wire.Value) string {
	return credential.Digest(c.Method, c.Path, string(v.Append(nil)))
}

// IdempotencyKey reads the header of that name, bare or as a quoted string;
// "" means that there is none.
func (c *Call) IdempotencyKey() (string, error) {
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

// ParseForm decodes an application/x-www-form-urlencoded body of fields, each
// name once. Line breaks become line feeds.
func (c *Call) ParseForm(most int) (Values, error) {
	if c.BodyType() != "application/x-www-form-urlencoded" {
		return nil, problem.New("unsupported_media_type", "Content-Type must be application/x-www-form-urlencoded.")
	}
	if len(c.Body) > most || c.TooLarge {
		return nil, problem.New("body_too_large", "")
	}
	var f Values
	for rest := string(c.Body); rest != ""; {
		var pair string
		pair, rest, _ = strings.Cut(rest, "&")
		rawName, rawText, _ := strings.Cut(pair, "=")
		name, ok := DecodePercent(rawName)
		text, ok2 := DecodePercent(rawText)
		switch {
		case pair == "":
			continue
		case !ok || !ok2:
			return nil, problem.New("malformed_json", "The form has a broken percent-encoding or is not UTF-8.")
		case f.Has(name) || len(f) == 64:
			return nil, problem.New("malformed_json", "The form has a field twice, or too many fields.")
		}
		text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
		f = append(f, [2]string{name, text})
	}
	return f, nil
}
