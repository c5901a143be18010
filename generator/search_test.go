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
	"colophon/internal/wire"
)

// TestIndexIsReplaced checks, with builds after changes on several days, that only
// the files of the current generation of the index are published, that they never
// change, and that the same sequence of builds gives the same bytes.
func TestIndexIsReplaced(t *testing.T) {
	t.Parallel()
	for _, form := range []Form{FormFiles, FormPacks} {
		t.Run(string(form), func(t *testing.T) { testIndexIsReplaced(t, form) })
	}
}

// publishedGeneration returns the name of the current generation of the index
// that is published in a folder.
func publishedGeneration(t *testing.T, dir string) string {
	t.Helper()
	published := document.Files{Source: newFolderSource(dir)}
	data, err := published.Read(t.Context(), string(staticindex.IndexKey))
	must(t, err)
	var index staticindex.Index
	must(t, wire.Decode(data, &index, wire.Trusted))
	return index.Current.Gen
}

// indexFiles returns the files of a build by name, those of the index among them.
// If the build is packed, it also reads the files in the packs, those of the
// index by the names that readers use.
func indexFiles(t *testing.T, dir string) map[string][]byte {
	files := readTree(t, dir)
	if files[blob.RootKey] == nil {
		return files
	}
	gen := publishedGeneration(t, dir)
	for key, data := range valuesIn(t, dir) {
		if name, isFile := strings.CutPrefix(key, document.FilePrefix); isFile {
			if rest, ofIndex := strings.CutPrefix(name, staticindex.Folder); ofIndex {
				name = staticindex.Prefix(gen) + rest
			}
			files[name] = []byte(data)
		}
	}
	return files
}

func testIndexIsReplaced(t *testing.T, form Form) {
	run := func(dir string) map[string][]byte {
		store := newStore(t)
		populate(t, store, 3)
		buildForm(t, store, dir, form, 0)
		known, generations := map[string][]byte{}, map[string]bool{}
		for i := range 3 {
			at := fmt.Sprintf("2026-07-0%dT08:00:00Z", i+1)
			addPage(t, store, "alpha", 5000+i, func(p *origin.Page) { p.RegisteredAt, p.ChangedAt, p.Title = at, at, fmt.Sprintf("News of day %d", i) })
			for range 2 { // the second build finds nothing new
				buildForm(t, store, dir, form, 0)
				dropExpired(t, dir)
				gen := publishedGeneration(t, dir)
				generations[gen] = true
				found := 0
				for name, data := range indexFiles(t, dir) {
					if !strings.HasPrefix(name, "_ix/") {
						continue
					}
					if !strings.HasPrefix(name, staticindex.Prefix(gen)) {
						t.Errorf("build %d: %s should be gone", i, name)
					}
					if had, ok := known[name]; ok && !bytes.Equal(had, data) {
						t.Errorf("build %d: %s has changed", i, name)
					}
					known[name] = data
					found++
				}
				if found == 0 {
					t.Errorf("build %d has no files of its index", i)
				}
			}
		}
		if len(generations) != 3 {
			t.Errorf("three changes made the generations %v", generations)
		}
		verified(t, dir)
		return readTree(t, dir)
	}
	root := t.TempDir()
	one, two := run(filepath.Join(root, "one")), run(filepath.Join(root, "two"))
	if len(one) != len(two) {
		t.Errorf("%d files, then %d", len(one), len(two))
	}
	for name, data := range one {
		if name == target.WaitingFile { // it has times of the clock
			continue
		}
		if !bytes.Equal(data, two[name]) {
			t.Errorf("%s differs between two histories that are alike", name)
		}
	}
}
