// Package canonicaltext is the profile service.canonical-text.v1, by which a
// text has one form and one digest that anyone can compute again.
//
// CanonicalText takes well-formed UTF-8, removes U+FEFF (with the variation
// selectors directly after it), U+00AD, U+200B and U+2060, normalises to NFC
// with the data of Unicode 15.0.0, writes each run of the 25 listed white-space
// characters as one space and none at the ends. A code point that 15.0.0 does
// not know is inert. PortableDigest is the hex SHA-256 of the result:
//
//	"Cafe" U+0301 CR LF "noir"  ->  "Café noir"
//
// The tables are frozen in tables.go: a toolchain's newer Unicode would change
// digests.
package canonicaltext
