//go:build !linux && !darwin

package local

import "os"

// The kinds of lock on a note, of which there is none on this system.
const (
	shared = iota
	exclusive
)

func tryLock(*os.File, int) bool { return false }

// readState knows nothing on this system, so that every opening checks.
func readState(string) (fileState, bool) { return fileState{}, false }
