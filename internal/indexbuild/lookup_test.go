package indexbuild

import (
	"crypto/sha256"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestLinesOnDisk checks that all lines come back sorted by key and line,
// whether they were held in memory, in files, or partly in each.
func TestLinesOnDisk(t *testing.T) {
	const count = 500
	want := ""
	for _, limit := range []int{1 << 20, 1, 10_000} {
		dir := t.TempDir()
		l := newKeyedLines(dir, "p")
		l.limit = limit
		for i := range count {
			key := sha256.Sum256([]byte{byte(i % 200)}) // several lines share a key
			if err := l.addLine(key, fmt.Appendf(nil, "line %d", count-i)); err != nil {
				t.Fatal(err)
			}
		}
		var got []string
		for part := range parts {
			lines, err := l.readSorted(part)
			if err != nil {
				t.Fatal(err)
			}
			for _, x := range lines {
				got = append(got, fmt.Sprintf("%x %s", x.key, x.line))
			}
		}
		if !slices.IsSorted(got) || len(got) != count {
			t.Errorf("with a limit of %d there are %d lines, sorted: %v", limit, len(got), slices.IsSorted(got))
		}
		all := strings.Join(got, "\n")
		if want == "" {
			want = all
		}
		if all != want {
			t.Errorf("with a limit of %d other lines come back", limit)
		}

		files, err := os.ReadDir(dir)
		if err != nil || (len(files) == 0) != (limit > 1<<19) {
			t.Errorf("a limit of %d made %d files, %v", limit, len(files), err)
		}
		l.close()
	}
}
