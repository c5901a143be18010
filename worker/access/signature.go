package access

import (
	"context"
	"encoding/base64"
	"slices"
	"strconv"
	"strings"
	"time"

	"colophon/worker/edge"
)

// Keys verifies with the keys of signers.
type Keys interface {
	// Verify reports whether signature is valid for message under the key with
	// an id of the signer at a host. It returns false if the signer's keys
	// cannot be found.
	Verify(ctx context.Context, host, keyID string, message, signature []byte) bool
}

// Bounds of what is read of a signature.
const (
	maxSignatureField = 4 << 10
	maxComponents     = 12
	maxSignatureAge   = 24 * 60 * 60 // seconds, as Web Bot Auth asks
	clockSkew         = 60
)

// signed is one signature of a request (RFC 9421) with the tag web-bot-auth.
type signed struct {
	label      string
	components []component
	params     string // as written in the field, which is what was signed
	keyID      string
	nonce      string // "" = none
	created    int64  // unix seconds
	expires    int64
	signature  []byte
}

type component struct{ name, key, text string }

// Signers finds out who signed requests.
type Signers struct {
	Keys   Keys // nil: nobody
	Nonces Nonces

	// Since is the instant since which Nonces remembers. A signature with a
	// nonce that was made before may have been used, so it proves nothing. If
	// Since is zero, every signature counts as new at first.
	Since time.Time
}

// MemorySigners returns signers whose nonces this process remembers from now
// on, allowing for signers whose clock is ahead.
func MemorySigners(keys Keys, now func() time.Time) Signers {
	return Signers{Keys: keys, Nonces: &NonceMemory{Now: now}, Since: now().Add(clockSkew * time.Second)}
}

// Identify returns the host of the directory whose key signed a request under
// Web Bot Auth. The signature must cover the authority and the signer's own
// name, and must be in its period. With a nonce it can be used once, without
// one until it expires. The authority is the Host of the request; a service
// that answers for any Host must check that it is its own.
func (x Signers) Identify(ctx context.Context, r *edge.Request, now time.Time) (host string, ok bool) {
	if x.Keys == nil {
		return "", false
	}
	host, s, ok := verifySignature(ctx, r, x.Keys, now)
	if !ok || s.nonce == "" {
		return host, ok
	}
	if time.Unix(s.created, 0).Before(x.Since) {
		return "", false
	}
	return host, x.Nonces.Spend(ctx, host, s.nonce, time.Unix(s.expires+clockSkew, 0))
}

func verifySignature(ctx context.Context, r *edge.Request, keys Keys, now time.Time) (host string, s *signed, ok bool) {
	s, ok = parseInput(joinHeader(r, "signature-input"), now.Unix())
	if !ok {
		return "", nil, false
	}
	if s.signature, ok = signatureOf(joinHeader(r, "signature"), s.label); !ok {
		return "", nil, false
	}
	url, ok := signerURL(joinHeader(r, "signature-agent"), s)
	if !ok {
		return "", nil, false
	}
	message, ok := s.signatureBase(r)
	if !ok {
		return "", nil, false
	}
	if host, ok = directoryHost(url); !ok {
		return "", nil, false
	}
	return host, s, keys.Verify(ctx, host, s.keyID, message, s.signature)
}

func joinHeader(r *edge.Request, name string) string {
	values := r.Header.Values(name)
	if n := strings.Join(values, ", "); len(n) <= maxSignatureField {
		return n
	}
	return ""
}

// parseInput returns the first member of Signature-Input with the tag
// web-bot-auth that is in its period.
func parseInput(field string, now int64) (*signed, bool) {
	for _, member := range splitTop(field, ',') {
		label, rest, ok := strings.Cut(strings.TrimSpace(member), "=")
		if !ok || !strings.HasPrefix(rest, "(") {
			continue
		}
		list, params, ok := strings.Cut(rest[1:], ")")
		if !ok {
			continue
		}
		s := &signed{label: label, params: rest}
		if s.parseInput(list, params, now) {
			return s, true
		}
	}
	return nil, false
}

func (s *signed) parseInput(list, params string, now int64) bool {
	for _, item := range strings.Fields(list) {
		c, ok := parseComponent(item)
		if !ok || len(s.components) == maxComponents {
			return false
		}
		s.components = append(s.components, c)
	}
	tag := ""
	for _, p := range splitTop(params, ';') {
		name, value, _ := strings.Cut(strings.TrimSpace(p), "=")
		switch name {
		case "created":
			s.created, _ = strconv.ParseInt(value, 10, 64)
		case "expires":
			s.expires, _ = strconv.ParseInt(value, 10, 64)
		case "keyid":
			s.keyID = unquoteString(value)
		case "nonce":
			if s.nonce = unquoteString(value); s.nonce == "" {
				return false
			}
		case "tag":
			tag = unquoteString(value)
		case "alg":
			if unquoteString(value) != "ed25519" {
				return false
			}
		}
	}
	inTime := s.created > 0 && s.created <= now+clockSkew && s.expires >= now-clockSkew && s.expires-s.created <= maxSignatureAge
	return tag == "web-bot-auth" && s.keyID != "" && inTime && s.coversComponent("@authority") && s.coversComponent("signature-agent")
}

func (s *signed) coversComponent(name string) bool {
	return slices.ContainsFunc(s.components, func(c component) bool { return c.name == name })
}

// parseComponent parses "name" or "name";key="member".
func parseComponent(item string) (component, bool) {
	name, param, _ := strings.Cut(item, ";")
	c := component{name: unquoteString(name), text: item}
	if c.name == "" || strings.ToLower(c.name) != c.name {
		return c, false
	}
	if param == "" {
		return c, true
	}
	value, ok := strings.CutPrefix(param, "key=")
	c.key = unquoteString(value)
	return c, ok && c.key != ""
}

func unquoteString(s string) string {
	s = strings.TrimSpace(s)
	if len(s) < 2 || s[0] != '"' || s[len(s)-1] != '"' || strings.ContainsAny(s[1:len(s)-1], "\"\\") {
		return ""
	}
	return s[1 : len(s)-1]
}

// splitTop splits at separators outside quoted strings and parentheses.
func splitTop(s string, sep byte) []string {
	var out []string
	depth := 0
	quoted := false
	start := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quoted:
			if c == '\\' {
				i++
			} else if c == '"' {
				quoted = false
			}
		case c == '"':
			quoted = true
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == sep && depth == 0:
			out, start = append(out, s[start:i]), i+1
		}
	}
	return append(out, s[start:])
}

// signatureOf returns the member of Signature with a label.
func signatureOf(field, label string) ([]byte, bool) {
	for _, member := range splitTop(field, ',') {
		name, value, ok := strings.Cut(strings.TrimSpace(member), "=")
		if !ok || name != label || len(value) < 2 || value[0] != ':' || value[len(value)-1] != ':' {
			continue
		}
		b, err := base64.StdEncoding.DecodeString(value[1 : len(value)-1])
		return b, err == nil && len(b) == 64
	}
	return nil, false
}

// signerURL returns the address in Signature-Agent that the signature covers:
// the member that it names, or the whole field in its older form.
func signerURL(field string, s *signed) (string, bool) {
	for _, c := range s.components {
		if c.name != "signature-agent" {
			continue
		}
		value := strings.TrimSpace(field)
		if c.key != "" {
			var ok bool
			if value, ok = memberOf(field, c.key); !ok {
				return "", false
			}
		}
		value, _, _ = strings.Cut(value, ";")
		url := unquoteString(value)
		return url, url != ""
	}
	return "", false
}

func memberOf(field, key string) (string, bool) {
	for _, member := range splitTop(field, ',') {
		name, value, ok := strings.Cut(strings.TrimSpace(member), "=")
		if ok && name == key {
			return value, true
		}
	}
	return "", false
}

// signatureBase returns the signature base of RFC 9421, section 2.5.
func (s *signed) signatureBase(r *edge.Request) ([]byte, bool) {
	var b strings.Builder
	seen := map[string]bool{}
	for _, c := range s.components {
		value, ok := c.componentValue(r)
		if !ok || seen[c.text] {
			return nil, false
		}
		seen[c.text] = true
		b.WriteString(c.text + ": " + value + "\n")
	}
	b.WriteString(`"@signature-params": ` + s.params)
	return []byte(b.String()), true
}

func (c *component) componentValue(r *edge.Request) (string, bool) {
	switch c.name {
	case "@authority":
		host := strings.ToLower(r.Header.Get("host"))
		return strings.TrimSuffix(host, ":443"), host != ""
	case "@method":
		return r.Method, true
	case "@path":
		return r.Path, true
	case "@query":
		return "?" + r.Query, true
	}
	if strings.HasPrefix(c.name, "@") || !r.Header.Has(c.name) {
		return "", false
	}
	if c.key != "" {
		return memberOf(joinHeader(r, c.name), c.key)
	}
	return strings.TrimSpace(joinHeader(r, c.name)), true
}
