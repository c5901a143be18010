package document

import (
	"errors"
	"testing"

	"colophon/exports"
	"colophon/internal/segment"
)

func TestFileValues(t *testing.T) {
	value := AppendFile([]byte("before"), "a/b.html", []byte("<p>"))
	if got, want := string(value), "before\x80\x08a/b.html<p>"; got != want {
		t.Fatalf("value %q, want %q", got, want)
	}
	name, data, err := ParseFile(value[len("before"):])
	if err != nil || name != "a/b.html" || string(data) != "<p>" {
		t.Errorf("got %q, %q, %v", name, data, err)
	}
	if _, data, err := ParseFile(AppendFile(nil, "empty", nil)); err != nil || len(data) != 0 {
		t.Errorf("an empty file is %q, %v", data, err)
	}
	for _, damaged := range []string{"", "\x80", "\x80\x05abcd", "\x80\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "\x00\x01a"} {
		if name, data, err := ParseFile([]byte(damaged)); !errors.Is(err, segment.ErrDamaged) {
			t.Errorf("%q is read as %q, %q, %v", damaged, name, data, err)
		}
	}
}

// TestFactsAreNoFiles holds that the two kinds of values are told apart.
func TestFactsAreNoFiles(t *testing.T) {
	share := func([]byte) exports.FactRef { return exports.FactRef{} }
	facts := exports.AppendEntryFacts(nil, signed("ent_a", 1), share)
	if IsFile(facts) {
		t.Error("facts are taken for a file")
	}
	if _, err := exports.ParseEntryFacts(AppendFile(nil, "a", []byte("b"))); err == nil {
		t.Error("a file is taken for facts")
	}
}
