package intake

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"colophon/internal/extract"
)

// wordCount returns the number of words of a text in any script: runs of
// letters, marks and digits, with apostrophes inside. In scripts written
// without spaces whose characters are syllables or ideas, each character counts
// as a word.
func wordCount(text string) (n int64) {
	eachWord(text, func(string) { n++ })
	return n
}

// eachWord calls fn with the words of text in order.
func eachWord(text string, fn func(word string)) {
	start := -1
	end := func(i int) {
		if start >= 0 {
			fn(text[start:i])
		}
		start = -1
	}
	for i, r := range text {
		switch {
		case standsAlone(r):
			end(i)
			fn(text[i : i+utf8.RuneLen(r)])
		case unicode.IsLetter(r) || unicode.IsDigit(r) || start >= 0 && unicode.IsMark(r):
			if start < 0 {
				start = i
			}
		case start >= 0 && (r == '\'' || r == '’' || r == '\u200c' || r == '\u200d') && letterAt(text, i+utf8.RuneLen(r)):
		default:
			end(i)
		}
	}
	end(len(text))
}

func standsAlone(r rune) bool {
	return r >= 0x2E80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}

func letterAt(s string, i int) bool {
	r, _ := utf8.DecodeRuneInString(s[i:])
	return unicode.IsLetter(r)
}

const maxTerms = 12

// termList returns content terms: those stated first, then the significant
// words of the title.
func termList(stated []string, title string) []string {
	var terms []string
	seen := map[string]bool{}
	add := func(s string) {
		s = strings.ToLower(extract.OneLine(s))
		if n := utf8.RuneCountInString(s); n < 2 || n > 48 || seen[s] || len(terms) == maxTerms {
			return
		}
		seen[s] = true
		terms = append(terms, s)
	}
	for _, s := range stated {
		for _, part := range strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ';' || r == '、' || r == '،' }) {
			add(part)
		}
	}
	eachWord(title, func(w string) {
		if utf8.RuneCountInString(w) > 3 && !strings.Contains(stopWords, " "+strings.ToLower(w)+" ") && unicode.IsLetter(firstRune(w)) {
			add(w)
		}
	})
	return terms
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// stopWords are words of four letters or more that say nothing about a subject,
// in the languages that the importer meets most.
const stopWords = " about after again also among another because been before being between both could does doing down during each from further have having here into itself just like made make many more most much must only other over same should some such than that their them then there these they this those through under until upon very want were what when where which while will with without would your yours " +
	" aber alle auch beim dass dein dem denn dies diese dieser dieses doch eine einem einen einer eines fuer für haben hat ihre ist kann kein keine mehr nach nicht noch oder sich sind über unter viel vom wenn werden wird wurde zum zur zwischen " +
	" avec cette comme dans depuis elle elles entre leur leurs mais même nous pour quand sans sont sous sur tout tous toute très une vous " +
	" como cuando desde donde ella ellos entre esta este estos hasta hay más para pero porque puede según sino sobre también todo todos una unos " +
	" alla anche come con dalla degli della delle nella perché più questa questo sono sulla tra tutti una " +
	" além como das dos ela eles entre essa esse esta este isso mais mas muito não para pela pelo por quando são seu sua também uma "
