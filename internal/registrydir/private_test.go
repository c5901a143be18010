package registrydir

import (
	"io/fs"
	"testing"
)

func TestIsOpen(t *testing.T) {
	for _, c := range []struct {
		system string
		mode   fs.FileMode
		want   bool
	}{
		{"linux", 0o600, false},
		{"linux", 0o640, true},
		{"linux", 0o602, true},
		{"darwin", 0o604, true},
		{"linux", fs.ModeDir | 0o700, false},
		{"windows", 0o666, false}, // what Go reports there for any writable file
	} {
		if got := isOpen(c.system, c.mode); got != c.want {
			t.Errorf("%s, %v: %v, want %v", c.system, c.mode, got, c.want)
		}
	}
}
