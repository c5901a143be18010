package main

import (
	"os"
	"testing"
	"unicode"
)

// TestReproduced generates the tables again and compares every byte.
func TestReproduced(t *testing.T) {
	if unicode.Version != "15.0.0" {
		t.Skipf("this toolchain has Unicode %s", unicode.Version)
	}
	got, err := tables()
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("../tables.go")
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Error("the generator gives other tables than the frozen ones")
	}
}
