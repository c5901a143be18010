package iscc

import (
	"unicode/utf8"

	"colophon/internal/canonicaltext"
)

// appendCollapsed appends the characters of a text that count towards its code:
// NFD, lower case, without white space and the categories C, M and P, then
// NFKC. It drops bytes that are not UTF-8. unstable reports whether NFKC would
// still change what was appended.
//
// Marks are dropped, and they alone could be reordered or composed across other
// characters. So each character has its own outcome in a table, and only
// composition remains to be done. Only U+03A3 depends on its neighbours.
func appendCollapsed(dst []byte, text string) (out []byte, unstable bool) {
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			if lower := asciiOutcome[c]; lower != 0 {
				dst = append(dst, lower)
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		switch v := outcomeOf(r); {
		case r == utf8.RuneError && size == 1, v == outcomeDropped:
		case v == outcomeKept:
			dst = append(dst, text[i:i+size]...)
		case r == capitalSigma:
			dst = utf8.AppendRune(dst, lowerSigma(text, i))
		default:
			unstable = unstable || v&outcomeUnstable != 0
			at := int(v&^outcomeUnstable) - outcomePool
			dst = append(dst, pool[at+1:at+1+int(pool[at])]...)
		}
		i += size
	}
	return dst, unstable
}

// collapse is like appendCollapsed but composes everything.
func collapse(dst []byte, text string) []byte {
	from := len(dst)
	dst, unstable := appendCollapsed(dst, text)
	if !unstable {
		return dst
	}
	return canonicaltext.AppendNFC(dst[:from], append([]byte{}, dst[from:]...))
}

// The values of outcomes, one for each code point:
//
//	0             it is dropped
//	1             it is kept as it is
//	2..           2 + offset in pool of its replacement, in NFKD
//	0x8000 + n    the same, but NFKC may change it or join it to what precedes it
const (
	outcomeDropped  = 0
	outcomeKept     = 1
	outcomePool     = 2
	outcomeUnstable = 0x8000

	outcomeBlockBits = 6
	outcomeEnd       = rune(len(outcomeIndex) << outcomeBlockBits)
)

func outcomeOf(r rune) uint16 {
	if r >= outcomeEnd {
		return outcomeDropped
	}
	block := int(outcomeIndex[r>>outcomeBlockBits])
	return outcomeBlocks[block<<outcomeBlockBits|int(r)&(1<<outcomeBlockBits-1)]
}

// asciiOutcome is the replacement of each ASCII character, 0 if it is dropped.
var asciiOutcome = func() (t [utf8.RuneSelf]byte) {
	for c := range t {
		switch v := outcomeOf(rune(c)); v {
		case outcomeDropped:
		case outcomeKept:
			t[c] = byte(c)
		default:
			t[c] = pool[int(v)-outcomePool+1]
		}
	}
	return t
}()

const (
	capitalSigma = 'Σ'
	smallSigma   = 'σ'
	finalSigma   = 'ς'
)

// lowerSigma returns the lower case of U+03A3 at text[i:]: the final form at
// the end of a word (Final_Sigma of Unicode's SpecialCasing).
func lowerSigma(text string, i int) rune {
	if casedLast(text[:i]) && !casedFirst(text[i+len("Σ"):]) {
		return finalSigma
	}
	return smallSigma
}

// casedLast reports whether the last character of s that is not case-ignorable
// is cased.
func casedLast(s string) bool {
	for len(s) > 0 {
		r, size := utf8.DecodeLastRuneInString(s)
		if !inRanges(ignorable[:], r) {
			return inRanges(cased[:], r)
		}
		s = s[:len(s)-size]
	}
	return false
}

func casedFirst(s string) bool {
	for _, r := range s {
		if !inRanges(ignorable[:], r) {
			return inRanges(cased[:], r)
		}
	}
	return false
}

// inRanges reports whether a character is in a sorted list of pairs of first
// and last code point.
func inRanges(pairs []uint32, r rune) bool {
	low, high := 0, len(pairs)/2
	for low < high {
		mid := (low + high) / 2
		if pairs[2*mid+1] < uint32(r) {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return 2*low < len(pairs) && pairs[2*low] <= uint32(r)
}
