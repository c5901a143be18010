package canonicaltext

import (
	"crypto/sha256"
	"encoding/hex"
	"unicode/utf8"

	"colophon/internal/outcome"
)

// TextUnicode is the version of the Unicode data on which the profile
// service.canonical-text.v1 is frozen.
const TextUnicode = "15.0.0"

// MinTextRunes is the least length, in code points of canonical text, for
// which a record is issued: shorter texts are the same by nature.
const MinTextRunes = 64

// CanonicalText returns the canonical form of a plain text under the profile
// service.canonical-text.v1, or TextIllFormed when s is not well-formed UTF-8.
// The form may be empty; it is its own canonical form.
//
//go:noinline
func CanonicalText(s string) (string, error) {
	b, err := AppendCanonicalText(make([]byte, 0, len(s)), []byte(s))
	return string(b), err
}

// AppendCanonicalText appends the canonical form of src to dst. On an error
// dst is returned as it was. The work is linear in len(src).
func AppendCanonicalText(dst, src []byte) ([]byte, error) {
	c := canonicalizer{out: dst, start: len(dst)}
	for i := 0; i < len(src); {
		if n := asciiRun(src[i:]); n > 0 {
			c.flushSegment()
			c.writeASCII(src[i : i+n])
			i += n
			continue
		}
		r, size := utf8.DecodeRune(src[i:])
		if r == utf8.RuneError && size <= 1 {
			return dst, outcome.TextIllFormed
		}
		i += size
		switch {
		case r == 0xFEFF:
			i += selectorRun(src[i:])
		case r == 0xAD || r == 0x200B || r == 0x2060:
		default:
			c.addRune(r)
		}
	}
	c.flushSegment()
	return c.out, nil
}

// PortableDigest returns the lower-case hex SHA-256 of a canonical text: the
// value of fingerprints.portable.digest.
func PortableDigest(canonical []byte) string {
	sum := sha256.Sum256(canonical)
	return hex.EncodeToString(sum[:])
}

// asciiRun counts the leading bytes that are visible ASCII and followed by
// ASCII, so that no mark can reach them.
func asciiRun(src []byte) int {
	n := 0
	for n+1 < len(src) && src[n] > ' ' && src[n] < utf8.RuneSelf && src[n+1] < utf8.RuneSelf {
		n++
	}
	return n
}

// selectorRun returns the length in bytes of the variation selectors at the
// head of src. Directly after U+FEFF they are an embedded manifest, not text.
func selectorRun(src []byte) int {
	n := 0
	for n < len(src) {
		r, size := utf8.DecodeRune(src[n:])
		if !(r >= 0xFE00 && r <= 0xFE0F || r >= 0xE0100 && r <= 0xE01EF) {
			break
		}
		n += size
	}
	return n
}

// canonicalizer holds the current segment and writes what is before it.
type canonicalizer struct {
	out     []byte
	start   int  // of the text in out
	space   bool // white space seen and not yet written
	segment segment
}

func (c *canonicalizer) addRune(r rune) {
	if startsSegment(nfcValue(r)) {
		c.flushSegment()
	}
	c.segment.in = append(c.segment.in, r)
}

// flushSegment writes the segment in NFC and empties it.
func (c *canonicalizer) flushSegment() {
	in := c.segment.in
	switch {
	case len(in) == 0:
		return
	case len(in) == 1 && startsSegment(nfcValue(in[0])):
		c.readRune(in[0])
	default:
		for _, m := range c.segment.composeNFC() {
			c.readRune(m.r)
		}
	}
	c.segment.in = in[:0]
}

func (c *canonicalizer) readRune(r rune) {
	if whiteSpace(r) {
		c.space = true
		return
	}
	c.writeSeparator()
	c.out = utf8.AppendRune(c.out, r)
}

// writeASCII writes visible ASCII.
func (c *canonicalizer) writeASCII(b []byte) {
	c.writeSeparator()
	c.out = append(c.out, b...)
}

// writeSeparator writes the one space that stands for the white space before what
// comes next, unless it is at the head of the text.
func (c *canonicalizer) writeSeparator() {
	if c.space && len(c.out) > c.start {
		c.out = append(c.out, ' ')
	}
	c.space = false
}

// whiteSpace returns the literal list of the profile. It is neither the Unicode
// property nor any language's own notion, because those change.
func whiteSpace(r rune) bool {
	switch {
	case r <= 0x20:
		return r == 0x20 || r >= 0x09 && r <= 0x0D
	case r < 0x1680:
		return r == 0x85 || r == 0xA0
	case r >= 0x2000 && r <= 0x200A:
		return true
	}
	return r == 0x1680 || r == 0x2028 || r == 0x2029 || r == 0x202F || r == 0x205F || r == 0x3000
}

// AppendNFC appends the normalization form NFC of src to dst, by the frozen
// Unicode data of the profile. Bytes that are no UTF-8 become U+FFFD. dst and
// src must not overlap.
func AppendNFC(dst, src []byte) []byte {
	var s segment
	for len(src) > 0 {
		r, size := utf8.DecodeRune(src)
		src = src[size:]
		if startsSegment(nfcValue(r)) {
			dst = s.flushTo(dst)
		}
		s.in = append(s.in, r)
	}
	return s.flushTo(dst)
}

// flushTo appends the segment in NFC and empties it.
func (s *segment) flushTo(dst []byte) []byte {
	for _, m := range s.composeNFC() {
		dst = utf8.AppendRune(dst, m.r)
	}
	s.in = s.in[:0]
	return dst
}
