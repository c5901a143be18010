package extract

import (
	"slices"
	"strings"
	"unicode"

	"github.com/RadhiFadlillah/whatlanggo"
	"golang.org/x/text/language"
)

// LanguageTag returns a stated language as a BCP 47 tag: en, pt-BR, zh-Hant-TW.
// It returns "" for a text that is not a tag or has unregistered parts.
func LanguageTag(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), ",")
	s, _, _ = strings.Cut(s, ".") // a locale: de_DE.UTF-8
	if s = strings.Trim(strings.ReplaceAll(s, "_", "-"), "- "); s == "" || len(s) > 35 || strings.Count(s, "-") > 4 {
		return ""
	}
	primary, _, _ := strings.Cut(s, "-")
	if len(primary) < 2 || len(primary) > 3 {
		return ""
	}
	tag, err := language.Raw.Parse(s)
	if err != nil {
		return ""
	}
	if tag, err = language.DeprecatedBase.Canonicalize(tag); err != nil || tag == language.Und {
		return ""
	}
	if base, _ := tag.Base(); base.String() == "mul" || base.String() == "und" || base.String() == "zxx" {
		return ""
	}
	return tag.String()
}

// Bounds of the detection of languages.
const (
	detectBytesOfText = 6_000 // bytes of the text that are examined
	minDetectLetters  = 100   // fewer letters say too little
	minConfidence     = .05   // of the detector, whose scale is steep
	sureConfidence    = .6    // confidence from which the text may contradict what the page states
	enoughLetters     = 400   // fewer letters make the detector less sure
	cjkWeight         = 3     // letters of an alphabet that correspond to one character of Han, Kana or Hangul
	cjkShare          = .3    // of a text, from which on it is in the language of those characters, whatever names and code are in it
)

// DetectLanguage names the language of running text, with a confidence from 0 to 1; ""
// when it cannot be determined, as for a list of names.
func DetectLanguage(text string) (tag string, confidence float64) {
	g := guessLanguage(text)
	if g.tag == "" || g.prose != "" && !hasFunctionWords(g.tag, g.prose) {
		return "", 0
	}
	return g.tag, g.confidence
}

// languageGuess is the language that the letters of a text are likeliest to be of,
// whatever its words are.
type languageGuess struct {
	tag        string // "" when the text has too few letters
	confidence float64
	prose      string // the examined text, "" if the script alone decides
}

func guessLanguage(text string) languageGuess {
	sample := sampleOf(text)
	scripts := scriptShares(sample)
	if scripts.letterWeight() < minDetectLetters {
		return languageGuess{}
	}
	if tag := scripts.eastAsian(); tag != "" {
		return languageGuess{tag: tag, confidence: 1}
	}
	prose := withoutCode(sample)
	found := whatlanggo.Detect(prose)
	tag := LanguageTag(found.Lang.Iso6391())
	if tag == "" {
		return languageGuess{}
	}
	return languageGuess{tag, found.Confidence * min(1, float64(scripts.letters)/enoughLetters), prose}
}

// sampleOf returns running text from three places of a text.
func sampleOf(text string) string {
	const piece = detectBytesOfText / 3
	if len(text) <= detectBytesOfText {
		return text
	}
	var b strings.Builder
	for i := range 3 {
		from := (len(text) - piece) * (2*i + 1) / 6
		b.WriteString(strings.ToValidUTF8(text[from:from+piece], ""))
		b.WriteByte(' ')
	}
	return b.String()
}

// withoutCode drops words with signs of code.
func withoutCode(text string) string {
	var b strings.Builder
	for _, word := range strings.Fields(text) {
		if !strings.ContainsAny(word, "_/\\=<>{}[]()$@|#&0123456789") {
			b.WriteString(word)
			b.WriteByte(' ')
		}
	}
	return b.String()
}

type scriptShare struct{ letters, latin, han, kana, hangul int }

// letterWeight returns the number of letters, with those of East Asian scripts
// weighted by cjkWeight.
func (s *scriptShare) letterWeight() int {
	return s.letters + (cjkWeight-1)*(s.han+s.kana+s.hangul)
}

// eastAsian names the language of a text in Han, Kana or Hangul, "" for others.
// A text with one Kana in twenty is Japanese.
func (s *scriptShare) eastAsian() string {
	least := cjkShare * float64(s.letterWeight())
	switch {
	case float64(cjkWeight*s.hangul) > least:
		return "ko"
	case float64(cjkWeight*(s.han+s.kana)) <= least:
		return ""
	case s.kana*20 > s.han+s.kana:
		return "ja"
	}
	return "zh"
}

func scriptShares(text string) (s scriptShare) {
	for _, r := range text {
		if !unicode.IsLetter(r) {
			continue
		}
		s.letters++
		switch {
		case unicode.Is(unicode.Latin, r):
			s.latin++
		case r < 0x1100:
		case unicode.Is(unicode.Han, r):
			s.han++
		case unicode.In(r, unicode.Hiragana, unicode.Katakana):
			s.kana++
		case unicode.Is(unicode.Hangul, r):
			s.hangul++
		}
	}
	return s
}

// closeLanguages are groups that letters alone do not reliably distinguish;
// inside a group the page's own word holds.
var closeLanguages = [][]string{
	{"da", "nb", "nn", "no", "sv"}, {"hr", "sr", "bs", "sl", "mk", "bg"}, {"cs", "sk"}, {"es", "pt", "gl", "ca", "oc", "ast", "it", "ro"}, {"id", "ms", "jv"},
	{"ru", "uk", "be", "bg", "sr", "mk"}, {"de", "nds", "lb", "nl", "af"}, {"zh", "yue", "wuu"}, {"hi", "mr", "ne", "bho", "mai"}, {"fa", "ar", "ur", "ps", "ckb"}, {"et", "fi"},
	{"tr", "az", "tk"},
}

// contradictsLanguage reports whether a detected language contradicts the
// stated one.
func contradictsLanguage(stated, detected string) bool {
	a, _, _ := strings.Cut(stated, "-")
	b, _, _ := strings.Cut(detected, "-")
	if a == b {
		return false
	}
	for _, group := range closeLanguages {
		if slices.Contains(group, a) && slices.Contains(group, b) {
			return false
		}
	}
	return true
}
