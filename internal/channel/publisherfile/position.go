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
func placeProblems(body []byte, problems []Problem) {
	for i := range problems {
		problems[i].Line, problems[i].Column = lineAndColumn(body, locatePointer(body, problems[i].Pointer))
	}
	sort.SliceStable(problems, func(i, j int) bool {
		a, b := &problems[i], &problems[j]
		return a.Line < b.Line || a.Line == b.Line && a.Column < b.Column
	})
}

// locatePointer returns the offset of the value that a pointer names, in JSON
// that was parsed without an error.
func locatePointer(body []byte, pointer string) int {
	s := scan{text: string(body)}
	s.skipSpace()
	found := s.at
	for _, step := range strings.Split(pointer, "/")[1:] {
		if !s.enterStep(wire.UnescapePointer(step)) {
			break
		}
		found = s.at
	}
	return found
}

// textAt returns the text that a pointer names, "" when it names no text.
func textAt(body []byte, pointer string) string {
	start := locatePointer(body, pointer)
	s := scan{text: string(body), at: start}
	s.skipValue()
	v, err := wire.Parse(body[start:s.at], bounds)
	if err != nil || v.Kind != wire.KindString {
		return ""
	}
	return v.Text
}

// scan moves over well-formed JSON.
type scan struct {
	text string
	at   int
}

func (s *scan) skipSpace() {
	for s.at < len(s.text) && strings.IndexByte(" \t\r\n", s.text[s.at]) >= 0 {
		s.at++
	}
}

// enterStep goes from a container to its member or item of that name.
func (s *scan) enterStep(step string) bool {
	switch s.text[s.at] {
	case '{':
		return s.enterMember(step)
	case '[':
		n, err := strconv.Atoi(step)
		return err == nil && s.enterItem(n)
	}
	return false
}

func (s *scan) enterMember(name string) bool {
	s.at++
	for {
		s.skipSpace()
		if s.text[s.at] == '}' {
			return false
		}
		start := s.at
		s.skipValue()
		key, err := wire.Parse([]byte(s.text[start:s.at]), bounds)
		s.skipSpace()
		s.at++ // the colon
		s.skipSpace()
		if err == nil && key.Text == name {
			return true
		}
		if !s.nextItem() {
			return false
		}
	}
}

func (s *scan) enterItem(n int) bool {
	s.at++
	for ; ; n-- {
		s.skipSpace()
		if s.text[s.at] == ']' {
			return false
		}
		if n == 0 {
			return true
		}
		if !s.nextItem() {
			return false
		}
	}
}

// nextItem skips a value and the comma after it; false is the end of the container.
func (s *scan) nextItem() bool {
	s.skipValue()
	s.skipSpace()
	comma := s.text[s.at] == ','
	if comma {
		s.at++
	}
	return comma
}

// skipValue moves past the current value.
func (s *scan) skipValue() {
	depth := 0
	for s.at < len(s.text) {
		switch c := s.text[s.at]; c {
		case '"':
			s.skipString()
		case '{', '[':
			depth++
			s.at++
		case '}', ']':
			depth--
			s.at++
		case ',', ':', ' ', '\t', '\r', '\n':
			s.at++
			continue
		default:
			for s.at < len(s.text) && strings.IndexByte(",]} \t\r\n", s.text[s.at]) < 0 {
				s.at++
			}
		}
		if depth == 0 {
			return
		}
	}
}

func (s *scan) skipString() {
	for s.at++; s.text[s.at] != '"'; s.at++ {
		if s.text[s.at] == '\\' {
			s.at++
		}
	}
	s.at++
}
