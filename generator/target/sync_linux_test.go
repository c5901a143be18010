package target

import (
	"errors"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// TestUnlockedBesideAStartingProcess gives up a lock while another handle of the
// same open file exists, as a process has one between its fork and its exec.
func TestUnlockedBesideAStartingProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), ".dist.lock")
	first, err := lockFile(path)
	must(t, err)
	if _, err := lockFile(path); !errors.Is(err, ErrBusy) {
		t.Errorf("a second build: %v, want ErrBusy", err)
	}
	inherited, err := unix.Dup(int(first.Fd()))
	must(t, err)
	defer unix.Close(inherited)
	unlockFile(first)
	next, err := lockFile(path)
	if err != nil {
		t.Errorf("the next build: %v", err)
	}
	unlockFile(next)
}
