package wire

import (
	"slices"
	"strconv"
	"unicode/utf8"
)

// Bounds limits a text that comes from outside, in characters (Unicode code
// points). Max 0 means no limit.
type Bounds struct{ Min, Max int }

// String is a required text.
func (m *Members) String(name string, p *string) { m.textMember(name, p, true, false, Bounds{}) }

// OptString is a text that is absent when empty.
func (m *Members) OptString(name string, p *string) { m.textMember(name, p, false, false, Bounds{}) }

// NullString is a text that is null when empty: known to be none.
func (m *Members) NullString(name string, p *string) { m.textMember(name, p, true, true, Bounds{}) }

// Text is a required text within bounds.
func (m *Members) Text(name string, p *string, b Bounds) { m.textMember(name, p, true, false, b) }

// OptText is an optional text within bounds.
func (m *Members) OptText(name string, p *string, b Bounds) { m.textMember(name, p, false, false, b) }

func (m *Members) textMember(name string, p *string, required, null bool, b Bounds) {
	switch m.mode {
	case writing:
		switch {
		case *p != "" || required && !null:
			m.writeString(name, *p)
		case null:
			m.writeNull(name)
		}
	case reading:
		v := m.findMember(name, required)
		if v == nil || null && v.Kind == KindNull {
			return
		}
		if v.Kind != KindString {
			m.addFieldError(name, "type_mismatch", "Must be a string.")
			return
		}
		if m.checkBounds(name, v.Text, b) {
			*p = v.Text
		}
	case describing:
		m.describeText(name, required, null, b)
	}
}

func (m *Members) checkBounds(name, s string, b Bounds) bool {
	n := utf8.RuneCountInString(s)
	if n < b.Min {
		m.bad.addField(FieldError{Pointer: m.path + "/" + EscapePointer(name), Code: "too_short", Detail: "At least " + strconv.Itoa(b.Min) + " characters.", Min: b.Min})
		return false
	}
	if b.Max > 0 && n > b.Max {
		m.bad.addField(FieldError{Pointer: m.path + "/" + EscapePointer(name), Code: "too_long", Detail: "At most " + strconv.Itoa(b.Max) + " characters.", Max: b.Max})
		return false
	}
	return true
}

// Time is a required instant, RFC 3339 in UTC with seconds and "Z". It is read
// from any form of RFC 3339; see ToUTC.
func (m *Members) Time(name string, p *string) { m.timeMember(name, p, true, false) }

// OptTime is an instant that is absent when empty.
func (m *Members) OptTime(name string, p *string) { m.timeMember(name, p, false, false) }

// NullTime is an instant that is null when empty.
func (m *Members) NullTime(name string, p *string) { m.timeMember(name, p, true, true) }

func (m *Members) timeMember(name string, p *string, required, null bool) {
	if m.mode == describing {
		m.describeFormat(name, required, null, "date-time")
		return
	}
	m.textMember(name, p, required, null, Bounds{})
	s, given := m.givenText(name)
	if !given {
		return
	}
	at, ok := ToUTC(s)
	if !ok {
		m.addFieldError(name, "time_invalid", "Must be an RFC 3339 instant, such as 2026-11-20T09:00:00Z or 2026-11-20T10:00:00+01:00.")
	}
	*p = at
}

// givenText returns the text that a reading walk finds under name.
func (m *Members) givenText(name string) (string, bool) {
	if m.mode != reading {
		return "", false
	}
	return m.in.Get(name).Str()
}

// IsTime reports whether s is an instant as this dialect writes it:
// 2026-11-20T09:00:00Z.
func IsTime(s string) bool {
	const form = "0000-00-00T00:00:00Z"
	if len(s) != len(form) {
		return false
	}
	for i := 0; i < len(form); i++ {
		if form[i] == '0' {
			if s[i] < '0' || s[i] > '9' {
				return false
			}
		} else if s[i] != form[i] {
			return false
		}
	}
	two := func(i int) int { return int(s[i]-'0')*10 + int(s[i+1]-'0') }
	return two(5) >= 1 && two(5) <= 12 && two(8) >= 1 && two(8) <= 31 && two(11) < 24 && two(14) < 60 && two(17) < 60
}

// Enum is a required word out of a closed list.
func (m *Members) Enum(name string, p *string, words ...string) { m.enumMember(name, p, true, words) }

// OptEnum is a word out of a closed list, absent when empty.
func (m *Members) OptEnum(name string, p *string, words ...string) {
	m.enumMember(name, p, false, words)
}

func (m *Members) enumMember(name string, p *string, required bool, words []string) {
	if m.mode == describing {
		m.describeEnum(name, required, words)
		return
	}
	m.textMember(name, p, required, false, Bounds{})
	if s, ok := m.givenText(name); ok && !slices.Contains(words, s) {
		m.bad.addField(FieldError{Pointer: m.path + "/" + EscapePointer(name), Code: "not_in_list", Detail: "Not one of the allowed values.", Allowed: words})
		*p = ""
	}
}

// Const is a member that always has the same text.
func (m *Members) Const(name, value string) { m.constMember(name, String(value)) }

// Flag is a member that always has the same truth value, as grants_rights is
// always false.
func (m *Members) Flag(name string, value bool) { m.constMember(name, Bool(value)) }

func (m *Members) constMember(name string, value Value) {
	switch m.mode {
	case writing:
		m.writeValue(name, value)
	case reading:
		if v := m.findMember(name, true); v != nil && (v.Kind != value.Kind || v.Text != value.Text || v.Bool != value.Bool) {
			m.addFieldError(name, "not_in_list", "Must be "+string(value.Append(nil))+".")
		}
	case describing:
		m.describeConst(name, value)
	}
}

// Bool is a required truth value.
func (m *Members) Bool(name string, p *bool) { m.boolMember(name, p, true) }

// OptBool is a truth value that is absent when false.
func (m *Members) OptBool(name string, p *bool) { m.boolMember(name, p, false) }

func (m *Members) boolMember(name string, p *bool, required bool) {
	switch m.mode {
	case writing:
		if required || *p {
			m.beginMember(name)
			m.buf = strconv.AppendBool(m.buf, *p)
			m.endMember()
		}
	case reading:
		v := m.findMember(name, required)
		if v == nil {
			return
		}
		if v.Kind != KindBool {
			m.addFieldError(name, "type_mismatch", "Must be true or false.")
			return
		}
		*p = v.Bool
	case describing:
		m.describeType(name, required, "boolean")
	}
}

// Int is a required integer.
func (m *Members) Int(name string, p *int64) { m.integerMember(name, p, true, false, false, 0, 0) }

// OptInt is an integer that is absent when zero.
func (m *Members) OptInt(name string, p *int64) { m.integerMember(name, p, false, false, false, 0, 0) }

// NullInt is an integer that is null when negative: known to be none.
func (m *Members) NullInt(name string, p *int64) { m.integerMember(name, p, true, true, false, 0, 0) }

// OptRange is an integer from low to high, absent when negative.
func (m *Members) OptRange(name string, p *int64, low, high int64) {
	m.integerMember(name, p, false, false, true, low, high)
}

func (m *Members) integerMember(name string, p *int64, required, null, ranged bool, low, high int64) {
	switch m.mode {
	case writing:
		switch {
		case null && *p < 0:
			m.writeNull(name)
		case required || ranged && *p >= 0 || !ranged && *p != 0:
			m.writeInt(name, *p)
		}
	case reading:
		v := m.findMember(name, required)
		if v == nil {
			return
		}
		if null && v.Kind == KindNull {
			*p = -1
			return
		}
		n, ok := v.Int()
		if !ok {
			m.addFieldError(name, "type_mismatch", "Must be an integer.")
			return
		}
		if ranged && (n < low || n > high) {
			m.bad.addField(FieldError{Pointer: m.path + "/" + EscapePointer(name), Code: "out_of_range", Detail: "Must be from " + strconv.FormatInt(low, 10) + " to " + strconv.FormatInt(high, 10) + "."})
			return
		}
		*p = n
	case describing:
		m.describeInteger(name, required, null, ranged, low, high)
	}
}

// Ints is a list of integers, written even when empty.
func (m *Members) Ints(name string, p *[]int64) {
	switch m.mode {
	case writing:
		m.writeList(name, len(*p), func(i int) { m.buf = strconv.AppendInt(m.buf, (*p)[i], 10) })
	case reading:
		m.readInts(name, p)
	case describing:
		item := Object(M("type", String("integer")))
		m.addProperty(name, true, Object(M("type", String("array")), M("items", item)))
	}
}

func (m *Members) readInts(name string, p *[]int64) {
	items, ok := m.findList(name, true, " of integers")
	if !ok {
		return
	}
	out := make([]int64, 0, len(items))
	for i := range items {
		n, ok := items[i].Int()
		if !ok {
			m.bad.addField(FieldError{Pointer: m.path + "/" + name + "/" + strconv.Itoa(i), Code: "type_mismatch", Detail: "Must be an integer."})
			continue
		}
		out = append(out, n)
	}
	*p = out
}

// Thousandths is a required number from 0 to 1, kept as an integer from 0 to
// 1000 and written in its shortest decimal form: 0, 0.5, 0.875, 1.
func (m *Members) Thousandths(name string, p *int64) {
	switch m.mode {
	case writing:
		m.beginMember(name)
		m.buf = appendThousandths(m.buf, *p)
		m.endMember()
	case reading:
		v := m.findMember(name, true)
		if v == nil {
			return
		}
		n, ok := parseThousandths(v)
		if !ok {
			m.addFieldError(name, "type_mismatch", "Must be a number from 0 to 1 with at most three decimals.")
			return
		}
		*p = n
	case describing:
		m.describeType(name, true, "number")
	}
}

func appendThousandths(b []byte, n int64) []byte {
	b = strconv.AppendInt(b, n/1000, 10)
	n %= 1000
	if n == 0 {
		return b
	}
	b = append(b, '.', byte('0'+n/100), byte('0'+n/10%10), byte('0'+n%10))
	for b[len(b)-1] == '0' {
		b = b[:len(b)-1]
	}
	return b
}

func parseThousandths(v *Value) (int64, bool) {
	if v.Kind != KindNumber {
		return 0, false
	}
	s := v.Text
	n := int64(0)
	scale := int64(-1)
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '.' && scale < 0:
			scale = 0
		case c >= '0' && c <= '9' && scale < 3 && n < 10000:
			n = n*10 + int64(c-'0')
			if scale >= 0 {
				scale++
			}
		default:
			return 0, false
		}
	}
	for scale = max(scale, 0); scale < 3; scale++ {
		n *= 10
	}
	return n, n <= 1000
}

// Strings is a list of texts, written even when empty.
func (m *Members) Strings(name string, p *[]string) { m.stringsMember(name, p, true, nil) }

// OptStrings is a list of texts, absent when empty.
func (m *Members) OptStrings(name string, p *[]string) {
	m.stringsMember(name, p, false, nil)
}

// Words is a list of words out of a closed list, written even when empty.
func (m *Members) Words(name string, p *[]string, words ...string) {
	m.stringsMember(name, p, true, words)
}

// OptWords is Words, absent when empty.
func (m *Members) OptWords(name string, p *[]string, words ...string) {
	m.stringsMember(name, p, false, words)
}

func (m *Members) stringsMember(name string, p *[]string, required bool, words []string) {
	switch m.mode {
	case writing:
		if !required && len(*p) == 0 {
			return
		}
		m.writeList(name, len(*p), func(i int) { m.buf = AppendString(m.buf, (*p)[i]) })
	case reading:
		m.readStrings(name, p, required, words)
	case describing:
		m.describeStrings(name, required, words)
	}
}

func (m *Members) readStrings(name string, p *[]string, required bool, words []string) {
	items, ok := m.findList(name, required, " of strings")
	if !ok {
		return
	}
	out := make([]string, 0, len(items))
	for i := range items {
		at := name + "/" + strconv.Itoa(i)
		s, ok := items[i].Str()
		switch {
		case !ok:
			m.bad.addField(FieldError{Pointer: m.path + "/" + at, Code: "type_mismatch", Detail: "Must be a string."})
		case words != nil && !slices.Contains(words, s):
			m.bad.addField(FieldError{Pointer: m.path + "/" + at, Code: "not_in_list", Detail: "Not one of the allowed values.", Allowed: words})
		default:
			out = append(out, s)
		}
	}
	*p = out
}

// Any is a member of any JSON value; a Null value is absent.
func (m *Members) Any(name string, p *Value) {
	switch m.mode {
	case writing:
		if p.Kind != KindNull {
			m.writeValue(name, *p)
		}
	case reading:
		if v := m.findMember(name, false); v != nil {
			*p = *v
		}
	case describing:
		m.describeAny(name)
	}
}
