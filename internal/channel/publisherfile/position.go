package publisherfile

import (
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"colophon/internal/wire"
)

// position gives line and column of an offset, both from 1.
func position(body []byte, offset int) (line, column int) {
	offset = min(offset, len(body))
	before := string(body[:offset])
	start := strings.LastIndexByte(before, '\n') + 1
	return strings.Count(before, "\n") + 1, utf8.RuneCountInString(before[start:]) + 1
}

// place fills in where the values are that problems are about, and sorts the
// problems by it. A value that is missing is placed where its nearest
// container begins.
func place(body []byte, problems []Problem) {
	for i := range problems {
		problems[i].Line, problems[i].Column = position(body, locate(body, problems[i].Pointer))
	}
	sort.SliceStable(problems, func(i, j int) bool {
		a, b := &problems[i], &problems[j]
		return a.Line < b.Line || a.Line == b.Line && a.Column < b.Column
	})
}

// locate is the offset of the value that a pointer names, in JSON that was
// parsed without an error.
func locate(body []byte, pointer string) int {
	s := scan{text: string(body)}
	s.space()
	found := s.at
	for _, step := range strings.Split(pointer, "/")[1:] {
		if !s.enter(unescape(step)) {
			break
		}
		found = s.at
	}
	return found
}

func unescape(step string) string {
	return strings.ReplaceAll(strings.ReplaceAll(step, "~1", "/"), "~0", "~")
}

// scan moves over well-formed JSON.
type scan struct {
	text string
	at   int
}

func (s *scan) space() {
	for s.at < len(s.text) && strings.IndexByte(" \t\r\n", s.text[s.at]) >= 0 {
		s.at++
	}
}

// enter goes from a container to its member or item of that name.
func (s *scan) enter(step string) bool {
	switch s.text[s.at] {
	case '{':
		return s.member(step)
	case '[':
		n, err := strconv.Atoi(step)
		return err == nil && s.item(n)
	}
	return false
}

func (s *scan) member(name string) bool {
	s.at++
	for {
		s.space()
		if s.text[s.at] == '}' {
			return false
		}
		start := s.at
		s.skip()
		key, err := wire.Parse([]byte(s.text[start:s.at]), bounds)
		s.space()
		s.at++ // the colon
		s.space()
		if err == nil && key.Text == name {
			return true
		}
		if !s.next() {
			return false
		}
	}
}

func (s *scan) item(n int) bool {
	s.at++
	for ; ; n-- {
		s.space()
		if s.text[s.at] == ']' {
			return false
		}
		if n == 0 {
			return true
		}
		if !s.next() {
			return false
		}
	}
}

// next skips a value and the comma after it; false is the end of the container.
func (s *scan) next() bool {
	s.skip()
	s.space()
	comma := s.text[s.at] == ','
	if comma {
		s.at++
	}
	return comma
}

// skip moves behind the value at hand.
func (s *scan) skip() {
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
