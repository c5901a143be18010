//go:build linux || darwin

package local

import (
	"os"

	"golang.org/x/sys/unix"
)

// The kinds of lock on a note.
const (
	shared    = unix.LOCK_SH
	exclusive = unix.LOCK_EX
)

// tryLock takes a lock of the whole file, or changes the one held. The lock
// belongs to the open file: unlike SQLite's locks, it survives the closing of
// another handle of the same file.
func tryLock(f *os.File, kind int) bool {
	return unix.Flock(int(f.Fd()), kind|unix.LOCK_NB) == nil
}

// unlock gives up the lock of a file that is about to be closed. Closing alone would
// not do while this process starts another one, which has a copy of the handle until
// it runs its program.
func unlock(f *os.File) { _ = unix.Flock(int(f.Fd()), unix.LOCK_UN) }

// readState asks the file system about a file without opening it: closing it would
// release the locks that SQLite holds on it in this process.
func readState(path string) (fileState, bool) {
	var s unix.Stat_t
	if err := unix.Stat(path, &s); err != nil {
		return fileState{}, false
	}
	return fileState{
		Device: uint64(s.Dev), Number: s.Ino, Size: s.Size, //nolint:unconvert // its type differs between systems
		Modified: s.Mtim.Nano(), Changed: s.Ctim.Nano(),
	}, true
}
