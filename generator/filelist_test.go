package generator

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"colophon/internal/release"
	"colophon/internal/wire"
)

// relist replaces the signed list of files of a folder with one of the files
// that edit returns.
func relist(tb testing.TB, dir string, edit func(files []release.File) []release.File) {
	tb.Helper()
	files, err := release.ReadFolder(os.DirFS(dir))
	must(tb, err)
	writeList(tb, dir, edit(slices.DeleteFunc(files, func(f release.File) bool { return !release.Listed(f.Name) })))
}

// writeList makes a folder's signed list of files that of some files.
func writeList(tb testing.TB, dir string, files []release.File) {
	tb.Helper()
	data, err := os.ReadFile(filepath.Join(dir, release.ListKey))
	must(tb, err)
	var l release.List
	must(tb, wire.Decode(data, &l, wire.Trusted))
	slices.SortFunc(files, func(a, b release.File) int { return strings.Compare(a.Name, b.Name) })
	must(tb, os.RemoveAll(filepath.Join(dir, filepath.FromSlash(release.TilesFolder))))
	tiles, texts := release.CutTiles(files, release.LargeTileFiles)
	l.Tiles, l.Files, l.Bytes = tiles, int64(len(files)), 0
	for i := range files {
		l.Bytes += files[i].Size
	}
	for i := range tiles {
		path := filepath.Join(dir, filepath.FromSlash(tiles[i].Name))
		must(tb, os.MkdirAll(filepath.Dir(path), 0o755))
		must(tb, os.WriteFile(path, texts[i], 0o644))
	}
	signed, err := l.Sign(testOptions(tb, 1).Signer)
	must(tb, err)
	must(tb, os.WriteFile(filepath.Join(dir, release.ListKey), signed, 0o644))
}

// damageList overwrites the list of files of a folder with text that cannot be
// read.
func damageList(tb testing.TB, dir string) {
	tb.Helper()
	must(tb, os.WriteFile(filepath.Join(dir, release.ListKey), []byte("?"), 0o644))
}
