package main

import (
	"os"
	"path/filepath"
	"testing"
	"unicode"

	"colophon/internal/assert"
)

var must = assert.NoError

const frozen = "../testdata/unicode-15.0.0-assigned.txt"

// TestReproduced generates the tables again and compares every byte.
func TestReproduced(t *testing.T) {
	if unicode.Version != "15.0.0" {
		t.Skipf("this toolchain has Unicode %s", unicode.Version)
	}
	out := filepath.Join(t.TempDir(), "tables.go")
	must(t, run(frozen, out))
	got, err := os.ReadFile(out)
	must(t, err)
	want, err := os.ReadFile("../tables.go")
	must(t, err)
	assert.Equal(t, string(got), string(want), "the generator gives other tables than the frozen ones")
}

// TestOtherRepertoireIsRefused checks that nothing is written from a list other
// than the frozen one.
func TestOtherRepertoireIsRefused(t *testing.T) {
	text, err := os.ReadFile(frozen)
	must(t, err)
	folder := t.TempDir()
	other, out := filepath.Join(folder, "assigned.txt"), filepath.Join(folder, "tables.go")
	must(t, os.WriteFile(other, append(text, "1FAE9..1FAE9\n"...), 0o644))
	assert.ErrorContains(t, run(other, out), "run", "frozen")
	assert.Fails(t, assert.Err(os.Stat(out)), "tables were written all the same")
	assert.Fails(t, run(filepath.Join(folder, "none"), out), "a list that does not exist is no error")
}

func TestCodePoints(t *testing.T) {
	got, err := codePoints("0041..0043\nD7FF..E000\n")
	if err != nil || string(got) != "ABC\uD7FF\uE000" {
		t.Errorf("%U, %v", got, err)
	}
	assert.Fails(t, assert.Err(codePoints("0041-0043\n")), "a bad line is no error")
}

// TestStages checks that the two-stage table gives back every value.
func TestStages(t *testing.T) {
	values := make([]uint32, 64*200)
	for i := range values {
		if i%64 < 40 {
			values[i] = uint32(i / 64 % 7)
		}
	}
	index, blocks := stages(values)
	assert.Equal(t, len(blocks), 7, "blocks, want 7")
	for i, want := range values {
		if got := blocks[index[i/64]][i%64]; got != want {
			t.Fatalf("value %d is %d, want %d", i, got, want)
		}
	}
}
