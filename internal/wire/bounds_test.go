package wire

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"colophon/internal/assert"
)

// code returns the code of an error of Parse, or "" if there is none.
func code(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

func TestParseAtItsBounds(t *testing.T) {
	members := func(n int) string {
		var list []string
		for i := range n {
			list = append(list, fmt.Sprintf(`"m%d":0`, i))
		}
		return "{" + strings.Join(list, ",") + "}"
	}
	nested := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	items := func(n int) string { return "[" + strings.TrimSuffix(strings.Repeat("0,", n), ",") + "]" }
	text := func(n int) string { return `"` + strings.Repeat("a", n-2) + `"` }
	for _, tc := range []struct {
		name, in string
		limits   Limits
		want     string
	}{
		{"16 levels", nested(16), Limits{}, ""},
		{"17 levels", nested(17), Limits{}, "json_too_deep"},
		{"16 levels of objects", strings.Repeat(`{"a":`, 16) + "0" + strings.Repeat("}", 16), Limits{}, ""},
		{"17 levels of objects", strings.Repeat(`{"a":`, 17) + "0" + strings.Repeat("}", 17), Limits{}, "json_too_deep"},
		{"256 members", members(256), Limits{}, ""},
		{"257 members", members(257), Limits{}, "json_too_many_members"},
		{"16,384 items", items(256 * 64), Limits{}, ""},
		{"16,385 items", items(256*64 + 1), Limits{}, "json_too_many_members"},
		{"64 KiB", text(64 << 10), Limits{}, ""},
		{"64 KiB and a byte", text(64<<10 + 1), Limits{}, "json_too_large"},
		{"two members of two", members(2), Limits{Members: 2}, ""},
		{"three members of two", members(3), Limits{Members: 2}, "json_too_many_members"},
		{"two levels of two", nested(2), Limits{Depth: 2}, ""},
		{"three levels of two", nested(3), Limits{Depth: 2}, "json_too_deep"},
		{"four bytes of four", "true", Limits{Bytes: 4}, ""},
		{"five bytes of four", "false", Limits{Bytes: 4}, "json_too_large"},
		{"the largest integer", "9007199254740991", Limits{}, ""},
		{"the smallest integer", "-9007199254740991", Limits{}, ""},
		{"one below it", "-9007199254740992", Limits{}, "json_number_not_safe_integer"},
		{"a float where asked for", "1.5e-3", Limits{Floats: true}, ""},
		{"a minus alone", "-", Limits{}, "json_syntax"},
		{"a fraction without digits", "1.", Limits{Floats: true}, "json_syntax"},
		{"an exponent without digits", "1e", Limits{Floats: true}, "json_syntax"},
		{"white space alone", " \t\r\n", Limits{}, "json_syntax"},
		{"white space around", " \t\r\n0 \t\r\n", Limits{}, ""},
		{"a form feed around", "\f0", Limits{}, "json_syntax"},
	} {
		if _, err := Parse([]byte(tc.in), tc.limits); code(err) != tc.want {
			t.Errorf("%s: %v, want %q", tc.name, err, tc.want)
		}
	}
}

func TestStringsInBothWays(t *testing.T) {
	for _, tc := range []struct{ in, text, out string }{
		{`""`, "", `""`},
		{`"\b\f\n\r\t"`, "\b\f\n\r\t", `"\b\f\n\r\t"`},
		{`"\"\\\/"`, `"\/`, `"\"\\/"`},
		{`"\u0000\u001f\u001F"`, "\x00\x1f\x1f", `"\u0000\u001f\u001f"`},
		{`"\u007f\u0020"`, "\x7f ", "\"\x7f \""},
		{`"\u00e9\u00E9é"`, "ééé", `"ééé"`},
		{`"\ud83d\ude00x"`, "\U0001F600x", "\"\U0001F600x\""},
		{`"\uffff\ufffd"`, "\uffff\ufffd", "\"\uffff\ufffd\""},
		{`"a\u0062c"`, "abc", `"abc"`},
	} {
		v, err := Parse([]byte(tc.in), Limits{})
		if err != nil || v.Kind != KindString || v.Text != tc.text {
			t.Errorf("%s: %q, %v, want %q", tc.in, v.Text, err, tc.text)
			continue
		}
		if out := string(v.Append(nil)); out != tc.out {
			t.Errorf("%s: written as %s, want %s", tc.in, out, tc.out)
		}
	}
	for in, want := range map[string]string{"a\xffb": "\"a\ufffdb\"", "\xc3": "\"\ufffd\"", "\xed\xa0\x80": "\"\ufffd\ufffd\ufffd\""} {
		assert.Equal(t, string(AppendString(nil, in)), want, "%q is written as", in)
	}
	for _, in := range []string{`"\u12"`, `"\u12g4"`, `"\`, `"\u`, `"a`, `"`, "\"\x1f\""} {
		if _, err := Parse([]byte(in), Limits{}); code(err) != "json_syntax" {
			t.Errorf("%s: %v", in, err)
		}
	}
	for _, in := range []string{`"\ud83d"`, `"\ud83dx"`, `"\ud83d\u0041"`, `"\ud83d\ud83d"`, `"\ude00\ud83d"`, `"\udfff"`} {
		if _, err := Parse([]byte(in), Limits{}); code(err) != "json_ill_formed_unicode" {
			t.Errorf("%s: %v", in, err)
		}
	}
}

// TestOrderOfNames checks that names are sorted by UTF-16 code units (RFC 8785,
// section 3.2.3).
func TestOrderOfNames(t *testing.T) {
	sorted := []string{"", "\r", "1", "a", "aa", "b", "\u0080", "\u00f6", "\u20ac", "\U0001F600", "\U0001F601", "\ufb33", "\uffff"}
	for i, a := range sorted {
		for j, b := range sorted {
			assert.Equal(t, less(a, b), i < j, "%q before %q", a, b)
		}
	}
}

func TestInvalidNamesTheMember(t *testing.T) {
	var s sample
	for _, tc := range []struct{ value, want string }{
		{`{}`, `required at "/zed": This member is required.`},
		{`[]`, `type_mismatch at "": Must be an object.`},
	} {
		v, err := Parse([]byte(tc.value), Limits{})
		must(t, err)
		if err := DecodeValue(&v, &s); err == nil || err.Error() != tc.want {
			t.Errorf("%s: %v, want %s", tc.value, err, tc.want)
		}
	}
	if s := (&Error{"json_syntax", 7}).Error(); s != "json_syntax at byte 7" {
		t.Error(s)
	}
	for name, want := range map[string]string{"a": "a", "a/b": "a~1b", "a~b": "a~0b", "~1": "~01", "/~": "~1~0"} {
		assert.Equal(t, EscapePointer(name), want, "%s", name)
	}
}

// TestPointerParts follows RFC 6901: "~01" stands for "~1", not for "/".
func TestPointerParts(t *testing.T) {
	for name, part := range map[string]string{"name": "name", "a/b": "a~1b", "~": "~0", "~1": "~01", "": ""} {
		assert.Equal(t, EscapePointer(name), part, "%q is written", name)
		assert.Equal(t, UnescapePointer(part), name, "%q is read as", part)
	}
}
