package main

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
)

// folder reads published files from a build. The folder is opened anew for
// each file, so that a new build is served as soon as it is in place.
type folder string

// Read returns a published file.
func (f folder) Read(_ context.Context, key string) ([]byte, error) {
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
