package searchindex

import (
	"slices"
	"unicode/utf8"
)

// MaxTokenBytes bounds a word; the rest of a longer one is left out, both in
// the index and in questions.
const MaxTokenBytes = 48

// The classes of characters in TokenTables.
const (
	classSeparator = iota // ends a word
	classWord             // part of a word
	classMark             // left out: accents, vowel points, joiners
	classPair             // script without spaces: overlapping pairs
)

// Tokens calls yield for each word of s, folded, in order; yield must copy
// what it keeps. The rule:
//
//   - letters, digits and the marks that spell a word belong to it, everything
//     else ends it; accents, vowel points and joiners are left out
//   - case, accents, ligatures, full-width forms and the variants of Arabic
//     letters and digits are folded away: "Ünïcode" is "unicode"
//   - a plural in -s or -ies is its singular, in every language alike: "tables"
//     is "table", "pommes" is "pomme"
//   - a run of Chinese, Japanese, Korean, Thai, Lao, Khmer or Burmese gives
//     its overlapping pairs: 東京都 is 東京 and 京都; a run of one character
//     gives that character
//
// The tables are frozen, so a word is the same in every build and browser.
func Tokens(s string, yield func(word []byte)) {
	t := tokenizer{yield: yield}
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			t.addASCII(c)
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		i += n
		t.addRune(r)
	}
	t.endRun()
	t.endWord()
}

// Words is Tokens as a list.
func Words(s string) []string {
	var out []string
	Tokens(s, func(w []byte) { out = append(out, string(w)) })
	return out
}

type tokenizer struct {
	yield func([]byte)
	room  [MaxTokenBytes]byte
	n     int  // bytes of the current word
	last  rune // last character of a run of pairs, 0 outside one
	lone  bool // the run has one character so far
}

func (t *tokenizer) addASCII(c byte) {
	if t.last != 0 {
		t.endRun()
	}
	switch {
	case c >= 'a' && c <= 'z' || c >= '0' && c <= '9':
	case c >= 'A' && c <= 'Z':
		c += 'a' - 'A'
	default:
		t.endWord()
		return
	}
	if t.n < MaxTokenBytes {
		t.room[t.n] = c
		t.n++
	}
}

func (t *tokenizer) addRune(r rune) {
	switch classOf(r) {
	case classSeparator:
		t.endRun()
		t.endWord()
	case classWord:
		t.endRun()
		t.addFolded(r)
	case classPair:
		t.endWord()
		t.addPair(r)
	}
}

// addFolded adds a folded character to the current word.
func (t *tokenizer) addFolded(r rune) {
	to, long := foldOf(r)
	if long != "" {
		if t.n+len(long) <= MaxTokenBytes {
			t.n += copy(t.room[t.n:], long)
		}
		return
	}
	if n := utf8.RuneLen(to); n > 0 && t.n+n <= MaxTokenBytes {
		t.n += utf8.EncodeRune(t.room[t.n:], to)
	}
}

func (t *tokenizer) addPair(r rune) {
	r, _ = foldOf(r)
	if t.last != 0 {
		n := utf8.EncodeRune(t.room[:], t.last)
		n += utf8.EncodeRune(t.room[n:], r)
		t.yield(t.room[:n])
	}
	t.lone, t.last = t.last == 0, r
}

func (t *tokenizer) endRun() {
	if t.last != 0 && t.lone {
		t.yield(t.room[:utf8.EncodeRune(t.room[:], t.last)])
	}
	t.last, t.lone = 0, false
}

func (t *tokenizer) endWord() {
	if t.n > 0 {
		t.yield(trimPlural(t.room[:t.n]))
		t.n = 0
	}
}

// trimPlural removes a plural's ending: -ies becomes -y, -oes becomes -o; -s is
// removed, but not from words of three letters, nor after s, u or i, nor from
// "news".
func trimPlural(w []byte) []byte {
	n := len(w)
	if n < 4 || w[n-1] != 's' || string(w) == "news" {
		return w
	}
	switch w[n-2] {
	case 's', 'u', 'i':
		return w
	case 'e':
		if n > 4 && w[n-3] == 'i' {
			w[n-3] = 'y'
			return w[:n-2]
		}
		if n > 5 && w[n-3] == 'o' {
			return w[:n-2]
		}
	}
	return w[:n-1]
}

// classOf looks up a character from U+0080 on.
func classOf(r rune) int {
	tables.once.Do(readTables)
	at, found := slices.BinarySearchFunc(tables.classes, r, func(change uint32, r rune) int {
		return int(change>>2) - int(r)
	})
	if !found {
		at--
	}
	return int(tables.classes[at] & 3)
}

// foldOf returns the character to which r is folded, or the text if there are
// several.
func foldOf(r rune) (rune, string) {
	tables.once.Do(readTables)
	at, found := slices.BinarySearch(tables.foldFrom, r)
	if !found {
		return r, ""
	}
	to := tables.foldTo[at]
	if to >= firstLong && int(to-firstLong) < len(tables.foldLong) {
		return 0, tables.foldLong[to-firstLong]
	}
	return to, ""
}
