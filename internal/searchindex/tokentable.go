package searchindex

import "strconv"

// AppendTokenTables writes the tables of the token rule after b, for readers
// in other languages (see Tokens). Four lines of words split by spaces, all
// numbers in base 36:
//
//	where the class of characters changes, from U+0080 on: the distance from
//	the change before, times four, plus the class (0 ends a word, 1 belongs to
//	it, 2 is left out, 3 pairs)
//	the characters that are spelled otherwise, each as the distance from the
//	one before
//	how, in the same order: a character, or from U+E000 on a word of line four
//	spellings of several characters
func AppendTokenTables(b []byte) []byte {
	number := func(n uint32, first bool) {
		if !first {
			b = append(b, ' ')
		}
		b = strconv.AppendUint(b, uint64(n), 36)
	}
	last := uint32(0)
	for i, c := range tokenClasses {
		number((c>>2-last)<<2|c&3, i == 0)
		last = c >> 2
	}
	b = append(b, '\n')
	last = 0
	for i, c := range foldFrom {
		number(uint32(c)-last, i == 0)
		last = uint32(c)
	}
	b = append(b, '\n')
	for i, c := range foldTo {
		number(uint32(c), i == 0)
	}
	for i, s := range foldLong {
		b = append(b, " \n"[boolToInt(i == 0)])
		b = append(b, s...)
	}
	return append(b, '\n')
}

func boolToInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
