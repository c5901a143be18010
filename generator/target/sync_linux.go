package target

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// SyncTree brings everything that was written to the file system of dir to
// disk, once for all files. It fails when dir is not there or the disk refuses.
func SyncTree(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	return unix.Syncfs(int(f.Fd()))
}

// lockFile makes sure that one build at a time writes to a folder: ErrBusy while
// another holds the lock.
func lockFile(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, fmt.Errorf("cannot lock the output folder: %w", err)
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		f.Close()
		if errors.Is(err, unix.EWOULDBLOCK) {
			return nil, ErrBusy
		}
		return nil, fmt.Errorf("cannot lock the output folder: %w", err)
	}
	return f, nil
}

func unlockFile(f *os.File) {
	if f != nil {
		f.Close()
	}
}
