package textform

import "strings"

// addText adds running text: white space collapsed, marks escaped.
func (w *markdownWriter) addText(s string) {
	for i, word := range strings.FieldsFunc(s, htmlSpace) {
		if i > 0 || htmlSpace(rune(s[0])) {
			w.addSpace()
		}
		word = escapeMarkdown(word)
		if w.cell {
			word = strings.ReplaceAll(word, "|", `\|`)
		}
		w.line = append(w.line, word...)
	}
	if s != "" && htmlSpace(rune(s[len(s)-1])) {
		w.addSpace()
	}
}

func (w *markdownWriter) addSpace() {
	if n := len(w.line); n > 0 && w.line[n-1] != ' ' && w.line[n-1] != '\n' {
		w.line = append(w.line, ' ')
	}
}

func trimSpace(b []byte) []byte {
	for len(b) > 0 && b[len(b)-1] == ' ' {
		b = b[:len(b)-1]
	}
	return b
}

// longestEntity is the length of the longest named character reference.
const longestEntity = 33

// escapeMarkdown keeps the characters that Markdown gives a meaning in running text.
func escapeMarkdown(s string) string {
	if !strings.ContainsAny(s, "\\`*_[]<>~&") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '\\', '`', '*', '[', ']', '<', '>', '~':
			b.WriteByte('\\')
		case '_':
			if i == 0 || i == len(s)-1 || !isLetterOrDigit(s[i-1]) || !isLetterOrDigit(s[i+1]) {
				b.WriteByte('\\')
			}
		case '&':
			if strings.IndexByte(s[i:min(i+longestEntity, len(s))], ';') > 0 {
				b.WriteByte('\\')
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// escapeStart keeps a line from beginning a heading, list, quote or rule.
func escapeStart(line string) string {
	if line == "" {
		return line
	}
	switch c := line[0]; {
	case strings.IndexByte("#+-=|", c) >= 0:
		return `\` + line
	case c >= '0' && c <= '9':
		end := 0
		for end < len(line) && line[end] >= '0' && line[end] <= '9' {
			end++
		}
		if end < 10 && end < len(line) && (line[end] == '.' || line[end] == ')') {
			return line[:end] + `\` + line[end:]
		}
	}
	return line
}

// linkDestination writes an address inside a link.
func linkDestination(href string) string {
	if strings.ContainsAny(href, " ()<>\\") {
		return "<" + strings.NewReplacer("<", "%3C", ">", "%3E", "\\", "%5C", " ", "%20").Replace(href) + ">"
	}
	return href
}

func longestRun(s string, c byte) int {
	longest, run := 0, 0
	for i := 0; i < len(s); i++ {
		if s[i] != c {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func isLetterOrDigit(c byte) bool { return isLetter(c) || c >= '0' && c <= '9' }

func htmlSpace(r rune) bool { return r == ' ' || r == '\n' || r == '\t' || r == '\r' || r == '\f' }
