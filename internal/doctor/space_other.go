//go:build !linux && !darwin

package doctor

import "errors"

// freeBytes is not known on this system.
func freeBytes(string) (uint64, error) {
	return 0, errors.New("the free space is not known on this system")
}
