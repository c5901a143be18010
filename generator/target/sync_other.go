//go:build !linux

package target

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// SyncTree does nothing on this system.
func SyncTree(string) error { return nil }

// lockFile ensures that only one build at a time writes to a folder, by
// creating a file exclusively.
func lockFile(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("%w (or was killed: remove %q)", ErrBusy, path)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot lock the output folder: %w", err)
	}
	return f, nil
}

func unlockFile(f *os.File) {
	if f != nil {
		f.Close()
		os.Remove(f.Name())
	}
}
