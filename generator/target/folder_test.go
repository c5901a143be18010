package target

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"colophon/internal/assert"
)

var must = assert.NoError

func openFolder(tb testing.TB, dir string) *Folder {
	tb.Helper()
	f, err := OpenFolder(dir)
	must(tb, err)
	return f
}

func TestFolderRefuses(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "dist")
	f := openFolder(t, dir)
	defer f.Close()
	for _, key := range []string{"../a", "/a", "", "a//b", "a\nremove b", "not staged"} {
		assert.Fails(t, f.Publish(t.Context(), Changes{Added: []Object{{Key: key}}}), "the key %q was published", key)
	}
	must(t, os.WriteFile(filepath.Join(f.Stage(), "a"), []byte("12"), 0o600))
	assert.Fails(t, f.Publish(t.Context(), Changes{Added: []Object{{Key: "a", Size: 1}}}), "a file of another size was published")
	assert.ErrorIs(t, assert.Err(os.Stat(dir)), fs.ErrNotExist, "a refused publication left something")
}

func TestDamagedJournal(t *testing.T) {
	for _, text := range []string{"", "put a\n", "put ../a\nend\n", "move a\nend\n"} {
		dir := filepath.Join(t.TempDir(), "dist")
		must(t, os.WriteFile(PathBeside(dir, "journal"), []byte(text), 0o644))
		assert.ErrorIs(t, assert.Err(OpenFolder(dir)), ErrJournal, "the journal %q", text)
	}
}

// TestProbeIsNoPartOfARelease checks the file that remains if a process is
// killed while it tests whether the folder is writable: it is not part of a
// release, and the next publication removes it.
func TestProbeIsNoPartOfARelease(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "dist")
	must(t, os.Mkdir(dir, 0o755))
	probe := filepath.Join(dir, probeFile)
	must(t, os.WriteFile(probe, nil, 0o600))
	if !IsNote(probeFile) {
		t.Error("it is published")
	}
	f := openFolder(t, dir)
	defer f.Close()
	must(t, f.Publish(t.Context(), Changes{}))
	assert.ErrorIs(t, assert.Err(os.Stat(probe)), fs.ErrNotExist, "it is still there")
}
