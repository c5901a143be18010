package channel

import (
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"colophon/internal/channel/statements"
	"colophon/internal/wire"
)

// Freshness, in seconds, if a standard defines it or HTTP is the only clue.
const (
	day           = 24 * 60 * 60
	robotsMaxAge  = day      // RFC 9309, section 2.4
	defaultMaxAge = day      // HTTP metadata and pages
	rslMaxAge     = 30 * day // RSL 1.0, section 3.2
)

// MaxDocumentBytes is how many bytes of one document are kept. RFC 9309,
// section 2.5, requires at least 500 KiB of robots.txt. A document of that size
// is assumed to be longer.
const MaxDocumentBytes = 512 << 10

func newResult(in Input, name statements.Name) Result {
	r := Result{State: Valid}
	r.Channel = name
	r.URL = in.URL
	r.CheckedAt = in.CheckedAt
	r.Digest = wire.SHA256Hex(in.Body)
	r.freshFor(in, defaultMaxAge)
	if len(in.Body) >= MaxDocumentBytes-utf8.UTFMax {
		r.addGap("document_truncated", "", "")
	}
	return r
}

// freshFor sets the end of validity: the earlier of the standard's and the
// transport's.
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

// Bounds of one document. A longer document is read in part.
const (
	maxStatements = 10000
	maxWarnings   = 200
	maxGaps       = 20
)

func (r *Result) addWarning(code, locator, detail string) {
	if len(r.Warnings) < maxWarnings {
		r.Warnings = append(r.Warnings, Warning{code, clipText(locator), clipText(detail)})
	}
}

// rejectDocument rejects a document of which nothing was understood.
func (r *Result) rejectDocument(code, locator, detail string) {
	r.State = Invalid
	r.addGap(code, locator, detail)
}

// markAbsent marks an answer that is not a document of its kind at all, such as
// a page for people at a well-known address: the document counts as absent.
func (r *Result) markAbsent(code string) {
	r.State = Invalid
	r.addWarning(code, "", "")
}

// textResult begins the result of a document that is plain text; ok is false
// for a page for people in its place.
func textResult(in Input, name statements.Name) (r Result, ok bool) {
	r = newResult(in, name)
	isPage := looksLikeHTML(in.Body)
	if isPage {
		r.markAbsent("html_instead_of_text")
	}
	return r, !isPage
}

// addGap warns of a part of the document that was not understood and that may
// restrict anything the document is about.
func (r *Result) addGap(code, locator, detail string) {
	r.gapIn(statements.Gap{Code: code, Locator: locator}, detail)
}

// gapIn is gap with an explicit scope.
func (r *Result) gapIn(g statements.Gap, detail string) {
	r.addWarning(g.Code, g.Locator, detail)
	g.Locator = clipText(g.Locator)
	switch {
	case len(r.Gaps) < maxGaps:
		r.Gaps = append(r.Gaps, g)
	case len(r.Gaps) == maxGaps: // the rest is summed up as the whole document
		r.Gaps = append(r.Gaps, statements.Gap{Code: "too_many_gaps"})
	}
}

// Exclude drops everything that a document says, for a reason that has nothing
// to do with it, and leaves a gap in its place.
func (r *Result) Exclude(code string) {
	r.Statements = nil
	r.Groups = nil
	r.Agents = nil
	r.Gaps = nil
	r.addGap(code, "", "")
}

func (r *Result) addStatement(s statements.Statement) {
	if len(r.Statements) == maxStatements {
		if !r.full {
			r.full = true
			r.gapIn(statements.Gap{Code: "too_many_statements", Locator: s.Locator}, "")
		}
		return
	}
	s.Text, s.Locator = clipText(s.Text), clipText(s.Locator)
	r.Statements = append(r.Statements, s)
}

func (r *Result) addStatements(list []statements.Statement) {
	for _, s := range list {
		r.addStatement(s)
	}
}

func (r *Result) addLink(base string, l statements.Link) {
	abs, ok := ResolveAbsolute(base, l.URL)
	if !ok {
		r.addWarning("link_not_a_url", l.Locator, l.URL)
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
	return statements.SortedSet(codes)
}

// clipText keeps quoted input short and well-formed: it is read by people.
func clipText(s string) string {
	const most = 120
	s = strings.ToValidUTF8(s, "\ufffd")
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

func lineLocator(n int) string { return "line " + strconv.Itoa(n) }

// ResolveAbsolute resolves ref against base and accepts http and https only.
func ResolveAbsolute(base, ref string) (string, bool) {
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
