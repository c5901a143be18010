package exports

import (
	"cmp"
	"strings"
)

// Policy is how a published file is sent.
type Policy struct {
	ContentType  string
	CacheControl string
	Disposition  string
	Vary         string
	Ranges       bool // range requests are answered
	Whole        bool // it is not compressed
	Undated      bool // it does not depend on when the registry changed
}

const (
	cacheFiles     = "public, max-age=300, stale-while-revalidate=86400"
	cacheImmutable = "public, max-age=31536000, immutable"
	cacheHead      = "public, max-age=5"
	cacheComputed  = "public, max-age=60"
	cacheNone      = "no-store"
)

// FileRule says how to send the files whose keys match a pattern, which has the
// syntax of RFC 9309.
type FileRule struct {
	Files string
	Policy
}

// FileRules are the rules for all published files. A later rule adds to earlier
// ones and replaces what they set.
var FileRules = []FileRule{
	{"*", Policy{CacheControl: cacheFiles, Vary: "accept-encoding"}},
	{"ledger/", Policy{Undated: true}},
	{"ledger/checkpoint$", Policy{ContentType: MediaText, CacheControl: cacheHead}},
	{"ledger/policy$", Policy{ContentType: MediaText}},
	{tileFolder, Policy{CacheControl: cacheImmutable, Whole: true}},
	{"assets/", Policy{CacheControl: cacheImmutable, Undated: true}},
	{indexFolder, Policy{CacheControl: cacheImmutable, Undated: true}},
	{PackPrefix, Policy{CacheControl: cacheImmutable, Undated: true, Whole: true}},
	{rangeFolder, Policy{Whole: true}},
	{string(WithdrawnKey) + "$", Policy{CacheControl: cacheHead}},
	{"v1/public/citations/*.json$", Policy{Vary: "accept, accept-encoding"}},
	{"v1/public/license-catalog/*.rsl.xml$", Policy{ContentType: "application/rsl+xml; charset=utf-8"}},
	{".well-known/ai-catalog.json$", Policy{ContentType: "application/ai-catalog+json"}},
	{"v1/public/release/croissant.json$", Policy{ContentType: MediaJSONLD}},
	{"*ai-rights-map.csv$", Policy{Disposition: `attachment; filename="ai-rights-map.csv"`}},
	{"*.csv$", Policy{Ranges: true}},
	{"*.ndjson$", Policy{Ranges: true}},
	{"*.parquet$", Policy{Ranges: true, Whole: true}},
	{"*.ico$", Policy{Whole: true}},
	{"*.idx$", Policy{Whole: true}},
	{"*.png$", Policy{Whole: true}},
}

// PolicyOf returns how a published file is sent.
func PolicyOf(k Key) Policy {
	p := Policy{ContentType: cmp.Or(contentType(knownExtension(string(k))), "application/octet-stream")}
	for _, r := range FileRules {
		if MatchNormalPattern(r.Files, string(k)) {
			p = Policy{
				ContentType: cmp.Or(r.ContentType, p.ContentType), CacheControl: cmp.Or(r.CacheControl, p.CacheControl),
				Disposition: cmp.Or(r.Disposition, p.Disposition), Vary: cmp.Or(r.Vary, p.Vary),
				Ranges: p.Ranges || r.Ranges, Whole: p.Whole || r.Whole, Undated: p.Undated || r.Undated,
			}
		}
	}
	if p.Whole {
		p.Vary = ""
	}
	return p
}

// Immutable reports whether a published file never changes under its name.
func Immutable(k Key) bool { return PolicyOf(k).CacheControl == cacheImmutable }

// SecurityHeaders returns the security headers of every answer for a path. The
// content security policy depends on contentType: pages may load their own
// styles, scripts and data, nothing else. Only the editor may also compile
// Wasm, which runs in the page like a script.
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

// PublicHeaders returns the headers of every answer that browsers of any origin
// may read.
func PublicHeaders() [][2]string {
	return [][2]string{
		{"access-control-allow-origin", "*"},
		{"access-control-expose-headers", "ETag, Idempotency-Replayed, Link, Location, RateLimit, RateLimit-Policy, Request-Id, Retry-After"},
		{"cross-origin-resource-policy", "cross-origin"},
	}
}
