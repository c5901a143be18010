package mirroring

import (
	"os"
	"path/filepath"
	"testing"
)

// TestCopyMirror checks that a dry run of pull works on a copy of the mirror.
func TestCopyMirror(t *testing.T) {
	mirror := t.TempDir()
	if err := os.MkdirAll(filepath.Join(mirror, "items"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"state.json": "{}", "items/a.json": "one"} {
		if err := os.WriteFile(filepath.Join(mirror, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	copied, err := copyMirror(mirror)
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(copied)
	if got, err := os.ReadFile(filepath.Join(copied, "items", "a.json")); err != nil || string(got) != "one" {
		t.Errorf("the copy holds %q, %v", got, err)
	}
	if err := os.WriteFile(filepath.Join(copied, "state.json"), []byte("changed"), 0o600); err != nil {
		t.Fatal(err)
	}
	if kept, err := os.ReadFile(filepath.Join(mirror, "state.json")); err != nil || string(kept) != "{}" {
		t.Errorf("the mirror holds %q, %v", kept, err)
	}
}
