package target

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// contents reads all files below a folder.
func contents(tb testing.TB, dir string) map[string]string {
	tb.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		out[filepath.ToSlash(rel)] = string(data)
		return err
	})
	must(tb, err)
	return out
}

// opener reads new content from a map.
func opener(texts map[string]string) Open {
	return func(key string) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader(texts[key])), nil
	}
}

func objects(texts map[string]string, keys ...string) []Object {
	var out []Object
	for _, key := range keys {
		out = append(out, Object{Key: key, Size: int64(len(texts[key]))})
	}
	return out
}

func openFolder(tb testing.TB, dir string) *Folder {
	tb.Helper()
	f, err := OpenFolder(dir)
	must(tb, err)
	return f
}

// release publishes a first release of three files.
func release(tb testing.TB, dir string) {
	tb.Helper()
	f := openFolder(tb, dir)
	defer f.Close()
	texts := map[string]string{"a.json": "a1", "old/b.json": "b1", "assets/c.1.js": "c1", "root.json": "r1"}
	must(tb, f.Publish(context.Background(), Changes{Added: objects(texts, "a.json", "assets/c.1.js", "old/b.json"), Root: objects(texts, "root.json")}, opener(texts)))
}

var second = map[string]string{"a.json": "a2", "new/d.json": "d2", "assets/c.2.js": "c2", "root.json": "r2"}

func secondChanges() Changes {
	return Changes{
		Added: objects(second, "assets/c.2.js", "new/d.json"), Changed: objects(second, "a.json"),
		Removed: []string{"assets/c.1.js", "old/b.json"}, Root: objects(second, "root.json"),
	}
}

func TestFolderPublishes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "dist")
	release(t, dir)
	f := openFolder(t, dir)
	defer f.Close()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	f.Now = func() time.Time { return now }
	must(t, f.Publish(context.Background(), secondChanges(), opener(second)))

	want := maps.Clone(second)
	want["assets/c.1.js"] = "c1" // a reader with the old root still finds it
	want[ExpiredFile] = "2026-03-02T12:00:00Z assets/c.1.js\n"
	if got := contents(t, dir); !maps.Equal(got, want) {
		t.Errorf("published %v, want %v", got, want)
	}
	if _, err := os.Stat(filepath.Join(dir, "old")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an empty folder stayed: %v", err)
	}

	now = now.Add(DefaultGrace - time.Second)
	must(t, f.Publish(context.Background(), Changes{}, nil))
	if contents(t, dir)["assets/c.1.js"] == "" {
		t.Error("a file went before its grace period was over")
	}
	now = now.Add(time.Second)
	must(t, f.Publish(context.Background(), Changes{}, nil))
	want = maps.Clone(second)
	want[ExpiredFile] = ""
	if got := contents(t, dir); !maps.Equal(got, want) {
		t.Errorf("after the grace period %v, want %v", got, want)
	}
}

// TestFolderKeepsAFileThatComesBack names an expired file again.
func TestFolderKeepsAFileThatComesBack(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "dist")
	release(t, dir)
	f := openFolder(t, dir)
	defer f.Close()
	now := time.Now()
	f.Now = func() time.Time { return now }
	must(t, f.Publish(context.Background(), secondChanges(), opener(second)))
	back := map[string]string{"assets/c.1.js": "c1"}
	must(t, f.Publish(context.Background(), Changes{Added: objects(back, "assets/c.1.js")}, opener(back)))
	now = now.Add(2 * DefaultGrace)
	must(t, f.Publish(context.Background(), Changes{}, nil))
	if got := contents(t, dir)["assets/c.1.js"]; got != "c1" {
		t.Errorf("the file that came back has %q", got)
	}
}

// TestFolderOrder watches the moves: nothing that is named comes after what
// names it, and deletions are last.
func TestFolderOrder(t *testing.T) {
	j := journalOf(secondChanges())
	want := []string{"assets/c.2.js", "new/d.json", "a.json", "root.json"}
	if !slices.Equal(j.Put, want) {
		t.Errorf("put in the order %q, want %q", j.Put, want)
	}

	dir := filepath.Join(t.TempDir(), "dist")
	release(t, dir)
	f := openFolder(t, dir)
	defer f.Close()
	var steps []string
	reached = func(step string) { steps = append(steps, step) }
	defer func() { reached = func(string) {} }()
	must(t, f.Publish(context.Background(), secondChanges(), opener(second)))
	got := strings.Join(steps, " ")
	if got != "staged journal put put put put put remove" {
		t.Errorf("the steps were %q", got)
	}
}

// TestFolderInterrupted stops a publication after each step, as a kill would.
// Before the journal the old release stays; from then on the next run finishes
// the new one.
func TestFolderInterrupted(t *testing.T) {
	errKilled := errors.New("killed")
	for stop := 1; stop <= 8; stop++ {
		t.Run(fmt.Sprint(stop), func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "dist")
			release(t, dir)
			before := contents(t, dir)
			f := openFolder(t, dir)
			steps, begun := 0, false
			reached = func(step string) {
				begun = begun || step == "journal"
				if steps++; steps == stop {
					panic(errKilled)
				}
			}
			func() {
				defer func() {
					if r := recover(); r != errKilled {
						t.Fatalf("not killed at step %d of %d: %v", stop, steps, r)
					}
				}()
				must(t, f.Publish(context.Background(), secondChanges(), opener(second)))
			}()
			reached = func(string) {}
			unlockFile(f.lock) // as the end of the process does

			next := openFolder(t, dir)
			defer next.Close()
			got := contents(t, dir)
			delete(got, ExpiredFile)
			want := before
			if begun {
				want = maps.Clone(second)
				want["assets/c.1.js"] = "c1"
			}
			if !maps.Equal(got, want) {
				t.Errorf("after the next run %v, want %v", got, want)
			}
			if left, _ := os.ReadDir(next.Stage()); len(left) > 0 {
				t.Errorf("left on the stage: %v", left)
			}
		})
	}
}

func TestFolderIsLocked(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "dist")
	first := openFolder(t, dir)
	if _, err := OpenFolder(dir); !errors.Is(err, ErrBusy) {
		t.Errorf("a second publisher at the same time: %v", err)
	}
	first.Close()
	openFolder(t, dir).Close()
}

func TestFolderRefuses(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "dist")
	f := openFolder(t, dir)
	defer f.Close()
	for _, key := range []string{"../a", "/a", "", "a//b", "a\nremove b"} {
		if err := f.Publish(context.Background(), Changes{Added: []Object{{Key: key}}}, opener(nil)); err == nil {
			t.Errorf("the key %q was published", key)
		}
	}
	if err := f.Publish(context.Background(), Changes{Added: []Object{{Key: "a", Size: 1}}}, nil); err == nil {
		t.Error("a file without content was published")
	}
	failed := errors.New("no content")
	err := f.Publish(context.Background(), Changes{Added: []Object{{Key: "a"}}}, func(string) (io.ReadCloser, error) { return nil, failed })
	if !errors.Is(err, failed) {
		t.Errorf("content that cannot be read: %v", err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a refused publication left something: %v", err)
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

// A file left by a kill during the test whether the folder is writable is not part
// of a release, and is gone after the next publication.
func TestProbeIsNoPartOfARelease(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "dist")
	release(t, dir)
	probe := filepath.Join(dir, probeFile)
	must(t, os.WriteFile(probe, nil, 0o600))
	if !IsNote(probeFile) {
		t.Error("it is published")
	}
	f := openFolder(t, dir)
	defer f.Close()
	must(t, f.Publish(context.Background(), secondChanges(), opener(second)))
	if _, err := os.Stat(probe); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it is still there: %v", err)
	}
}
