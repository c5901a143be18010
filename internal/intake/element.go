package intake

import (
	"net/url"
	"strings"

	"golang.org/x/net/html"

	"colophon/internal/extract"
)

// maxDepth bounds recursion into a page; the parser itself stops at 512.
const maxDepth = extract.MaxDepth

// Names of package extract that are used all over this one.
var (
	attr        = extract.Attr
	oneLine     = extract.OneLine
	textOf      = extract.RawText
	dropped     = extract.Invisible
	block       = extract.IsBlock
	languageTag = extract.LanguageTag
	instant     = extract.Instant
	instantOf   = extract.InstantOf
	plainText   = extract.PlainText
)

// resolveTarget resolves the address in an attribute; it returns "" for what
// readers must not follow: scripts, data, other schemes.
func resolveTarget(n *html.Node, name string, base *url.URL) string {
	raw := strings.TrimSpace(attr(n, name))
	if raw == "" || len(raw) > 2048 {
		return ""
	}
	u, err := url.Parse(raw)
	if err != nil {
		return ""
	}
	if base != nil {
		u = base.ResolveReference(u)
	}
	switch u.Scheme {
	case "http", "https":
		if u.Host != "" && u.User == nil {
			return u.String()
		}
	case "mailto":
		return u.String()
	}
	return ""
}

func isDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func isLetterOrDigit(c byte) bool { return isLetter(c) || c >= '0' && c <= '9' }

func htmlSpace(r rune) bool { return r == ' ' || r == '\n' || r == '\t' || r == '\r' || r == '\f' }
