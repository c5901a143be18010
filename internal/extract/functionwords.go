package extract

import (
	"slices"
	"strings"
	"unicode"
)

// functionWords are the words that running text of a language always contains,
// by its tag, for languages of the Latin alphabet. No list but that of English
// has a word that is also an English word. Names, lists and code have few of
// them, and their letters mislead: lists of English names often look French.
var functionWords = map[string]string{
	"af": "die en van het vir te met nie om wat dit kan op",
	"az": "və bir bu üçün ilə də da olan ya hər çox",
	"cs": "v na je se s z do pro že nebo k které i jako",
	"da": "og i er en et af til at du med den det på kan som",
	"de": "der die das und ist mit zu den ein eine für nicht auf von sie es im oder",
	"en": "the of and to in is that for with you are be this can or a it on as",
	"eo": "la kaj de en estas por al kun vi kiu aŭ ne",
	"es": "el la los las de del y un una es en que para con por se",
	"et": "ja ei see et või kui saab ka mis ning",
	"fi": "ja ei se voi voit että tai kun ovat sen myös joka",
	"fr": "le la les de des du et un une est en pour que dans vous avec à ou",
	"hr": "i u na je se za s da od ili koji su kao sa",
	"hu": "az és egy hogy nem van vagy meg",
	"id": "dan yang di untuk dengan dari ini ke atau dalam pada anda",
	"it": "il la le di e un una è che per con del della i si da o",
	"lt": "ir yra su iš kad arba tai į ar kaip",
	"lv": "un ir ar no kas lai vai par uz kā",
	"nb": "og i er en et av til å du med den det på kan som",
	"nl": "de het een en van voor met je op te dat zijn",
	"nn": "og i er ein eit av til å du med den det på kan som",
	"pl": "i w z na do nie się jest dla że oraz lub jak od",
	"pt": "o os de do da e um uma é em que para com não",
	"ro": "și de în la cu pentru o un este pe sau să",
	"sk": "v na je sa s z do pre že alebo k ktoré i ako",
	"sl": "v na je se za z s da od ali ki so kot",
	"sv": "och i är en ett av till att du med för den det på kan som",
	"tl": "ang ng sa na at mga ay ito",
	"tr": "ve bir bu için ile de da olarak veya",
	"vi": "và của là các có cho không một được trong",
}

// minFunctionShare is the share of function words below which a text is not taken for
// running text of a language (see docs/decisions/languages-and-encodings.md).
const minFunctionShare = .08

// hasFunctionWords reports whether a text, which its letters say is in a language, has
// the function words of it. A language of another alphabet is recognized by its letters;
// one of the Latin alphabet whose function words are unknown is not recognized.
func hasFunctionWords(tag, text string) bool {
	list := functionWords[tag]
	if list == "" {
		scripts := scriptShares(text)
		return 2*scripts.latin < scripts.letters
	}
	known := strings.Fields(list)
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) })
	found := 0
	for _, w := range words {
		if slices.Contains(known, w) {
			found++
		}
	}
	return float64(found) >= minFunctionShare*float64(len(words))
}
