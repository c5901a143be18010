package backup

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"colophon/internal/assert"
)

// TestRemoveLeftovers checks that only old folders with the prefix go, also in a
// folder whose name has characters of patterns.
func TestRemoveLeftovers(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "a[b*?")
	for name, age := range map[string]time.Duration{".partial-old": 25 * time.Hour, ".partial-new": time.Hour, "other-old": 25 * time.Hour, "x.partial-old": 25 * time.Hour} {
		path := filepath.Join(folder, name)
		assert.NoError(t, os.MkdirAll(filepath.Join(path, "inside"), 0o700))
		at := time.Now().Add(-age)
		assert.NoError(t, os.Chtimes(path, at, at))
	}
	removeLeftovers(folder, ".partial-")
	removeLeftovers(filepath.Join(folder, "missing"), ".partial-")
	var left []string
	entries, err := os.ReadDir(folder)
	assert.NoError(t, err)
	for _, entry := range entries {
		left = append(left, entry.Name())
	}
	assert.EqualSlices(t, left, slices.Sorted(slices.Values([]string{".partial-new", "other-old", "x.partial-old"})), "what is left")
}
