package demo

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// capitalize puts the first letter of a text, which may come from a slot, in
// upper case.
func capitalize(text string) string {
	r, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return ""
	}
	return string(unicode.ToUpper(r)) + text[size:]
}

// fillSlots replaces the slots of a title or sentence by values.
func fillSlots(text string, slots map[string]string, d *draw) (string, error) {
	var out strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "{")
		out.WriteString(before)
		if !ok {
			return capitalize(out.String()), nil
		}
		name, after, ok := strings.Cut(rest, "}")
		value, known := slots[name]
		if number, ranged := drawSlot(name, d); ranged {
			value, known = number, true
		}
		if !ok || !known {
			return "", fmt.Errorf("the slot {%s} has no value", name)
		}
		out.WriteString(value)
		text = after
	}
}

// drawSlot parses "low-high" and draws a number between them.
func drawSlot(slot string, d *draw) (string, bool) {
	low, high, ok := strings.Cut(slot, "-")
	l, err1 := strconv.Atoi(low)
	h, err2 := strconv.Atoi(high)
	if !ok || err1 != nil || err2 != nil || h < l {
		return "", false
	}
	return strconv.Itoa(d.drawBetween(l, h)), true
}
