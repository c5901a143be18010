//go:build !linux && !darwin

package local

import "os"

// The kinds of lock on a note. This system has none.
const (
	shared = iota
	exclusive
)

func tryLock(*os.File, int) bool { return false }

// unlock does nothing, because nothing is locked.
func unlock(*os.File) {}

// readState knows nothing on this system, so that every opening checks.
func readState(string) (fileState, bool) { return fileState{}, false }
