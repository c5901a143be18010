package mirroring

import (
	"os"
	"path/filepath"
	"testing"

	"colophon/internal/assert"
)

var must = assert.NoError

// TestCopyMirror checks that a dry run of pull works on a copy of the mirror.
func TestCopyMirror(t *testing.T) {
	mirror := t.TempDir()
	must(t, os.MkdirAll(filepath.Join(mirror, "items"), 0o755))
	for name, text := range map[string]string{"state.json": "{}", "items/a.json": "one"} {
		must(t, os.WriteFile(filepath.Join(mirror, name), []byte(text), 0o600))
	}
	copied, err := copyMirror(mirror)
	must(t, err)
	defer os.RemoveAll(copied)
	if got, err := os.ReadFile(filepath.Join(copied, "items", "a.json")); err != nil || string(got) != "one" {
		t.Errorf("the copy holds %q, %v", got, err)
	}
	must(t, os.WriteFile(filepath.Join(copied, "state.json"), []byte("changed"), 0o600))
	if kept, err := os.ReadFile(filepath.Join(mirror, "state.json")); err != nil || string(kept) != "{}" {
		t.Errorf("the mirror holds %q, %v", kept, err)
	}
}
