//go:build !tinygo

package blob

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Folder is the folder of a release, as a Source. It is opened again for each
// file, so that a new release is read as soon as it is in place.
type Folder string

// Read returns a published file. It returns fs.ErrNotExist for a missing file
// and for a key that no file can have, and another error for a file that cannot
// be read.
func (f Folder) Read(_ context.Context, key string) ([]byte, error) {
	path, ok := f.path(key)
	if !ok {
		return nil, fs.ErrNotExist
	}
	info, err := os.Stat(path)
	if cannotBe(err) || err == nil && info.IsDir() {
		return nil, fs.ErrNotExist
	}
	if err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

// cannotBe reports whether an error means that no file has, or can have, the
// name.
func cannotBe(err error) bool {
	for _, e := range []error{fs.ErrNotExist, syscall.ENOTDIR, syscall.ENAMETOOLONG, syscall.EINVAL} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

func (f Folder) path(key string) (path string, ok bool) {
	return filepath.Join(string(f), filepath.FromSlash(key)), fs.ValidPath(key)
}

// ReadBlob returns a blob or page of a published pack.
func (f Folder) ReadBlob(_ context.Context, at Location) ([]byte, error) {
	path, _ := f.path(PackKey(at.Pack))
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if at.Offset < 0 || at.Length < 0 || at.Length > info.Size()-at.Offset {
		return nil, ErrDamaged
	}
	data := make([]byte, at.Length)
	if _, err := file.ReadAt(data, at.Offset); err != nil {
		return nil, err
	}
	if IDOf(data) != at.Digest {
		return nil, ErrDamaged
	}
	return data, nil
}
