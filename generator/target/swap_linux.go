package target

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// exchangeFolders puts the folder stage in the place of dir and dir, if there is
// one, in the place of stage, in one atomic step.
func exchangeFolders(stage, dir string) error {
	err := unix.Renameat2(unix.AT_FDCWD, stage, unix.AT_FDCWD, dir, unix.RENAME_EXCHANGE)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, unix.ENOENT):
		return os.Rename(stage, dir)
	case errors.Is(err, unix.EINVAL), errors.Is(err, unix.ENOSYS):
		return exchangeInSteps(stage, dir)
	}
	return err
}

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
