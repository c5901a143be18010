package wasmfile

import (
	"errors"
	"testing"
)

// twoFunctions is a module with one imported function and two of its own,
// written by hand from the specification: (module (import "a" "b" (func))
// (func) (func nop) with the second one of them named "x").
var twoFunctions = []byte(preamble +
	"\x01\x04\x01\x60\x00\x00" + // types: () -> ()
	"\x02\x07\x01\x01a\x01b\x00\x00" + // imports: a.b
	"\x03\x03\x02\x00\x00" + // functions: two of type 0
	"\x0a\x08\x02\x02\x00\x0b\x03\x00\x01\x0b" + // code
	"\x00\x0b\x04name\x01\x04\x01\x02\x01x") // names: 2 is x

func TestParse(t *testing.T) {
	m, err := Parse(twoFunctions)
	if err != nil {
		t.Fatal(err)
	}
	if m.Imports != 1 || len(m.Bodies) != 2 {
		t.Fatalf("%d imports and %d functions, want 1 and 2", m.Imports, len(m.Bodies))
	}
	if string(m.Bodies[1]) != "\x00\x01\x0b" {
		t.Errorf("second body % x", m.Bodies[1])
	}
	if m.Names[2] != "x" {
		t.Errorf("names %v", m.Names)
	}
}

func TestRename(t *testing.T) {
	m, err := Parse(twoFunctions)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Parse(m.Rename([]string{"first", "second"}))
	if err != nil {
		t.Fatal(err)
	}
	if len(again.Names) != 2 || again.Names[1] != "first" || again.Names[2] != "second" {
		t.Errorf("names %v", again.Names)
	}
	if again.Imports != 1 || string(again.Bodies[0]) != string(m.Bodies[0]) {
		t.Error("more than the names changed")
	}
}

func TestParseBroken(t *testing.T) {
	for size := range len(twoFunctions) {
		if size > 8 && endsSection(size) {
			continue
		}
		_, err := Parse(twoFunctions[:size])
		if size != 8 && !errors.Is(err, ErrBroken) {
			t.Errorf("the first %d bytes: %v", size, err)
		}
	}
}

// endsSection reports whether a section of twoFunctions ends at a byte.
func endsSection(size int) bool {
	end := 8
	for end < len(twoFunctions) {
		end += 2 + int(twoFunctions[end+1])
		if end == size {
			return true
		}
	}
	return false
}
