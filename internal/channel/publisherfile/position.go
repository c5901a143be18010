package publisherfile

import (
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"colophon/internal/wire"
)

// lineAndColumn returns line and column of an offset, both counted from 1.
func lineAndColumn(body []byte, offset int) (line, column int) {
	offset = min(offset, len(body))
	before := string(body[:offset])
	start := strings.LastIndexByte(before, '\n') + 1
	return strings.Count(before, "\n") + 1, utf8.RuneCountInString(before[start:]) + 1
}

// placeProblems sets the positions of the values that problems are about, and
// sorts the problems by them. A missing value gets the position at which its
// nearest container begins.
func placeProblems(body []byte, file *wire.Value, problems []Problem) {
	for i := range problems {
		problems[i].Line, problems[i].Column = lineAndColumn(body, findPointer(file, problems[i].Pointer).Offset())
	}
	sort.SliceStable(problems, func(i, j int) bool {
		a, b := &problems[i], &problems[j]
		return a.Line < b.Line || a.Line == b.Line && a.Column < b.Column
	})
}

// findPointer returns the value that a pointer names, or its nearest container
// if there is no such value.
func findPointer(v *wire.Value, pointer string) *wire.Value {
	for _, step := range strings.Split(pointer, "/")[1:] {
		next := v.Get(wire.UnescapePointer(step))
		if n, err := strconv.Atoi(step); err == nil && n >= 0 && n < len(v.Items) {
			next = &v.Items[n]
		}
		if next == nil {
			return v
		}
		v = next
	}
	return v
}
