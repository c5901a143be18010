package assert

import (
	"fmt"
	"io"
	"strings"
	"testing"
)

// record keeps what an assertion reports.
type record []string

func (r *record) Helper() {}

func (r *record) Errorf(format string, args ...any) { *r = append(*r, fmt.Sprintf(format, args...)) }

func (r *record) Fatal(args ...any) { *r = append(*r, fmt.Sprint(args...)) }

func TestFailuresAreReported(t *testing.T) {
	var r record
	Equal(&r, 1, 1, "equal")
	EqualSlices(&r, nil, []int{}, "empty")
	ErrorIs(&r, fmt.Errorf("%w: again", io.EOF), io.EOF, "wrapped")
	Contains(&r, "page", "one two", "one", "two")
	Lacks(&r, "page", "one two", "three", "four")
	NoError(&r, nil)
	Fails(&r, Err(0, io.EOF), "failing")
	ErrorContains(&r, io.ErrUnexpectedEOF, "error", "unexpected", "EOF")
	if len(r) != 0 {
		t.Errorf("what is equal is reported: %q", r)
	}
	Equal(&r, 1, 2, "page %d", 3)
	EqualSlices(&r, []int{1}, []int{1, 2}, "list")
	ErrorIs(&r, nil, io.EOF, "error")
	Contains(&r, "page", "one two", "one", "four")
	Lacks(&r, "page", "one two", "three", "two")
	NoError(&r, io.EOF)
	Fails(&r, nil, "call %d", 4)
	ErrorContains(&r, nil, "call", "a")
	ErrorContains(&r, io.EOF, "call", "a")
	want := "page 3: got 1, want 2|list: got [1], want [1 2]|error: got the error <nil>, want EOF|" +
		"page: no \"four\" in\none two|page: there is \"two\" in\none two|EOF|" +
		"call 4: there is no error|call: there is no error|call: no \"a\" in\nEOF"
	if got := strings.Join(r, "|"); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
