package target

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// SyncTree syncs the file system of dir, in one call for all files. It returns
// an error if dir does not exist or the disk fails.
func SyncTree(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	return unix.Syncfs(int(f.Fd()))
}

// lockFile ensures that only one build at a time writes to a folder. It returns
// ErrBusy while another process holds the lock.
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

// unlockFile gives up the lock. Closing the file would not do while this process
// starts another one, which has a copy of the handle until it runs its program.
func unlockFile(f *os.File) {
	if f != nil {
		_ = unix.Flock(int(f.Fd()), unix.LOCK_UN) // an open file can be unlocked
		f.Close()
	}
}
