package frame

import (
	"bytes"

	"colophon/exports"
	"colophon/internal/prose"
	"colophon/internal/wire"
)

// EscapeLinkedData makes JSON safe inside a script element: no "<", ">" or
// "&" and no line separators remain, so no end tag and no comment can begin.
// It is still the same JSON.
func EscapeLinkedData(b []byte) []byte {
	if !needsEscape(b) {
		return b
	}
	for _, r := range [...][2]string{{"<", `\u003c`}, {">", `\u003e`}, {"&", `\u0026`}, {"\u2028", `\u2028`}, {"\u2029", `\u2029`}} {
		b = bytes.ReplaceAll(b, []byte(r[0]), []byte(r[1]))
	}
	return b
}

// needsEscape reports whether EscapeLinkedData may change b, which it does to
// few documents: one pass over it is cheaper than five copies.
func needsEscape(b []byte) bool {
	for _, c := range b {
		if c == '<' || c == '>' || c == '&' || c == 0xE2 { // with which U+2028 and U+2029 begin
			return true
		}
	}
	return false
}

// Node returns one schema.org object.
func Node(kind string, members ...wire.Member) wire.Value {
	kept := make([]wire.Member, 0, len(members)+2) // with room for the context of a document
	kept = append(kept, wire.M("@type", wire.String(kind)))
	for _, m := range members {
		if m.Value.Kind != wire.KindNull {
			kept = append(kept, m)
		}
	}
	return wire.Object(kept...)
}

// Document returns a node that stands alone.
func Document(v wire.Value) []byte {
	return EscapeLinkedData(v.With("@context", wire.String("https://schema.org")).Append(nil))
}

// Text returns a member of Clean text, left out when empty.
func Text(key, s string, limit int) wire.Member {
	if s = prose.Clean(s, limit); s == "" {
		return wire.M(key, wire.Null())
	}
	return wire.M(key, wire.String(s))
}

// Address returns a member with an http or https address, left out otherwise.
func Address(key, u string) wire.Member {
	if !prose.Linkable(u) || u[0] == '/' {
		return wire.M(key, wire.Null())
	}
	return wire.M(key, wire.String(u))
}

// Instant returns a member with a time, left out when not known.
func Instant(key, at string) wire.Member {
	if !exports.IsDay(at) {
		return wire.M(key, wire.Null())
	}
	return wire.M(key, wire.String(at))
}

// Organization returns a publisher as schema.org sees it.
func Organization(label, siteID, url string) wire.Value {
	return Node("Organization", Text("name", Name(label, siteID), NameLimit), Address("url", url))
}
