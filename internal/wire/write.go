package wire

import (
	"slices"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// Append writes v canonically: members sorted, no white space, the shortest
// escapes. A number keeps its token, so a Value read with Limits.Floats is
// canonical only as far as its numbers are.
func (v Value) Append(b []byte) []byte {
	switch v.Kind {
	case KindBool:
		return strconv.AppendBool(b, v.Bool)
	case KindNumber:
		return append(b, v.Text...)
	case KindString:
		return AppendString(b, v.Text)
	case KindArray:
		b = append(b, '[')
		for i := range v.Items {
			if i > 0 {
				b = append(b, ',')
			}
			b = v.Items[i].Append(b)
		}
		return append(b, ']')
	case KindObject:
		return appendObject(b, v.Members)
	}
	return append(b, "null"...)
}

func appendObject(b []byte, members []Member) []byte {
	ms := members
	if !slices.IsSortedFunc(ms, byName) {
		ms = slices.Clone(members)
		slices.SortFunc(ms, byName)
	}
	b = append(b, '{')
	for i := range ms {
		if i > 0 {
			b = append(b, ',')
		}
		b = AppendString(b, ms[i].Name)
		b = append(b, ':')
		b = ms[i].Value.Append(b)
	}
	return append(b, '}')
}

func byName(a, b Member) int {
	if less(a.Name, b.Name) {
		return -1
	}
	if a.Name == b.Name {
		return 0
	}
	return 1
}

// less orders names by UTF-16 code units, as RFC 8785 asks. It differs from
// byte order only where one name has a character beyond U+FFFF.
func less(a, b string) bool {
	for i := 0; i < len(a) && i < len(b); i++ {
		if a[i] != b[i] {
			if a[i] < utf8.RuneSelf || b[i] < utf8.RuneSelf {
				return a[i] < b[i]
			}
			return lessUTF16(a, b)
		}
	}
	return len(a) < len(b)
}

func lessUTF16(a, b string) bool {
	x, y := utf16.Encode([]rune(a)), utf16.Encode([]rune(b))
	for i := 0; i < len(x) && i < len(y); i++ {
		if x[i] != y[i] {
			return x[i] < y[i]
		}
	}
	return len(x) < len(y)
}

const hexDigits = "0123456789abcdef"

// AppendString writes s as a canonical JSON string. Ill-formed UTF-8 becomes
// U+FFFD, so the output is always valid JSON.
func AppendString(b []byte, s string) []byte {
	b = append(b, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= 0x20 && c != '"' && c != '\\' && c < utf8.RuneSelf {
			i++
			continue
		}
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && n == 1 {
				b = append(b, s[start:i]...)
				b = append(b, "\ufffd"...)
				start = i + 1
			}
			i += n
			continue
		}
		b = append(b, s[start:i]...)
		b = appendEscape(b, c)
		i++
		start = i
	}
	b = append(b, s[start:]...)
	return append(b, '"')
}

func appendEscape(b []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(b, '\\', c)
	case '\b':
		return append(b, `\b`...)
	case '\f':
		return append(b, `\f`...)
	case '\n':
		return append(b, `\n`...)
	case '\r':
		return append(b, `\r`...)
	case '\t':
		return append(b, `\t`...)
	}
	return append(b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
}
