package frame

import (
	"bytes"

	"colophon/exports"
	"colophon/internal/prose"
	"colophon/internal/wire"
)

// EscapeLinkedData makes JSON safe inside a script element: it escapes "<",
// ">", "&" and line separators, so that no end tag and no comment can begin. It
// remains the same JSON.
func EscapeLinkedData(b []byte) []byte {
	if !needsEscape(b) {
		return b
	}
	for _, r := range [...][2]string{{"<", `\u003c`}, {">", `\u003e`}, {"&", `\u0026`}, {"\u2028", `\u2028`}, {"\u2029", `\u2029`}} {
		b = bytes.ReplaceAll(b, []byte(r[0]), []byte(r[1]))
	}
	return b
}

// needsEscape reports whether EscapeLinkedData may change b. Few documents need
// it, and one pass is cheaper than five copies.
func needsEscape(b []byte) bool {
	for _, c := range b {
		if c == '<' || c == '>' || c == '&' || c == 0xE2 { // the first byte of U+2028 and U+2029
			return true
		}
	}
	return false
}

// Node returns a schema.org object of a type, without the members that are
// null.
func Node(kind string, members ...wire.Member) wire.Value {
	kept := make([]wire.Member, 0, len(members)+2) // room for the type and for the context of a document
	kept = append(kept, wire.M("@type", wire.String(kind)))
	for _, m := range members {
		if m.Value.Kind != wire.KindNull {
			kept = append(kept, m)
		}
	}
	return wire.Object(kept...)
}

// Document returns a node as a separate document, with its context.
func Document(v wire.Value) []byte {
	return EscapeLinkedData(v.With("@context", wire.String("https://schema.org")).Append(nil))
}

// Text returns a member of cleaned text, or null if nothing is left.
func Text(key, s string, limit int) wire.Member {
	if s = prose.Clean(s, limit); s == "" {
		return wire.M(key, wire.Null())
	}
	return wire.M(key, wire.String(s))
}

// Address returns a member with an http or https address, or null.
func Address(key, u string) wire.Member {
	if !prose.Linkable(u) || u[0] == '/' {
		return wire.M(key, wire.Null())
	}
	return wire.M(key, wire.String(u))
}

// Instant returns a member with a time, or null if it is unknown.
func Instant(key, at string) wire.Member {
	if !exports.IsDay(at) {
		return wire.M(key, wire.Null())
	}
	return wire.M(key, wire.String(at))
}

// Organization returns a publisher as a schema.org Organization.
func Organization(label, siteID, url string) wire.Value {
	return Node("Organization", Text("name", Name(label, siteID), NameLimit), Address("url", url))
}
