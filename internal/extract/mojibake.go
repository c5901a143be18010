package extract

import (
	"strings"
	"unicode"
)

// The bars of SuspectText, as parts of the letters of a text.
const (
	maxAccented   = .45 // letters of the upper half of Latin-1; Vietnamese has .2, Icelandic .15
	maxSwapped    = .25 // of Cyrillic words whose case changes from small to capital inside
	minSuspicious = 20  // letters, below which shares say nothing
	accentRun     = 4   // letters of the upper half of Latin-1 one after the other, which no word has
	maxAccentRuns = 3   // such runs
)

// SuspectText returns why the text of a page looks wrongly decoded, "" if it
// does not.
func SuspectText(text string) string {
	if strings.ContainsRune(text, unicode.ReplacementChar) {
		return "it has characters that could not be decoded"
	}
	c := countScripts(text)
	switch {
	case c.escapes > 0:
		return "it has escapes of ISO-2022 that were not decoded"
	case c.controls > 0:
		return "it has control characters of the upper half of Latin-1"
	case c.doubled >= 3 && c.doubled*50 > c.letters:
		return "it looks like UTF-8 that was decoded as a single-byte encoding"
	case c.letters >= minSuspicious && float64(c.accented) > maxAccented*float64(c.letters):
		return "nearly all of its letters have accents"
	case c.accentRuns >= maxAccentRuns:
		return "it has words of nothing but letters with accents"
	case c.halfwidth*3 > c.letters && c.halfwidth >= minSuspicious:
		return "it is mostly half-width Katakana"
	case c.cyrillicWords >= 5 && float64(c.swapped) > maxSwapped*float64(c.cyrillicWords):
		return "the case of its Cyrillic letters is swapped"
	case c.private*20 > c.letters && c.private > 5:
		return "it has many characters of private use"
	}
	return ""
}

type scriptCount struct {
	letters       int
	escapes       int // of ISO-2022
	controls      int // U+0080 to U+009F
	doubled       int // a capital of UTF-8 lead bytes followed by the sign of a trail byte
	accented      int // U+00C0 to U+00FF
	accentRuns    int // of accentRun and more of them
	halfwidth     int // half-width Katakana
	private       int
	cyrillicWords int
	swapped       int // Cyrillic words with a capital after a small letter
}

func countScripts(text string) (c scriptCount) {
	var last rune
	inWord := false
	swapped := false
	run := 0
	for _, r := range text {
		switch {
		case r == '\x1b':
			c.escapes++
		case r >= 0x80 && r < 0xA0 && r != 0x85:
			c.controls++
		case r >= 0xE000 && r <= 0xF8FF:
			c.private++
		case r >= 0xFF61 && r <= 0xFF9F:
			c.halfwidth++
		}
		if isTrailSign(r) && (last == 'Ã' || last == 'Â' || last == 'Ð' || last == 'Ñ' || last == 'â' || last == 'ã') {
			c.doubled++
		}
		if unicode.IsLetter(r) {
			c.letters++
		}
		if r >= 0xC0 && r <= 0xFF && unicode.IsLetter(r) {
			c.accented++
			if run++; run == accentRun {
				c.accentRuns++
			}
		} else {
			run = 0
		}
		cyrillic := unicode.Is(unicode.Cyrillic, r)
		switch {
		case cyrillic && !inWord:
			inWord, swapped = true, false
			c.cyrillicWords++
		case cyrillic && unicode.IsUpper(r) && unicode.IsLower(last) && !swapped:
			swapped = true
			c.swapped++
		case !cyrillic:
			inWord = false
		}
		last = r
	}
	return c
}

// isTrailSign reports whether a character is what a trail byte of UTF-8 looks
// like in windows-1252.
func isTrailSign(r rune) bool {
	return r >= 0xA0 && r <= 0xBF || strings.ContainsRune("€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ", r)
}
