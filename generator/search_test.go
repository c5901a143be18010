package generator

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"colophon/generator/target"
	"colophon/internal/blob"
	"colophon/internal/blob/document"
	"colophon/internal/origin"
	"colophon/internal/staticindex"
)

// TestGenerationsStay builds after changes on several days: the files of the
// generations that readers may still walk stay as they were, older ones go,
// and the same builds from the same states give the same bytes.
func TestGenerationsStay(t *testing.T) {
	for _, form := range []Form{FormFiles, FormPacks} {
		t.Run(string(form), func(t *testing.T) { testGenerationsStay(t, form) })
	}
}

// indexFiles are the files of the index of a build, in the folder or in packs.
func indexFiles(t *testing.T, dir string) map[string][]byte {
	files := readTree(t, dir)
	if files[blob.RootKey] == nil {
		return files
	}
	for key, data := range valuesIn(t, dir) {
		if name, isFile := strings.CutPrefix(key, document.FilePrefix); isFile {
			files[name] = []byte(data)
		}
	}
	return files
}

func testGenerationsStay(t *testing.T, form Form) {
	days := []string{"2026-07-01T08:00:00Z", "2026-07-01T20:00:00Z", "2026-07-02T06:00:00Z", "2026-07-02T07:00:00Z", "2026-07-04T08:00:00Z"}
	want := []int{1, 2, 3, 4, 2}
	run := func(dir string) map[string][]byte {
		store := newStore(t)
		populate(t, store, 3)
		buildForm(t, store, dir, form, 0)
		known := map[string][]byte{}
		for i, at := range days {
			addPage(t, store, "alpha", 5000+i, func(p *origin.Page) { p.RegisteredAt, p.ChangedAt, p.Title = at, at, fmt.Sprintf("News of day %d", i) })
			for range 2 { // the second build finds nothing new
				buildForm(t, store, dir, form, 0)
				x := readIndex(dir)
				if x == nil || len(x.Earlier) != want[i] {
					t.Fatalf("build %d keeps %d earlier generations, want %d", i, len(x.Earlier), want[i])
				}
				stays := map[string]bool{staticindex.Prefix(x.Current.Gen): true}
				for k := range x.Earlier {
					stays[staticindex.Prefix(x.Earlier[k].Gen)] = true
				}
				found := map[string]bool{}
				for name, data := range indexFiles(t, dir) {
					if !strings.HasPrefix(name, "_ix/") {
						continue
					}
					prefix := name[:len("_ix/")+17]
					found[prefix] = true
					if !stays[prefix] {
						t.Errorf("build %d: %s should be gone", i, name)
					}
					if had, ok := known[name]; ok && !bytes.Equal(had, data) {
						t.Errorf("build %d: %s has changed", i, name)
					}
					known[name] = data
				}
				if len(found) != len(stays) {
					t.Errorf("build %d has files of %d generations, names %d", i, len(found), len(stays))
				}
			}
		}
		a, err := Verify(dir)
		must(t, err)
		for _, f := range a.Findings {
			t.Error(f)
		}
		return readTree(t, dir)
	}
	root := t.TempDir()
	one, two := run(filepath.Join(root, "one")), run(filepath.Join(root, "two"))
	if len(one) != len(two) {
		t.Errorf("%d files, then %d", len(one), len(two))
	}
	for name, data := range one {
		if name == target.ExpiredFile { // which has times by the clock
			continue
		}
		if !bytes.Equal(data, two[name]) {
			t.Errorf("%s differs between two histories that are alike", name)
		}
	}
}
