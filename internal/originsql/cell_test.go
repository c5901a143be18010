package originsql

import (
	"reflect"
	"testing"

	"colophon/internal/origin"
)

// TestCellsAsText checks that a cell is the same text whichever driver returned
// it: D1 returns all numbers as floats, and texts may be bytes.
func TestCellsAsText(t *testing.T) {
	for _, c := range []struct {
		cell any
		want string
	}{{int64(12), "12"}, {float64(12), "12"}, {float64(1 << 52), "4503599627370496"}, {"12", "12"}, {[]byte("é"), "é"}, {nil, ""}} {
		got := cell{"before"}
		if err := got.Scan(c.cell); err != nil || got.text != c.want {
			t.Errorf("%T %v: %q, %v", c.cell, c.cell, got.text, err)
		}
	}
}

// TestAssignValue checks which values of a driver a field takes, and that a field
// without a value of its own is cleared.
func TestAssignValue(t *testing.T) {
	var text string
	var number int64
	var data []byte
	truth, list := true, []string{"before"}
	facts := facts{&[]origin.Fact{{Name: "before"}}}
	for _, c := range []struct {
		dest, value, want any // nil: it is refused
	}{
		{&text, "a", "a"}, {&text, []byte("b"), "b"}, {&text, int64(1), nil}, {&text, nil, nil},
		{&number, int64(7), int64(7)}, {&number, float64(8), int64(8)}, {&number, 8.5, nil}, {&number, "9", nil},
		{&data, []byte("c"), []byte("c")}, {&data, "d", nil},
		{flag{&truth}, int64(0), false}, {flag{&truth}, int64(2), true}, {flag{&truth}, float64(0), false}, {flag{&truth}, float64(1), true}, {flag{&truth}, nil, false},
		{words{&list}, `["x","y"]`, []string{"x", "y"}}, {words{&list}, []byte("[]"), []string(nil)}, {words{&list}, "", []string(nil)}, {words{&list}, "[", nil},
		{facts, "[]", []origin.Fact(nil)}, {&struct{}{}, "a", nil},
	} {
		err := assignValue(c.dest, c.value)
		if (err == nil) != (c.want != nil) {
			t.Errorf("%T takes %T %v: %v", c.dest, c.value, c.value, err)
			continue
		}
		var got any
		switch d := c.dest.(type) {
		case flag:
			got = *d.p
		case words:
			got = *d.p
		case interface{ value() any }:
			got = *facts.p
		default:
			got = reflect.ValueOf(d).Elem().Interface()
		}
		if err == nil && !reflect.DeepEqual(got, c.want) {
			t.Errorf("%T takes %T %v as %v, want %v", c.dest, c.value, c.value, got, c.want)
		}
	}
}
