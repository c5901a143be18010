package cli

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"colophon/generator"
	"colophon/internal/segment"
	entrydoc "colophon/internal/segment/document"
	"colophon/templates/entrypage"
)

// PublishedFiles reads published files, and what stands in segments.
func PublishedFiles(source segment.Source) entrydoc.Files {
	return entrydoc.Files{Source: source, SpellPage: entrypage.Spell, Compress: generator.CompressSibling, Index: &entrydoc.Generations{}}
}

// Folder reads published files from a build. The folder is opened afresh for
// each file, so that a new build is served as soon as it is in place.
type Folder string

// Read returns a published file.
func (f Folder) Read(_ context.Context, key string) ([]byte, error) {
	if !fs.ValidPath(key) {
		return nil, fs.ErrNotExist
	}
	path := filepath.Join(string(f), filepath.FromSlash(key))
	info, err := os.Stat(path)
	if err != nil {
		return nil, fs.ErrNotExist
	}
	if info.IsDir() {
		return nil, fs.ErrNotExist
	}
	return os.ReadFile(path)
}

// ReadRange returns a part of a published file.
func (f Folder) ReadRange(_ context.Context, key string, offset, length int64) ([]byte, error) {
	if !fs.ValidPath(key) {
		return nil, fs.ErrNotExist
	}
	file, err := os.Open(filepath.Join(string(f), filepath.FromSlash(key)))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if offset < 0 || length < 0 || length > info.Size()-offset {
		return nil, fmt.Errorf("cannot read %d bytes at %d of %q, which has %d", length, offset, key, info.Size())
	}
	data := make([]byte, length)
	_, err = file.ReadAt(data, offset)
	return data, err
}
