package searchindex

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
)

// TokenTables holds the tables of the token rule, frozen from Unicode 15.0.0;
// see Tokens. A newer Unicode never changes them, because that would change the
// words of published indexes. Readers in other languages use the same file. Its
// four lines are words separated by spaces, all numbers in base 36:
//
//	where the class of characters changes, from U+0080 on: the distance from
//	the change before, times four, plus the class (0 ends a word, 1 belongs to
//	it, 2 is left out, 3 pairs)
//	the characters that are spelled otherwise, each as the distance from the
//	one before
//	how, in the same order: a character, or from U+E000 on a word of line four
//	spellings of several characters
//
//go:embed tokens.txt
var TokenTables string

// tables are TokenTables, read when the first character beyond ASCII comes.
var tables struct {
	once     sync.Once
	classes  []uint32 // first character << 2 | class, rising
	foldFrom []rune   // rising
	foldTo   []rune   // one for each of foldFrom
	foldLong []string
}

// firstLong is the first character of foldTo that refers to an element of
// foldLong.
const firstLong = 0xe000

func readTables() {
	lines := strings.Split(TokenTables, "\n")
	last := uint32(0)
	for word := range strings.FieldsSeq(lines[0]) {
		n := readBase36(word)
		last += n >> 2
		tables.classes = append(tables.classes, last<<2|n&3)
	}
	from := rune(0)
	for word := range strings.FieldsSeq(lines[1]) {
		from += rune(readBase36(word))
		tables.foldFrom = append(tables.foldFrom, from)
	}
	for word := range strings.FieldsSeq(lines[2]) {
		tables.foldTo = append(tables.foldTo, rune(readBase36(word)))
	}
	tables.foldLong = strings.Split(lines[3], " ")
}

func readBase36(word string) uint32 {
	n, _ := strconv.ParseUint(word, 36, 32) // TestTokenTables reads them all
	return uint32(n)
}
