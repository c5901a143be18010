package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"colophon/internal/assert"
)

var must = assert.NoError

const half = `package half

func Half(n int) (int, bool) {
	if n < 0 || n%2 != 0 {
		return 0, false
	}
	return n / 2, true
}
`

func TestMutantsIn(t *testing.T) {
	found, err := mutantsIn("half.go", []byte(half))
	must(t, err)
	var got []string
	for _, m := range found {
		got = append(got, half[m.start:m.end]+" "+m.text)
	}
	want := "|| &&, < <=, != ==, false true, true false"
	if s := strings.Join(got, ", "); s != want {
		t.Errorf("changes are %s, want %s", s, want)
	}
}

// TestPasses checks that the test of Half finds all changes except that of
// zero.
func TestPasses(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":  "module half\n\ngo 1.26\n",
		"half.go": half,
		"half_test.go": `package half

import "testing"

func TestHalf(t *testing.T) {
	for n, want := range map[int]bool{4: true, 3: false, -2: false} {
		if h, ok := Half(n); ok != want || ok && h*2 != n {
			t.Error(n, h, ok)
		}
	}
}
`,
	} {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	t.Chdir(dir)
	found, err := mutantsOf(".")
	must(t, err)
	var survivors []string
	for _, m := range found {
		ok, err := passes(".", filepath.Join(dir, "work"), m)
		must(t, err)
		if ok {
			survivors = append(survivors, half[m.start:m.end])
		}
	}
	if s := strings.Join(survivors, " "); len(found) != 5 || s != "<" {
		t.Errorf("of %d changes these survive: %s", len(found), s)
	}
}
