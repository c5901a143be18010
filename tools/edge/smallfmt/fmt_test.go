package fmt

import (
	"errors"
	standard "fmt"
	"io"
	"testing"
)

// What it words, it words as the standard package does.
func TestAsTheStandardPackage(t *testing.T) {
	for _, c := range []struct {
		format string
		args   []any
	}{
		{"plain", nil}, {"100%%", nil}, {"%s and %v", []any{"a", "b"}}, {"%d of %d", []any{3, int64(-4)}}, {"%q", []any{"a\n\"b\""}}, {"%s", []any{[]byte("bytes")}},
		{"%v %v %v %v", []any{nil, true, uint64(7), 1.5}}, {"type %T, a %T", []any{"x", int64(1)}}, {"%T", []any{[]byte(nil)}}, {"%T %T %T", []any{nil, 1.0, false}},
		{"name %q: %w", []any{"n", io.EOF}}, {"%v", []any{io.EOF}}, {"%+v", []any{"x"}}, {"%", nil},
	} {
		want, got := standard.Errorf(c.format, c.args...), Errorf(c.format, c.args...)
		if got.Error() != want.Error() || errors.Unwrap(got) != errors.Unwrap(want) {
			t.Errorf("%q %v: %q, want %q", c.format, c.args, got, want)
		}
	}
	if got := Sprint("a", 1, nil, true); got != "a1<nil>true" {
		t.Errorf("Sprint: %q", got)
	}
	if got := Sprintf("%d"); got != "%!(MISSING)" {
		t.Errorf("a missing argument: %q", got)
	}
}
