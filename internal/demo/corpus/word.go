package corpus

import "strings"

// The parts of the vocabulary: general words, words of each category, and the
// range of those that a publisher prefers.
const (
	generalWords  = 200_000
	categoryWords = 2_000
	nicheWords    = 40
)

var (
	functionWords = strings.Fields(`the of and to in a for is on how with your from what at by new you are why
an it as this best can will top guide about more after when do has into all that be who
than its not their we first over our or up most should make one no between using out now way`)
	endings    = strings.Fields("s s s ing ed er ly ness tion able")
	consonants = strings.Fields("b d f g h k l m n p r s t v st tr")
	vowels     = strings.Fields("a e i o u")
	accents    = []rune("éèüöäñçåøí")
	cyrillic   = [2][]rune{[]rune("бвгдзклмнпрст"), []rune("аеиоу")}
	arabic     = []rune("ابتجحدرسصطعفقكلمنهوي")
	han        = []rune("新国人中大上学生会社年月日本東京市場情報技術研究開発科経済教育文化水力風電車船港銀行法律食品医療")
)

// spellWord returns the word of a number, a different one for each: the first
// are function words, the others are made of syllables and are shorter the more
// frequent they are. Of 31 words, one is Cyrillic, one Arabic and one Han; of
// 13, one has an accent.
func spellWord(i int) string {
	if i < len(functionWords) {
		return functionWords[i]
	}
	n := uint64(i) * 254_803 % 512_000
	var b strings.Builder
	switch i % 31 {
	case 7:
		for range 4 {
			b.WriteRune(cyrillic[0][n%13])
			b.WriteRune(cyrillic[1][n/13%5])
			n /= 65
		}
		return b.String()
	case 11:
		for range 5 {
			b.WriteRune(arabic[n%20])
			n /= 20
		}
		return b.String()
	case 17:
		for range 4 {
			b.WriteRune(han[n%uint64(len(han))])
			n /= uint64(len(han))
		}
		return b.String()
	}
	syllables := 3
	if i < 6400 {
		n, syllables = uint64(i)*4_183%6400, 2
	}
	for range syllables {
		b.WriteString(consonants[n%16])
		b.WriteString(vowels[n/16%5])
		n /= 80
	}
	if i%13 == 5 {
		b.WriteRune(accents[i%len(accents)])
	}
	return b.String()
}

// drawToken draws a word for a page of a publisher in a category: half of the
// words are general, the rest come from the category or the publisher's own
// part of it, and a few are rare.
func (c *Generator) drawToken(r *stream, p *publisher, category int) string {
	var w string
	switch k := r.belowN(100); {
	case k < 52:
		i := c.general.drawIndex(r)
		if w = c.words[i]; i < len(functionWords) {
			return w
		}
	case k < 80:
		w = c.words[generalWords+category*categoryWords+c.topical.drawIndex(r)]
	case k < 97:
		w = c.words[generalWords+category*categoryWords+(p.niche+c.niche.drawIndex(r))%categoryWords]
	default:
		return rareWord(r)
	}
	if r.belowN(4) == 0 && w[0] < 0x80 {
		w += endings[r.belowN(len(endings))]
	}
	return w
}

func rareWord(r *stream) string {
	x, w := r.nextUint64(), ""
	for range 3 {
		w += consonants[x%16] + vowels[x/16%5]
		x /= 80
	}
	return w + string(rune('0'+x%10)) + string(rune('0'+x/10%10))
}
