package target

import (
	"errors"
	"io/fs"
	"os"
)

// exchangeInSteps is exchange where the system has no atomic one: the old
// folder steps aside first. recoverSwap brings it back after a kill in between.
func exchangeInSteps(stage, dir string) error {
	aside := dir + ".previous"
	if err := os.RemoveAll(aside); err != nil {
		return err
	}
	if err := os.Rename(dir, aside); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Rename(stage, dir); err != nil {
		os.Rename(aside, dir) //nolint:errcheck // the first error is the one to tell
		return err
	}
	if _, err := os.Stat(aside); err != nil {
		return nil
	}
	return os.Rename(aside, stage)
}

// recoverSwap brings back the previous build of dir where a build was killed
// between the two steps of an exchange.
func recoverSwap(dir string) error {
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	err := os.Rename(dir+".previous", dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
