package generator

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRowsAreClosed checks that no build keeps the rows of the previous one
// open, because a server builds for months.
func TestRowsAreClosed(t *testing.T) {
	t.Parallel()
	store, dir := newRegistry(t)
	entries := addEntries(t, store, 20)
	build1(t, store, dir, 1)
	change(t, store, entries[0], "Changed", "2026-09-01T00:00:00Z")
	if r := build1(t, store, dir, 1); int(r.Due) >= len(entries) {
		t.Fatalf("%d entries were due: the rows were not read", r.Due)
	}
	_, err := DryRun(t.Context(), store, dir, testOptions(t, 1))
	must(t, err)

	open, err := os.ReadDir("/proc/self/fd")
	must(t, err)
	for _, fd := range open {
		name, _ := os.Readlink(filepath.Join("/proc/self/fd", fd.Name())) // the descriptor of this listing is already closed
		if strings.HasPrefix(name, rowsPath(dir)) {
			t.Errorf("%s is open", name)
		}
	}
}
