package exports

import "strings"

// Policy is how a published file is sent.
type Policy struct {
	ContentType  string
	CacheControl string
	Disposition  string
}

const (
	cacheStatic    = "public, max-age=300, stale-while-revalidate=86400"
	cacheImmutable = "public, max-age=31536000, immutable"
	cacheHead      = "public, max-age=5"
)

// PolicyOf gives the content type and cache life of a published file.
func PolicyOf(k Key) Policy {
	name := string(k)
	p := Policy{ContentType: contentType(knownExtension(name)), CacheControl: cacheStatic}
	if p.ContentType == "" {
		p.ContentType = "application/octet-stream"
	}
	switch {
	case name == "ledger/checkpoint":
		p.ContentType, p.CacheControl = MediaText, cacheHead
	case k == WithdrawnKey:
		p.CacheControl = cacheHead
	case name == "ledger/policy":
		p.ContentType = MediaText
	case strings.HasPrefix(name, tileFolder):
		p.CacheControl = cacheImmutable
	case strings.HasPrefix(name, "assets/"), strings.HasPrefix(name, "_ix/"), strings.HasPrefix(name, SegmentPrefix):
		p.CacheControl = cacheImmutable
	case strings.HasSuffix(name, "ai-rights-map.csv"):
		p.Disposition = `attachment; filename="ai-rights-map.csv"`
	case name == "v1/public/release/croissant.json":
		p.ContentType = MediaJSONLD
	case strings.HasPrefix(name, "v1/public/license-catalog/") && strings.HasSuffix(name, ".rsl.xml"):
		p.ContentType = "application/rsl+xml; charset=utf-8"
	}
	return p
}

// Immutable reports whether a published file never changes under its name.
func Immutable(k Key) bool { return PolicyOf(k).CacheControl == cacheImmutable }

// SecurityHeaders are sent with every answer of a path; content is the policy
// of the body: pages may load their own style, script and data, nothing else.
// The editor alone may compile Wasm, which runs in the page like a script.
func SecurityHeaders(path, contentType string) [][2]string {
	csp := "default-src 'none'; frame-ancestors 'none'"
	if strings.HasPrefix(contentType, "text/html") {
		csp = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
	}
	if path == PathEditor {
		csp = strings.Replace(csp, "script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'", 1)
	}
	return [][2]string{
		{"content-security-policy", csp},
		{"referrer-policy", "no-referrer"},
		{"strict-transport-security", "max-age=31536000; includeSubDomains"},
		{"x-content-type-options", "nosniff"},
		{"service-version", Version},
	}
}

// Unshared are the beginnings of the paths whose answers browsers of other origins
// may not read: keys and tokens stay on servers.
var Unshared = []string{
	"/v1/partner/", "/v1/rag-delivery/", "/mcp", PathInbox, PathLetters, PathShortlist, PathJoin, PathNeedPage, PathConversationPage,
	"/v1/public/licensing-conversations/", "/v1/public/agent-procurement/",
}

// IsShared reports whether browsers of any origin may read the answers of a path.
func IsShared(path string) bool {
	for _, p := range Unshared {
		if strings.HasPrefix(path, p) {
			return false
		}
	}
	return true
}

// PublicHeaders are sent with every answer that browsers of any origin may
// read.
func PublicHeaders() [][2]string {
	return [][2]string{
		{"access-control-allow-origin", "*"},
		{"access-control-expose-headers", "ETag, Idempotency-Replayed, Link, Location, RateLimit, RateLimit-Policy, Request-Id, Retry-After"},
		{"cross-origin-resource-policy", "cross-origin"},
	}
}
