package channel

import (
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// Freshness, in seconds, where a standard gives one or HTTP is the only clue.
const (
	day           = 24 * 60 * 60
	robotsMaxAge  = day      // RFC 9309, section 2.4
	defaultMaxAge = day      // HTTP metadata and pages
	rslMaxAge     = 30 * day // RSL 1.0, section 3.2
)

func newResult(in Input, name Name) Result {
	sum := sha256.Sum256(in.Body)
	r := Result{State: Valid}
	r.Channel, r.URL, r.CheckedAt, r.Digest = name, in.URL, in.CheckedAt, hex.EncodeToString(sum[:])
	r.freshFor(in, defaultMaxAge)
	return r
}

// freshFor sets the end of validity: the shorter of what the standard and the
// transport say.
func (r *Result) freshFor(in Input, standard int64) {
	if in.CheckedAt == 0 {
		return
	}
	age := standard
	if in.MaxAge > 0 && in.MaxAge < age {
		age = in.MaxAge
	}
	r.ValidUntil = in.CheckedAt + age
}

func (r *Result) warn(code, locator, detail string) {
	r.Warnings = append(r.Warnings, Warning{code, clip(locator), clip(detail)})
}

func (r *Result) invalid(code, locator, detail string) {
	r.State = Invalid
	r.warn(code, locator, detail)
}

func (r *Result) say(s Statement) {
	s.Text, s.Locator = clip(s.Text), clip(s.Locator)
	r.Statements = append(r.Statements, s)
}

func (r *Result) link(base string, l Link) {
	abs, ok := absolute(base, l.URL)
	if !ok {
		r.warn("link_not_a_url", l.Locator, l.URL)
		return
	}
	l.URL = abs
	r.Links = append(r.Links, l)
}

// WarningCodes lists the codes once each, sorted.
func (r *Result) WarningCodes() []string {
	var codes []string
	for _, w := range r.Warnings {
		codes = append(codes, w.Code)
	}
	return sortedSet(codes)
}

func sortedSet(words []string) []string {
	slices.Sort(words)
	return slices.Compact(words)
}

// clip keeps quoted input short and well-formed: it is read by people.
func clip(s string) string {
	const most = 120
	s = strings.ToValidUTF8(s, "\ufffd")
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

func line(n int) string { return "line " + strconv.Itoa(n) }

// absolute resolves ref against base and accepts http and https only.
func absolute(base, ref string) (string, bool) {
	u, err := url.Parse(strings.TrimSpace(ref))
	if err != nil {
		return "", false
	}
	if b, err := url.Parse(base); err == nil && base != "" {
		u = b.ResolveReference(u)
	}
	if (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return "", false
	}
	return u.String(), true
}
