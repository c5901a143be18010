//go:build linux || darwin

package doctor

import "golang.org/x/sys/unix"

// freeBytes returns how many bytes an unprivileged user can still write in a
// folder.
func freeBytes(dir string) (uint64, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return 0, err
	}
	return s.Bavail * uint64(s.Bsize), nil //nolint:unconvert // its type differs between systems
}
