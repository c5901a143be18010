package iscc

import (
	"encoding/base32"
	"encoding/binary"
	"errors"
	"math/bits"
	"strings"
)

// Minima is how many minima a code keeps, with 4 bits each.
const Minima = 64

// Code is the body of a 256-bit Text-Code: four planes of 64 bits. Plane p has
// bit p of every minimum, the first minimum's in the highest bit of the plane's
// first byte.
type Code [32]byte

// The header of a Text-Code: MainType CONTENT, SubType TEXT, version 0, and the
// length in units of 32 bits, minus one.
const (
	headerType = 0x20
	codePrefix = "ISCC:"
)

var encoding = base32.StdEncoding.WithPadding(base32.NoPadding)

// String returns the canonical form, "ISCC:" and 55 characters of base32.
func (c Code) String() string { return c.Prefix(256) }

// Prefix returns the canonical form of the code of the same text in n bits, a
// multiple of 32 from 64 to 256.
func (c *Code) Prefix(n int) string {
	b := append([]byte{headerType, byte(n/32 - 1)}, c[:n/8]...)
	return codePrefix + encoding.EncodeToString(b)
}

// ErrCode says that a text is not a 256-bit ISCC Text-Code.
var ErrCode = errors.New("not an ISCC Text-Code of 256 bits")

// Parse parses the canonical form; the prefix may be missing, and case does not
// matter. It returns ErrCode for anything else.
func Parse(s string) (Code, error) {
	s = strings.TrimPrefix(strings.ToUpper(s), codePrefix)
	b, err := encoding.DecodeString(s)
	if err != nil || len(b) != 34 || b[0] != headerType || b[1] != 256/32-1 || encoding.EncodeToString(b) != s {
		return Code{}, ErrCode
	}
	return Code(b[2:]), nil
}

// pack returns the code of minima, which keeps the low 4 bits of each.
func pack(minima *[Minima]uint32) (c Code) {
	for i, m := range minima {
		for plane := range 4 {
			c[plane*8+i/8] |= byte(m>>plane&1) << (7 - i%8)
		}
	}
	return c
}

// Equal counts the minima whose 4 bits agree, from 0 to Minima.
func (c *Code) Equal(d *Code) int {
	var differ uint64
	for p := 0; p < len(c); p += 8 {
		differ |= binary.BigEndian.Uint64(c[p:]) ^ binary.BigEndian.Uint64(d[p:])
	}
	return Minima - bits.OnesCount64(differ)
}

// Band returns minima from to from+n-1 as a number of 4 bits each; n is at most
// 8.
func (c *Code) Band(from, n int) (key uint32) {
	for i := from; i < from+n; i++ {
		for p := 0; p < len(c); p += 8 {
			key = key<<1 | uint32(c[p+i/8]>>(7-i%8)&1)
		}
	}
	return key
}

// SimilarityError is the standard deviation of an estimate of similarity, where
// it is largest.
const SimilarityError = 0.067

// Similarity estimates how much wording two texts share (the Jaccard index of
// their 13-character runs, 0 to 1) from the number of equal minima. It corrects
// for the one in 16 that is equal by chance.
func Similarity(equal int) float64 {
	share := (float64(equal)/Minima - 1.0/16) * 16 / 15
	return max(0, share)
}
