package target_test

import (
	"io/fs"
	"slices"
	"testing"
	"testing/fstest"

	"colophon/exports"
	"colophon/generator/target"
	"colophon/internal/assert"
	"colophon/internal/blob"
	releaselist "colophon/internal/release"
)

// TestCompare walks a folder beside the files of a release in packs. A file that
// must be in a pack is not one of the release where it is in the folder.
func TestCompare(t *testing.T) {
	packed := string(exports.KeyOf(exports.PublisherPath("harbor-ledger")))
	names := []string{"a.txt", "missing.txt", packed, blob.RootKey}
	slices.Sort(names)
	var rows []releaselist.File
	for _, name := range names {
		rows = append(rows, releaselist.FileOf(name, nil))
	}
	files := target.NewFiles(rows)
	folder := fstest.MapFS{"a.txt": {}, packed: {}, blob.RootKey: {}, "stray.txt": {}, "waits.txt": {}}
	got := map[string][2]bool{}
	err := files.Compare(folder, map[string]target.Waiting{"waits.txt": {}}, func(name string, listed *releaselist.File, there fs.DirEntry) error {
		got[name] = [2]bool{listed != nil, there != nil}
		return nil
	})
	must(t, err)
	want := map[string][2]bool{"a.txt": {true, true}, "missing.txt": {true, false}, blob.RootKey: {true, true}, packed: {false, true}, "stray.txt": {false, true}}
	assert.Equal(t, len(got), len(want), "told of %v", got)
	for name, w := range want {
		assert.Equal(t, got[name], w, "%s: listed and there", name)
	}
}
