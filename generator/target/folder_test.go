package target

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

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
		if err := f.Publish(t.Context(), Changes{Added: []Object{{Key: key}}}); err == nil {
			t.Errorf("the key %q was published", key)
		}
	}
	must(t, os.WriteFile(filepath.Join(f.Stage(), "a"), []byte("12"), 0o600))
	if err := f.Publish(t.Context(), Changes{Added: []Object{{Key: "a", Size: 1}}}); err == nil {
		t.Error("a file of another size was published")
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a refused publication left something: %v", err)
	}
}

// TestNewFoldersMove publishes files of new folders: a folder is moved as a
// whole if it has none of the files that follow, and one that somebody made
// meanwhile gets its files one by one.
func TestNewFoldersMove(t *testing.T) {
	few := SetFewFiles(2)
	defer func() { SetFewFiles(few) }()
	dir := filepath.Join(t.TempDir(), "dist")
	f := openFolder(t, dir)
	defer f.Close()
	stage := func(keys ...string) (list []Object) {
		for _, key := range keys {
			must(t, os.MkdirAll(filepath.Dir(f.stagedPath(key)), 0o755))
			must(t, os.WriteFile(f.stagedPath(key), []byte(key), 0o600))
			list = append(list, Object{Key: key, Size: int64(len(key))})
		}
		return list
	}
	c := Changes{Added: stage("a/b/1", "a/b/2", "a/c/3", "d/4", "top"), Root: stage("a/c/root")}
	var steps []string
	OnReached(func(step string) {
		if step == "journal" {
			must(t, os.MkdirAll(filepath.Join(dir, "d"), 0o755))
			must(t, os.WriteFile(filepath.Join(dir, "d/own"), nil, 0o600))
		}
		steps = append(steps, step)
	})
	defer OnReached(nil)
	must(t, f.Publish(t.Context(), c))
	if want := []string{"staged", "journal", "put a/b", "put a/c/3", "put d", "put top", "put a/c/root"}; !slices.Equal(steps, want) {
		t.Errorf("steps: %q, want %q", steps, want)
	}
	for _, key := range []string{"a/b/1", "a/b/2", "a/c/3", "a/c/root", "d/4", "d/own", "top"} {
		if _, err := os.Stat(filepath.Join(dir, key)); err != nil {
			t.Error(err)
		}
	}
}

func TestDamagedJournal(t *testing.T) {
	for _, text := range []string{"", "put a\n", "put ../a\nend\n", "move a\nend\n"} {
		dir := filepath.Join(t.TempDir(), "dist")
		must(t, os.WriteFile(PathBeside(dir, "journal"), []byte(text), 0o644))
		if _, err := OpenFolder(dir); !errors.Is(err, ErrJournal) {
			t.Errorf("the journal %q: %v", text, err)
		}
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
	if _, err := os.Stat(probe); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it is still there: %v", err)
	}
}
