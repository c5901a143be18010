package release_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"testing"

	"colophon/internal/release"
)

// listOf is the list of files with its tiles by name.
func listOf(files []release.File) (release.List, map[string][]byte) {
	l := release.List{Files: int64(len(files))}
	var texts [][]byte
	l.Tiles, texts = release.CutTiles(files, release.TileFiles)
	for i := range files {
		l.Bytes += files[i].Size
	}
	published := map[string][]byte{}
	for i := range texts {
		published[l.Tiles[i].Name] = texts[i]
	}
	return l, published
}

// TestChangeFiles changes a list in place, and makes it anew: both are the same, and
// only tiles whose files changed are written.
func TestChangeFiles(t *testing.T) {
	file := func(name string, size int64) release.File {
		return release.File{Name: name, Size: size, SHA256: sha256.Sum256(fmt.Append(nil, name, size))}
	}
	for _, count := range []int{3, 12000} {
		var files []release.File
		for i := range count {
			files = append(files, file(fmt.Sprintf("a/%05d.json", i), int64(i)))
		}
		changed, published := listOf(files)
		put := []release.File{file("a/00002.json", 99), file("b/new.json", 7)}
		gone := []string{"a/00001.json", "z/never-there.json"}
		texts, err := changed.ChangeFiles(put, gone, func(name string) ([]byte, error) { return published[name], nil })
		if err != nil {
			t.Fatal(err)
		}

		after := slices.DeleteFunc(slices.Clone(files), func(f release.File) bool { return f.Name == gone[0] || f.Name == put[0].Name })
		after = append(after, put[1])
		after = slices.Insert(after, 1, put[0])
		want, wantTexts := listOf(after)
		if !reflect.DeepEqual(changed, want) {
			t.Errorf("of %d files: the list is %+v, want %+v", count, changed, want)
		}
		for name, text := range wantTexts {
			got, written := texts[name]
			if !written && !bytes.Equal(text, published[name]) || written && !bytes.Equal(text, got) {
				t.Errorf("of %d files: %s differs", count, name)
			}
		}
		if len(texts) > 4 {
			t.Errorf("of %d files: %d tiles were written", count, len(texts))
		}
	}
}

// TestChangeFilesRefuses wants tiles as the list has them, and all of them.
func TestChangeFilesRefuses(t *testing.T) {
	l, published := listOf([]release.File{{Name: "a"}, {Name: "b"}})
	put := []release.File{{Name: "c"}}
	if _, err := l.ChangeFiles(put, nil, func(string) ([]byte, error) { return []byte("other"), nil }); !errors.Is(err, release.ErrDamaged) {
		t.Errorf("another tile: %v", err)
	}
	if _, err := l.ChangeFiles(put, nil, func(string) ([]byte, error) { return nil, fs.ErrNotExist }); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing tile: %v", err)
	}
	for _, tiles := range [][]release.Tile{nil, {l.Tiles[0], l.Tiles[0], l.Tiles[0]}} {
		other := release.List{Tiles: tiles}
		if _, err := other.ChangeFiles(put, nil, func(name string) ([]byte, error) { return published[name], nil }); !errors.Is(err, release.ErrDamaged) {
			t.Errorf("%d tiles: %v", len(tiles), err)
		}
	}
}
